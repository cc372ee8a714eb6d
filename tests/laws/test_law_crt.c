/* tests/laws/test_law_crt.c - the number of tables, up to 10^15 customers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* p[l] = P(L = l), adding one term of the sum after the other. */
static void fill_probabilities(size_t y, double r, double *p)
{
    memset(p, 0, (y + 1) * sizeof *p);
    p[0] = 1;
    for (size_t i = 1; i <= y; i++) {
        const double one = r / (r + (double)i - 1);
        for (size_t l = i; l > 0; l--)
            p[l] = p[l] * (1 - one) + p[l - 1] * one;
        p[0] *= 1 - one;
    }
}

/* Chi-square; or, where nearly all draws are alike, the number of the others. */
static void check_counts(const char *law, size_t y, size_t n_draws, const double *count, const double *p)
{
    size_t mode = 1;
    double rest = 0, others = 0;
    for (size_t l = 2; l <= y; l++)
        mode = p[l] > p[mode] ? l : mode;
    for (size_t l = 1; l <= y; l++) {
        rest += l != mode ? p[l] : 0;
        others += l != mode ? count[l] : 0;
    }
    const double n = (double)n_draws;
    if (n * rest > 200)
        law_check_counts(law, y + 1, count, p);
    else if (n * rest > 1e-3)
        law_check_z(law, "draws beside the mode", (others - n * rest) / sqrt(n * rest + 1));
    else
        assert_true(others == 0);
}

/* On both sides of where gaps are drawn in place of terms. */
static void counts_have_their_probabilities(void **state)
{
    (void)state;
    static const size_t customers[] = {1, 2, 3, 17, 40, 400, 2000};
    static const double concentrations[] = {1e-300, 1e-4, 0.06, 0.3, 1, 2.4, 20, 130, 1e6, 1e12, 1e300};
    uint64_t item = 0;
    for (size_t j = 0; j < sizeof customers / sizeof customers[0]; j++) {
        for (size_t k = 0; k < sizeof concentrations / sizeof concentrations[0]; k++) {
            const size_t y = customers[j], n_draws = y > 100 ? LAW_DRAWS / 20 : LAW_DRAWS / 2;
            const double c = concentrations[k];
            double *count = calloc(y + 1, sizeof *count), *p = law_room(y + 1);
            char law[80];
            assert_non_null(count);
            snprintf(law, sizeof law, "tables of %zu customers, concentration %g", y, c);
            fill_probabilities(y, c, p);
            gb_random r = law_stream(item++);
            for (size_t i = 0; i < n_draws; i++) {
                const uint64_t l = gb_random_crt(&r, y, c);
                assert_true(l >= 1 && l <= y);
                count[l]++;
            }
            check_counts(law, y, n_draws, count, p);
            free(p);
            free(count);
        }
    }
}

/* Mean, variance and fourth cumulant: terms up to a million one by one, the rest by the integral from i - 1/2 on. */
static void huge_numbers_of_customers_have_their_moments(void **state)
{
    (void)state;
    static const double concentrations[] = {0.01, 1, 7.5, 300};
    static const uint64_t customers[] = {1000000, UINT64_C(1000000000000), UINT64_C(1000000000000000)};
    double *x = law_room(LAW_DRAWS);
    for (size_t j = 0; j < 3; j++) {
        for (size_t k = 0; k < 4; k++) {
            const double c = concentrations[k], y = (double)customers[j];
            const size_t n_draws = c > 100 ? LAW_DRAWS / 200 : c > 5 ? LAW_DRAWS / 20 : LAW_DRAWS / 5;
            double mean = 0, variance = 0, fourth = 0;
            for (double i = 1; i <= 1e6; i++) {
                const double p = c / (c + i - 1), v = p * (1 - p);
                mean += p;
                variance += v;
                fourth += v * (1 - 6 * v);
            }
            const double rest = c * log((c + y - 0.5) / (c + 1e6 - 0.5));
            mean += rest;
            variance += rest;
            fourth += rest;
            char law[80];
            snprintf(law, sizeof law, "tables of %g customers, concentration %g", y, c);
            gb_random r = law_stream(1000 + 4 * j + k);
            for (size_t i = 0; i < n_draws; i++)
                x[i] = (double)gb_random_crt(&r, customers[j], c);
            law_check_moments(law, n_draws, x, mean, variance, fourth);
        }
    }
    free(x);
}

static void nobody_needs_a_table(void **state)
{
    (void)state;
    gb_random r = law_stream(2000);
    assert_true(gb_random_crt(&r, 0, 2) == 0);
    assert_true(gb_random_crt(&r, 5, NAN) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_their_probabilities),
        cmocka_unit_test(huge_numbers_of_customers_have_their_moments),
        cmocka_unit_test(nobody_needs_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
