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
#include <string.h>

static double cdf(double x, const void *parameter)
{
    double mean = *(const double *)parameter;
    double s = 1 / sqrt(x);
    if (isinf(mean))
        return 2 * exp(law_log_normal_cdf(-s));
    return exp(law_log_normal_cdf(s * (x / mean - 1))) + exp(2 / mean + law_log_normal_cdf(-s * (x / mean + 1)));
}

/* Items of seven numbers: the vectors meet the borders between items in every way. */
static gb_random_streams make_streams(uint64_t item, gb_isa isa)
{
    return gb_random_streams_open(gb_key_make(7, 0), 3, GB_DRAW_TEST, item, 0, 7, isa);
}

static void check_many(const char *law, size_t n, const double *x, double *room, double m)
{
    if (m <= 1)
        law_check_moments(law, n, x, m, m * m * m, 15 * pow(m, 7));
    for (size_t i = 0; i < n; i++)
        room[i] = 1 / x[i];
    law_check_moments(law, n, room, 1 / m + 1, 1 / m + 2, 15 / m + 48);
    memcpy(room, x, n * sizeof *x); /* the check sorts */
    law_check_cdf(law, n, room, cdf, &m);
}

static void draws_have_their_law(void **state)
{
    (void)state; /* huge means: the textbook root loses all its digits, and m^2 overflows */
    static const double means[] = {1e-3, 0.03, 0.1, 1, 3, 10, 1e3, 1e6, 1e100, 1e300, INFINITY};
    double *rate = law_room(LAW_DRAWS), *x = law_room(LAW_DRAWS), *room = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        char law[60];
        snprintf(law, sizeof law, "inverse Gaussians, mean %g", means[k]);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            rate[i] = 1 / means[k];
        const gb_random_streams s = make_streams(k << 32, gb_isa_best());
        gb_random_inverse_gaussians(&s, 0, 0, LAW_DRAWS, rate, x);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            assert_true(x[i] > 0 && isfinite(x[i]));
        check_many(law, LAW_DRAWS, x, room, means[k]);
        /* Neighbours have nothing to do with each other. */
        double product = 0;
        for (size_t i = 0; i + 1 < LAW_DRAWS; i++)
            product += (cdf(x[i], &means[k]) - 0.5) * (cdf(x[i + 1], &means[k]) - 0.5);
        law_check_z(law, "neighbours", 12 * product / sqrt(LAW_DRAWS));
    }
    free(room);
    free(x);
    free(rate);
}

static void tiny_means_are_kept(void **state)
{
    (void)state;
    enum { N = 1000 };
    double rate[N], x[N];
    const gb_random_streams s = make_streams(200, gb_isa_best());
    for (size_t i = 0; i < N; i++)
        rate[i] = 1e20;
    gb_random_inverse_gaussians(&s, 0, 0, N, rate, x);
    for (size_t i = 0; i < N; i++)
        assert_true(fabs(x[i] / 1e-20 - 1) < 1e-8);
}

/* What the kernels do, in other words: one number at a time, the normal number by bisection of erfc. */
static double slow_half_normal(double u)
{
    double low = 0, high = 10;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        const bool is_below = u < 0.5 ? erf(middle * M_SQRT1_2) < u : erfc(middle * M_SQRT1_2) > 1 - u;
        *(is_below ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

static void every_number_comes_from_its_own_stream(void **state)
{
    (void)state;
    enum { N = 300, FIRST = 5, BLOCK = 1 };
    double rate[N], x[N];
    const gb_random_streams s = make_streams((uint64_t)1 << 32 | (UINT32_MAX - 3), gb_isa_best()); /* a carry */
    for (size_t i = 0; i < N; i++)
        rate[i] = i % 9 == 0 ? 0 : pow(10, (double)(i % 13) - 6);
    gb_random_inverse_gaussians(&s, FIRST, BLOCK, N, rate, x);
    for (size_t i = 0; i < N; i++) {
        gb_random r = gb_random_of(&s, FIRST + i);
        const uint64_t item = ((uint64_t)1 << 32 | (UINT32_MAX - 3)) + (FIRST + i) / 7;
        gb_random same = gb_random_open(gb_key_make(7, 0), 3, GB_DRAW_TEST, item);
        same.counter[0] = (uint32_t)((FIRST + i) % 7 * GB_BLOCKS_EACH);
        assert_memory_equal(&r, &same, sizeof r);
        for (int skipped = 0; skipped < 2 * BLOCK; skipped++)
            (void)gb_random_u64(&r);
        const double u = gb_random_uniform(&r), v = gb_random_uniform(&r), n = slow_half_normal(u);
        const double root = (n + sqrt(n * n + 4 * rate[i])) / 2;
        const double expected =
            v * (1 + rate[i] / (root * root)) <= 1 ? 1 / (root * root) : root * root / (rate[i] * rate[i]);
        if (!(fabs(x[i] / expected - 1) < 1e-13 * (1 + 1 / u))) /* bisection of erf loses digits near 0 */
            fail_msg("number %zu: %.17g, expected %.17g", i, x[i], expected);
    }
}

static void draws_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    enum { N = 20011 };
    double *rate = law_room(N), *x = law_room(N), *y = law_room(N);
    for (size_t i = 0; i < N; i++)
        rate[i] = pow(10, (double)(i % 31) - 15);
    for (size_t per_item = 1; per_item <= 20; per_item++) {
        gb_random_streams s =
            gb_random_streams_open(gb_key_make(8, 0), 1, GB_DRAW_TEST, 11, 2, per_item, GB_ISA_PLAIN);
        gb_random_inverse_gaussians(&s, 0, 0, N, rate, x);
        for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
            s.isa = (gb_isa)isa;
            for (size_t i = 0, here; i < N; i += here) { /* in pieces of all sizes */
                here = 1 + i % 29 < N - i ? 1 + i % 29 : N - i;
                gb_random_inverse_gaussians(&s, i, 0, here, rate + i, y + i);
            }
            assert_memory_equal(x, y, N * sizeof *x);
        }
    }
    free(y);
    free(x);
    free(rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_means_are_kept),
        cmocka_unit_test(draws_have_their_law),
        cmocka_unit_test(every_number_comes_from_its_own_stream),
        cmocka_unit_test(draws_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
