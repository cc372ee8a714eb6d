/* corpus/text/one_character.c - patterns of one character each, for a build without PCRE2. */
#include "corpus/text/one_character.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* What stands for a character or for some kind of them. */
typedef struct item {
    bool is_single, is_negated;
    int32_t single;
    char kind[3]; /* a category or its first letter; w, d, s */
} item;

/* The categories in the order of utf8proc. */
static const char *const categories[] = {"Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd",
                                         "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
                                         "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"};
enum { N_CATEGORIES = sizeof categories / sizeof categories[0] };

static bool is_category(const char *name)
{
    for (size_t c = 0; c < N_CATEGORIES; c++)
        if (strncmp(categories[c], name, strlen(name)) == 0)
            return true;
    return false;
}

/* \p{Lu} and the like.  @return its length, or 0 */
static size_t read_property(const char *text, item *out)
{
    const size_t n = text[2] == '{' ? strcspn(text + 3, "}") : 0;
    if (n < 1 || n > 2 || text[3 + n] != '}')
        return 0;
    out->is_negated = text[1] == 'P';
    memcpy(out->kind, text + 3, n);
    out->kind[n] = '\0';
    return is_category(out->kind) ? n + 4 : 0;
}

static size_t read_escape(const char *text, item *out)
{
    if (text[1] == 'p' || text[1] == 'P')
        return read_property(text, out);
    if (text[1] == 'x' && text[2] == '{') {
        char *end = NULL;
        out->is_single = true;
        out->single = (int32_t)strtol(text + 3, &end, 16);
        return *end == '}' ? (size_t)(end - text) + 1 : 0;
    }
    const char *shorts = "wdsWDS", *found = text[1] == '\0' ? NULL : strchr(shorts, text[1]);
    if (found == NULL)
        return 0;
    out->is_negated = found - shorts >= 3;
    out->kind[0] = shorts[(found - shorts) % 3];
    return 2;
}

/* One item, in brackets or alone.  @return its length, or 0 */
static size_t read_item(const char *text, item *out)
{
    *out = (item){.is_single = false};
    if (text[0] == '\\')
        return read_escape(text, out);
    const utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &out->single);
    out->is_single = true;
    return n <= 0 || text[0] == '\0' ? 0 : (size_t)n;
}

static bool is_space(int32_t c)
{
    return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x180E || categories[utf8proc_category(c)][0] == 'Z';
}

static bool item_has(const item *i, int32_t c)
{
    if (i->is_single)
        return c == i->single;
    const char *category = categories[utf8proc_category(c)];
    const bool is_in = i->kind[0] == 'w'   ? c == '_' || category[0] == 'L' || category[0] == 'N'
                       : i->kind[0] == 'd' ? strcmp(category, "Nd") == 0
                       : i->kind[0] == 's' ? is_space(c)
                                           : strncmp(category, i->kind, strlen(i->kind)) == 0;
    return is_in != i->is_negated;
}

/* The bracket, from behind its first character.  @param is_in  may be NULL
 * @return what is behind it, or NULL */
static const char *read_set(const char *text, int32_t c, bool *is_in)
{
    const bool is_negated = *text == '^';
    bool found = false;
    text += is_negated;
    if (*text == ']')
        return NULL;
    while (*text != ']') {
        item i, to;
        const size_t n = *text == '[' ? 0 : read_item(text, &i);
        if (n == 0)
            return NULL;
        text += n;
        const size_t n_to = *text == '-' && text[1] != ']' ? read_item(text + 1, &to) : 0;
        if (n_to > 0 && i.is_single && to.is_single) {
            found = found || (i.single <= c && c <= to.single);
            text += 1 + n_to;
        } else
            found = found || item_has(&i, c);
    }
    if (is_in != NULL)
        *is_in = found != is_negated;
    return text + 1;
}

bool gb_one_character_is_known(const char *pattern)
{
    item i;
    if (*pattern == '[') {
        const char *behind = read_set(pattern + 1, 0, NULL);
        return behind != NULL && *behind == '\0';
    }
    const size_t n = *pattern == '\\' ? read_item(pattern, &i) : 0;
    return n > 0 && pattern[n] == '\0';
}

bool gb_one_character_has(const char *pattern, int32_t character)
{
    item i;
    bool is_in = false;
    if (*pattern == '[') {
        (void)read_set(pattern + 1, character, &is_in);
        return is_in;
    }
    (void)read_item(pattern, &i);
    return item_has(&i, character);
}
