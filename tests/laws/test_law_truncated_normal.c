/* tests/laws/test_law_truncated_normal.c - the truncated normal law: body, tails, narrow intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct interval {
    double mean, low, high;
};

/* P(low < X < x), by the tail in which the interval lies. */
static double cdf(double x, const void *parameters)
{
    const struct interval *p = parameters;
    const double a = p->low - p->mean, b = p->high - p->mean, z = x - p->mean;
    if (a > -b) { /* upper tail: Q(z) / Q(a) */
        const double top = law_log_normal_cdf(-a);
        return expm1(law_log_normal_cdf(-z) - top) / expm1(law_log_normal_cdf(-b) - top);
    }
    const double top = law_log_normal_cdf(b), bottom = exp(law_log_normal_cdf(a) - top);
    return (exp(law_log_normal_cdf(z) - top) - bottom) / (1 - bottom);
}

static const struct interval intervals[] = {
    /* one end */
    {0, 0, INFINITY},
    {0.3, -INFINITY, 0},
    {0.7, 0, INFINITY},
    {-0.69, 0, INFINITY},
    {-0.71, 0, INFINITY},
    {3, 0, INFINITY},
    {-3, 0, INFINITY},
    {3, -INFINITY, 0},
    {-8, -INFINITY, 0},
    {-35, 0, INFINITY},
    {35, -INFINITY, 0},
    {-100, 0, INFINITY},
    {0, 40, INFINITY},
    /* no end */
    {1, -INFINITY, INFINITY},
    /* wide */
    {0, -1.25, 1.26},
    {0.5, -1, 4},
    {1, 1.69, 5},
    {-2, -20, 0.1},
    /* narrow, on either side */
    {0, -1, 1.4},
    {0, 0, 2.4},
    {0, 0.5, 1},
    {0, -2, 0.1},
    {0, 2, 2.5},
    {0, -5, -4.9},
    {0, 0.1, 2.7},
    {1, 0, 0.01},
    /* narrow in a far tail */
    {0, 35, 35.01},
    {0, 35, 36},
    {0, -50.5, -50},
    {0, 30, 30.0000001},
};
enum { N_INTERVALS = sizeof intervals / sizeof intervals[0] };

static void draw_has_its_law(void **state)
{
    (void)state;
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < N_INTERVALS; k++) {
        struct interval p = intervals[k];
        char law[80];
        snprintf(law, sizeof law, "normal %g in (%g, %.9g)", p.mean, p.low, p.high);
        gb_random r = law_stream(k);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            x[i] = gb_random_truncated_normal(&r, p.mean, p.low, p.high);
            assert_true(x[i] > p.low && x[i] < p.high);
        }
        if (p.high - p.low > 1e-3) /* else the distribution function itself has too few digits */
            law_check_cdf(law, LAW_DRAWS, x, cdf, &p);
    }
    free(x);
}

/* On (0, inf): mean s + pdf(s) / Phi(s), variance 1 - h (h + s) with h = pdf(s) / Phi(s). */
static void half_line_has_its_mean_and_variance(void **state)
{
    (void)state;
    static const double scores[] = {-30, -6, -1.3, -0.7, -0.2, 0, 0.9, 4, 20};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof scores / sizeof scores[0]; k++) {
        for (int side = -1; side <= 1; side += 2) {
            const double s = scores[k];
            const double h = exp(-0.5 * s * s - 0.5 * log(2 * M_PI) - law_log_normal_cdf(s));
            const double mean = s + h, variance = 1 - h * mean;
            char law[60];
            snprintf(law, sizeof law, "normal %g beyond 0, side %d", s, side);
            gb_random r = law_stream(100 + 2 * k + (side > 0));
            double squares = 0, fourth = 0;
            for (size_t i = 0; i < LAW_DRAWS; i++) {
                x[i] = side > 0 ? gb_random_truncated_normal(&r, s, 0, INFINITY)
                                : -gb_random_truncated_normal(&r, -s, -INFINITY, 0);
                const double square = (x[i] - mean) * (x[i] - mean);
                squares += square;
                fourth += square * square;
            }
            law_check_mean(law, "mean", LAW_DRAWS, x, NULL, mean);
            const double n = LAW_DRAWS, spread = sqrt((fourth / n - (squares / n) * (squares / n)) / n);
            law_check_z(law, "variance", (squares / n - variance) / (spread + 1e-10));
        }
    }
    free(x);
}

static double exponential_cdf(double x, const void *unused)
{
    (void)unused;
    return -expm1(-x);
}

/* Beyond a = 1e4 standard deviations the excess over the end is exponential of rate a, to 1 / a^2. */
static void far_tails_keep_their_digits(void **state)
{
    (void)state;
    static const double far[] = {1e4, 1e6, 1e12, 1e100, 1e300};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof far / sizeof far[0]; k++) {
        gb_random r = law_stream(200 + k);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = far[k] * gb_random_truncated_normal(&r, -far[k], 0, INFINITY);
        law_check_cdf("normal far below 0, beyond 0", LAW_DRAWS, x, exponential_cdf, NULL);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = -far[k] * gb_random_truncated_normal(&r, far[k], -INFINITY, 0);
        law_check_cdf("normal far above 0, below 0", LAW_DRAWS, x, exponential_cdf, NULL);
    }
    free(x);
}

static double uniform_cdf(double x, const void *unused)
{
    (void)unused;
    return x;
}

/* Short beside the scale on which the density changes. */
static void tiny_intervals_are_uniform(void **state)
{
    (void)state;
    static const struct interval tiny[] = {{0, 0, 1e-300},    {0, 1, 1 + 1e-9}, {0, 100, 100 + 1e-8},
                                           {0, -2e-6, -1e-6}, {1e5, 0, 1e-9},   {3, 3 - 1e-6, 3}};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof tiny / sizeof tiny[0]; k++) {
        const struct interval p = tiny[k];
        gb_random r = law_stream(300 + k);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            const double at = gb_random_truncated_normal(&r, p.mean, p.low, p.high);
            assert_true(at > p.low && at < p.high);
            x[i] = (at - p.low) / (p.high - p.low);
        }
        law_check_cdf("normal in a tiny interval", LAW_DRAWS, x, uniform_cdf, NULL);
    }
    free(x);
}

static void a_point_is_always_inside(void **state)
{
    (void)state;
    gb_random r = law_stream(400);
    for (int i = 0; i < 200000; i++) {
        const double mean = exp(20 * gb_random_normal(&r)) * (i % 2 == 0 ? 1 : -1);
        const double low = gb_random_normal(&r) * exp(20 * gb_random_normal(&r));
        double high = low + exp(20 * gb_random_normal(&r));
        if (i % 5 == 0 || high <= nextafter(low, INFINITY))
            high = nextafter(nextafter(low, INFINITY), INFINITY);
        const double x = gb_random_truncated_normal(&r, mean, low, high);
        if (!(x > low && x < high))
            fail_msg("%.17g is not between %.17g and %.17g, mean %.17g", x, low, high, mean);
        const double above = gb_random_truncated_normal(&r, mean, low, INFINITY);
        const double below = gb_random_truncated_normal(&r, mean, -INFINITY, low);
        assert_true(above > low && below < low);
    }
    assert_true(gb_random_truncated_normal(&r, 0, -DBL_MAX, DBL_MAX) < DBL_MAX);
}

static void an_empty_interval_has_no_point(void **state)
{
    (void)state;
    gb_random r = law_stream(401);
    assert_true(isnan(gb_random_truncated_normal(&r, 0, 1, 1)));
    assert_true(isnan(gb_random_truncated_normal(&r, 0, 1, -1)));
    assert_true(isnan(gb_random_truncated_normal(&r, NAN, 0, 1)));
    assert_true(isnan(gb_random_truncated_normal(&r, INFINITY, 0, 1)));
    assert_true(isnan(gb_random_truncated_normal(&r, 0, NAN, 1)));
    assert_true(isnan(gb_random_truncated_normal(&r, 0, 0, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draw_has_its_law),
        cmocka_unit_test(half_line_has_its_mean_and_variance),
        cmocka_unit_test(far_tails_keep_their_digits),
        cmocka_unit_test(tiny_intervals_are_uniform),
        cmocka_unit_test(a_point_is_always_inside),
        cmocka_unit_test(an_empty_interval_has_no_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
