/* The horseshoe's scales: one update leaves the prior as it is, and has the same law as a slice sampler, which
 * looks at the half-Cauchy densities directly and knows no inverse gamma distribution. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "coefficient/coefficient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { P = 3, N_TOPICS = 1, N_COLUMNS = P - N_TOPICS };

static const double intercept_variance[] = {0.3, 0.3, 0.3};
static const gb_coefficient_prior prior = {.ops = &gb_coefficient_horseshoe,
                                           .intercept_variance = intercept_variance};

/* P shrunken coefficients, of a topic and of columns of covariates; and an intercept, which is not shrunken. */
static gb_coefficient_scales scales_at(double *square)
{
    return (gb_coefficient_scales){.prior = &prior,
                                   .n_outputs = 1,
                                   .layout = gb_layout_make(N_TOPICS, N_COLUMNS, 0, true),
                                   .n = 1 + P,
                                   .square = square};
}

static double half_cauchy_cdf(double x, const void *parameters)
{
    (void)parameters;
    return atan(x) * 2 / M_PI;
}

static double draw_half_cauchy(gb_random *r)
{
    return tan(M_PI / 2 * gb_random_uniform(r));
}

/* Scales and coefficients drawn from the prior, then an update of the scales: the joint law must be the same, so scales
 * are half-Cauchy and independent, and eta / (tau lam) is standard normal beside them. */
static void an_update_leaves_the_prior_alone(void **state)
{
    (void)state;
    double square[1 + P], eta[P + 1];
    gb_coefficient_scales scales = scales_at(square);
    double *tau = law_room(LAW_DRAWS), *lam = law_room(LAW_DRAWS), *ratio = law_room(LAW_DRAWS),
           *both = law_room(LAW_DRAWS), *size = law_room(LAW_DRAWS);
    gb_random r = law_stream(0);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        for (size_t k = 0; k <= P; k++) {
            const double scale = draw_half_cauchy(&r);
            square[k] = scale * scale;
        }
        for (size_t k = 0; k < P; k++)
            eta[k] = sqrt(square[0]) * sqrt(square[1 + k]) * gb_random_normal(&r);
        eta[P] = 1000 * gb_random_normal(&r);
        prior.ops->draw_scales(&scales, 0, eta, &r);
        tau[i] = sqrt(square[0]);
        lam[i] = sqrt(square[2]);
        const double x = eta[0] / tau[i] / sqrt(square[1]);
        ratio[i] = exp(-x * x / 2);
        both[i] = tanh(log(tau[i])) * tanh(log(lam[i])); /* each symmetric about 0 */
        size[i] = tanh(log(tau[i])) * ratio[i];
    }
    double below = 0;
    for (size_t i = 0; i < LAW_DRAWS; i++)
        below += tau[i] < 1;
    law_check_z("horseshoe", "share of tau below 1", (below / LAW_DRAWS - 0.5) / sqrt(0.25 / LAW_DRAWS));
    law_check_mean("horseshoe", "exp(-x^2 / 2) of eta / (tau lam)", LAW_DRAWS, ratio, NULL, M_SQRT1_2);
    law_check_mean("horseshoe", "tau against lam", LAW_DRAWS, both, NULL, 0);
    law_check_mean("horseshoe", "tau against eta / (tau lam)", LAW_DRAWS, size, NULL, 0);
    law_check_cdf("tau of the horseshoe", LAW_DRAWS, tau, half_cauchy_cdf, NULL);
    law_check_cdf("lam of the horseshoe", LAW_DRAWS, lam, half_cauchy_cdf, NULL);
    free(tau);
    free(lam);
    free(ratio);
    free(both);
    free(size);
}

/* ---- against a slice sampler ---- */

/* Distribution function of Gamma(1, 1) and Gamma(2, 1). */
static double gamma_cdf(int shape, double x)
{
    return shape == 1 ? -expm1(-x) : x < 1e-4 ? x * x / 2 - x * x * x / 3 : -expm1(-x) - x * exp(-x);
}

/* Gamma(shape, rate) restricted to values below a bound, by bisection of its distribution function. */
static double draw_gamma_below(int shape, double rate, double bound, gb_random *r)
{
    double low = 0, high = fmin(rate * bound, 700);
    const double wanted = gb_random_uniform(r) * gamma_cdf(shape, high);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        const double middle = (low + high) / 2;
        if (gamma_cdf(shape, middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return high / rate;
}

/* theta = 1 / scale^2 has density theta^{-1/2} / (1 + theta) under C+(0, 1); u is uniform below 1 / (1 + theta). */
static double draw_slice(double square, int shape, double rate, gb_random *r)
{
    const double u = gb_random_uniform(r) / (1 + 1 / square);
    return 1 / draw_gamma_below(shape, rate, (1 - u) / u, r);
}

static void draw_scales_by_slices(double *square, const double *eta, gb_random *r)
{
    double sum = 0;
    for (size_t k = 0; k < P; k++) {
        square[1 + k] = draw_slice(square[1 + k], 1, eta[k] * eta[k] / (2 * square[0]), r);
        sum += eta[k] * eta[k] / square[1 + k] / 2;
    }
    square[0] = draw_slice(square[0], (P + 1) / 2, sum, r);
}

enum { N_FUNCTIONS = 8, N_BATCHES = 100, PER_BATCH = 4000 };

static void functions_of(const double *square, const double *eta, double *f)
{
    f[0] = square[0] < 1;
    f[1] = tanh(log(square[0]) / 4);
    f[2] = square[1] < 1;
    f[3] = tanh(log(square[2]) / 4);
    f[4] = tanh(eta[0]);
    f[5] = tanh(eta[1]);
    f[6] = tanh(eta[2]) * tanh(eta[1]);
    f[7] = 1 / (1 + eta[0] * eta[0]);
}

/* A fixed Gaussian response: eta_k has the factor exp(-(eta_k - m_k)^2 q_k / 2). */
static void run_chain(bool by_slices, uint64_t stream, double *mean, double *error)
{
    static const double m[P] = {0.1, -1.5, 3}, q[P] = {4, 1, 2};
    double square[1 + P] = {1, 1, 1, 1}, eta[P + 1], precision[P + 1], f[N_FUNCTIONS];
    gb_coefficient_scales scales = scales_at(square);
    gb_random r = law_stream(stream);
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        mean[i] = error[i] = 0;
    for (int b = -1; b < N_BATCHES; b++) { /* the first is burn-in */
        double sum[N_FUNCTIONS] = {0};
        for (int i = 0; i < PER_BATCH; i++) {
            prior.ops->precision(&scales, 0, precision);
            for (size_t k = 0; k < P; k++)
                eta[k] = q[k] * m[k] / (precision[k] + q[k]) + gb_random_normal(&r) / sqrt(precision[k] + q[k]);
            eta[P] = 50; /* an intercept */
            if (by_slices)
                draw_scales_by_slices(square, eta, &r);
            else
                prior.ops->draw_scales(&scales, 0, eta, &r);
            functions_of(square, eta, f);
            for (size_t j = 0; j < N_FUNCTIONS; j++)
                sum[j] += f[j] / PER_BATCH;
        }
        for (size_t j = 0; j < N_FUNCTIONS && b >= 0; j++) {
            const double step = sum[j] - mean[j];
            mean[j] += step / (b + 1);
            error[j] += step * (sum[j] - mean[j]);
        }
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++)
        error[j] = sqrt(error[j] / (N_BATCHES - 1) / N_BATCHES);
}

static void inverse_gammas_and_slices_have_the_same_law(void **state)
{
    (void)state;
    double mean[2][N_FUNCTIONS], error[2][N_FUNCTIONS];
    for (size_t i = 0; i < 2; i++)
        run_chain(i == 1, 10 + i, mean[i], error[i]);
    for (size_t j = 0; j < N_FUNCTIONS; j++) {
        char statistic[40];
        snprintf(statistic, sizeof statistic, "function %zu against slices", j);
        law_check_z("horseshoe", statistic, (mean[0][j] - mean[1][j]) / hypot(error[0][j], error[1][j]));
    }
}

/* ---- precisions and density ---- */

static double log_half_cauchy(double log_x)
{
    const double x = exp(log_x);
    return log(2 / M_PI) - log1p(x * x) + log_x;
}

/* Written out: p(log tau) prod_k p(log lam_k) N(eta_k; 0, tau^2 lam_k^2) N(intercept; 0, v0). */
static void precisions_and_density_are_those_of_the_prior(void **state)
{
    (void)state;
    const double scale[1 + P] = {0.4, 1.7, 0.2, 5}, eta[P + 1] = {0.3, -1, 2, -0.6};
    double square[1 + P], precision[P + 1], sum = log_half_cauchy(log(scale[0]));
    const gb_coefficient_scales scales = scales_at(square);
    assert_int_equal(prior.ops->n_scales(&prior, &scales.layout), 1 + P);
    for (size_t k = 0; k <= P; k++)
        square[k] = scale[k] * scale[k];
    prior.ops->precision(&scales, 0, precision);
    for (size_t k = 0; k <= P; k++) {
        const double variance = k < P ? square[0] * square[1 + k] : 0.3;
        assert_true(fabs(precision[k] * variance - 1) < 1e-14);
        sum -= (log(2 * M_PI * variance) + eta[k] * eta[k] / variance) / 2;
        sum += k < P ? log_half_cauchy(log(scale[1 + k])) : 0;
    }
    assert_true(fabs(prior.ops->log_density(&scales, 0, eta) - sum) < 1e-12);
}

/* ---- the ends of the range ---- */

static void scales_stay_in_range(void **state)
{
    (void)state;
    static const double etas[] = {0, 5e-324, 1e-200, 1e150, 1e300};
    double square[1 + P], precision[P + 1];
    gb_coefficient_scales scales = scales_at(square);
    gb_random r = law_stream(20);
    for (size_t i = 0; i < sizeof etas / sizeof etas[0]; i++) {
        for (size_t k = 0; k <= P; k++)
            square[k] = k % 2 == 0 ? 1e-300 : 1e300;
        for (int draw = 0; draw < 1000; draw++) {
            prior.ops->draw_scales(&scales, 0, (double[P + 1]){etas[i], 1, etas[i], 7}, &r);
            prior.ops->precision(&scales, 0, precision);
            for (size_t k = 0; k <= P; k++)
                assert_true(square[k] >= 1e-300 && square[k] <= 1e300);
            for (size_t k = 0; k < P; k++)
                assert_true(precision[k] >= 1e-300 && precision[k] <= 1e300);
            assert_true(isfinite(prior.ops->log_density(&scales, 0, (double[P + 1]){0})));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_update_leaves_the_prior_alone),
        cmocka_unit_test(inverse_gammas_and_slices_have_the_same_law),
        cmocka_unit_test(precisions_and_density_are_those_of_the_prior),
        cmocka_unit_test(scales_stay_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
