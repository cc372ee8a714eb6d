/* diagnose/levelled.c - has the trace of a chain levelled off?
 *
 * A line through the values x_0 .. x_m-1, with t_i = i - (m - 1) / 2:
 *
 *   slope b = sum t_i x_i / sum t_i^2,    e_i = x_i - mean - b t_i,    s^2 = sum e_i^2 / (m - 2)
 *   drift D = b (m - 1),                  se(D) = s sqrt(12 / size)                                      (1)
 *
 * with the effective sample size of e: for independent values, size = m, (1) is the least-squares formula with
 * sum t_i^2 ~ m^3 / 12.  A trace that still bends leaves long waves in e, so its size is small: not level either.
 *
 * A trace may have a step, where the chain was given more to fit.  If enough values lie after it, the others do not count.  Else what is
 * before and what is after it have levels of their own, and one slope,
 *
 *   b = sum t_i x_i / sum t_i^2  with each t_i from the middle of its part,    s^2 = sum e_i^2 / (m - 3),
 *   D = b (distance of the last value from the first)                                                      (2)
 *
 * Two levels make the drift less certain: as uncertain as if size were smaller by sum t_i^2 / T, with T the sum of squares of m
 * values of one level, spread evenly over the distance. */
#include "gibbous/diagnose.h"

#include "base/memory.h"
#include "diagnose/series.h"

#include <math.h>

/* With fewer values the effective size is a guess.  Of 15 independent ones D has an error of 0.9 s: with fewer, a drift of
 * 3 s could pass unseen.  3 errors are passed by chance in 0.4 % of traces, and a drift below half of s is too small to
 * matter.  docs/diagnose.md has how often the rule as a whole is wrong. */
static const uint64_t LEAST_VALUES = 20;
static const double MOST_ERRORS = 3, MOST_SDS = 0.5;

/* Values begin .. end - 1 of a trace: of one level. */
typedef struct part {
    uint64_t begin, end;
    double mean;
} part;

/* A line through fewer values leaves nothing. */
static const uint64_t LEAST_OF_PART = 3;

/* What is looked at: the last half, without what lies at the step. */
typedef struct window {
    size_t n_parts;
    part part[2];
    uint64_t n; /* values of all parts */
} window;

static void add_part(window *w, uint64_t begin, uint64_t end)
{
    if (end < begin + LEAST_OF_PART)
        return;
    w->part[w->n_parts++] = (part){.begin = begin, .end = end};
    w->n += end - begin;
}

static window window_of(uint64_t n, gb_step step)
{
    window w = {0};
    const uint64_t half = n / 2, after = step.end > half ? step.end : half;
    if (n < after + LEAST_VALUES)
        add_part(&w, half, step.first < n ? step.first : n);
    add_part(&w, after, n);
    return w;
}

static double mean_of(const part *p, const double *x)
{
    double sum = 0;
    for (uint64_t i = p->begin; i < p->end; i++)
        sum += x[i] - x[p->begin];
    return x[p->begin] + sum / (double)(p->end - p->begin);
}

static double middle_of(const part *p)
{
    return 0.5 * (double)(p->begin + p->end - 1);
}

/* sum t_i^2 / T: 1 without a step. */
static double share_left(const window *w, double distance, double squares)
{
    const double n = (double)w->n;
    return w->n_parts == 1 ? 1 : squares * 12 * (n - 1) / (n * (n + 1)) / (distance * distance);
}

/* Means, drift and sd of (1) and (2), and as size what is left of 1; `rest` receives e. */
static void lay_line(window *w, const double *x, gb_levelled *out, double *rest)
{
    double products = 0, squares = 0, rest_squares = 0;
    uint64_t n = 0;
    for (size_t j = 0; j < w->n_parts; j++) {
        part *p = &w->part[j];
        p->mean = mean_of(p, x);
        for (uint64_t i = p->begin; i < p->end; i++) {
            products += ((double)i - middle_of(p)) * (x[i] - p->mean);
            squares += ((double)i - middle_of(p)) * ((double)i - middle_of(p));
        }
    }
    for (size_t j = 0; j < w->n_parts; j++)
        for (uint64_t i = w->part[j].begin; i < w->part[j].end; i++, n++) {
            rest[n] = x[i] - w->part[j].mean - products / squares * ((double)i - middle_of(&w->part[j]));
            rest_squares += rest[n] * rest[n];
        }
    const double distance = (double)(w->part[w->n_parts - 1].end - 1 - w->part[0].begin);
    out->mean = w->part[w->n_parts - 1].mean;
    out->slope = products / squares;
    out->drift = products / squares * distance;
    out->sd = sqrt(rest_squares / (double)(n - 1 - w->n_parts));
    out->size = share_left(w, distance, squares);
}

static gb_trend judge(const gb_levelled *l)
{
    if (fabs(l->drift) > MOST_ERRORS * l->error && fabs(l->drift) > MOST_SDS * l->sd)
        return l->drift > 0 ? GB_TREND_RISING : GB_TREND_FALLING;
    return l->size < GB_LEAST_SIZE ? GB_TREND_UNCLEAR : GB_TREND_LEVEL;
}

static bool window_is_finite(const window *w, const double *value)
{
    bool is_finite = true;
    for (size_t j = 0; j < w->n_parts; j++)
        is_finite &= gb_are_finite((size_t)(w->part[j].end - w->part[j].begin), value + w->part[j].begin);
    return is_finite;
}

static gb_status look_at(window *w, const double *value, gb_levelled *out, gb_error *err)
{
    gb_levelled l = {.n = w->n, .mean = NAN, .sd = NAN, .slope = NAN, .drift = NAN, .error = NAN};
    double *rest = NULL, size;
    gb_status st = GB_OK;
    if (w->n < LEAST_VALUES || !window_is_finite(w, value)) {
        *out = l;
        return GB_OK;
    }
    GB_TRY(gb_alloc(&rest, w->n, sizeof *rest, "the trace of a chain", err));
    lay_line(w, value, &l, rest);
    GB_TRY(gb_effective_size(1, w->n, rest, &size, err));
    l.size *= fmin(size, (double)w->n); /* more than independent is not relied on */
    l.error = l.sd * sqrt(12 / l.size);
    l.trend = judge(&l);
    *out = l;
done:
    gb_free(rest);
    return st;
}

gb_status gb_levelled_with_step(uint64_t n, const double *value, gb_step step, gb_levelled *out, gb_error *err)
{
    window w = window_of(n, step);
    gb_levelled l;
    const gb_status st = look_at(&w, value, &l, err);
    if (st != GB_OK)
        return st;
    while (l.since < n / 2 &&
           !(fabs(value[l.since] - w.part[0].mean) <= l.sd)) /* the level that the first half leads to */
        l.since++;
    *out = l;
    return GB_OK;
}

gb_status gb_levelled_of(uint64_t n, const double *value, gb_levelled *out, gb_error *err)
{
    return gb_levelled_with_step(n, value, (gb_step){0, 0}, out, err);
}
