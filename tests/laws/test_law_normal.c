/* tests/laws/test_law_normal.c - the standard normal and exponential laws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWS = 1000000 };

static double normal_cdf(double x, const void *unused)
{
    (void)unused;
    return exp(law_log_normal_cdf(x));
}

static double cube(double x)
{
    return x * x * x;
}

static double fourth(double x)
{
    return x * x * x * x;
}

static double *draw_normals(uint64_t item)
{
    gb_random r = law_stream(item);
    double *x = law_room(DRAWS);
    for (size_t i = 0; i < DRAWS; i++)
        x[i] = gb_random_normal(&r);
    return x;
}

static void normal_has_its_law(void **state)
{
    (void)state;
    double *x = draw_normals(1);
    law_check_moments("normal", DRAWS, x, 0, 1, 0);
    law_check_mean("normal", "third moment", DRAWS, x, cube, 0);
    law_check_mean("normal", "fourth moment", DRAWS, x, fourth, 3);
    law_check_cdf("normal", DRAWS, x, normal_cdf, NULL);
    free(x);
}

static double upper_tail(double x)
{
    return 0.5 * erfc(x * M_SQRT1_2);
}

/* Cells of a tenth from -4.5 to 4.5: the pieces from which draws are made, and the tail beyond 3.44. */
static void normal_has_its_bins_and_tails(void **state)
{
    (void)state;
    enum { CELLS = 92 };
    double count[CELLS] = {0}, probability[CELLS];
    double *x = draw_normals(2);
    for (size_t i = 0; i < DRAWS; i++) {
        assert_true(x[i] != 0);
        count[(size_t)fmin(fmax(floor(10 * x[i]) + CELLS / 2, 0), CELLS - 1)]++;
    }
    for (size_t i = 0; i < CELLS; i++) {
        double low = fabs(((double)i - CELLS / 2) / 10), high = fabs(((double)i + 1 - CELLS / 2) / 10);
        probability[i] = fabs(upper_tail(low) - upper_tail(high));
    }
    probability[0] = probability[CELLS - 1] = upper_tail(4.5);
    law_check_counts("normal", CELLS, count, probability);
    double tail = upper_tail(3.5);
    double above = 0, below = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        above += x[i] > 3.5;
        below += x[i] < -3.5;
    }
    law_check_z("normal", "upper tail", (above - DRAWS * tail) / sqrt(DRAWS * tail));
    law_check_z("normal", "lower tail", (below - DRAWS * tail) / sqrt(DRAWS * tail));
    free(x);
}

static double exponential_cdf(double x, const void *unused)
{
    (void)unused;
    return -expm1(-x);
}

static void exponential_has_its_law(void **state)
{
    (void)state;
    gb_random r = law_stream(3);
    double *x = law_room(LAW_DRAWS);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        x[i] = gb_random_exponential(&r);
        assert_true(x[i] > 0);
    }
    law_check_moments("exponential", LAW_DRAWS, x, 1, 1, 6);
    law_check_mean("exponential", "mean logarithm", LAW_DRAWS, x, log, -0.57721566490153286061);
    law_check_cdf("exponential", LAW_DRAWS, x, exponential_cdf, NULL);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_has_its_law),
        cmocka_unit_test(normal_has_its_bins_and_tails),
        cmocka_unit_test(exponential_has_its_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
