/* tests/laws/test_law_binomial.c - the binomial law, from one trial to 10^18, and tables of several restaurants at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double log_factorial(double n)
{
    int sign;
    return lgamma_r(n + 1, &sign);
}

static void check_law(uint64_t n, double p, uint64_t item)
{
    const double trials = (double)n, mean = trials * p, variance = mean * (1 - p), spread = sqrt(variance);
    const double low = fmax(0, floor(mean - 9 * spread) - 20), high = fmin(trials, ceil(mean + 9 * spread) + 20);
    const size_t n_cells = (size_t)(high - low) + 1;
    double *count = calloc(n_cells, sizeof *count), *probability = law_room(n_cells), *x = law_room(LAW_DRAWS);
    char law[60];
    assert_non_null(count);
    snprintf(law, sizeof law, "binomial %llu, %g", (unsigned long long)n, p);
    for (size_t i = 0; i < n_cells; i++) {
        const double k = low + (double)i;
        probability[i] = exp(log_factorial(trials) - log_factorial(k) - log_factorial(trials - k) + k * log(p) +
                             (trials - k) * log1p(-p));
    }
    gb_random r = law_stream(item);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        x[i] = (double)gb_random_binomial(&r, n, p);
        assert_true(x[i] >= low && x[i] <= high);
        count[(size_t)(x[i] - low)]++;
    }
    law_check_moments(law, LAW_DRAWS, x, mean, variance, variance * (1 - 6 * p * (1 - p)));
    law_check_counts(law, n_cells, count, probability);
    free(x);
    free(probability);
    free(count);
}

/* On both sides of where inversion ends, n p = 10, and of p = 1/2. */
static void counts_have_their_probabilities(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        double p;
    } of[] = {{1, 0.3},     {2, 0.5},       {7, 0.9},       {30, 0.33},    {30, 0.34},     {20, 0.5},
              {21, 0.5},    {30, 0.66},     {30, 0.67},     {100, 0.0999}, {100, 0.1},     {1000, 0.4},
              {1000, 0.98}, {100000, 1e-4}, {100000, 2e-4}, {100000, 0.1}, {1000000, 0.3}, {1000000, 0.9}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        check_law(of[i].n, of[i].p, i);
}

static double normal_cdf(double x, const void *unused)
{
    (void)unused;
    return exp(law_log_normal_cdf(x));
}

static void many_successes_are_nearly_normal(void **state)
{
    (void)state;
    static const double trials[] = {1e10, 1e13, 1e15, 1e18}, probability[] = {0.3, 1e-4, 0.5, 0.999};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < 4; k++) {
        const double mean = trials[k] * probability[k], spread = sqrt(mean * (1 - probability[k]));
        char law[60];
        snprintf(law, sizeof law, "binomial %g, %g", trials[k], probability[k]);
        gb_random r = law_stream(100 + k);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = ((double)gb_random_binomial(&r, (uint64_t)trials[k], probability[k]) - mean) / spread;
        law_check_moments(law, LAW_DRAWS, x, 0, 1, 0);
        law_check_cdf(law, LAW_DRAWS, x, normal_cdf, NULL);
    }
    free(x);
}

static void certain_outcomes_are_certain(void **state)
{
    (void)state;
    gb_random r = law_stream(200);
    assert_true(gb_random_binomial(&r, 0, 0.5) == 0);
    assert_true(gb_random_binomial(&r, 9, 0) == 0);
    assert_true(gb_random_binomial(&r, 9, NAN) == 0);
    assert_true(gb_random_binomial(&r, 9, 1) == 9);
    assert_true(gb_random_binomial(&r, UINT64_MAX, 1) == UINT64_MAX);
    assert_true(gb_random_binomial(&r, 1000, 1e-300) == 0);
    assert_true(gb_random_binomial(&r, 1000, 1 - 0x1p-53) == 1000);
}

/* Means and variances are sums over customers, on both sides of where gaps are drawn. */
static void tables_of_several_restaurants_add_up(void **state)
{
    (void)state;
    static const struct {
        uint64_t n, first, last;
    } of[] = {{1, 0, 1},    {5, 0, 40},   {1, 3, 200},   {3, 31, 1000},
              {400, 0, 30}, {40, 2, 100}, {2, 10, 5000}, {3, 7, 7}};
    static const double concentrations[] = {1e-3, 0.1, 1.5, 40};
    double *x = law_room(LAW_DRAWS);
    for (size_t j = 0; j < sizeof of / sizeof of[0]; j++) {
        for (size_t k = 0; k < 4; k++) {
            const double c = concentrations[k];
            const size_t n_draws = LAW_DRAWS / 20;
            double mean = 0, variance = 0, fourth = 0;
            char law[80];
            for (uint64_t i = of[j].first; i < of[j].last; i++) {
                const double p = c / (c + (double)i), v = p * (1 - p) * (double)of[j].n;
                mean += p * (double)of[j].n;
                variance += v;
                fourth += v * (1 - 6 * p * (1 - p));
            }
            snprintf(law, sizeof law, "tables of %llu restaurants, customers %llu to %llu, concentration %g",
                     (unsigned long long)of[j].n, (unsigned long long)of[j].first, (unsigned long long)of[j].last, c);
            gb_random r = law_stream(300 + 4 * j + k);
            for (size_t i = 0; i < n_draws; i++)
                x[i] = (double)gb_random_crt_tables(&r, of[j].n, of[j].first, of[j].last, c);
            if (variance > 0.02)
                law_check_moments(law, n_draws, x, mean, variance, fourth);
            else
                for (size_t i = 0; i < n_draws; i++)
                    assert_true(variance > 0 || x[i] == mean);
        }
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_their_probabilities),
        cmocka_unit_test(many_successes_are_nearly_normal),
        cmocka_unit_test(certain_outcomes_are_certain),
        cmocka_unit_test(tables_of_several_restaurants_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
