/* coefficient/normal.c - independent normal coefficients.
 *
 *   eta_lk ~ N(0, v_l) of topics,   eta_lj ~ N(0, v_x) of covariates,   eta_lw ~ N(0, u_l) of words,
 *   eta_le ~ N(0, w_l) of an embedding,   intercept ~ N(0, v_0)
 *
 * v_l is given, or has the prior InvGamma(a, b) and is redrawn given the K coefficients of topics:
 *
 *   v_l | eta ~ InvGamma(a + K / 2, b + sum_k eta_lk^2 / 2)                                            (1)
 *
 * and so u_l, with the prior InvGamma(1, 1 / m), m the mean over documents of the sum of squares of their words' numbers, and w_l,
 * with InvGamma(1, 1 / W) for W columns of size 1: the part of a score that words or an embedding make begins with a variance of
 * about 1.  A prior far below, such as 1 over the number of all words, is a trap: coefficients that are too small to
 * explain anything keep their variance, and chains stay there for hundreds of sweeps. */
#include "coefficient/coefficient.h"

#include "math/special.h"

#include <math.h>

static const double LARGEST_VARIANCE = 1e300; /* finite, whatever the coefficients */

static size_t n_of_topics(const gb_coefficient_prior *prior)
{
    return prior->variance_is_sampled ? 1 : 0;
}

static size_t word_scale(const gb_coefficient_prior *prior, const gb_layout *layout)
{
    const bool is_sampled = prior->word_variance_is_sampled && gb_layout_find(layout, GB_WORDS_BLOCK) != NULL;
    return is_sampled ? n_of_topics(prior) : SIZE_MAX;
}

/* After those of topics and words. */
static size_t embedding_scale(const gb_coefficient_prior *prior, const gb_layout *layout)
{
    const bool is_sampled =
        prior->embedding_variance_is_sampled && gb_layout_find(layout, GB_EMBEDDING_BLOCK) != NULL;
    return is_sampled ? n_of_topics(prior) + (word_scale(prior, layout) == SIZE_MAX ? 0 : 1) : SIZE_MAX;
}

static size_t n_scales(const gb_coefficient_prior *prior, const gb_layout *layout)
{
    return n_of_topics(prior) + (word_scale(prior, layout) == SIZE_MAX ? 0 : 1) +
           (embedding_scale(prior, layout) == SIZE_MAX ? 0 : 1);
}

static double first_of_words(const gb_coefficient_prior *prior)
{
    return prior->word_square > 0 ? 1 / prior->word_square : 1;
}

static double first_of_embedding(const gb_layout *layout)
{
    return 1 / (double)gb_layout_find(layout, GB_EMBEDDING_BLOCK)->n;
}

static void begin(const gb_coefficient_prior *prior, const gb_layout *layout, double *square)
{
    square[0] = 1;
    if (word_scale(prior, layout) != SIZE_MAX)
        square[word_scale(prior, layout)] = first_of_words(prior);
    if (embedding_scale(prior, layout) != SIZE_MAX)
        square[embedding_scale(prior, layout)] = first_of_embedding(layout);
}

static const double *scales_of(const gb_coefficient_scales *scales, size_t output)
{
    return scales->square + output * scales->n;
}

/* Of the coefficients of a block. */
static double block_precision(const gb_coefficient_scales *scales, gb_block_kind kind, size_t output)
{
    const gb_coefficient_prior *prior = scales->prior;
    const size_t of_words = kind == GB_WORDS_BLOCK ? word_scale(prior, &scales->layout) : SIZE_MAX;
    const size_t of_embedding = kind == GB_EMBEDDING_BLOCK ? embedding_scale(prior, &scales->layout) : SIZE_MAX;
    switch (kind) {
    case GB_TOPICS_BLOCK:
        return 1 / (prior->variance_is_sampled ? scales_of(scales, output)[0] : prior->variance[output]);
    case GB_WORDS_BLOCK:
        return 1 / (of_words == SIZE_MAX ? prior->word_variance : scales_of(scales, output)[of_words]);
    case GB_EMBEDDING_BLOCK:
        return 1 / (of_embedding == SIZE_MAX ? prior->embedding_variance : scales_of(scales, output)[of_embedding]);
    case GB_CONSTANT_BLOCK:
        return 1 / prior->intercept_variance[output];
    default:
        return 1 / prior->covariate_variance[output];
    }
}

static void precision(const gb_coefficient_scales *scales, size_t output, double *out)
{
    for (size_t b = 0; b < scales->layout.n_blocks; b++) {
        const gb_block *block = &scales->layout.block[b];
        const double p = block_precision(scales, block->kind, output);
        for (size_t k = block->first; k < block->first + block->n; k++)
            out[k] = p;
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

/* (1): of the coefficients of a block. */
static double draw_variance(const gb_block *block, const double *eta, double shape, double scale, gb_random *random)
{
    double sum = 0;
    for (size_t k = block->first; k < block->first + block->n; k++)
        sum += eta[k] * eta[k];
    const double v = gb_random_inverse_gamma(random, shape + (double)block->n / 2, scale + sum / 2);
    return fmin(v, LARGEST_VARIANCE);
}

static void draw_scales(gb_coefficient_scales *scales, size_t output, const double *eta, gb_random *random)
{
    const gb_coefficient_prior *prior = scales->prior;
    const gb_layout *layout = &scales->layout;
    const size_t of_words = word_scale(prior, layout), of_embedding = embedding_scale(prior, layout);
    double *square = scales->square + output * scales->n;
    if (prior->variance_is_sampled)
        square[0] =
            draw_variance(gb_layout_find(layout, GB_TOPICS_BLOCK), eta, shape_of(prior), scale_of(prior), random);
    if (of_words != SIZE_MAX)
        square[of_words] =
            draw_variance(gb_layout_find(layout, GB_WORDS_BLOCK), eta, 1, first_of_words(prior), random);
    if (of_embedding != SIZE_MAX)
        square[of_embedding] =
            draw_variance(gb_layout_find(layout, GB_EMBEDDING_BLOCK), eta, 1, first_of_embedding(layout), random);
}

/* log of the density of log v for v ~ InvGamma(a, b): b^a / Gamma(a) v^-a exp(-b / v). */
static double log_variance_density(double a, double b, double v)
{
    return a * (log(b) - log(v)) - gb_log_gamma(a) - b / v;
}

static double log_word_scale_density(const gb_coefficient_prior *prior, double square)
{
    return log_variance_density(1, first_of_words(prior), square);
}

static double log_density(const gb_coefficient_scales *scales, size_t output, const double *eta)
{
    const gb_coefficient_prior *prior = scales->prior;
    const size_t of_words = word_scale(prior, &scales->layout),
                 of_embedding = embedding_scale(prior, &scales->layout);
    double sum = 0;
    if (prior->variance_is_sampled)
        sum += log_variance_density(shape_of(prior), scale_of(prior), scales_of(scales, output)[0]);
    if (of_words != SIZE_MAX)
        sum += log_word_scale_density(prior, scales_of(scales, output)[of_words]);
    if (of_embedding != SIZE_MAX)
        sum += log_variance_density(1, first_of_embedding(&scales->layout), scales_of(scales, output)[of_embedding]);
    for (size_t b = 0; b < scales->layout.n_blocks; b++) {
        const gb_block *block = &scales->layout.block[b];
        const double p = block_precision(scales, block->kind, output), top = log(p) - GB_LOG_2PI;
        for (size_t k = block->first; k < block->first + block->n; k++)
            sum += (top - p * eta[k] * eta[k]) / 2; /* gb_log_normal_density() */
    }
    return sum;
}

const gb_coefficient_prior_ops gb_coefficient_normal = {.name = "normal",
                                                        .has_variance = true,
                                                        .n_scales = n_scales,
                                                        .begin = begin,
                                                        .word_scale = word_scale,
                                                        .log_word_scale_density = log_word_scale_density,
                                                        .precision = precision,
                                                        .draw_scales = draw_scales,
                                                        .log_density = log_density};
