/* diagnose/mixing.c - R-hat, effective sample sizes and the error of the mean of one number. */
#include "gibbous/diagnose.h"

#include "base/memory.h"
#include "diagnose/series.h"

#include <math.h>
#include <stdlib.h>

static const char what[] = "the diagnostics of draws";

/* Fewer draws leave a half of a chain with one draw, which has no variance. */
enum { LEAST_DRAWS = 4 };

/* ---- the draws ---- */

bool gb_are_finite(size_t n, const double *value)
{
    bool are = true;
    for (size_t i = 0; i < n && are; i++)
        are = isfinite(value[i]);
    return are;
}

/* Sums of differences from the first, so that equal numbers have that mean and no spread. */
static void find_mean(size_t n, const double *x, double *mean, double *sd)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] - x[0];
    *mean = x[0] + sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean);
    *sd = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

/* Halves of chains as chains of their own: 2 n_chains x (n_draws / 2). */
static void split(size_t n_chains, size_t n_draws, const double *value, double *out)
{
    const size_t half = n_draws / 2;
    for (size_t c = 0; c < n_chains; c++)
        for (size_t i = 0; i < half; i++) {
            out[2 * c * half + i] = value[c * n_draws + i];
            out[(2 * c + 1) * half + i] = value[(c + 1) * n_draws - half + i];
        }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values: at the position p (n - 1), between two of them in proportion. */
static double quantile(size_t n, const double *sorted, double p)
{
    const double at = p * (double)(n - 1), below = floor(at);
    const size_t i = (size_t)below;
    return i + 1 < n ? sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static void sort_copy(size_t n, const double *value, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = value[i];
    qsort(out, n, sizeof *out, ascending);
}

/* ---- the figures ---- */

typedef struct work {
    size_t n_chains, n_draws;
    size_t n_series, half;             /* of the split draws */
    const double *value;               /* n_chains x n_draws */
    double *halves;                    /* n_series x half: split values */
    double *sorted, *room;             /* n_chains x n_draws */
    double *aligned, *scores, *folded; /* n_series x half */
} work;

static double median_of(size_t n, const double *value, double *room)
{
    sort_copy(n, value, room);
    return 0.5 * (room[(n - 1) / 2] + room[n / 2]);
}

/* Scores receive the ranks of x.  Folded around the median, R-hat sees series that differ in spread. */
static gb_status find_r_hat(const work *w, const double *x, gb_ratio *ratio, double *out, gb_error *err)
{
    gb_status st;
    const size_t n = w->n_series * w->half;
    const double median = median_of(n, x, w->room);
    for (size_t i = 0; i < n; i++)
        w->room[i] = fabs(x[i] - median);
    GB_TRY(gb_normal_scores(n, x, w->scores, err));
    GB_TRY(gb_normal_scores(n, w->room, w->folded, err));
    const double plain = ratio(w->n_series, w->half, w->scores);
    const double spread = ratio(w->n_series, w->half, w->folded);
    *out = spread > plain ? spread : plain;
done:
    return st;
}

/* Each chain less its median: where chains are does not count any more, only whether they stay there. */
static void align(const work *w, double *out)
{
    for (size_t c = 0; c < w->n_chains; c++) {
        const size_t first = 2 * c * w->half, n = 2 * w->half;
        const double median = median_of(n, w->halves + first, w->room);
        for (size_t i = first; i < first + n; i++)
            out[i] = w->halves[i] - median;
    }
}

/* Effective size for a quantile: of the indicator of being below it. */
static gb_status find_tail(const work *w, double p, double *out, gb_error *err)
{
    const size_t n = w->n_series * w->half;
    const double limit = quantile(w->n_chains * w->n_draws, w->sorted, p);
    for (size_t i = 0; i < n; i++)
        w->room[i] = w->halves[i] <= limit;
    return gb_effective_size(w->n_series, w->half, w->room, out, err);
}

static gb_status find_all(const work *w, gb_mixing *out, gb_error *err)
{
    gb_status st;
    double low, high, for_mean;
    align(w, w->aligned);
    GB_TRY(find_r_hat(w, w->aligned, gb_halves_r_hat, &out->r_hat_within, err));
    GB_TRY(find_r_hat(w, w->halves, gb_plain_r_hat, &out->r_hat, err)); /* last: leaves its scores */
    if (w->n_chains == 1)
        out->r_hat_within = out->r_hat; /* it is, but for ties that rounding breaks */
    GB_TRY(gb_effective_size(w->n_series, w->half, w->scores, &out->ess_bulk, err));
    GB_TRY(find_tail(w, 0.05, &low, err));
    GB_TRY(find_tail(w, 0.95, &high, err));
    out->ess_tail = fmin(low, high);
    GB_TRY(gb_effective_size(w->n_series, w->half, w->halves, &for_mean, err));
    out->mcse = out->sd / sqrt(for_mean);
done:
    return st;
}

static gb_status make_work(work *w, size_t n_chains, size_t n_draws, const double *value, gb_error *err)
{
    gb_status st;
    const size_t n = n_chains * n_draws;
    *w = (work){
        .n_chains = n_chains, .n_draws = n_draws, .n_series = 2 * n_chains, .half = n_draws / 2, .value = value};
    GB_TRY(gb_alloc(&w->halves, n, sizeof *w->halves, what, err));
    GB_TRY(gb_alloc(&w->sorted, n, sizeof *w->sorted, what, err));
    GB_TRY(gb_alloc(&w->room, n, sizeof *w->room, what, err));
    GB_TRY(gb_alloc(&w->aligned, n, sizeof *w->aligned, what, err));
    GB_TRY(gb_alloc(&w->scores, n, sizeof *w->scores, what, err));
    GB_TRY(gb_alloc(&w->folded, n, sizeof *w->folded, what, err));
    split(n_chains, n_draws, value, w->halves);
    sort_copy(n, value, w->sorted);
done:
    return st;
}

static void clear_work(work *w)
{
    gb_free(w->halves);
    gb_free(w->sorted);
    gb_free(w->room);
    gb_free(w->aligned);
    gb_free(w->scores);
    gb_free(w->folded);
}

gb_mixing gb_mixing_unknown(uint64_t n_chains, uint64_t n_draws)
{
    return (gb_mixing){.n_chains = n_chains,
                       .n_draws = n_draws,
                       .mean = NAN,
                       .sd = NAN,
                       .r_hat = NAN,
                       .r_hat_within = NAN,
                       .ess_bulk = NAN,
                       .ess_tail = NAN,
                       .mcse = NAN};
}

gb_status gb_mixing_of(uint64_t n_chains, uint64_t n_draws, const double *value, gb_mixing *out, gb_error *err)
{
    gb_status st = GB_OK;
    work w = {0};
    gb_mixing mixing = gb_mixing_unknown(n_chains, n_draws);
    if (n_chains == 0 || n_draws == 0)
        return gb_fail(err, GB_EARGUMENT, "there are no draws to diagnose");
    if (n_draws > SIZE_MAX / 16 / n_chains)
        return gb_fail_memory(err, 0, what);
    if (gb_are_finite(n_chains * n_draws, value)) {
        find_mean(n_chains * n_draws, value, &mixing.mean, &mixing.sd);
        if (n_draws >= LEAST_DRAWS) {
            GB_TRY(make_work(&w, n_chains, n_draws, value, err));
            GB_TRY(find_all(&w, &mixing, err));
        }
    }
    *out = mixing;
done:
    clear_work(&w);
    return st;
}
