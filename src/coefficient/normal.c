/* coefficient/normal.c - independent normal coefficients: eta_lk ~ N(0, nu^2), intercept ~ N(0, v0). */
#include "coefficient/coefficient.h"

#include <math.h>
#include <string.h>

static void precision(const gb_coefficient_prior *prior, size_t n_topics, bool intercept, double *out)
{
    for (size_t k = 0; k < n_topics; k++)
        out[k] = 1 / prior->variance;
    if (intercept)
        out[n_topics] = 1 / prior->intercept_variance;
}

static double log_density(const gb_coefficient_prior *prior, size_t n_topics, bool intercept, const double *eta)
{
    const double log_two_pi = 1.8378770664093453;
    double sum = 0;
    for (size_t k = 0; k < n_topics + (intercept ? 1 : 0); k++) {
        const double variance = k < n_topics ? prior->variance : prior->intercept_variance;
        sum -= (log_two_pi + log(variance) + eta[k] * eta[k] / variance) / 2;
    }
    return sum;
}

const gb_coefficient_prior_ops gb_coefficient_normal = {
    .name = "normal", .precision = precision, .log_density = log_density};

const gb_coefficient_prior_ops *gb_coefficient_prior_find(const char *name)
{
    static const gb_coefficient_prior_ops *const priors[] = {&gb_coefficient_normal};
    for (size_t i = 0; i < sizeof priors / sizeof priors[0]; i++)
        if (strcmp(priors[i]->name, name) == 0)
            return priors[i];
    return NULL;
}
