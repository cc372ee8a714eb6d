/* Documents in any format.  The first byte chooses the format (low half), the fields and how text becomes words; the rest is the file. */
#include "fuzz.h"

#include "gibbous/gibbous.h"

static void set(gb_settings *s, const char *name, const char *value)
{
    if (gb_settings_set(s, name, value, NULL) != GB_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"auto",   "jsonl",    "csv",  "tsv", "svmlight", "uci", "mtx",
                                          "mallet", "fasttext", "ldac", "npz", "dir",      "vw"};
    char path[FUZZ_PATH];
    gb_settings *s;
    gb_corpus *corpus = NULL;
    gb_error err;
    if (size < 1 || gb_settings_create(&s, NULL) != GB_OK)
        return 0;
    set(s, "format", formats[(data[0] & 0xf) % (sizeof formats / sizeof *formats)]);
    set(s, "memory-limit", "100M");
    if ((data[0] & 0x10) != 0) {
        set(s, "ngrams", "3");
        set(s, "phrase-min-df", "2");
        set(s, "phrase-score", "1");
    }
    if ((data[0] & 0x20) != 0) {
        set(s, "stem", "english");
        set(s, "word-breaks", "icu");
    }
    if ((data[0] & 0x40) != 0)
        set(s, "label", "label");
    if ((data[0] & 0x80) != 0)
        set(s, "labels", "tags");
    const int file = fuzz_file(data + 1, size - 1, path);
    if (gb_corpus_read(path, s, NULL, NULL, &corpus, &err) == GB_OK)
        gb_corpus_free(corpus);
    (void)close(file);
    gb_settings_free(s);
    return 0;
}
