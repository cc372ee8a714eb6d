/* coefficient/horseshoe.c - most coefficients near zero, a few of any size.
 *
 *   eta_lk ~ N(0, tau_l^2 lam_lk^2),   lam_lk ~ C+(0, 1),   tau_l ~ C+(0, 1),   intercept ~ N(0, v0)
 *
 * lam ~ C+(0, 1) is the same as lam^2 | v ~ InvGamma(1/2, 1/v), v ~ InvGamma(1/2, 1), so that with p topics and
 * columns of covariates
 *
 *   v_k     ~ InvGamma(1, 1 + 1 / lam_k^2)                                                (1)
 *   lam_k^2 ~ InvGamma(1, 1 / v_k + eta_k^2 / (2 tau^2))                                  (2)
 *   x       ~ InvGamma(1, 1 + 1 / tau^2)                                                  (3)
 *   tau^2   ~ InvGamma((p + 1) / 2, 1 / x + sum_k eta_k^2 / (2 lam_k^2))                  (4)
 *
 * with InvGamma(a, b) = b / Gamma(a, 1).  v and x are drawn when they are needed and forgotten.
 *
 *   Prior: Carvalho, Polson, Scott 2010, Biometrika 97.  (1)-(4): Makalic and Schmidt 2016, IEEE Signal
 *   Processing Letters 23.
 *   Cost: two exponentials per coefficient.
 *   A scale may leave the range of numbers (eta near 0 pulls its own towards 0, and nothing pulls back before
 *   eta is redrawn), so squares are kept within [1e-300, 1e300]; the prior has 1e-150 of its mass beyond. */
#include "coefficient/coefficient.h"

#include <math.h>

static double keep_in_range(double x)
{
    return x < 1e-300 ? 1e-300 : x > 1e300 ? 1e300 : x;
}

/* Coefficients that share a tau: those of topics and covariates, those of an embedding, and those of words, which are far more.
 * The squares of an output are, for one family after the other, tau^2, then lam_k^2. */
typedef struct family {
    size_t first, n; /* coefficients */
    size_t at;       /* of tau^2 among the squares */
} family;

enum { MOST_FAMILIES = 3 };

static size_t find_families(const gb_layout *layout, family out[MOST_FAMILIES])
{
    static const gb_block_kind of_their_own[] = {GB_EMBEDDING_BLOCK, GB_WORDS_BLOCK};
    size_t n = 1;
    out[0] = (family){.n = gb_layout_n_shrunken(layout)};
    for (size_t i = 0; i < sizeof of_their_own / sizeof of_their_own[0]; i++) {
        const gb_block *block = gb_layout_find(layout, of_their_own[i]);
        if (block == NULL)
            continue;
        out[n] = (family){.first = block->first, .n = block->n, .at = block->first + n};
        out[0].n = out[0].n < block->first ? out[0].n : block->first;
        n++;
    }
    return n;
}

static size_t n_scales(const gb_coefficient_prior *prior, const gb_layout *layout)
{
    family f[MOST_FAMILIES];
    (void)prior;
    return find_families(layout, f) + gb_layout_n_shrunken(layout);
}

static size_t word_scale(const gb_coefficient_prior *prior, const gb_layout *layout)
{
    family f[MOST_FAMILIES];
    (void)prior;
    const size_t last = find_families(layout, f) - 1;
    return gb_layout_find(layout, GB_WORDS_BLOCK) == NULL ? SIZE_MAX : f[last].at;
}

/* Embeddings begin small, together with about the variance of one topic; words where the sampled variance of the normal prior
 * does: much below that chains of ordinary length stay, since words explain nothing there. */
static void begin(const gb_coefficient_prior *prior, const gb_layout *layout, double *square)
{
    family f[MOST_FAMILIES];
    const size_t n = n_scales(prior, layout), n_families = find_families(layout, f);
    for (size_t i = 0; i < n; i++)
        square[i] = 1;
    for (size_t i = 1; i < n_families; i++)
        square[f[i].at] = 1 / (double)f[i].n;
    if (prior->word_square > 0 && word_scale(prior, layout) != SIZE_MAX)
        square[word_scale(prior, layout)] = 1 / prior->word_square;
}

/* 1 / (tau^2 lam^2); the product itself may be out of range. */
static double precision_of(double tau2, double lam2)
{
    return keep_in_range(1 / tau2 / lam2);
}

static void precision(const gb_coefficient_scales *scales, size_t output, double *out)
{
    family f[MOST_FAMILIES];
    const size_t n_families = find_families(&scales->layout, f), n = gb_layout_n_shrunken(&scales->layout);
    for (size_t i = 0; i < n_families; i++) {
        const double *s = scales->square + output * scales->n + f[i].at;
        for (size_t k = 0; k < f[i].n; k++)
            out[f[i].first + k] = precision_of(s[0], s[1 + k]);
    }
    if (n < scales->layout.n_features)
        out[n] = 1 / scales->prior->intercept_variance[output];
}

/* 1 / v for v ~ InvGamma(1, 1 + 1 / square): (1) and (3). */
static double draw_rate(double square, gb_random *random)
{
    return gb_random_exponential(random) / (1 + 1 / square);
}

/* Of a family, with its coefficients. */
static void draw_family(size_t n, const double *eta, double *s, gb_random *random)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        const double rate = draw_rate(s[1 + k], random);
        s[1 + k] = keep_in_range((rate + eta[k] * (eta[k] / s[0]) / 2) / gb_random_exponential(random)); /* (2) */
        sum += eta[k] * (eta[k] / s[1 + k]) / 2;
    }
    const double rate = draw_rate(s[0], random);
    s[0] = keep_in_range((rate + sum) / gb_random_gamma(random, ((double)n + 1) / 2)); /* (4) */
}

static void draw_scales(gb_coefficient_scales *scales, size_t output, const double *eta, gb_random *random)
{
    family f[MOST_FAMILIES];
    const size_t n_families = find_families(&scales->layout, f);
    for (size_t i = 0; i < n_families; i++)
        draw_family(f[i].n, eta + f[i].first, scales->square + output * scales->n + f[i].at, random);
}

/* log of the density of log x for x ~ C+(0, 1), given x^2: 2 / (pi (x + 1 / x)). */
static double log_cauchy(double square)
{
    const double x = sqrt(square), log_half_pi = 0.45158270528945486;
    return -log(x + 1 / x) - log_half_pi;
}

static double log_word_scale_density(const gb_coefficient_prior *prior, double square)
{
    (void)prior;
    return log_cauchy(square);
}

static double log_density(const gb_coefficient_scales *scales, size_t output, const double *eta)
{
    family f[MOST_FAMILIES];
    const size_t n_families = find_families(&scales->layout, f), n = gb_layout_n_shrunken(&scales->layout);
    double sum = 0;
    for (size_t i = 0; i < n_families; i++) {
        const double *s = scales->square + output * scales->n + f[i].at;
        sum += log_cauchy(s[0]);
        for (size_t k = 0; k < f[i].n; k++)
            sum += log_cauchy(s[1 + k]) + gb_log_normal_density(eta[f[i].first + k], precision_of(s[0], s[1 + k]));
    }
    if (n < scales->layout.n_features)
        sum += gb_log_normal_density(eta[n], 1 / scales->prior->intercept_variance[output]);
    return sum;
}

const gb_coefficient_prior_ops gb_coefficient_horseshoe = {.name = "horseshoe",
                                                           .shrinks = true,
                                                           .n_scales = n_scales,
                                                           .begin = begin,
                                                           .word_scale = word_scale,
                                                           .log_word_scale_density = log_word_scale_density,
                                                           .precision = precision,
                                                           .draw_scales = draw_scales,
                                                           .log_density = log_density};
