/* cli/sparkline.c - a small picture of a series of numbers. */
#include "sparkline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LEVELS = 8 };

static const char *const blocks[LEVELS] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                           "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const ascii[LEVELS] = {"_", ".", "-", "~", "=", "+", "*", "#"};

static double mean_of(const double *value, uint64_t begin, uint64_t end)
{
    double sum = 0;
    for (uint64_t i = begin; i < end; i++)
        sum += value[i];
    return sum / (double)(end - begin);
}

static int level_of(double value, double low, double high)
{
    return high > low ? (int)((value - low) / (high - low) * (LEVELS - 1) + 0.5) : LEVELS / 2;
}

/* Numbers that are not finite leave a gap. */
void cli_sparkline(uint64_t n, const double *value, bool is_utf8, char out[CLI_SPARKLINE_SIZE])
{
    const uint64_t n_shown = n < CLI_SPARKS ? n : CLI_SPARKS;
    double mean[CLI_SPARKS], low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; i < n_shown; i++) {
        mean[i] = mean_of(value, i * n / n_shown, (i + 1) * n / n_shown);
        low = isfinite(mean[i]) ? fmin(low, mean[i]) : low;
        high = isfinite(mean[i]) ? fmax(high, mean[i]) : high;
    }
    for (uint64_t i = 0; i < n_shown; i++)
        out = stpcpy(out, isfinite(mean[i]) ? (is_utf8 ? blocks : ascii)[level_of(mean[i], low, high)] : " ");
    *out = '\0';
}

bool cli_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && *value != '\0')
            return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
    }
    return false;
}
