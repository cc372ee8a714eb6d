/* tests/laws/test_law_inverse_gaussian.c - the inverse Gaussian law, means from 1e-3 to infinity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double cdf(double x, const void *parameter)
{
    double mean = *(const double *)parameter;
    double s = 1 / sqrt(x);
    if (isinf(mean))
        return 2 * exp(law_log_normal_cdf(-s));
    return exp(law_log_normal_cdf(s * (x / mean - 1))) + exp(2 / mean + law_log_normal_cdf(-s * (x / mean + 1)));
}

static void draw_has_its_law(void **state)
{
    (void)state;
    static const double means[] = {1e-3, 0.03, 0.1, 1, 3, 10, 1e3, 1e6, INFINITY};
    double *x = law_room(LAW_DRAWS), *inverse = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        double m = means[k];
        char law[40];
        snprintf(law, sizeof law, "inverse Gaussian, mean %g", m);
        gb_random r = law_stream(k);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            x[i] = gb_random_inverse_gaussian(&r, m);
            inverse[i] = 1 / x[i];
            assert_true(x[i] > 0 && isfinite(x[i]));
        }
        if (m <= 1) /* for larger means these moments hang on a few huge draws */
            law_check_moments(law, LAW_DRAWS, x, m, m * m * m, 15 * pow(m, 7));
        /* 1 / X is the sum of an inverse Gaussian variate of mean 1 / m, shape 1 / m^2 and a chi-squared(1). */
        law_check_moments(law, LAW_DRAWS, inverse, 1 / m + 1, 1 / m + 2, 15 / m + 48);
        law_check_cdf(law, LAW_DRAWS, x, cdf, &m);
    }
    free(inverse);
    free(x);
}

/* The textbook root loses all its digits here, and m^2 overflows. */
static void huge_means_approach_the_limit(void **state)
{
    (void)state;
    static const double means[] = {1e100, 1e200, 1e300};
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        gb_random r = law_stream(100 + k);
        double *x = law_room(LAW_DRAWS);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = gb_random_inverse_gaussian(&r, means[k]);
        const double infinite = INFINITY;
        law_check_cdf("inverse Gaussian, huge mean", LAW_DRAWS, x, cdf, &infinite);
        free(x);
    }
}

static void tiny_means_are_kept(void **state)
{
    (void)state;
    gb_random r = law_stream(200);
    for (int i = 0; i < 1000; i++)
        assert_true(fabs(gb_random_inverse_gaussian(&r, 1e-20) / 1e-20 - 1) < 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draw_has_its_law),
        cmocka_unit_test(huge_means_approach_the_limit),
        cmocka_unit_test(tiny_means_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
