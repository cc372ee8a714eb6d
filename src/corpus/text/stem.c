/* corpus/text/stem.c - stems of words, where the library that makes them was there when this was built. */
#include "corpus/text/stem.h"

#include "base/memory.h"
#include "corpus/text/languages.h"

#ifdef GIBBOUS_HAS_STEMMER
#include <libstemmer.h>

#include <limits.h>
#include <string.h>

struct gb_stemmer {
    struct sb_stemmer *snowball;
};

static bool is_listed(const char *language)
{
    for (const char **name = sb_stemmer_list(); *name != NULL; name++)
        if (strcmp(*name, language) == 0)
            return true;
    return false;
}

static gb_status fail_language(const char *language, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes names = {0};
    for (const char **name = sb_stemmer_list(); *name != NULL; name++) {
        GB_TRY(gb_bytes_add(&names, ", ", names.length == 0 ? 0 : 2, err));
        GB_TRY(gb_bytes_add(&names, *name, strlen(*name), err));
    }
    GB_TRY(gb_bytes_add(&names, "", 1, err));
    st = gb_fail(err, GB_EARGUMENT, "`stem` \"%s\": expected one of %s", language, names.data);
done:
    gb_free(names.data);
    return st;
}

gb_status gb_stemmer_create(gb_stemmer **out, const char *language, gb_error *err)
{
    gb_stemmer *s = NULL;
    const gb_status st = gb_alloc(&s, 1, sizeof *s, "a stemmer", err);
    if (st != GB_OK)
        return st;
    const char *code = gb_language_code(gb_view_of(language));
    s->snowball = sb_stemmer_new(code == NULL ? language : code, "UTF_8");
    if (s->snowball == NULL) {
        gb_stemmer_free(s);
        return is_listed(language) ? gb_fail_memory(err, 0, "a stemmer") : fail_language(language, err);
    }
    *out = s;
    return GB_OK;
}

void gb_stemmer_free(gb_stemmer *s)
{
    if (s != NULL)
        sb_stemmer_delete(s->snowball);
    gb_free(s);
}

/* Longer than any word that has a stem, and what the algorithms have room for. */
enum { MOST_BYTES = 1 << 10 };

gb_status gb_stem(gb_stemmer *s, gb_view word, gb_view *stem, gb_error *err)
{
    *stem = word;
    if (word.length == 0 || word.length > MOST_BYTES)
        return GB_OK;
    const sb_symbol *found = sb_stemmer_stem(s->snowball, (const sb_symbol *)word.text, (int)word.length);
    if (found == NULL)
        return gb_fail_memory(err, word.length, "a stem");
    const int length = sb_stemmer_length(s->snowball);
    if (length > 0)
        *stem = (gb_view){(const char *)found, (size_t)length};
    return GB_OK;
}

#else

gb_status gb_stemmer_create(gb_stemmer **out, const char *language, gb_error *err)
{
    *out = NULL;
    return gb_fail(
        err, GB_EARGUMENT,
        "`stem` \"%s\": this gibbous was built without libstemmer; install libstemmer-dev and build it again",
        language);
}

void gb_stemmer_free(gb_stemmer *s)
{
    gb_free(s);
}

gb_status gb_stem(gb_stemmer *s, gb_view word, gb_view *stem, gb_error *err)
{
    (void)s;
    (void)err;
    *stem = word;
    return GB_OK;
}

#endif
