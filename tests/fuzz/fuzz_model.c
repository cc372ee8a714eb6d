/* A model of classes, numbers, covariates and groups with a few numbers changed, and all that can be asked of it. */
#include "edits.h"
#include "fixed.h"

static gb_corpus *corpus;
static fuzz_bytes good;

static void make_model(void)
{
    gb_model *model;
    gb_settings *settings =
        fuzz_settings("topics", "3", "prior", "graph", "graph", "chain", "sweeps", "3", "burn-in", "2", "thin", "1",
                      "chains", "2", "seed", "1", "threads", "1", "intercept", "yes", NULL);
    void *bytes;
    corpus = fuzz_corpus();
    if (gb_train(corpus, settings, NULL, NULL, &model, NULL) != GB_OK ||
        gb_model_to_bytes(model, &bytes, &good.n, NULL) != GB_OK)
        abort();
    good.bytes = bytes;
    gb_model_free(model);
    gb_settings_free(settings);
}

static void predict(const gb_model *model)
{
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    gb_prediction *prediction = NULL;
    gb_settings *settings =
        fuzz_settings("infer-sweeps", "3", "infer-burn-in", "1", "seed", "1", "threads", "1", NULL);
    if (gb_documents_from_corpus(model, corpus, &docs, &n_unknown, NULL) == GB_OK &&
        gb_prediction_create(model, gb_corpus_n_docs(docs), &prediction, NULL) == GB_OK)
        (void)gb_predict(model, docs, 0, settings, NULL, NULL, prediction, NULL);
    gb_prediction_free(prediction);
    gb_free(n_unknown);
    gb_corpus_free(docs);
    gb_settings_free(settings);
}

/* @param with_shares  shares of groups, too, which cost 25 ms */
static void ask(const gb_model *model, bool with_shares)
{
    enum { MOST = 64 };
    gb_effect effect[MOST];
    gb_diagnosis *diagnosis = NULL;
    for (uint64_t l = 0; l < gb_model_n_outputs(model); l++)
        if (gb_model_n_effects(model, l) <= MOST)
            (void)gb_model_effects(model, l, effect, NULL);
    if (with_shares && gb_model_n_groups(model) * gb_model_n_topics(model) <= MOST)
        (void)gb_model_group_shares(model, 0, gb_model_n_groups(model), 1, effect, NULL);
    if (gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &diagnosis, NULL) == GB_OK)
        gb_diagnosis_free(diagnosis);
}

static void write_again(const gb_model *model)
{
    void *bytes = NULL;
    size_t n = 0;
    gb_model *again = NULL;
    if (gb_model_to_bytes(model, &bytes, &n, NULL) == GB_OK && gb_model_from_bytes(bytes, n, &again, NULL) != GB_OK)
        abort(); /* what is written can be read */
    gb_model_free(again);
    gb_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_model *model = NULL;
    if (corpus == NULL)
        make_model();
    const fuzz_bytes edited = fuzz_edited(good, data, size);
    uint8_t *bytes = fuzz_mended(edited.bytes, edited.n);
    if (gb_model_from_bytes(bytes, edited.n, &model, NULL) == GB_OK) {
        ask(model, size > 0 && data[size - 1] % 32 == 0);
        predict(model);
        write_again(model);
    }
    gb_model_free(model);
    free(bytes);
    free(edited.bytes);
    return 0;
}
