/* tests/laws/test_law_dirichlet.c - the Dirichlet law, down to parameters that leave one cell only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CELLS = 5 };

static void check_moments(const char *law, uint64_t item, size_t n, const double *a)
{
    double total = 0, out[MAX_CELLS];
    for (size_t i = 0; i < n; i++)
        total += a[i];
    double *x = law_room(LAW_DRAWS * n), *product = law_room(LAW_DRAWS);
    gb_random r = law_stream(item);
    for (size_t d = 0; d < LAW_DRAWS; d++) {
        gb_random_dirichlet(&r, n, a, out);
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            assert_true(out[i] >= 0);
            x[i * LAW_DRAWS + d] = out[i];
            sum += out[i];
        }
        assert_true(fabs(sum - 1) < 1e-15 * (double)n);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            char statistic[80];
            snprintf(statistic, sizeof statistic, "mean product of cells %zu and %zu", i, j);
            for (size_t d = 0; d < LAW_DRAWS; d++)
                product[d] = x[i * LAW_DRAWS + d] * x[j * LAW_DRAWS + d];
            law_check_mean(law, statistic, LAW_DRAWS, product, NULL,
                           a[i] * (a[j] + (i == j)) / (total * (total + 1)));
        }
    for (size_t i = 0; i < n; i++)
        law_check_mean(law, "mean", LAW_DRAWS, x + i * LAW_DRAWS, NULL, a[i] / total);
    free(product);
    free(x);
}

static void moments_are_those_of_the_law(void **state)
{
    (void)state;
    check_moments("dirichlet 1 1 1", 1, 3, (const double[]){1, 1, 1});
    check_moments("dirichlet 0.5 2 3.5 10", 2, 4, (const double[]){0.5, 2, 3.5, 10});
    check_moments("dirichlet 0.01 0.02 0.03", 3, 3, (const double[]){0.01, 0.02, 0.03});
    check_moments("dirichlet 1e-3 1 1e3", 4, 3, (const double[]){1e-3, 1, 1e3});
}

static double first_cell_cdf(double x, const void *a)
{
    return pow(x, *(const double *)a); /* Beta(a, 1) */
}

static double arcsine_cdf(double x, const void *unused)
{
    (void)unused;
    return 2 / M_PI * asin(sqrt(x));
}

static void cells_have_beta_laws(void **state)
{
    (void)state;
    static const double shapes[] = {0.3, 1, 4};
    double *x = law_room(LAW_DRAWS);
    double out[3];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const double a[] = {shapes[s], 0.25, 0.75};
        gb_random r = law_stream(10 + s);
        for (size_t d = 0; d < LAW_DRAWS; d++) {
            gb_random_dirichlet(&r, 3, a, out);
            x[d] = out[0];
        }
        law_check_cdf("dirichlet, cell with law Beta(a, 1)", LAW_DRAWS, x, first_cell_cdf, &shapes[s]);
    }
    gb_random r = law_stream(20);
    for (size_t d = 0; d < LAW_DRAWS; d++) {
        gb_random_dirichlet(&r, 2, (const double[]){0.5, 0.5}, out);
        x[d] = out[1];
    }
    law_check_cdf("dirichlet, cell with law Beta(1/2, 1/2)", LAW_DRAWS, x, arcsine_cdf, NULL);
    free(x);
}

/* Every gamma draw underflows here; the probability of a cell to take all is in proportion to its parameter. */
static void tiny_parameters_leave_one_cell(void **state)
{
    (void)state;
    static const double scale[] = {1e-5, 1e-12, 1e-300};
    for (size_t s = 0; s < sizeof scale / sizeof scale[0]; s++) {
        const double a[] = {1 * scale[s], 2 * scale[s], 3 * scale[s], 4 * scale[s]};
        double count[4] = {0}, out[4];
        gb_random r = law_stream(30 + s);
        for (size_t d = 0; d < LAW_DRAWS; d++) {
            gb_random_dirichlet(&r, 4, a, out);
            size_t largest = 0;
            for (size_t i = 0; i < 4; i++) {
                assert_true(out[i] >= 0);
                if (out[i] > out[largest])
                    largest = i;
            }
            count[largest]++;
        }
        law_check_counts("dirichlet, largest cell", 4, count, (const double[]){0.1, 0.2, 0.3, 0.4});
    }
}

static void one_cell_takes_all(void **state)
{
    (void)state;
    double out = 0;
    gb_random r = law_stream(40);
    gb_random_dirichlet(&r, 1, (const double[]){0.1}, &out);
    assert_true(out == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_those_of_the_law),
        cmocka_unit_test(cells_have_beta_laws),
        cmocka_unit_test(tiny_parameters_leave_one_cell),
        cmocka_unit_test(one_cell_takes_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
