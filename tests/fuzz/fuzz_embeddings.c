/* Embeddings beside documents: .npy, .npz and .safetensors. */
#include "fixed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH], documents[FUZZ_PATH];
    gb_corpus *corpus = NULL;
    const int file = fuzz_file(data, size, path), beside = fuzz_documents(documents);
    gb_settings *settings = fuzz_settings("format", "jsonl", "embeddings", path, "memory-limit", "100M", NULL);
    if (gb_corpus_read(documents, settings, NULL, NULL, &corpus, NULL) == GB_OK)
        gb_corpus_free(corpus);
    gb_settings_free(settings);
    (void)close(file);
    (void)close(beside);
    return 0;
}
