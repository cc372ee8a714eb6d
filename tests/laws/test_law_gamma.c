/* tests/laws/test_law_gamma.c - the gamma law and its logarithm, shapes from 1e-300 to 1e12. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "math/special.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double log_gamma_law_cdf(double x, const void *shape)
{
    return law_gamma_cdf(*(const double *)shape, x);
}

static double gamma_law_cdf(double x, const void *shape)
{
    return law_gamma_cdf(*(const double *)shape, log(x));
}

static void gamma_has_its_law(void **state)
{
    (void)state;
    static const double shapes[] = {1e-3, 0.01, 0.1, 0.5, 0.999, 1, 1.5, 2.5, 10, 1e3, 1e6};
    double *x = law_room(LAW_DRAWS);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        double shape = shapes[s];
        char law[40];
        snprintf(law, sizeof law, "gamma %g", shape);
        gb_random r = law_stream(s);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = gb_random_gamma(&r, shape);
        law_check_moments(law, LAW_DRAWS, x, shape, shape, 6 * shape);
        if (shape >= 0.1) /* no underflow, so no ties */
            law_check_cdf(law, LAW_DRAWS, x, gamma_law_cdf, &shape);
    }
    free(x);
}

static void log_gamma_has_its_law(void **state)
{
    (void)state;
    static const double shapes[] = {1e-300, 1e-12, 1e-3, 0.01, 0.5, 1, 2.5, 1e3};
    double *x = law_room(LAW_DRAWS);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        double shape = shapes[s];
        char law[40];
        snprintf(law, sizeof law, "log gamma %g", shape);
        gb_random r = law_stream(100 + s);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            x[i] = gb_random_log_gamma(&r, shape);
            assert_true(isfinite(x[i]));
        }
        law_check_cdf(law, LAW_DRAWS, x, log_gamma_law_cdf, &shape);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] *= shape; /* squares of the draws themselves overflow */
        law_check_mean(law, "mean", LAW_DRAWS, x, NULL, shape < 1e-9 ? -1 : shape * gb_digamma(shape));
    }
    free(x);
}

/* At this shape the acceptance test works with differences of 1e-13 of its terms. */
static void gamma_keeps_its_digits_at_large_shapes(void **state)
{
    (void)state;
    const double shape = 1e12;
    gb_random r = law_stream(200);
    double *x = law_room(LAW_DRAWS);
    for (size_t i = 0; i < LAW_DRAWS; i++)
        x[i] = (gb_random_gamma(&r, shape) - shape) / sqrt(shape);
    law_check_moments("gamma 1e12", LAW_DRAWS, x, 0, 1, 6 / shape);
    free(x);
}

static void draw_and_logarithm_agree(void **state)
{
    (void)state;
    static const double shapes[] = {0.3, 1, 7};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        gb_random a = law_stream(300 + s), b = law_stream(300 + s);
        for (int i = 0; i < 1000; i++) {
            double x = gb_random_gamma(&a, shapes[s]);
            double y = gb_random_log_gamma(&b, shapes[s]);
            assert_true(fabs(log(x) - y) < 1e-13 * (1 + fabs(y)));
        }
    }
}

static void a_shape_that_is_no_number_gives_none(void **state)
{
    (void)state;
    gb_random r = law_stream(400);
    assert_true(isnan(gb_random_gamma(&r, NAN)));
    assert_true(isnan(gb_random_log_gamma(&r, NAN)));
    assert_true(isnan(gb_random_gamma(&r, -1)));
}

/* ---- many at once ---- */

static void many_at_once_have_the_law(void **state)
{
    (void)state;
    static const double shapes[] = {1, 1.5, 2.5, 10, 256, 1e6, 1e12};
    double *x = law_room(LAW_DRAWS), *shape = law_room(LAW_DRAWS);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        char law[40];
        snprintf(law, sizeof law, "gammas %g", shapes[k]);
        gb_random r = law_stream(500 + k);
        const gb_random_streams s = gb_random_split(&r, LAW_DRAWS, gb_isa_best());
        for (size_t i = 0; i < LAW_DRAWS; i++)
            shape[i] = shapes[k];
        gb_random_gammas(&s, 0, 3, LAW_DRAWS, shape, x);
        if (shapes[k] < 1e12)
            law_check_cdf(law, LAW_DRAWS, x, gamma_law_cdf, &shapes[k]);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] = (x[i] - shapes[k]) / sqrt(shapes[k]);
        law_check_moments(law, LAW_DRAWS, x, 0, 1, 6 / shapes[k]);
    }
    free(shape);
    free(x);
}

static void many_at_once_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    enum { N = 5003 };
    double *x = law_room(N), *y = law_room(N), *shape = law_room(N);
    gb_random r = law_stream(600);
    gb_random_streams s = gb_random_split(&r, N, GB_ISA_PLAIN);
    for (size_t i = 0; i < N; i++)
        shape[i] = pow(10, (double)(i % 13) / 2);
    gb_random_gammas(&s, 0, 0, N, shape, x);
    for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
        s.isa = (gb_isa)isa;
        for (size_t i = 0, here; i < N; i += here) {
            here = 1 + i % 29 < N - i ? 1 + i % 29 : N - i;
            gb_random_gammas(&s, i, 0, here, shape + i, y + i);
        }
        assert_memory_equal(x, y, N * sizeof *x);
    }
    shape[0] = NAN;
    shape[1] = -1;
    gb_random_gammas(&s, 0, 0, 2, shape, x);
    assert_true(isnan(x[0]) && isnan(x[1]));
    free(shape);
    free(y);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gamma_has_its_law),
        cmocka_unit_test(log_gamma_has_its_law),
        cmocka_unit_test(gamma_keeps_its_digits_at_large_shapes),
        cmocka_unit_test(draw_and_logarithm_agree),
        cmocka_unit_test(a_shape_that_is_no_number_gives_none),
        cmocka_unit_test(many_at_once_have_the_law),
        cmocka_unit_test(many_at_once_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
