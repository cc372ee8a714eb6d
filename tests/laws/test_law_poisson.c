/* tests/laws/test_law_poisson.c - the Poisson law, means from 0 to 1e18. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void counts_have_their_probabilities(void **state)
{
    (void)state;
    static const double means[] = {1e-3, 0.5, 1, 5, 9.999, 10, 11, 30, 100, 1e4, 1e6};
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        double mean = means[k];
        char law[40];
        snprintf(law, sizeof law, "poisson %g", mean);
        double low = fmax(0, floor(mean - 8 * sqrt(mean))), high = ceil(mean + 8 * sqrt(mean)) + 20;
        size_t n_cells = (size_t)(high - low) + 1;
        double *count = calloc(n_cells, sizeof *count), *probability = law_room(n_cells);
        double *x = law_room(LAW_DRAWS);
        assert_non_null(count);
        for (size_t i = 0; i < n_cells; i++) {
            int sign;
            double at = low + (double)i;
            probability[i] = exp(at * log(mean) - mean - lgamma_r(at + 1, &sign));
        }
        gb_random r = law_stream(k);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            x[i] = (double)gb_random_poisson(&r, mean);
            assert_true(x[i] >= low && x[i] <= high);
            count[(size_t)(x[i] - low)]++;
        }
        law_check_moments(law, LAW_DRAWS, x, mean, mean, mean);
        law_check_counts(law, n_cells, count, probability);
        free(x);
        free(probability);
        free(count);
    }
}

static double normal_cdf(double x, const void *unused)
{
    (void)unused;
    return exp(law_log_normal_cdf(x));
}

/* The standardised law differs from the normal law by less than 1 / sqrt(mean). */
static void large_means_are_nearly_normal(void **state)
{
    (void)state;
    static const double means[] = {1e9, 1e12, 1e15, 1e18};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        char law[40];
        snprintf(law, sizeof law, "poisson %g", means[k]);
        gb_random r = law_stream(100 + k);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = ((double)gb_random_poisson(&r, means[k]) - means[k]) / sqrt(means[k]);
        law_check_moments(law, LAW_DRAWS, x, 0, 1, 0);
        law_check_cdf(law, LAW_DRAWS, x, normal_cdf, NULL);
    }
    free(x);
}

static void mean_zero_gives_zero(void **state)
{
    (void)state;
    gb_random r = law_stream(200);
    assert_int_equal(gb_random_poisson(&r, 0), 0);
    assert_int_equal(gb_random_poisson(&r, NAN), 0);
}

static void a_mean_beyond_the_type_gives_its_largest_value(void **state)
{
    (void)state;
    gb_random r = law_stream(201);
    assert_true(gb_random_poisson(&r, 1e30) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_their_probabilities),
        cmocka_unit_test(large_means_are_nearly_normal),
        cmocka_unit_test(mean_zero_gives_zero),
        cmocka_unit_test(a_mean_beyond_the_type_gives_its_largest_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
