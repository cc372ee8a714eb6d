/* diagnose/mixing.c - R-hat, effective sample sizes and the error of the mean of one number. */
#include "gibbous/diagnose.h"

#include "base/memory.h"
#include "diagnose/series.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* Equal but for the last digits of doubles, which are no draws. */
static bool are_equal(size_t n, const double *value)
{
    double low = value[0], high = value[0];
    for (size_t i = 1; i < n; i++) {
        low = value[i] < low ? value[i] : low;
        high = value[i] > high ? value[i] : high;
    }
    return high - low <= 8 * DBL_EPSILON * fmax(fabs(low), fabs(high));
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

/* ---- the order of the draws ---- */

static const size_t DROPPED = SIZE_MAX;

/* Where a draw is among the halves of chains, which are chains of their own: 2 n_chains x (n_draws / 2). */
static size_t place_of(size_t n_draws, size_t chain, size_t draw)
{
    const size_t half = n_draws / 2;
    if (draw < half)
        return 2 * chain * half + draw;
    return draw >= n_draws - half ? (2 * chain + 1) * half + draw - (n_draws - half) : DROPPED;
}

/* Each chain sorted, and all halves. */
static void sort_chains(const gb_mixing_room *w, const double *value)
{
    for (size_t c = 0; c < w->n_chains; c++) {
        for (size_t i = 0; i < w->n_draws; i++) {
            const size_t place = place_of(w->n_draws, c, i);
            const double x = value[c * w->n_draws + i];
            w->by_chain[c * w->n_draws + i] = (gb_ranked){x, place};
            if (place != DROPPED)
                w->halves[place] = x;
        }
        gb_ranked_sort(w->n_draws, w->by_chain + c * w->n_draws);
    }
}

/* Without the draw in the middle of each chain that has an odd number of them.  @return how many are left */
static size_t drop(size_t n, gb_ranked *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (r[i].at != DROPPED)
            r[kept++] = r[i];
    return kept;
}

/* Of sorted values: at the position p (n - 1), between two of them in proportion. */
static double quantile(size_t n, const gb_ranked *sorted, double p)
{
    const double at = p * (double)(n - 1), below = floor(at);
    const size_t i = (size_t)below;
    return i + 1 < n ? sorted[i].value + (at - below) * (sorted[i + 1].value - sorted[i].value) : sorted[n - 1].value;
}

/* Each chain less its median: where chains are does not count any more, only whether they stay there. */
static void align(size_t n_chains, size_t n, gb_ranked *by_chain)
{
    for (size_t c = 0; c < n_chains; c++) {
        const double median = gb_ranked_median(n, by_chain + c * n);
        for (size_t i = c * n; i < (c + 1) * n; i++)
            by_chain[i].value -= median;
    }
}

/* ---- the figures ---- */

/* Scores receive the ranks.  Folded around the median, R-hat sees series that differ in spread. */
static double find_r_hat(const gb_mixing_room *w, const gb_ranked *sorted, gb_ratio *ratio, gb_ranked *spare)
{
    const size_t half = w->n_draws / 2, n_series = 2 * w->n_chains, n = n_series * half;
    gb_ranked_fold(n, sorted, gb_ranked_median(n, sorted), spare);
    gb_normal_scores(n, sorted, w->score_of_rank, w->scores);
    gb_normal_scores(n, spare, w->score_of_rank, w->folded);
    const double plain = ratio(n_series, half, w->scores);
    const double spread = ratio(n_series, half, w->folded);
    return spread > plain ? spread : plain;
}

/* Effective size for a quantile: of the indicator of being below it. */
static gb_status find_tail(const gb_mixing_room *w, double limit, double *out, gb_error *err)
{
    const size_t half = w->n_draws / 2, n_series = 2 * w->n_chains;
    for (size_t i = 0; i < n_series * half; i++)
        w->folded[i] = w->halves[i] <= limit;
    return gb_effective_size(n_series, half, w->folded, out, err);
}

static gb_status find_sizes(const gb_mixing_room *w, double low_limit, double high_limit, gb_mixing *out,
                            gb_error *err)
{
    gb_status st;
    const size_t half = w->n_draws / 2, n_series = 2 * w->n_chains;
    double low, high, for_mean;
    GB_TRY(gb_effective_size(n_series, half, w->scores, &out->ess_bulk, err));
    GB_TRY(find_tail(w, low_limit, &low, err));
    GB_TRY(find_tail(w, high_limit, &high, err));
    out->ess_tail = fmin(low, high);
    GB_TRY(gb_effective_size(n_series, half, w->halves, &for_mean, err));
    out->mcse = out->sd / sqrt(for_mean);
done:
    return st;
}

static gb_status find_all(const gb_mixing_room *w, const double *value, gb_mixing *out, gb_error *err)
{
    const size_t n_all = w->n_chains * w->n_draws;
    sort_chains(w, value);
    memcpy(w->order, w->by_chain, n_all * sizeof *w->order);
    gb_ranked *sorted = gb_ranked_merge(n_all, w->n_draws, w->order, w->spare);
    const double low = quantile(n_all, sorted, 0.05), high = quantile(n_all, sorted, 0.95);
    const size_t n = drop(n_all, sorted), n_each = n / w->n_chains;
    (void)drop(n_all, w->by_chain);
    out->r_hat = find_r_hat(w, sorted, gb_plain_r_hat, sorted == w->order ? w->spare : w->order);
    const gb_status st = find_sizes(w, low, high, out, err);
    if (st != GB_OK)
        return st;
    out->r_hat_within = out->r_hat; /* for one chain it is, but for ties that rounding breaks */
    if (w->n_chains == 1)
        return GB_OK;
    align(w->n_chains, n_each, w->by_chain);
    sorted = gb_ranked_merge(n, n_each, w->by_chain, w->spare);
    out->r_hat_within = find_r_hat(w, sorted, gb_halves_r_hat, w->order);
    return GB_OK;
}

/* ---- memory ---- */

void gb_mixing_room_clear(gb_mixing_room *w)
{
    gb_free(w->halves);
    gb_free(w->scores);
    gb_free(w->folded);
    gb_free(w->score_of_rank);
    gb_free(w->by_chain);
    gb_free(w->order);
    gb_free(w->spare);
    *w = (gb_mixing_room){0};
}

static gb_status make_room(gb_mixing_room *w, size_t n_chains, size_t n_draws, gb_error *err)
{
    gb_status st;
    const size_t n = n_chains * n_draws, n_halves = 2 * n_chains * (n_draws / 2);
    if (w->n_chains == n_chains && w->n_draws == n_draws)
        return GB_OK;
    gb_mixing_room_clear(w);
    GB_TRY(gb_alloc(&w->halves, n_halves, sizeof *w->halves, what, err));
    GB_TRY(gb_alloc(&w->scores, n_halves, sizeof *w->scores, what, err));
    GB_TRY(gb_alloc(&w->folded, n_halves, sizeof *w->folded, what, err));
    GB_TRY(gb_alloc(&w->score_of_rank, n_halves, sizeof *w->score_of_rank, what, err));
    GB_TRY(gb_alloc(&w->by_chain, n, sizeof *w->by_chain, what, err));
    GB_TRY(gb_alloc(&w->order, n, sizeof *w->order, what, err));
    GB_TRY(gb_alloc(&w->spare, n, sizeof *w->spare, what, err));
    gb_normal_scores_of_ranks(n_halves, w->score_of_rank);
    w->n_chains = n_chains;
    w->n_draws = n_draws;
done:
    return st;
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

gb_status gb_mixing_in(gb_mixing_room *room, uint64_t n_chains, uint64_t n_draws, const double *value, gb_mixing *out,
                       gb_error *err)
{
    gb_status st = GB_OK;
    gb_mixing mixing = gb_mixing_unknown(n_chains, n_draws);
    if (n_chains == 0 || n_draws == 0)
        return gb_fail(err, GB_EARGUMENT, "there are no draws to diagnose");
    if (n_draws > SIZE_MAX / 16 / n_chains)
        return gb_fail_memory(err, 0, what);
    if (gb_are_finite(n_chains * n_draws, value)) {
        find_mean(n_chains * n_draws, value, &mixing.mean, &mixing.sd);
        if (n_draws >= LEAST_DRAWS && !are_equal(n_chains * n_draws, value)) {
            GB_TRY(make_room(room, n_chains, n_draws, err));
            GB_TRY(find_all(room, value, &mixing, err));
        }
    }
    *out = mixing;
done:
    return st;
}

gb_status gb_mixing_of(uint64_t n_chains, uint64_t n_draws, const double *value, gb_mixing *out, gb_error *err)
{
    gb_mixing_room room = {0};
    const gb_status st = gb_mixing_in(&room, n_chains, n_draws, value, out, err);
    gb_mixing_room_clear(&room);
    return st;
}
