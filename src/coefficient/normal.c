/* coefficient/normal.c - independent normal coefficients: eta_lk ~ N(0, v), intercept ~ N(0, v0). */
#include "coefficient/coefficient.h"

static void precision(const gb_coefficient_scales *scales, size_t output, double *out)
{
    (void)output;
    for (size_t k = 0; k < scales->n_topics; k++)
        out[k] = 1 / scales->prior->variance;
    if (scales->intercept)
        out[scales->n_topics] = 1 / scales->prior->intercept_variance;
}

static double log_density(const gb_coefficient_scales *scales, size_t output, const double *eta)
{
    (void)output;
    double sum = 0;
    for (size_t k = 0; k < scales->n_topics; k++)
        sum += gb_log_normal_density(eta[k], 1 / scales->prior->variance);
    if (scales->intercept)
        sum += gb_log_normal_density(eta[scales->n_topics], 1 / scales->prior->intercept_variance);
    return sum;
}

const gb_coefficient_prior_ops gb_coefficient_normal = {
    .name = "normal", .has_variance = true, .precision = precision, .log_density = log_density};
