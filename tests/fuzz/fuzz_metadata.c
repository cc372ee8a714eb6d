/* A table of fields beside documents.  The first byte chooses what the columns are. */
#include "fixed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[][2] = {
        {"label", "a"}, {"labels", "b"}, {"target", "c"}, {"covariates", "d"}, {"group", "e"}};
    char path[FUZZ_PATH], documents[FUZZ_PATH];
    gb_corpus *corpus = NULL;
    if (size < 1)
        return 0;
    const int file = fuzz_file(data + 1, size - 1, path), beside = fuzz_documents(documents);
    gb_settings *settings = fuzz_settings("format", "jsonl", "metadata", path, "memory-limit", "100M", NULL);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if ((data[0] >> i & 1) != 0 && gb_settings_set(settings, columns[i][0], columns[i][1], NULL) != GB_OK)
            abort();
    if (gb_corpus_read(documents, settings, NULL, NULL, &corpus, NULL) == GB_OK)
        gb_corpus_free(corpus);
    gb_settings_free(settings);
    (void)close(file);
    (void)close(beside);
    return 0;
}
