/* A model, and all that can be asked of it.  Either the file is there, or it says which numbers change in one of classes, numbers, covariates and
 * groups. */
#include "fixed.h"
#include "store_mutator.h"

static gb_corpus *corpus;

static fuzz_bytes good_model(unsigned which)
{
    static fuzz_bytes model[FUZZ_MODELS];
    if (corpus == NULL) {
        corpus = fuzz_corpus();
        for (int i = 0; i < FUZZ_MODELS; i++)
            model[i] = fuzz_model_bytes(corpus, i);
    }
    return model[which % FUZZ_MODELS];
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

static fuzz_bytes wanted_file(const uint8_t *data, size_t size)
{
    const fuzz_bytes given = {(uint8_t *)(uintptr_t)data, size};
    return fuzz_is_store(data, size) ? fuzz_edited(given, NULL, 0) : fuzz_edited(good_model(0), data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_model *model = NULL;
    (void)good_model(0);
    const fuzz_bytes wanted = wanted_file(data, size);
    uint8_t *bytes = fuzz_mended(wanted.bytes, wanted.n);
    if (gb_model_from_bytes(bytes, wanted.n, &model, NULL) == GB_OK) {
        ask(model, size > 0 && data[size - 1] % 32 == 0);
        predict(model);
        write_again(model);
    }
    gb_model_free(model);
    free(bytes);
    free(wanted.bytes);
    return 0;
}

/* One of sixteen is as libFuzzer would have it, and stays what it is; all others are or become files. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    if (seed % 16 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const fuzz_bytes other = good_model(seed / 32), wanted = seed % 32 == 1 ? other : wanted_file(data, size);
    if (wanted.n <= max_size) {
        memcpy(data, wanted.bytes, wanted.n);
        size = wanted.n;
    }
    if (wanted.bytes != other.bytes)
        free(wanted.bytes);
    const size_t n = fuzz_mutate_store(data, size, max_size, other.bytes, other.n, seed);
    return n > 0 ? n : LLVMFuzzerMutate(data, size, max_size);
}
