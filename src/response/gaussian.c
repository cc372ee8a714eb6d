/* response/gaussian.c - a number with normal noise, to the power c.
 *
 *   phi(y | s) = N(y; s, rho2)^c,   y real                                                              (1)
 *   As a function of s this is exp(-omega (y - s)^2 / 2) up to a constant, with
 *       omega = c / rho2,   kappa = omega y                                                             (2)
 *   so nothing is augmented, and slope 0, centre y keep kappa - omega s exact.
 *   rho2 ~ InverseGamma(a, b), and given targets and scores
 *       rho2 | rest ~ InverseGamma( a + c / 2 sum of w_d,  b + c / 2 sum of w_d (y_d - s_d)^2 )          (3)
 *   over the documents that have a target; w_d is a document's weight.
 *
 *   (1)-(3) with c = 1: Blei & McAuliffe 2007, NIPS 20, with a prior on the variance; (3) is the conjugate update.
 *   The prior suits targets that were scaled to variance 1: a = 1 and b = 1/2 count as two targets of which half of the
 *   variance is left unexplained; its median is 0.72 and 95 % of it lie between 0.14 and 20.
 *   Cost: nothing random per document; one gamma number per sweep. */
#include "math/special.h"
#include "response/response.h"

#include <math.h>

static const double PRIOR_SHAPE = 1, PRIOR_SCALE = 0.5;

static void augment(const gb_response *response, size_t n, const double *y, const double *weight, const double *score,
                    const gb_random_streams *streams, gb_score_term *term)
{
    (void)score, (void)streams;
    for (size_t l = 0; l < n; l++) {
        if (isnan(y[l])) {
            term[l] = (gb_score_term){0};
            continue;
        }
        const double omega = response->cost * gb_weight_of(weight, l) / response->own[0];
        term[l] = (gb_score_term){.omega = omega, .centre = y[l]}; /* (2) */
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    const double rho2 = response->own[0];
    const double residual = y - score;
    return -0.5 * response->cost * (GB_LOG_2PI + log(rho2) + residual * residual / rho2);
}

/* Of (3): weights, and squares of residuals times them. */
static void add_squares(const void *targets, uint64_t first, uint64_t last, double *sum)
{
    const gb_scored_targets *t = targets;
    for (uint64_t d = first; d < last; d++) {
        const size_t at = d * t->stride;
        if (isnan(t->y[at]))
            continue;
        const double w = gb_weight_of(t->weight, at);
        const double residual = t->y[at] - t->score[at] - gb_offset_of(t->offset, d);
        sum[0] += w;
        sum[1] += w * residual * residual;
    }
}

static gb_status draw_own(const gb_response *response, const gb_scored_targets *t, gb_random *random, double *own,
                          gb_error *err)
{
    double sum[2] = {0};
    const gb_status st = gb_sum_documents(t->portion, t->n_docs, add_squares, t, 2, sum, err);
    const double half = 0.5 * response->cost;
    if (st == GB_OK)
        own[0] = gb_random_inverse_gamma(random, PRIOR_SHAPE + half * sum[0], PRIOR_SCALE + half * sum[1]); /* (3) */
    return st;
}

static double log_own(const gb_response *response)
{
    const double rho2 = response->own[0];
    return PRIOR_SHAPE * (log(PRIOR_SCALE) - log(rho2)) - PRIOR_SCALE / rho2 - gb_log_gamma(PRIOR_SHAPE);
}

static double mean(const gb_response *response, double score)
{
    (void)response;
    return score;
}

static double variance(const gb_response *response, double score)
{
    (void)score;
    return response->own[0];
}

static double distribution(const gb_response *response, double y, double score)
{
    return 0.5 * gb_erfc((score - y) / sqrt(2 * response->own[0]));
}

static double simulate(const gb_response *response, double score, gb_random *random)
{
    return score + sqrt(response->own[0]) * gb_random_normal(random);
}

static const gb_own_parameters own_parameters = {.parameter = {{.name = "noise_variance",
                                                                .option = "noise-variance",
                                                                .domain = GB_OWN_POSITIVE,
                                                                .start = 1,
                                                                .has_units = true,
                                                                .is_error = true}},
                                                 .draw = draw_own,
                                                 .log_density = log_own};

static const gb_number_law number = {.mean = mean, .variance = variance, .distribution = distribution};

const gb_response_ops gb_response_gaussian = {.name = "gaussian",
                                              .target = GB_TARGET_NUMBER,
                                              .augment = augment,
                                              .log_likelihood = log_likelihood,
                                              .own = &own_parameters,
                                              .number = &number,
                                              .simulate = simulate};
