/* A formula as text, and as a model has it. */
#include "fixed.h"

#include "design/formula.h"

static gb_corpus *corpus;
static gb_settings *settings;

/* What is a formula has columns for the documents, and comes back from JSON with the same. */
static void check(const gb_formula *formula)
{
    gb_sparse_columns x;
    gb_formula *again = NULL;
    if (gb_formula_apply(formula, corpus, settings, 0, &x, NULL) == GB_OK) {
        for (uint64_t i = 0; i < x.n_entries; i++)
            if (x.column[i] >= gb_formula_n_columns(formula))
                abort();
        gb_sparse_columns_clear(&x);
    }
    json_t *object = gb_formula_to_json(formula);
    if (gb_formula_from_json(object, &again, NULL) != GB_OK ||
        gb_formula_n_columns(again) != gb_formula_n_columns(formula))
        abort();
    gb_formula_free(again);
    json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_formula *formula = NULL;
    char *text = malloc(size + 1);
    if (text == NULL)
        abort();
    if (corpus == NULL)
        corpus = fuzz_corpus();
    if (settings == NULL)
        settings = fuzz_settings("impute", "mean", "unknown-level", "reference", NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    json_t *object = json_loads(text, 0, NULL);
    const gb_status st = object == NULL ? gb_formula_make(&formula, text, corpus, settings, NULL)
                                        : gb_formula_from_json(object, &formula, NULL);
    if (st == GB_OK)
        check(formula);
    gb_formula_free(formula);
    json_decref(object);
    free(text);
    return 0;
}
