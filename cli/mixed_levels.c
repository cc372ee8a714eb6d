/* cli/mixed_levels.c - covariates that were meant as numbers, perhaps, and are factors. */
#include "reading.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 40 };

static bool is_number(const char *text, size_t length)
{
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    const double value = strtod(copy, &end);
    return *end == '\0' && end == copy + length && isfinite(value);
}

/* Whether an option says what the field is: FIELD:factor. */
static bool has_kind(const cli_call *call, const char *field)
{
    const size_t n = strlen(field);
    for (uint64_t i = 0; i < cli_count(call, "covariates"); i++)
        for (const char *at = cli_item(call, "covariates", i); (at = strstr(at, field)) != NULL; at += n)
            if (at[n] == ':')
                return true;
    return false;
}

static void note_field(const cli_call *call, const gb_corpus *corpus, uint64_t field, const char *name)
{
    const uint64_t n = gb_corpus_n_classes(corpus, field);
    const char *other = NULL;
    size_t other_length = 0;
    uint64_t n_numbers = 0;
    for (uint64_t c = 0; c < n; c++) {
        size_t length;
        const char *text = gb_corpus_class(corpus, field, c, &length);
        if (is_number(text, length))
            n_numbers++;
        else if (other == NULL) {
            other = text;
            other_length = length;
        }
    }
    if (other == NULL || 2 * n_numbers <= n)
        return;
    size_t shown = other_length < MOST_SHOWN ? other_length : MOST_SHOWN;
    while (shown > 0 && shown < other_length && ((unsigned char)other[shown] & 0xC0) == 0x80) /* inside a character */
        shown--;
    cli_note(call,
             "covariate \"%s\": a factor of %" PRIu64
             " levels, since \"%.*s\" is not a number; if that is meant: --covariates %s:factor",
             name, n, (int)shown, other, name);
}

void cli_note_mixed_levels(const cli_call *call, const gb_corpus *corpus)
{
    const char *name;
    gb_role role;
    gb_field_kind kind;
    for (uint64_t f = 0; gb_corpus_field(corpus, f, &name, &role, &kind); f++)
        if (role == GB_ROLE_COVARIATE && kind == GB_KIND_ONE && !has_kind(call, name))
            note_field(call, corpus, f, name);
}
