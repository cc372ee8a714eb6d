/* response/logistic.c - logistic response to the power c, by Polya-Gamma augmentation.
 *
 *   phi(y | s) = sigma(y s)^c,   y in {-1, +1},   sigma(x) = 1/(1 + e^-x)                 (1)
 *              = 2^-c exp(kappa s) E[ exp(-lambda s^2/2) ],   lambda ~ PG(c, 0)           (2)
 *   lambda | rest ~ PG(c, s)                                                              (3)
 *   omega = lambda,   kappa = c y / 2                                                     (4)
 *
 *   (1)-(4): Zhu, Zheng and Zhang 2013, ACL, section 3 (labels 0 and 1 there, kappa = c (y - 1/2)); the
 *   identity (2) is Polson, Scott and Windle 2013, JASA 108, theorem 1.  c = 1 is Bayesian logistic regression;
 *   c is any positive real.  Cost: one Polya-Gamma draw per document and output. */
#include "math/special.h"
#include "response/response.h"

#include <math.h>

enum { AT_ONCE = 256 };

static double cost_of(const gb_response *response, const double *weight, size_t i)
{
    return response->cost * gb_weight_of(weight, i);
}

static void augment(const gb_response *response, size_t n, const double *y, const double *weight, const double *score,
                    const gb_random_streams *streams, gb_score_term *term)
{
    double power[AT_ONCE], lambda[AT_ONCE];
    for (size_t done = 0; done < n; done += AT_ONCE) {
        const size_t here = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < here; i++)
            power[i] = cost_of(response, weight, done + i);
        gb_random_polya_gammas(streams, done, here, power, score + done, lambda); /* (3) */
        for (size_t i = 0; i < here; i++) {
            const double target = y[done + i];
            const gb_score_term drawn = {.slope = power[i] * target / 2, .omega = lambda[i]}; /* (4) */
            term[done + i] = isnan(target) ? (gb_score_term){0} : drawn;
        }
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    return -response->cost * gb_log1p_exp(-y * score);
}

/* Of a label, with power 1: the cost c weighs training labels, it does not make new ones more certain. */
static double probability(const gb_response *response, double score)
{
    (void)response;
    return 1 / (1 + exp(-score));
}

static const gb_class_law classes = {.probability = probability, .weights = gb_response_independent_classes};

const gb_response_ops gb_response_logistic = {.name = "logistic",
                                              .scale = "log odds",
                                              .augment = augment,
                                              .log_likelihood = log_likelihood,
                                              .classes = &classes};
