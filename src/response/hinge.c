/* response/hinge.c - max-margin response by data augmentation.
 *
 *   zeta = ell - y s,   y in {-1, +1}
 *   exp(-2 c max(0, zeta)) = integral over lambda > 0 of
 *       (2 pi lambda)^(-1/2) exp(-(lambda + c zeta)^2 / (2 lambda))                       (1)
 *   xi = 1/lambda | rest ~ InverseGaussian(mean 1/(c |zeta|), shape 1)                    (2)
 *   As a function of s the integrand is exp(kappa s - omega s^2/2) up to a constant, with
 *       omega = c^2 xi,   kappa = c y (1 + c ell xi) = c y + omega (y ell)                (3)
 *
 *   (1): Polson and Scott 2011, Bayesian Analysis 6.  (2), (3): Zhu, Chen, Perkins and Zhang 2014, JMLR 15,
 *   section 4.  y^2 = 1 was used in (3); slope c y and centre y ell keep kappa - omega s exact.
 *   Cost: one inverse-Gaussian draw per document and output.
 *   At zeta = 0 the mean in (2) is infinite and xi ~ 1/chi^2_1, finite with probability 1: nothing is clamped.
 *   exp(-2 c max(0, zeta)) is not a distribution of y; nothing in the samplers needs it to be. */
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
    const double ell = response->margin;
    double rate[AT_ONCE], xi[AT_ONCE];
    for (size_t done = 0; done < n; done += AT_ONCE) {
        const size_t here = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < here; i++) {
            const double zeta = ell - y[done + i] * score[done + i];
            rate[i] = isnan(y[done + i]) ? 0 : cost_of(response, weight, done + i) * fabs(zeta);
        }
        gb_random_inverse_gaussians(streams, done, 0, here, rate, xi); /* (2) */
        for (size_t i = 0; i < here; i++) {
            const double c = cost_of(response, weight, done + i), target = y[done + i];
            const gb_score_term drawn = {
                .slope = c * target, .omega = c * c * xi[i], .centre = target * ell}; /* (3) */
            term[done + i] = isnan(target) ? (gb_score_term){0} : drawn;
        }
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    double zeta = response->margin - y * score;
    return zeta > 0 ? -2 * response->cost * zeta : 0;
}

/* The hinge has no likelihood of y.  phi(+1) / (phi(+1) + phi(-1)) orders documents as the score does and is reported as
 * such; it is not calibrated.  The cost is taken as 1, as in the logistic response: it weighs training labels. */
static double probability(const gb_response *response, double score)
{
    const double difference = 2 * (fmax(0, response->margin + score) - fmax(0, response->margin - score));
    return 1 / (1 + exp(-difference));
}

static const gb_class_law classes = {.probability = probability, .weights = gb_response_independent_classes};

const gb_response_ops gb_response_hinge = {.name = "hinge",
                                           .natural = "logistic",
                                           .augment = augment,
                                           .log_likelihood = log_likelihood,
                                           .classes = &classes};
