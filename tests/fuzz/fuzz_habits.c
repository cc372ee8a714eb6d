/* Documents as other programs write them.  The first byte chooses encoding and separator, the second format, fields and how words are
 * counted; the rest is the file. */
#include "fuzz.h"

#include "gibbous/gibbous.h"

static void set(gb_settings *s, const char *name, const char *value)
{
    if (gb_settings_set(s, name, value, NULL) != GB_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const encodings[] = {"auto",       "windows-1252", "utf-16",       "shift_jis",
                                            "gb18030",    "iso-2022-jp",  "utf-7",        "utf-16be",
                                            "big5-hkscs", "latin-1",      "euc-jisx0213", "tscii"};
    static const char *const separators[] = {"auto", ";", "tab", "::"};
    static const char *const formats[] = {"jsonl", "csv", "tsv", "svmlight", "vw", "auto"};
    char path[FUZZ_PATH];
    gb_settings *s;
    gb_corpus *corpus = NULL;
    gb_error err;
    if (size < 2 || gb_settings_create(&s, NULL) != GB_OK)
        return 0;
    set(s, "encoding", encodings[(data[0] & 0xf) % (sizeof encodings / sizeof *encodings)]);
    const size_t format = (data[1] & 7) % (sizeof formats / sizeof *formats);
    set(s, "format", formats[format]);
    if (format == 1 || format == 2)
        set(s, "separator", separators[data[0] >> 4 & 3]);
    set(s, "memory-limit", "100M");
    if ((data[1] & 0x08) != 0 && format == 3)
        set(s, "zero-based", "yes");
    if ((data[1] & 0x10) != 0)
        set(s, "text", "title,body");
    if ((data[1] & 0x20) != 0)
        set(s, "target", "y");
    if ((data[1] & 0x40) != 0)
        set(s, "covariates", "x");
    if ((data[1] & 0x80) != 0)
        set(s, "text", "#2");
    const int file = fuzz_file(data + 2, size - 2, path);
    if (gb_corpus_read(path, s, NULL, NULL, &corpus, &err) == GB_OK)
        gb_corpus_free(corpus);
    (void)close(file);
    gb_settings_free(s);
    return 0;
}
