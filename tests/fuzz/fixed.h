/* fixed.h - documents and settings of the harnesses that train a small model first. */
#ifndef GB_FUZZ_FIXED_H
#define GB_FUZZ_FIXED_H

#include "fuzz.h"

#include "gibbous/gibbous.h"

#include <stdarg.h>

/** Settings of pairs name, value, ended by NULL, which are all good. */
static inline gb_settings *fuzz_settings(const char *name, ...)
{
    gb_settings *settings;
    va_list pairs;
    if (gb_settings_create(&settings, NULL) != GB_OK)
        abort();
    va_start(pairs, name);
    for (; name != NULL; name = va_arg(pairs, const char *))
        if (gb_settings_set(settings, name, va_arg(pairs, const char *), NULL) != GB_OK)
            abort();
    va_end(pairs);
    return settings;
}

static inline int fuzz_documents(char path[static FUZZ_PATH])
{
    static const char text[] =
        "{\"id\":\"1\",\"text\":\"ape bee cat ape\",\"kind\":\"x\",\"stars\":1,\"size\":3,\"year\":\"2001\"}\n"
        "{\"id\":\"2\",\"text\":\"cat dog elk\",\"kind\":\"y\",\"stars\":2,\"size\":5,\"year\":\"2002\"}\n"
        "{\"id\":\"3\",\"text\":\"ape elk elk bee\",\"kind\":\"z\",\"stars\":4,\"size\":1,\"year\":\"2003\"}\n"
        "{\"id\":\"4\",\"text\":\"dog dog bee\",\"kind\":\"x\",\"stars\":3,\"size\":2,\"year\":\"2001\"}\n"
        "{\"id\":\"5\",\"text\":\"elk cat\",\"kind\":\"y\",\"stars\":5,\"size\":9,\"year\":\"2003\"}\n"
        "{\"id\":\"6\",\"text\":\"ape ape fox\",\"kind\":\"z\",\"stars\":2,\"size\":4,\"year\":\"2002\"}\n";
    return fuzz_file((const uint8_t *)text, sizeof text - 1, path);
}

/** The documents with a class, a number, a covariate and a group. */
static inline gb_corpus *fuzz_corpus(void)
{
    char path[FUZZ_PATH];
    gb_corpus *corpus;
    const int file = fuzz_documents(path);
    gb_settings *settings = fuzz_settings("format", "jsonl", "label", "kind", "target", "stars", "covariates", "size",
                                          "group", "year", "min-df", "1", NULL);
    if (gb_corpus_read(path, settings, NULL, NULL, &corpus, NULL) != GB_OK)
        abort();
    gb_settings_free(settings);
    (void)close(file);
    return corpus;
}

#endif
