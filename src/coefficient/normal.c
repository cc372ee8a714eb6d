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

static size_t n_scales(const gb_coefficient_prior *prior, const gb_layout *layout)
{
    (void)layout;
    return prior->variance_is_sampled ? 1 : 0;
}

/* Of the coefficients of a block. */
static double block_precision(const gb_coefficient_scales *scales, gb_block_kind kind, size_t output)
{
    const gb_coefficient_prior *prior = scales->prior;
    switch (kind) {
    case GB_TOPICS_BLOCK:
        return 1 / (scales->n > 0 ? scales->square[output] : prior->variance[output]);
    case GB_CONSTANT_BLOCK:
        return 1 / prior->intercept_variance[output];
    default:
        return 1 / prior->covariate_variance;
    }
}

static void precision(const gb_coefficient_scales *scales, size_t output, double *out)
{
    for (size_t b = 0; b < scales->layout.n_blocks; b++) {
        const gb_block *block = &scales->layout.block[b];
        for (size_t k = block->first; k < block->first + block->n; k++)
            out[k] = block_precision(scales, block->kind, output);
    }
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
    const gb_block *topics = gb_layout_find(&scales->layout, GB_TOPICS_BLOCK);
    double sum = 0;
    for (size_t k = 0; k < topics->n; k++)
        sum += eta[topics->first + k] * eta[topics->first + k];
    const double shape = shape_of(scales->prior) + (double)topics->n / 2;
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
    double sum = scales->n > 0 ? log_variance_density(scales->prior, scales->square[output]) : 0;
    for (size_t b = 0; b < scales->layout.n_blocks; b++) {
        const gb_block *block = &scales->layout.block[b];
        for (size_t k = block->first; k < block->first + block->n; k++)
            sum += gb_log_normal_density(eta[k], block_precision(scales, block->kind, output));
    }
    return sum;
}

const gb_coefficient_prior_ops gb_coefficient_normal = {.name = "normal",
                                                        .has_variance = true,
                                                        .n_scales = n_scales,
                                                        .precision = precision,
                                                        .draw_scales = draw_scales,
                                                        .log_density = log_density};
