/* run/schedule.c - times and intervals as text. */
#include "run/schedule.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* A number above 0 and one letter. */
static bool read_time(const char *text, double *out)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char number[GB_REAL_SIZE] = "";
    const size_t length = strlen(text);
    if (length < 2 || length > sizeof number)
        return false;
    memcpy(number, text, length - 1);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (text[length - 1] != units[i].letter)
            continue;
        return gb_text_to_real(number, out) == GB_NUMBER_OK && *out > 0 && (*out *= units[i].seconds) < 1e12;
    }
    return false;
}

gb_status gb_time_from_text(const char *option, const char *text, double *out, gb_error *err)
{
    char quote[GB_QUOTE_SIZE];
    *out = INFINITY;
    if (*text == '\0' || read_time(text, out))
        return GB_OK;
    gb_text_quote(text, strlen(text), quote);
    return gb_fail(err, GB_EARGUMENT, "`%s` must be a time such as 90s, 10m or 2h, not %s", option, quote);
}

gb_status gb_interval_from_text(const char *text, gb_interval *out, gb_error *err)
{
    char quote[GB_QUOTE_SIZE];
    int64_t sweeps;
    *out = (gb_interval){.seconds = INFINITY};
    if (gb_text_to_int(text, &sweeps) == GB_NUMBER_OK && sweeps > 0) {
        out->sweeps = (uint64_t)sweeps;
        return GB_OK;
    }
    if (read_time(text, &out->seconds))
        return GB_OK;
    gb_text_quote(text, strlen(text), quote);
    return gb_fail(err, GB_EARGUMENT,
                   "`checkpoint-every` must be a time such as 90s, 10m or 2h, or a number of sweeps, not %s", quote);
}
