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
struct cut_point {
    const gb_scored_targets *targets;
    double *cut;
    size_t n_levels, number; /* it divides the levels `number` + 1 and `number` + 2 */
    double low, high;        /* its neighbours */
};

/* log of (5) at x; sets the cut point to x.  The sum is over the documents of both levels in their order. */
static double log_density(const struct cut_point *c, double x)
{
    const gb_scored_targets *t = c->targets;
    const uint64_t *low = t->by_level + t->level_start[c->number],
                   *low_end = t->by_level + t->level_start[c->number + 1], *high = low_end,
                   *high_end = t->by_level + t->level_start[c->number + 2];
    double sum = -0.5 * x * x / PRIOR_VARIANCE;
    c->cut[c->number] = x;
    while (low < low_end || high < high_end) {
        const bool is_low = high == high_end || (low < low_end && *low < *high);
        const uint64_t d = is_low ? *low++ : *high++;
        sum += log_of_level(c->cut, c->n_levels, is_low ? c->number + 1 : c->number + 2,
                            t->score[d * t->stride] + gb_offset_of(t->offset, d));
    }
    return sum;
}

static double first_width(const struct cut_point *c)
{
    const uint64_t *start = c->targets->level_start;
    return 6 / sqrt(4 + (double)(start[c->number + 2] - start[c->number]));
}

/* Slice sampling; nothing lies outside the neighbours. */
static double draw_cut_point(const struct cut_point *c, gb_random *random)
{
    const double old = c->cut[c->number], width = first_width(c);
    const double height = log_density(c, old) - gb_random_exponential(random);
    double left = old - width * gb_random_uniform(random), right = left + width;
    while (left > c->low && log_density(c, left) > height)
        left -= width;
    while (right < c->high && log_density(c, right) > height)
        right += width;
    left = fmax(left, c->low);
    right = fmin(right, c->high);
    for (;;) {
        const double x = left + (right - left) * gb_random_uniform(random);
        if (x > c->low && x < c->high && log_density(c, x) > height)
            return x;
        if (x == left || x == right) /* no number is left between them */
            return old;
        if (x < old)
            left = x;
        else
            right = x;
    }
}

static void draw_own(const gb_response *response, const gb_scored_targets *targets, gb_random *random, double *own)
{
    const size_t n = response->n_own;
    for (size_t j = 0; j < n; j++)
        own[j] = response->own[j];
    for (size_t j = 0; j < n; j++) {
        const struct cut_point c = {.targets = targets,
                                    .cut = own,
                                    .n_levels = response->n_levels,
                                    .number = j,
                                    .low = j == 0 ? -INFINITY : own[j - 1],
                                    .high = j + 1 == n ? INFINITY : own[j + 1]};
        own[j] = draw_cut_point(&c, random);
    }
}

static double log_own(const gb_response *response)
{
    double sum = gb_log_gamma((double)response->n_own + 1); /* (4) */
    for (size_t j = 0; j < response->n_own; j++)
        sum -= 0.5 * (GB_LOG_2PI + log(PRIOR_VARIANCE) + response->own[j] * response->own[j] / PRIOR_VARIANCE);
    return sum;
}

/* ---- new documents ---- */

static double level_probability(const gb_response *response, size_t level, double score)
{
    return exp(log_of_level(response->own, response->n_levels, level, score));
}

static double simulate(const gb_response *response, double score, gb_random *random)
{
    const double a = score + gb_random_normal(random);
    size_t level = 1;
    while (level < response->n_levels && a > response->own[level - 1])
        level++;
    return (double)level;
}

const gb_response_ops gb_response_ordinal = {
    .name = "ordinal",
    .default_cost = 1,
    .default_variance = 10,
    .no_cost = "the ordinal probit to a power has no exact sampler; change `coefficient-variance` instead",
    .target = GB_TARGET_LEVEL,
    .option = "levels",
    .augment = augment,
    .log_likelihood = log_likelihood,
    .own = {{.name = "cut_points", .domain = GB_OWN_ASCENDING, .per_boundary = true, .start = 1}},
    .draw_own = draw_own,
    .log_own = log_own,
    .simulate = simulate,
    .level_probability = level_probability,
    .calibrated = true};
