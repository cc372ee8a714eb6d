/* Documents as other programs write them, and what looks wrong in them.  The first byte chooses encoding, separator and words left out, the
 * second format, fields and how words are counted; the rest is the file. */
#include "fuzz.h"

#include "gibbous/gibbous.h"

static void set(gb_settings *s, const char *name, const char *value)
{
    if (gb_settings_set(s, name, value, NULL) != GB_OK)
        abort();
}

/* Lists of stop words, alone and with the file as one more; words of languages without blanks. */
static void choose_words(gb_settings *s, unsigned choice, const char *path)
{
    char lists[2 * FUZZ_PATH];
    (void)snprintf(lists, sizeof lists, "de,%s", path);
    if (choice == 1)
        set(s, "stopwords", "en,japanese,ar,zh,hi");
    if (choice == 2)
        set(s, "stopwords", lists);
    if (choice == 3)
        set(s, "stem", "russian");
}

static void look_at(gb_corpus *corpus, const gb_settings *s)
{
    gb_table *suspects = NULL;
    const gb_subject subject = {.size = sizeof subject, .documents = corpus};
    if (gb_answer("suspects", &subject, s, &suspects, NULL) == GB_OK)
        gb_table_free(suspects);
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
        set(s, "text", format == 0 ? "a.b,a.c.d" : "#2");
    if ((data[0] & 0xc0) == 0x80)
        set(s, "label", "z");
    const int file = fuzz_file(data + 2, size - 2, path);
    choose_words(s, data[0] >> 6, path);
    if (gb_corpus_read(path, s, NULL, NULL, &corpus, &err) == GB_OK)
        look_at(corpus, s);
    gb_corpus_free(corpus);
    (void)close(file);
    gb_settings_free(s);
    return 0;
}
