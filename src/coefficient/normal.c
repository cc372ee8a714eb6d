/* coefficient/normal.c - independent normal coefficients.
 *
 *   eta_lk ~ N(0, v_l) of topics,   eta_lj ~ N(0, v_x) of covariates,   intercept ~ N(0, v_0)
 *
 * v_l is given, or has the prior InvGamma(a, b) and is redrawn given the K coefficients of topics:
 *
 *   v_l | eta ~ InvGamma(a + K / 2, b + sum_k eta_lk^2 / 2)                                            (1) */
#include "coefficient/coefficient.h"

#include "math/special.h"

#include <math.h>

static const double LARGEST_VARIANCE = 1e300; /* finite, whatever the coefficients */

static size_t n_scales(const gb_coefficient_prior *prior, size_t n_topics, size_t n_columns)
{
    (void)n_topics, (void)n_columns;
    return prior->variance_is_sampled ? 1 : 0;
}

static double topic_precision(const gb_coefficient_scales *scales, size_t output)
{
    return 1 / (scales->n > 0 ? scales->square[output] : scales->prior->variance[output]);
}

static void precision(const gb_coefficient_scales *scales, size_t output, double *out)
{
    const size_t n_shrunken = scales->n_topics + scales->n_columns;
    for (size_t k = 0; k < scales->n_topics; k++)
        out[k] = topic_precision(scales, output);
    for (size_t k = scales->n_topics; k < n_shrunken; k++)
        out[k] = 1 / scales->prior->covariate_variance;
    if (scales->intercept)
        out[n_shrunken] = 1 / scales->prior->intercept_variance[output];
}

static double shape_of(const gb_coefficient_prior *prior)
{
    return prior->variance_shape > 0 ? prior->variance_shape : GB_VARIANCE_SHAPE;
}

static double scale_of(const gb_coefficient_prior *prior)
{
    return prior->variance_scale > 0 ? prior->variance_scale : GB_VARIANCE_SCALE;
}

static void draw_scales(gb_coefficient_scales *scales, size_t output, const double *eta, gb_random *random)
{
    double sum = 0;
    for (size_t k = 0; k < scales->n_topics; k++)
        sum += eta[k] * eta[k];
    const double shape = shape_of(scales->prior) + (double)scales->n_topics / 2;
    const double v = gb_random_inverse_gamma(random, shape, scale_of(scales->prior) + sum / 2); /* (1) */
    scales->square[output] = fmin(v, LARGEST_VARIANCE);
}

/* log of the density of log v for v ~ InvGamma(a, b): b^a / Gamma(a) v^-a exp(-b / v). */
static double log_variance_density(const gb_coefficient_prior *prior, double v)
{
    const double a = shape_of(prior), b = scale_of(prior);
    return a * (log(b) - log(v)) - gb_log_gamma(a) - b / v;
}

static double log_density(const gb_coefficient_scales *scales, size_t output, const double *eta)
{
    const size_t n_shrunken = scales->n_topics + scales->n_columns;
    double sum = scales->n > 0 ? log_variance_density(scales->prior, scales->square[output]) : 0;
    for (size_t k = 0; k < scales->n_topics; k++)
        sum += gb_log_normal_density(eta[k], topic_precision(scales, output));
    for (size_t k = scales->n_topics; k < n_shrunken; k++)
        sum += gb_log_normal_density(eta[k], 1 / scales->prior->covariate_variance);
    if (scales->intercept)
        sum += gb_log_normal_density(eta[n_shrunken], 1 / scales->prior->intercept_variance[output]);
    return sum;
}

const gb_coefficient_prior_ops gb_coefficient_normal = {.name = "normal",
                                                        .has_variance = true,
                                                        .n_scales = n_scales,
                                                        .precision = precision,
                                                        .draw_scales = draw_scales,
                                                        .log_density = log_density};
