/* diagnose/levelled.c - has the trace of a chain levelled off?
 *
 * A line through the values x_0 .. x_m-1, with t_i = i - (m - 1) / 2:
 *
 *   slope b = sum t_i x_i / sum t_i^2,    e_i = x_i - mean - b t_i,    s^2 = sum e_i^2 / (m - 2)
 *   drift D = b (m - 1),                  se(D) = s sqrt(12 / size)                                      (1)
 *
 * with the effective sample size of e: for independent values, size = m, (1) is the least-squares formula with
 * sum t_i^2 ~ m^3 / 12.  A trace that still bends leaves long waves in e, so its size is small: not level either. */
#include "gibbous/diagnose.h"

#include "base/memory.h"
#include "diagnose/series.h"

#include <math.h>

/* With fewer values the effective size is a guess.  Of 15 independent ones D has an error of 0.9 s: with fewer, a drift of
 * 3 s could pass unseen.  3 errors are passed by chance in 0.4 % of traces, and a drift below half of s is too small to
 * matter.  docs/diagnose.md has how often the rule as a whole is wrong. */
static const uint64_t LEAST_VALUES = 20;
static const double MOST_ERRORS = 3, MOST_SDS = 0.5;

/* Mean, drift and sd of (1); `rest` receives e. */
static void lay_line(size_t n, const double *x, gb_levelled *out, double *rest)
{
    const double middle = 0.5 * (double)(n - 1);
    double sum = 0, products = 0, squares = 0, rest_squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] - x[0];
    out->mean = x[0] + sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        products += ((double)i - middle) * (x[i] - out->mean);
        squares += ((double)i - middle) * ((double)i - middle);
    }
    for (size_t i = 0; i < n; i++) {
        rest[i] = x[i] - out->mean - products / squares * ((double)i - middle);
        rest_squares += rest[i] * rest[i];
    }
    out->drift = products / squares * (double)(n - 1);
    out->sd = n > 2 ? sqrt(rest_squares / (double)(n - 2)) : 0;
}

static gb_trend judge(const gb_levelled *l)
{
    if (fabs(l->drift) > MOST_ERRORS * l->error && fabs(l->drift) > MOST_SDS * l->sd)
        return l->drift > 0 ? GB_TREND_RISING : GB_TREND_FALLING;
    return l->size < GB_LEAST_SIZE ? GB_TREND_UNCLEAR : GB_TREND_LEVEL;
}

static gb_status look_at(size_t n, const double *value, gb_levelled *out, gb_error *err)
{
    gb_levelled l = {.n = n, .mean = NAN, .sd = NAN, .drift = NAN, .error = NAN};
    double *rest = NULL, size;
    gb_status st = GB_OK;
    if (n < LEAST_VALUES || !gb_are_finite(n, value)) {
        *out = l;
        return GB_OK;
    }
    GB_TRY(gb_alloc(&rest, n, sizeof *rest, "the trace of a chain", err));
    lay_line(n, value, &l, rest);
    GB_TRY(gb_effective_size(1, n, rest, &size, err));
    l.size = fmin(size, (double)n); /* more than independent is not relied on */
    l.error = l.sd * sqrt(12 / l.size);
    l.trend = judge(&l);
    *out = l;
done:
    gb_free(rest);
    return st;
}

gb_status gb_levelled_of(uint64_t n, const double *value, gb_levelled *out, gb_error *err)
{
    const uint64_t first = n / 2;
    gb_levelled l;
    const gb_status st = look_at(n - first, value + first, &l, err);
    if (st != GB_OK)
        return st;
    while (l.since < first && !(fabs(value[l.since] - l.mean) <= l.sd))
        l.since++;
    *out = l;
    return GB_OK;
}
