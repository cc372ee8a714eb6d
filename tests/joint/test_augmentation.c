/* Augmentation: the hinge's, the logistic's and the probit's draws against quadrature of their augmented densities, which
 * integrate to the pseudo-likelihood and are of the form exp(kappa s - omega s^2 / 2) in the score. */
#include "helper_log_ratio.h"
#include "helper_polya_gamma.h"
#include "simd/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { N_AUGMENTATIONS = 50000, N_FUNCTIONS = 4, LOG_POINTS = 6000 };

/* log of (2 pi xi^3)^{-1/2} exp(-(1 + c zeta xi)^2 / (2 xi)). */
static double log_hinge_density(double c, double zeta, double xi)
{
    const double q = 1 + c * zeta * xi;
    return -log(2 * M_PI) / 2 - 1.5 * log(xi) - q * q / (2 * xi);
}

/* Smooth functions of an augmentation variable. */
static void functions_of(double x, double *f)
{
    f[0] = exp(-x);
    f[1] = x / (1 + x);
    f[2] = exp(-1 / x);
    f[3] = exp(-10 * x);
}

typedef struct density {
    const gb_response *response;
    double y, s;
} density;

/* The augmented density at a value of its variable: times the part that depends on the score. */
static double augmented(const density *a, double x)
{
    const double c = a->response->cost;
    if (a->response->ops == &gb_response_hinge)
        return exp(log_hinge_density(c, a->response->margin - a->y * a->s, x));
    if (a->response->ops == &gb_response_probit) /* x: how far the latent normal lies on the label's side of 0 */
        return exp(-(a->y * x - a->s) * (a->y * x - a->s) / 2) / sqrt(2 * M_PI);
    return exp(c * a->y * a->s / 2 - c * M_LN2 - x * a->s * a->s / 2) * polya_gamma_density(c, x);
}

/* Integral over x > 0, and of the functions; the trapezoid rule in log x is as good as exact here. */
static double integrate(const density *a, double low, double high, double *f)
{
    double total = 0, value[N_FUNCTIONS];
    const double step = (log(high) - log(low)) / LOG_POINTS;
    memset(f, 0, N_FUNCTIONS * sizeof *f);
    for (size_t i = 0; i <= LOG_POINTS; i++) {
        const double x = low * exp(step * (double)i), w = step * x * augmented(a, x);
        functions_of(x, value);
        total += w;
        for (size_t j = 0; j < N_FUNCTIONS; j++)
            f[j] += w * value[j];
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++)
        f[j] /= total;
    return total;
}

static const gb_response hinges[] = {{.ops = &gb_response_hinge, .cost = 1, .margin = 1},
                                     {.ops = &gb_response_hinge, .cost = 0.6, .margin = 1.7},
                                     {.ops = &gb_response_hinge, .cost = 8, .margin = 1}},
                         logistics[] = {{.ops = &gb_response_logistic, .cost = 1},
                                        {.ops = &gb_response_logistic, .cost = 2.5},
                                        {.ops = &gb_response_logistic, .cost = 0.4}},
                         probit = {.ops = &gb_response_probit, .cost = 1};
static const double scores[] = {-2.3, -0.4, 0, 0.7, 1, 1.9};
enum { N_SCORES = sizeof scores / sizeof scores[0] };

static double variable_of(const gb_response *response, const gb_score_term *term)
{
    if (response->ops == &gb_response_probit)
        return fabs(term->slope);
    return response->ops == &gb_response_hinge ? term->omega / (response->cost * response->cost) : term->omega;
}

/* Range of the variable outside of which its density is negligible. */
static double integrate_response(const density *a, double *f)
{
    if (a->response->ops == &gb_response_probit)
        return integrate(a, 1e-12, 40, f);
    return a->response->ops == &gb_response_hinge ? integrate(a, 1e-4, 1e18, f) : integrate(a, 1e-4, 12, f);
}

/* The rest of the hinge's heavy tail, only there when zeta is 0: integral of (2 pi x^3)^{-1/2}. */
static double tail_of(const density *a)
{
    const bool heavy = a->response->ops == &gb_response_hinge && a->response->margin - a->y * a->s == 0;
    return heavy ? 2 / sqrt(2 * M_PI * 1e18) : 0;
}

static void assert_integrates_to_the_pseudo_likelihood(const gb_response *response, double y, double s)
{
    const density a = {response, y, s};
    double f[N_FUNCTIONS];
    const double integral = integrate_response(&a, f) + tail_of(&a),
                 expected = exp(response->ops->log_likelihood(response, y, s));
    if (!(fabs(integral - expected) < 1e-8 * expected))
        fail_msg("%s, c %g, y %g, s %g: integral %.12g, pseudo-likelihood %.12g", response->ops->name, response->cost,
                 y, s, integral, expected);
}

static void assert_draws_have_the_augmented_law(const gb_response *response, double y, double s, uint32_t stream)
{
    const density a = {response, y, s};
    gb_random r = ratio_stream(stream);
    double exact[N_FUNCTIONS], sum[N_FUNCTIONS] = {0}, squares[N_FUNCTIONS] = {0}, f[N_FUNCTIONS];
    (void)integrate_response(&a, exact);
    for (size_t i = 0; i < N_AUGMENTATIONS; i++) {
        gb_score_term term;
        const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
        response->ops->augment(response, 1, &y, NULL, &s, &streams, &term);
        functions_of(variable_of(response, &term), f);
        for (size_t j = 0; j < N_FUNCTIONS; j++) {
            sum[j] += f[j];
            squares[j] += f[j] * f[j];
        }
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++) {
        const double mean = sum[j] / N_AUGMENTATIONS,
                     error = sqrt((squares[j] / N_AUGMENTATIONS - mean * mean) / N_AUGMENTATIONS);
        if (!(fabs(mean - exact[j]) < 5 * error + 1e-9))
            fail_msg("%s, c %g, y %g, s %g, function %zu: %.6f, expected %.6f +- %.6f", response->ops->name,
                     response->cost, y, s, j, mean, exact[j], error);
    }
}

/* In the score, at a fixed value of the variable, the augmented density is exp(kappa s - omega s^2 / 2). */
static void assert_gaussian_in_the_score(const gb_response *response, double y, gb_random *r)
{
    gb_score_term term;
    const double s = 2 * gb_random_normal(r), other = 2 * gb_random_normal(r);
    const gb_random_streams streams = gb_random_split(r, 1, gb_isa_best());
    response->ops->augment(response, 1, &y, NULL, &s, &streams, &term);
    const double x = variable_of(response, &term), c = response->cost;
    double log_ratio = c * y * (s - other) / 2 - x * (s * s - other * other) / 2;
    if (response->ops == &gb_response_probit)
        log_ratio = ((y * x - other) * (y * x - other) - (y * x - s) * (y * x - s)) / 2;
    if (response->ops == &gb_response_hinge)
        log_ratio =
            log_hinge_density(c, response->margin - y * s, x) - log_hinge_density(c, response->margin - y * other, x);
    const double kappa = term.slope + term.omega * term.centre,
                 claimed = kappa * (s - other) - term.omega * (s * s - other * other) / 2;
    assert_true(fabs(claimed - log_ratio) < 1e-10 * (1 + term.omega * (1 + s * s + other * other)));
}

static void augmented_hinge_integrates_to_the_hinge(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < N_SCORES; j++)
            for (int y = -1; y <= 1; y += 2)
                assert_integrates_to_the_pseudo_likelihood(&hinges[i], y, scores[j]);
}

static void augmented_logistic_integrates_to_the_power_of_the_logistic(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < N_SCORES; j++)
            for (int y = -1; y <= 1; y += 2)
                assert_integrates_to_the_pseudo_likelihood(&logistics[i], y, scores[j]);
}

static void hinge_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < N_SCORES; j++)
            assert_draws_have_the_augmented_law(&hinges[i], j % 2 == 0 ? 1 : -1, scores[j], 100 + i * N_SCORES + j);
}

static void hinge_draws_at_the_margin_have_the_augmented_law(void **unused)
{
    (void)unused;
    assert_draws_have_the_augmented_law(&hinges[0], 1, 1, 150);
    assert_draws_have_the_augmented_law(&hinges[2], -1, -1, 151);
}

static void logistic_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < N_SCORES; j++)
            assert_draws_have_the_augmented_law(&logistics[i], j % 2 == 0 ? 1 : -1, scores[j],
                                                200 + i * N_SCORES + j);
}

/* E exp(-t lambda) = (cosh(s / 2) / cosh(sqrt((s^2 / 2 + t) / 2)))^c for PG(c, s): also where the alternating series
 * of the density has no digits left. */
static void logistic_draws_of_large_power_have_the_exact_transform(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 3; i++) {
        const double c = (const double[]){8, 25, 256}[i];
        const gb_response response = {.ops = &gb_response_logistic, .cost = c};
        for (uint32_t j = 0; j < N_SCORES; j++) {
            const double s = scores[j], y = 1, t = 4 / c;
            const double exact = pow(cosh(s / 2) / cosh(sqrt((s * s / 2 + t) / 2)), c);
            gb_random r = ratio_stream(400 + i * N_SCORES + j);
            double sum = 0, squares = 0;
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                gb_score_term term;
                const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
                response.ops->augment(&response, 1, &y, NULL, &s, &streams, &term);
                const double f = exp(-t * term.omega);
                sum += f;
                squares += f * f;
            }
            const double mean = sum / N_AUGMENTATIONS,
                         error = sqrt((squares / N_AUGMENTATIONS - mean * mean) / N_AUGMENTATIONS);
            if (!(fabs(mean - exact) < 5 * error))
                fail_msg("c %g, s %g: %.6f, expected %.6f +- %.6f", c, s, mean, exact, error);
        }
    }
}

static void augmented_probit_integrates_to_the_normal_distribution_function(void **unused)
{
    (void)unused;
    for (size_t j = 0; j < N_SCORES; j++)
        for (int y = -1; y <= 1; y += 2)
            assert_integrates_to_the_pseudo_likelihood(&probit, y, scores[j]);
}

static void probit_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t j = 0; j < N_SCORES; j++)
        for (int y = -1; y <= 1; y += 2)
            assert_draws_have_the_augmented_law(&probit, y, scores[j], 320 + 2 * j + (y > 0));
}

/* E a = s + y pdf(s) / Phi(y s), and a lies on the label's side of 0: also where the label is all but impossible. */
static void probit_draws_have_the_mean_of_a_truncated_normal(void **unused)
{
    (void)unused;
    static const double far[] = {-12, -2.3, 0, 0.7, 3.1, 12};
    for (uint32_t j = 0; j < sizeof far / sizeof far[0]; j++) {
        for (int side = -1; side <= 1; side += 2) {
            const double s = far[j], y = side;
            const double mean = s + y * exp(-s * s / 2) / sqrt(2 * M_PI) / (erfc(-y * s / M_SQRT2) / 2);
            gb_random r = ratio_stream(340 + 2 * j + (side > 0));
            double sum = 0, squares = 0;
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                gb_score_term term;
                const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
                probit.ops->augment(&probit, 1, &y, NULL, &s, &streams, &term);
                assert_true(y * term.slope > 0 && term.omega == 1 && term.centre == 0);
                sum += term.slope - mean;
                squares += (term.slope - mean) * (term.slope - mean);
            }
            assert_true(fabs(sum) < 5 * sqrt(squares) + 1e-9);
        }
    }
}

static void augmented_densities_are_gaussian_in_the_score(void **unused)
{
    (void)unused;
    gb_random r = ratio_stream(300);
    for (size_t trial = 0; trial < 3000; trial++) {
        const double y = trial % 2 == 0 ? 1 : -1;
        assert_gaussian_in_the_score(&hinges[trial % 3], y, &r);
        assert_gaussian_in_the_score(&logistics[trial % 3], y, &r);
        assert_gaussian_in_the_score(&probit, y, &r);
    }
}

static void a_missing_label_adds_no_factor(void **unused)
{
    (void)unused;
    const gb_response *all[] = {&hinges[0], &logistics[1], &probit};
    for (size_t i = 0; i < 3; i++) {
        gb_random r = ratio_stream(301);
        gb_score_term term = {1, 1, 1};
        const gb_random_streams streams = gb_random_split(&r, 1, gb_isa_best());
        all[i]->ops->augment(all[i], 1, &(double){NAN}, NULL, &(double){0.3}, &streams, &term);
        assert_true(term.slope == 0 && term.omega == 0 && term.centre == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(augmented_hinge_integrates_to_the_hinge),
        cmocka_unit_test(augmented_logistic_integrates_to_the_power_of_the_logistic),
        cmocka_unit_test(hinge_draws_have_the_augmented_law),
        cmocka_unit_test(hinge_draws_at_the_margin_have_the_augmented_law),
        cmocka_unit_test(logistic_draws_have_the_augmented_law),
        cmocka_unit_test(logistic_draws_of_large_power_have_the_exact_transform),
        cmocka_unit_test(augmented_probit_integrates_to_the_normal_distribution_function),
        cmocka_unit_test(probit_draws_have_the_augmented_law),
        cmocka_unit_test(probit_draws_have_the_mean_of_a_truncated_normal),
        cmocka_unit_test(augmented_densities_are_gaussian_in_the_score),
        cmocka_unit_test(a_missing_label_adds_no_factor),
    };
    return cmocka_run_group_tests_name("augmentation", tests, NULL, NULL);
}
