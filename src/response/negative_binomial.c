/* response/negative_binomial.c - a count with negative binomial law, to the power c.
 *
 *   p(y | s, r) = Gamma(y + r) / (Gamma(r) y!)  sigma(s)^y sigma(-s)^r,   y = 0, 1, 2, ...,  sigma(x) = 1/(1 + e^-x)   (1)
 *   mean r e^s, variance r e^s (1 + e^s);  phi = p^c                                                    (2)
 *   p^c = const 2^-b exp(kappa s) E[ exp(-lambda s^2 / 2) ],   b = c (y + r),  lambda ~ PG(b, 0)         (3)
 *   lambda | rest ~ PG(b, s);   omega = lambda,   kappa = c (y - r) / 2                                 (4)
 *
 *   The dispersion r ~ Gamma(a, rate b0).  With c = 1, no weights, and lambda integrated out:
 *       L_d ~ CRT(y_d, r), the number of tables of y_d customers,
 *       r | L, s ~ Gamma(a + sum of L_d, rate b0 + sum of log(1 + exp(s_d)))                            (5)
 *   over the documents that have a target.  So lambda has to be drawn anew before it is used again.  There is no such
 *   step for p to another power: then r has to be given.
 *
 *   (1)-(4): Polson, Scott & Windle 2013, JASA 108, section 3.3; in topic models: Zhu, Zheng & Zhang 2013, ACL,
 *   section 5.  (5): Zhou & Carin 2015, IEEE Trans. Pattern Analysis 37.
 *   The prior of r, a = 1 and b0 = 1/10, has mean 10 and 95 % of it between 0.25 and 37: from counts with a heavy tail
 *   to nearly Poisson ones.  r does not depend on the scale of the scores, so nothing has to be standardised.
 *   Cost: one Polya-Gamma draw per document; one CRT draw per document and one gamma number to draw r. */
#include "math/special.h"
#include "response/response.h"

#include <math.h>

static const double PRIOR_SHAPE = 1, PRIOR_RATE = 0.1;

enum { AT_ONCE = 256 };

static double cost_of(const gb_response *response, const double *weight, size_t i)
{
    return response->cost * gb_weight_of(weight, i);
}

static void augment(const gb_response *response, size_t n, const double *y, const double *weight, const double *score,
                    const gb_random_streams *streams, gb_score_term *term)
{
    const double r = response->own[0];
    double b[AT_ONCE], lambda[AT_ONCE];
    for (size_t done = 0; done < n; done += AT_ONCE) {
        const size_t here = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < here; i++)
            b[i] = isnan(y[done + i]) ? 1 : cost_of(response, weight, done + i) * (y[done + i] + r);
        gb_random_polya_gammas(streams, done, here, b, score + done, lambda); /* (4) */
        for (size_t i = 0; i < here; i++) {
            const double c = cost_of(response, weight, done + i), target = y[done + i];
            const gb_score_term drawn = {.slope = 0.5 * c * (target - r), .omega = lambda[i]};
            term[done + i] = isnan(target) ? (gb_score_term){0} : drawn;
        }
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    const double r = response->own[0];
    const double log_choose = gb_log_gamma(y + r) - gb_log_gamma(r) - gb_log_gamma(y + 1);
    return response->cost * (log_choose + y * gb_log_sigmoid(score) + r * gb_log_sigmoid(-score));
}

struct dispersion_draw {
    const gb_scored_targets *targets;
    gb_key key;
    double r;
};

/* Shape and rate of (5).  Each document has its own stream: another rank draws the same tables. */
static void add_tables(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const struct dispersion_draw *draw = context;
    const gb_scored_targets *t = draw->targets;
    const uint64_t before = gb_portion_first(t->portion);
    for (uint64_t d = first; d < last; d++) {
        const size_t at = d * t->stride;
        if (isnan(t->y[at]))
            continue;
        gb_random random = gb_random_open(draw->key, 0, GB_DRAW_OWN_PARAMETER, before + d);
        sum[0] += (double)gb_random_crt(&random, (uint64_t)fmin(t->y[at], 0x1p63), draw->r);
        sum[1] += gb_log1p_exp(t->score[at] + gb_offset_of(t->offset, d));
    }
}

static gb_status draw_own(const gb_response *response, const gb_scored_targets *t, gb_random *random, double *own,
                          gb_error *err)
{
    const struct dispersion_draw draw = {t, gb_random_branch(random), response->own[0]};
    double sum[2] = {PRIOR_SHAPE, PRIOR_RATE};
    const gb_status st = gb_sum_documents(t->portion, t->n_docs, add_tables, &draw, 2, sum, err);
    if (st == GB_OK)
        own[0] = gb_random_gamma(random, sum[0]) / sum[1]; /* (5) */
    return st;
}

static double log_own(const gb_response *response)
{
    const double r = response->own[0];
    return PRIOR_SHAPE * (log(PRIOR_RATE) + log(r)) - PRIOR_RATE * r - gb_log_gamma(PRIOR_SHAPE);
}

static double mean(const gb_response *response, double score)
{
    return response->own[0] * exp(score);
}

static double variance(const gb_response *response, double score)
{
    return mean(response, score) * (1 + exp(score));
}

/* P(Y <= y) = P(B <= sigma(-s)),  B ~ Beta(r, floor(y) + 1). */
static double distribution(const gb_response *response, double y, double score)
{
    if (!(y >= 0))
        return 0;
    if (isinf(y))
        return 1;
    return gb_beta_distribution(response->own[0], floor(y) + 1, gb_log_sigmoid(-score), gb_log_sigmoid(score));
}

/* Poisson with a gamma mean, by its logarithm: for small r the gamma number itself underflows.  Means from 2^62 on,
 * where counts are no longer whole numbers of the machine, get a normal in place of a Poisson number. */
static double simulate(const gb_response *response, double score, gb_random *random)
{
    const double rate = exp(score + gb_random_log_gamma(random, response->own[0]));
    if (rate < 0x1p62)
        return (double)gb_random_poisson(random, rate);
    return isinf(rate) ? rate : round(rate + sqrt(rate) * gb_random_normal(random));
}

static const gb_own_parameters own_parameters = {
    .parameter = {{.name = "dispersion", .option = "dispersion", .domain = GB_OWN_POSITIVE, .start = 1}},
    .draws_unit_cost_only = true,
    .draw = draw_own,
    .log_density = log_own};

static const gb_number_law number = {.mean = mean, .variance = variance, .distribution = distribution};

const gb_response_ops gb_response_negative_binomial = {.name = "negative-binomial",
                                                       .scale = "log",
                                                       .target = GB_TARGET_COUNT,
                                                       .augment = augment,
                                                       .log_likelihood = log_likelihood,
                                                       .own = &own_parameters,
                                                       .number = &number,
                                                       .simulate = simulate};
