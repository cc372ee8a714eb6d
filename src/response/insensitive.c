/* response/insensitive.c - a number, with no loss within epsilon of the score and a linear one beyond.
 *
 *   Delta = y - s,   y real
 *   phi(y | s) = exp(-2 c max(0, |Delta| - eps))                                                        (1)
 *   max(0, |Delta| - eps) = max(0, Delta - eps) + max(0, -Delta - eps), each of which is a hinge:
 *       exp(-2 c max(0, x)) = integral over lambda > 0 of (2 pi lambda)^(-1/2) exp(-(lambda + c x)^2 / (2 lambda))
 *   xi_1 | rest ~ InverseGaussian(mean 1/(c |Delta - eps|), shape 1)                                    (2)
 *   xi_2 | rest ~ InverseGaussian(mean 1/(c |Delta + eps|), shape 1),   independent, xi = 1/lambda
 *   As a function of s the integrand is exp(-omega (centre - s)^2 / 2) up to a constant, with
 *       omega = c^2 (xi_1 + xi_2),   centre = y + eps (xi_2 - xi_1) / (xi_1 + xi_2)                      (3)
 *   The linear parts of the two hinges cancel.
 *
 *   (1)-(3): Zhu, Chen, Perkins and Zhang 2014, JMLR 15, section 5.1; the mixture is of Polson and Scott 2011,
 *   Bayesian Analysis 6.  eps = 0 is the Laplace law.  Cost: two inverse-Gaussian draws per document and output.
 *   Both xi have heavy tails: where a score is almost exactly eps away from y, omega is huge.  The centre stays between
 *   y - eps and y + eps, so kappa - omega s = omega (centre - s) keeps its digits.
 *
 *   As a function of y, (1) integrates to 2 eps + 1/c, whatever the score: so there is a density
 *       p(y | s) = phi(y | s) / (2 eps + 1/c)                                                           (4)
 *   flat on a zone of 2 eps and exponential with rate 2 c beyond on either side.  The cost sets the scale of the noise
 *   here, so unlike elsewhere it is not taken as 1 where new targets are predicted.  log_likelihood() is (1), without
 *   the constant: then a weight multiplies it, as it does the cost. */
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
    const double eps = response->epsilon;
    double rate_1[AT_ONCE], rate_2[AT_ONCE], xi_1[AT_ONCE], xi_2[AT_ONCE];
    for (size_t done = 0; done < n; done += AT_ONCE) {
        const size_t here = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < here; i++) {
            const double c = cost_of(response, weight, done + i), delta = y[done + i] - score[done + i];
            rate_1[i] = isnan(y[done + i]) ? 0 : c * fabs(delta - eps);
            rate_2[i] = isnan(y[done + i]) ? 0 : c * fabs(delta + eps);
        }
        gb_random_inverse_gaussians(streams, done, 0, here, rate_1, xi_1); /* (2) */
        gb_random_inverse_gaussians(streams, done, 1, here, rate_2, xi_2);
        for (size_t i = 0; i < here; i++) {
            const double c = cost_of(response, weight, done + i), target = y[done + i], sum = xi_1[i] + xi_2[i];
            const gb_score_term drawn = {.omega = c * c * sum,
                                         .centre = target + eps * ((xi_2[i] - xi_1[i]) / sum)}; /* (3) */
            term[done + i] = isnan(target) ? (gb_score_term){0} : drawn;
        }
    }
}

static double log_likelihood(const gb_response *response, double y, double score)
{
    return -2 * response->cost * fmax(0, fabs(y - score) - response->epsilon);
}

/* Probability of the flat zone under (4). */
static double zone(const gb_response *response)
{
    const double width = 2 * response->epsilon * response->cost;
    return width / (width + 1);
}

static double mean(const gb_response *response, double score)
{
    (void)response;
    return score;
}

/* Of a uniform number on the zone, or of eps plus an exponential one with rate 2 c on either side. */
static double variance(const gb_response *response, double score)
{
    (void)score;
    const double eps = response->epsilon, scale = 0.5 / response->cost, inside = zone(response);
    return inside * eps * eps / 3 + (1 - inside) * (eps * eps + 2 * eps * scale + 2 * scale * scale);
}

static double distribution(const gb_response *response, double y, double score)
{
    const double eps = response->epsilon, c = response->cost, delta = y - score;
    const double tail = 0.5 * (1 - zone(response));
    if (delta < -eps)
        return tail * exp(2 * c * (delta + eps));
    if (delta > eps)
        return 1 - tail * exp(-2 * c * (delta - eps));
    return tail * (1 + 2 * c * (delta + eps));
}

static double simulate(const gb_response *response, double score, gb_random *random)
{
    const double eps = response->epsilon, side = 2 * gb_random_uniform(random) - 1;
    if (gb_random_uniform(random) < zone(response))
        return score + eps * side;
    return score + copysign(eps + gb_random_exponential(random) / (2 * response->cost), side);
}

static const gb_number_law number = {.mean = mean, .variance = variance, .distribution = distribution};

const gb_response_ops gb_response_insensitive = {.name = "insensitive",
                                                 .target = GB_TARGET_NUMBER,
                                                 .natural = "gaussian",
                                                 .augment = augment,
                                                 .log_likelihood = log_likelihood,
                                                 .number = &number,
                                                 .simulate = simulate};
