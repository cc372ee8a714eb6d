/* tests/unit/test_format_page.c - the tables of docs/format.md have the arrays of a model file, as src/model/arrays.c lists them. */
#include "helper_documents.h"

#include "base/memory.h"
#include "model/cross_fitted.h"
#include "model/model.h"
#include "store/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 100 };

typedef struct row {
    char name[64], type[8];
    size_t n_dimensions;
    bool is_met;
} row;

typedef struct page {
    size_t n;
    row row[MOST_ARRAYS];
} page;

/* ---- the page ---- */

static size_t count(const char *text, char c)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == c;
    return n;
}

/* "| `a`, `b` | U64, U8 | V + 1; bytes | ... |": the last type and shape are those of all names that follow, too. */
static void read_row(char *line, page *p)
{
    char *rest = NULL, *cell[3];
    for (size_t i = 0; i < 3; i++)
        cell[i] = strtok_r(i == 0 ? line : NULL, "|", &rest);
    if (cell[2] == NULL || strchr(cell[0], '`') == NULL)
        return;
    char *names = NULL, *types = NULL, *shapes = NULL, *name = strtok_r(cell[0], " `,", &names),
         *type = strtok_r(cell[1], " ,", &types), *shape = strtok_r(cell[2], ";", &shapes);
    for (; name != NULL; name = strtok_r(NULL, " `,", &names)) {
        assert_true(p->n < MOST_ARRAYS && type != NULL && shape != NULL);
        row *r = &p->row[p->n++];
        (void)snprintf(r->name, sizeof r->name, "%s", name);
        (void)snprintf(r->type, sizeof r->type, "%s", type);
        r->n_dimensions = 1 + count(shape, ',');
        char *next_type = strtok_r(NULL, " ,", &types), *next_shape = strtok_r(NULL, ";", &shapes);
        type = next_type == NULL ? type : next_type;
        shape = next_shape == NULL ? shape : next_shape;
    }
}

/* Tables with the heading "| name | type | shape |" of the section "## Model". */
static void read_page(page *p)
{
    static char line[1 << 14];
    bool in_section = false, in_table = false;
    FILE *f = fopen(GIBBOUS_SOURCE_DIR "/docs/format.md", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "## ", 3) == 0)
            in_section = strcmp(line, "## Model\n") == 0;
        if (*line != '|')
            in_table = false;
        if (in_table)
            read_row(line, p);
        if (in_section && strncmp(line, "| name | type | shape |", 23) == 0)
            in_table = true;
    }
    (void)fclose(f);
}

/* ---- the list ---- */

static void compare(void *context, const gb_array *array)
{
    page *p = context;
    row *r = NULL;
    if (array->life != GB_STATE || (gb_array_count(array) == 0 && !array->is_always))
        return;
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->row[i].name, array->name) == 0)
            r = &p->row[i];
    if (r == NULL)
        fail_msg("no table of docs/format.md has \"%s\"", array->name);
    if (strcmp(r->type, gb_dtype_name(array->type)) != 0 || r->n_dimensions != array->n_dimensions)
        fail_msg("\"%s\" is %s with %zu dimensions, and by docs/format.md %s with %zu", array->name,
                 gb_dtype_name(array->type), array->n_dimensions, r->type, r->n_dimensions);
    r->is_met = true;
}

/* All that a model may have, but the document prior. */
static void list_model(const gb_corpus *corpus, const char *prior, const char *name, const char *value, page *p)
{
    gb_spec spec;
    gb_error err = {0};
    gb_cross_fitted *folds = NULL;
    gb_settings *settings =
        settings_of("topics", "3", "sweeps", "4", "response", "gaussian", "word-effects", "tfidf",
                    "coefficient-prior", "horseshoe", "beta", "sample", "prior", prior, name, value, NULL);
    if (gb_spec_resolve(corpus, settings, &spec, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model m = gb_model_outline(corpus, &spec);
    m.n_kept = m.n_draws = m.n_traces = m.n_entries = 1;
    m.has_late_labels = true;
    uint64_t sweeps[1] = {10};
    m.trace_sweeps = sweeps;
    assert_int_equal(gb_cross_fitted_create(&m, 2, 1, &folds, NULL), GB_OK);
    m.cross_fitted = folds;
    gb_model_list(&m, &(gb_array_visitor){compare, p});
    gb_cross_fitted_free(folds);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
}

/* What such a model cannot have. */
static void list_model_with_groups(page *p)
{
    gb_spec spec;
    gb_error err = {0};
    gb_corpus *corpus = corpus_of("d.jsonl", "content", "v", NULL);
    gb_settings *settings = settings_of("topics", "3", "content", "v", NULL);
    if (gb_spec_resolve(corpus, settings, &spec, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model m = gb_model_outline(corpus, &spec);
    m.n_kept = 1;
    gb_model_list(&m, &(gb_array_visitor){compare, p});
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void tables_of_the_page_are_the_arrays_of_models(void **state)
{
    (void)state;
    page p = {0};
    write_file("d.jsonl", "{\"text\": \"ape bee\", \"y\": 1, \"v\": \"a\", \"c\": \"i\", \"x\": 1}\n"
                          "{\"text\": \"cat bee\", \"y\": 2, \"v\": \"b\", \"c\": \"i\", \"x\": 3}\n"
                          "{\"text\": \"ape cat\", \"y\": 4, \"v\": \"a\", \"c\": \"j\", \"x\": 4}\n");
    gb_corpus *corpus = corpus_of("d.jsonl", "target", "y", "group", "v", "cluster", "c", "covariates", "x", NULL);
    read_page(&p);
    assert_true(p.n > 40);
    list_model(corpus, "dirichlet", "alpha", "optimise", &p);
    list_model(corpus, "logistic-normal", "covariance", "full", &p);
    list_model(corpus, "logistic-normal", "prevalence", "v + (1|c)", &p);
    list_model(corpus, "graph", "graph", "complete", &p);
    list_model_with_groups(&p);
    for (size_t i = 0; i < p.n; i++)
        if (!p.row[i].is_met)
            fail_msg("docs/format.md has \"%s\", and no model", p.row[i].name);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_the_page_are_the_arrays_of_models),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
