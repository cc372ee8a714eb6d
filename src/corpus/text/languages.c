/* corpus/text/languages.c - codes of ISO 639-1 and English names; a language that has stems has the name by which Snowball calls it. */
#include "corpus/text/languages.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *code, *name;
} languages[] = {
    {"ar", "arabic"},     {"hy", "armenian"},  {"eu", "basque"},  {"ca", "catalan"},  {"zh", "chinese"},
    {"da", "danish"},     {"nl", "dutch"},     {"en", "english"}, {"et", "estonian"}, {"fi", "finnish"},
    {"fr", "french"},     {"de", "german"},    {"el", "greek"},   {"hi", "hindi"},    {"hu", "hungarian"},
    {"id", "indonesian"}, {"ga", "irish"},     {"it", "italian"}, {"ja", "japanese"}, {"lt", "lithuanian"},
    {"ne", "nepali"},     {"no", "norwegian"}, {"fa", "persian"}, {"pl", "polish"},   {"pt", "portuguese"},
    {"ro", "romanian"},   {"ru", "russian"},   {"sr", "serbian"}, {"es", "spanish"},  {"sv", "swedish"},
    {"ta", "tamil"},      {"tr", "turkish"},   {"yi", "yiddish"},
};

static bool is(gb_view v, const char *text)
{
    return v.length == strlen(text) && strncasecmp(v.text, text, v.length) == 0;
}

const char *gb_language_code(gb_view name)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (is(name, languages[i].code) || is(name, languages[i].name))
            return languages[i].code;
    return NULL;
}
