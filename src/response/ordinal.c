/* response/ordinal.c - ordered levels: probit with cut points.
 *
 *   y in {1, ..., J},   y = j  iff  c_{j-1} < a <= c_j,   a = s + e,  e ~ N(0, 1),   c_0 = -inf, c_J = inf
 *   phi(y | s, c) = Phi(c_y - s) - Phi(c_{y-1} - s),   Phi the standard normal distribution function        (1)
 *   a | rest ~ N(s, 1) truncated to (c_{y-1}, c_y)                                                         (2)
 *   As a function of s the integrand is exp(a s - s^2 / 2) up to a constant: kappa = a, omega = 1.           (3)
 *
 *   Prior: the cut points are J - 1 independent N(0, V) numbers in ascending order,
 *       p(c) = (J - 1)!  product of N(c_j; 0, V)  on  c_1 < ... < c_{J-1},   V = 25                          (4)
 *   It is proper, so none of them has to be fixed: the level of the scores and the level of the cut points together are
 *   settled by (4) and by the prior of the coefficients.  An intercept would only shift both; by default there is none.
 *   Given the scores, with a integrated out, each cut point in turn has the density
 *       N(c_j; 0, V)  product of (1) over the documents with y = j or y = j + 1,   c_{j-1} < c_j < c_{j+1}     (5)
 *   It is log-concave, so what lies above a height is one interval: slice sampling with stepping out.  The first
 *   interval has the width of (5) by the number of its documents, which the chain does not change.
 *
 *   (1)-(3): Albert & Chib 1993, JASA 88; Johnson & Albert 1999, Ordinal Data Modeling.  That c has to be drawn with a
 *   integrated out: Cowles 1996, Statistics and Computing 6.  Slice sampling: Neal 2003, Annals of Statistics 31.
 *   Cost: one truncated normal draw per document; for each cut point (1) of the documents next to it, about ten times.
 *   There is no cost parameter c: (1) to a power is not a mixture like (2). */
#include "base/memory.h"
#include "math/special.h"
#include "response/response.h"

#include <math.h>

static const double PRIOR_VARIANCE = 25;

/* The ends of level j = 1, ..., J. */
static double low_end(const double *cut, size_t level)
{
    return level == 1 ? -INFINITY : cut[level - 2];
}

static double high_end(const double *cut, size_t n_levels, size_t level)
{
    return level == n_levels ? INFINITY : cut[level - 1];
}

static double log_of_level(const double *cut, size_t n_levels, size_t level, double score)
{
    return gb_log_normal_interval(low_end(cut, level) - score, high_end(cut, n_levels, level) - score); /* (1) */
}

static void augment(const gb_response *response, size_t n, const double *y, const double *weight, const double *score,
                    const gb_random_streams *streams, gb_score_term *term)
{
    (void)weight;
    for (size_t i = 0; i < n; i++) {
        if (isnan(y[i])) {
            term[i] = (gb_score_term){0};
            continue;
        }
        gb_random random = gb_random_of(streams, i);
        const size_t level = (size_t)y[i];
        const double a = gb_random_truncated_normal(&random, score[i], low_end(response->own, level),
                                                    high_end(response->own, response->n_levels, level)); /* (2) */
        term[i] = (gb_score_term){.slope = a, .omega = 1};                                               /* (3) */
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    return log_of_level(response->own, response->n_levels, (size_t)y, score);
}

/* ---- cut points ---- */

/* One cut point with what its density depends on. */
typedef struct cut_point {
    const gb_scored_targets *targets;
    double *cut;
    size_t n_levels, number; /* it divides the levels `number` + 1 and `number` + 2 */
    double low, high;        /* its neighbours */
    double first_width;
    gb_status status; /* once it is not GB_OK nothing is above any height */
    gb_error *err;
} cut_point;

/* The first document of a level from document d on. */
static const uint64_t *find_document(const gb_scored_targets *t, size_t level, uint64_t d)
{
    const uint64_t *low = t->by_level + t->level_start[level - 1], *high = t->by_level + t->level_start[level];
    while (low < high) {
        const uint64_t *middle = low + (high - low) / 2;
        if (*middle < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of log (5) at c->cut[number]: the documents of both levels in their order. */
static void add_documents(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const cut_point *c = context;
    const gb_scored_targets *t = c->targets;
    const size_t level = c->number + 1;
    const uint64_t *low = find_document(t, level, first), *low_end = find_document(t, level, last),
                   *high = find_document(t, level + 1, first), *high_end = find_document(t, level + 1, last);
    while (low < low_end || high < high_end) {
        const bool is_low = high == high_end || (low < low_end && *low < *high);
        const uint64_t d = is_low ? *low++ : *high++;
        sum[0] += log_of_level(c->cut, c->n_levels, is_low ? level : level + 1,
                               t->score[d * t->stride] + gb_offset_of(t->offset, d));
    }
}

/* log of (5) at x; sets the cut point to x. */
static double log_density(cut_point *c, double x)
{
    const gb_scored_targets *t = c->targets;
    double sum = -0.5 * x * x / PRIOR_VARIANCE;
    c->cut[c->number] = x;
    if (c->status == GB_OK)
        c->status = gb_sum_documents(t->portion, t->n_docs, add_documents, c, 1, &sum, c->err);
    return sum;
}

/* All ranks have the same density, so they decide alike and ask for it equally often. */
static bool is_above(cut_point *c, double x, double height)
{
    return log_density(c, x) > height && c->status == GB_OK;
}

/* Slice sampling; nothing lies outside the neighbours. */
static double draw_cut_point(cut_point *c, gb_random *random)
{
    const double old = c->cut[c->number], width = c->first_width;
    const double height = log_density(c, old) - gb_random_exponential(random);
    double left = old - width * gb_random_uniform(random), right = left + width;
    while (left > c->low && is_above(c, left, height))
        left -= width;
    while (right < c->high && is_above(c, right, height))
        right += width;
    left = fmax(left, c->low);
    right = fmin(right, c->high);
    while (c->status == GB_OK) {
        const double x = left + (right - left) * gb_random_uniform(random);
        if (x > c->low && x < c->high && is_above(c, x, height))
            return x;
        if (x == left || x == right) /* no number is left between them */
            return old;
        if (x < old)
            left = x;
        else
            right = x;
    }
    return old;
}

/* Documents of each level, over all ranks; the caller frees them. */
static gb_status count_levels(const gb_scored_targets *t, size_t n_levels, int64_t **out, gb_error *err)
{
    gb_status st;
    int64_t *count = NULL;
    GB_TRY(gb_alloc(&count, n_levels, sizeof *count, "cut points", err));
    for (size_t j = 0; j < n_levels; j++)
        count[j] = (int64_t)(t->level_start[j + 1] - t->level_start[j]);
    GB_TRY(gb_team_sum(gb_portion_team(t->portion), count, n_levels, err));
    *out = count;
    count = NULL;
done:
    gb_free(count);
    return st;
}

static gb_status draw_own(const gb_response *response, const gb_scored_targets *targets, gb_random *random,
                          double *own, gb_error *err)
{
    gb_status st;
    const size_t n = response->n_own;
    int64_t *count = NULL;
    GB_TRY(count_levels(targets, response->n_levels, &count, err));
    for (size_t j = 0; j < n; j++)
        own[j] = response->own[j];
    for (size_t j = 0; j < n; j++) {
        cut_point c = {.targets = targets,
                       .cut = own,
                       .n_levels = response->n_levels,
                       .number = j,
                       .low = j == 0 ? -INFINITY : own[j - 1],
                       .high = j + 1 == n ? INFINITY : own[j + 1],
                       .first_width = 6 / sqrt(4 + (double)(count[j] + count[j + 1])),
                       .err = err};
        own[j] = draw_cut_point(&c, random);
        GB_TRY(c.status);
    }
done:
    gb_free(count);
    return st;
}

static double log_own(const gb_response *response)
{
    double sum = gb_log_gamma((double)response->n_own + 1); /* (4) */
    for (size_t j = 0; j < response->n_own; j++)
        sum -= 0.5 * (GB_LOG_2PI + log(PRIOR_VARIANCE) + response->own[j] * response->own[j] / PRIOR_VARIANCE);
    return sum;
}

/* ---- new documents ---- */

static double level_probability(const gb_response *response, size_t level, double score, double variance)
{
    const double *cut = response->own, sd = sqrt(1 + variance);
    return exp(gb_log_normal_interval((low_end(cut, level) - score) / sd,
                                      (high_end(cut, response->n_levels, level) - score) / sd));
}

static double simulate(const gb_response *response, double score, gb_random *random)
{
    const double a = score + gb_random_normal(random);
    size_t level = 1;
    while (level < response->n_levels && a > response->own[level - 1])
        level++;
    return (double)level;
}

static const gb_own_parameters own_parameters = {
    .parameter = {{.name = "cut_points", .domain = GB_OWN_ASCENDING, .per_boundary = true, .start = 1}},
    .draw = draw_own,
    .log_density = log_own};

const gb_response_ops gb_response_ordinal = {.name = "ordinal",
                                             .target = GB_TARGET_LEVEL,
                                             .takes_no_cost = true,
                                             .augment = augment,
                                             .log_likelihood = log_likelihood,
                                             .own = &own_parameters,
                                             .simulate = simulate,
                                             .level_probability = level_probability};
