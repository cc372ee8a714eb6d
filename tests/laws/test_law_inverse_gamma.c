/* tests/laws/test_law_inverse_gamma.c - the inverse gamma law, shapes from 1e-6 to 1e12. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct parameters {
    double shape, scale;
};

/* Of log X:  P(X < x) = P(G > b / x). */
static double log_cdf(double log_x, const void *parameters)
{
    const struct parameters *p = parameters;
    return 1 - law_gamma_cdf(p->shape, log(p->scale) - log_x);
}

static void draw_has_its_law(void **state)
{
    (void)state;
    static const struct parameters laws[] = {{0.05, 1}, {0.3, 2.5}, {0.5, 0.5}, {0.999, 1}, {1, 1e-200},
                                             {1, 3},    {2.5, 1e9}, {10, 1},    {1e3, 7},   {1e6, 1e6}};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        const struct parameters p = laws[k];
        char law[60];
        snprintf(law, sizeof law, "inverse gamma, shape %g, scale %g", p.shape, p.scale);
        gb_random r = law_stream(k);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            x[i] = gb_random_inverse_gamma(&r, p.shape, p.scale);
            assert_true(x[i] > 0 && isfinite(x[i]));
        }
        if (p.shape > 8) { /* four moments, tails light enough for their standard error */
            const double mean = p.scale / (p.shape - 1);
            law_check_mean(law, "mean", LAW_DRAWS, x, NULL, mean);
        }
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = log(x[i]);
        law_check_cdf(law, LAW_DRAWS, x, log_cdf, &p);
    }
    free(x);
}

/* 1 / X is Gamma(shape) / scale. */
static void inverse_has_the_moments_of_a_gamma(void **state)
{
    (void)state;
    static const double shapes[] = {0.2, 0.9, 1, 1.5, 40};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const double a = shapes[k];
        gb_random r = law_stream(100 + k);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = 3 / gb_random_inverse_gamma(&r, a, 3);
        law_check_moments("inverse of an inverse gamma", LAW_DRAWS, x, a, a, 6 * a);
    }
    free(x);
}

/* Shape 0.01: the gamma number underflows in 6 draws of 10^4, its inverse overflows no oftener. */
static void tiny_shapes_keep_their_large_draws(void **state)
{
    (void)state;
    gb_random r = law_stream(200);
    const double share = 1 - law_gamma_cdf(0.01, -200 * M_LN10); /* X < 1e200 */
    double n = 0;
    for (int i = 0; i < LAW_DRAWS; i++) {
        const double x = gb_random_inverse_gamma(&r, 0.01, 1);
        assert_true(x > 0);
        n += x < 1e200;
    }
    law_check_z("inverse gamma 0.01", "draws below 1e200",
                (n - LAW_DRAWS * share) / sqrt(LAW_DRAWS * share * (1 - share)));
}

/* At shape 1e-6 hardly a draw is a finite double: shares below some bounds, and no NaN. */
static void the_tiniest_shapes_have_their_shares(void **state)
{
    (void)state;
    static const double shapes[] = {1e-6, 1e-4, 1e-3}, log_bounds[] = {-1, 0, 2, 50, 700};
    enum { N_BOUNDS = 5 };
    for (size_t k = 0; k < 3; k++) {
        double below[N_BOUNDS] = {0};
        gb_random r = law_stream(210 + k);
        for (int i = 0; i < LAW_DRAWS; i++) {
            const double log_x = log(gb_random_inverse_gamma(&r, shapes[k], 1));
            assert_true(log_x == log_x); /* no NaN */
            for (size_t j = 0; j < N_BOUNDS; j++)
                below[j] += log_x < log_bounds[j];
        }
        for (size_t j = 0; j < N_BOUNDS; j++) {
            const double share = 1 - law_gamma_cdf(shapes[k], -log_bounds[j]);
            law_check_z("inverse gamma, tiny shape", "share below a bound",
                        (below[j] - LAW_DRAWS * share) / sqrt(LAW_DRAWS * share * (1 - share) + 1));
        }
    }
}

/* As for a variance that 10^9 and more residuals determine. */
static void large_shapes_keep_their_digits(void **state)
{
    (void)state;
    static const double shapes[] = {1e9, 1e12};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < 2; k++) {
        gb_random r = law_stream(220 + k);
        for (size_t i = 0; i < LAW_DRAWS; i++) /* with scale a - 1 the mean is 1, the variance 1 / (a - 2) */
            x[i] = (gb_random_inverse_gamma(&r, shapes[k], shapes[k] - 1) - 1) * sqrt(shapes[k] - 2);
        law_check_moments("inverse gamma, large shape", LAW_DRAWS, x, 0, 1, 0);
    }
    free(x);
}

static void bad_parameters_give_nan(void **state)
{
    (void)state;
    gb_random r = law_stream(201);
    assert_true(isnan(gb_random_inverse_gamma(&r, 0, 1)));
    assert_true(isnan(gb_random_inverse_gamma(&r, NAN, 1)));
    assert_true(isnan(gb_random_inverse_gamma(&r, 1, 0)));
    assert_true(isnan(gb_random_inverse_gamma(&r, 1, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draw_has_its_law),
        cmocka_unit_test(inverse_has_the_moments_of_a_gamma),
        cmocka_unit_test(tiny_shapes_keep_their_large_draws),
        cmocka_unit_test(the_tiniest_shapes_have_their_shares),
        cmocka_unit_test(large_shapes_keep_their_digits),
        cmocka_unit_test(bad_parameters_give_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
