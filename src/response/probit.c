/* response/probit.c - diagonal-orthant probit.
 *
 *   phi(y | s) = Phi(y s),   y in {-1, +1},   Phi the standard normal distribution function             (1)
 *              = integral of N(a; s, 1) over a > 0 if y = +1, over a < 0 if y = -1                       (2)
 *   a | rest ~ N(s, 1) truncated to that side of 0                                                      (3)
 *   As a function of s the integrand is exp(a s - s^2 / 2) up to a constant: kappa = a, omega = 1.        (4)
 *
 *   One of several classes.  The outputs are independent probits, so (1) multiplies to Phi(s_y) times the product
 *   of Phi(-s_l) over the other classes l.  The probability of a class is that product over its sum over classes,
 *       p(y = l | s) = odds_l / (sum over j of odds_j),   odds_l = Phi(s_l) / Phi(-s_l)                   (5)
 *   Its sum depends on the scores and is not part of the posterior that is sampled: (1) is.
 *
 *   (2)-(5): Johndrow, Dunson and Lum 2013, AISTATS; with topics: Magnusson, Jonsson and Villani 2016.
 *   Cost: one truncated normal draw per document and output.
 *   There is no cost parameter c: Phi to a power is not a mixture like (2). */
#include "math/special.h"
#include "response/response.h"

#include <math.h>

static void augment(const gb_response *response, size_t n, const double *y, const double *weight, const double *score,
                    const gb_random_streams *streams, gb_score_term *term)
{
    (void)response, (void)weight;
    for (size_t l = 0; l < n; l++) {
        if (isnan(y[l])) {
            term[l] = (gb_score_term){0};
            continue;
        }
        gb_random random = gb_random_of(streams, l);
        const double a = y[l] > 0 ? gb_random_truncated_normal(&random, score[l], 0, INFINITY)
                                  : gb_random_truncated_normal(&random, score[l], -INFINITY, 0); /* (3) */
        term[l] = (gb_score_term){.slope = a, .omega = 1};                                       /* (4) */
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    (void)response;
    return gb_log_normal_cdf(y * score);
}

static double probability(const gb_response *response, double score)
{
    (void)response;
    return 0.5 * gb_erfc(-score * M_SQRT1_2);
}

/* (5), by the logarithms of the odds, less their largest: in the tails Phi itself underflows. */
static void weights(const gb_response *response, size_t n, const double *score, double *weight)
{
    (void)response;
    double largest = -INFINITY, sum = 0;
    for (size_t l = 0; l < n; l++) {
        weight[l] = gb_log_normal_cdf(score[l]) - gb_log_normal_cdf(-score[l]);
        largest = fmax(largest, weight[l]);
    }
    for (size_t l = 0; l < n; l++) {
        weight[l] = exp(weight[l] - largest);
        sum += weight[l];
    }
    for (size_t l = 0; l < n; l++)
        weight[l] /= sum;
}

static const gb_class_law classes = {.probability = probability, .weights = weights};

const gb_response_ops gb_response_probit = {.name = "probit",
                                            .takes_no_cost = true,
                                            .augment = augment,
                                            .log_likelihood = log_likelihood,
                                            .classes = &classes};
