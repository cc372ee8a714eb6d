/* Names of topics, as a table and as language models answer, and groups of topics. */
#include "fixed.h"
#include "model/topic_unions.h"

static gb_model *model;

/* With a union, so that "1+3" is one. */
static void make_model(void)
{
    gb_model *plain;
    gb_corpus *corpus = fuzz_corpus();
    gb_settings *settings = fuzz_settings("topics", "4", "response", "none", "sweeps", "3", "burn-in", "2", "seed",
                                          "1", "threads", "1", NULL);
    if (gb_train(corpus, settings, NULL, NULL, &plain, NULL) != GB_OK ||
        gb_model_unite_topics(plain, (const uint64_t[]){0, 1, 0, 3}, &model, NULL) != GB_OK)
        abort();
    gb_model_free(plain);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

/* Names have no control characters, and what is taken is a sound model. */
static void check(gb_model *named)
{
    void *bytes = NULL;
    size_t n = 0;
    gb_model *again = NULL;
    for (uint64_t k = 0; k < gb_model_n_topics(named); k++)
        for (const char *at = gb_model_union_name(named, k); *at != '\0'; at++)
            if ((unsigned char)*at < 0x20 || *at == 0x7f)
                abort();
    if (gb_model_to_bytes(named, &bytes, &n, NULL) == GB_OK && gb_model_from_bytes(bytes, n, &again, NULL) != GB_OK)
        abort();
    gb_model_free(again);
    gb_free(bytes);
    gb_model_free(named);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH];
    gb_model *named = NULL;
    if (model == NULL)
        make_model();
    const int file = fuzz_file(data, size, path);
    if (gb_model_read_topic_names(model, path, &named, NULL) == GB_OK)
        check(named);
    named = NULL;
    if (gb_model_read_topic_unions(model, path, &named, NULL) == GB_OK)
        check(named);
    (void)close(file);
    return 0;
}
