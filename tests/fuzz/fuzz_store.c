/* Files of ours with a checksum that fits: a model, which then is asked for its topics, or a corpus. */
#include "fuzz.h"

#include "gibbous/gibbous.h"

static void ask(gb_model *m)
{
    uint64_t word[3];
    double probability[3];
    for (uint64_t k = 0; k < gb_model_n_topics(m) && k < 3; k++) {
        (void)gb_model_topic_words(m, k, 3, word, probability);
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
