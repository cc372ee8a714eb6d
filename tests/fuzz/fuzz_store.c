/* Files of ours with a checksum that fits: a model, which then is asked for its topics, or a corpus. */
#include "fixed.h"
#include "store_mutator.h"

static void ask(gb_model *m)
{
    for (uint64_t k = 0; k < gb_model_n_topics(m) && k < 3; k++) {
        (void)gb_model_topic_share(m, k);
        for (uint64_t l = 0; l < gb_model_n_outputs(m) && l < 3; l++)
            (void)gb_model_coefficient(m, l, k);
    }
    for (uint64_t r = 0; r < gb_model_n_responses(m); r++)
        for (uint64_t c = 0; c < gb_model_n_classes(m, r) && c < 3; c++)
            (void)gb_model_class(m, r, c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    gb_model *model = NULL;
    gb_corpus *corpus = NULL;
    gb_settings *s;
    uint8_t *bytes = fuzz_mended(data, size);
    if (gb_model_from_bytes(bytes, size, &model, NULL) == GB_OK)
        ask(model);
    gb_model_free(model);
    const int file = fuzz_file(bytes, size, path);
    if (gb_settings_create(&s, NULL) == GB_OK && gb_corpus_read(path, s, NULL, NULL, &corpus, NULL) == GB_OK)
        gb_corpus_free(corpus);
    gb_settings_free(s);
    (void)close(file);
    free(bytes);
    return 0;
}

/* A corpus file, or a model. */
static fuzz_bytes good_file(unsigned seed)
{
    static fuzz_bytes file[1 + FUZZ_MODELS];
    const unsigned which = seed / 2 % 2 == 0 ? 0 : seed / 4 % (1 + FUZZ_MODELS);
    if (file[0].bytes == NULL) {
        gb_corpus *corpus = fuzz_corpus();
        file[0] = fuzz_corpus_bytes();
        for (int i = 0; i < FUZZ_MODELS; i++)
            file[1 + i] = fuzz_model_bytes(corpus, i);
        gb_corpus_free(corpus);
    }
    return file[which];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const fuzz_bytes good = good_file(seed);
    if (seed % 4 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if ((seed % 64 == 1 || !fuzz_is_store(data, size)) && good.n <= max_size) {
        memcpy(data, good.bytes, good.n);
        size = good.n;
    }
    const size_t n = fuzz_mutate_store(data, size, max_size, good.bytes, good.n, seed);
    return n > 0 ? n : LLVMFuzzerMutate(data, size, max_size);
}
