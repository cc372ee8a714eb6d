/* A draw from a normal given its precision: against the definition, and from many threads at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "math/cholesky.h"

#include <math.h>
#include <string.h>

enum { N = 100, REPEATS = 2000 };

/* Lambda_ij = N on the diagonal, 1 / (1 + |i - j|) off it: well conditioned and full. */
static void fill(double *lambda, double *h, double *e)
{
    for (size_t i = 0; i < N; i++) {
        h[i] = (double)(i % 7);
        e[i] = (double)(i % 5) - 2;
        for (size_t j = 0; j < N; j++)
            lambda[j * N + i] = i == j ? N : 1 / (1 + fabs((double)i - (double)j));
    }
}

/* x = Lambda^{-1} h + L'^{-1} e, so L' (x - Lambda^{-1} h) = e: with e = 0 the draw solves Lambda x = h. */
static void without_noise_the_draw_is_the_mean(void **unused)
{
    (void)unused;
    static double lambda[N * N], copy[N * N], h[N], x[N], e[N];
    fill(lambda, h, e);
    memset(e, 0, sizeof e);
    memcpy(copy, lambda, sizeof copy);
    memcpy(x, h, sizeof x);
    assert_true(gb_draw_normal_by_precision(N, lambda, x, e));
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++)
            sum += copy[j * N + i] * x[j];
        assert_true(fabs(sum - h[i]) < 1e-10);
    }
}

/* With h = 0, x' Lambda x = e'e whatever the factor is. */
static void the_draw_has_the_stated_precision(void **unused)
{
    (void)unused;
    static double lambda[N * N], copy[N * N], h[N], e[N];
    fill(lambda, h, e);
    memset(h, 0, sizeof h);
    memcpy(copy, lambda, sizeof copy);
    assert_true(gb_draw_normal_by_precision(N, lambda, h, e));
    double quadratic = 0, expected = 0;
    for (size_t i = 0; i < N; i++) {
        expected += e[i] * e[i];
        for (size_t j = 0; j < N; j++)
            quadratic += h[i] * copy[j * N + i] * h[j];
    }
    assert_true(fabs(quadratic - expected) < 1e-9 * expected);
}

static void an_indefinite_matrix_is_refused(void **unused)
{
    (void)unused;
    double lambda[4] = {1, 2, 2, 1}, h[2] = {1, 1}, e[2] = {0, 0};
    assert_false(gb_draw_normal_by_precision(2, lambda, h, e));
}

struct crowd {
    double expected[N];
    int wrong[REPEATS];
};

static gb_status draw_once(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct crowd *crowd = context;
    double lambda[N * N], h[N], e[N];
    fill(lambda, h, e);
    crowd->wrong[task] = !gb_draw_normal_by_precision(N, lambda, h, e) || memcmp(h, crowd->expected, sizeof h) != 0;
    return GB_OK;
}

/* The linear algebra library alone fails this test: it shares buffers between threads. */
static void threads_do_not_spoil_each_others_draws(void **unused)
{
    (void)unused;
    static struct crowd crowd;
    static double lambda[N * N], e[N];
    fill(lambda, crowd.expected, e);
    assert_true(gb_draw_normal_by_precision(N, lambda, crowd.expected, e));
    assert_int_equal(gb_parallel_for(REPEATS, 4, draw_once, &crowd, NULL), GB_OK);
    for (size_t i = 0; i < REPEATS; i++)
        assert_false(crowd.wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_the_draw_is_the_mean),
        cmocka_unit_test(the_draw_has_the_stated_precision),
        cmocka_unit_test(an_indefinite_matrix_is_refused),
        cmocka_unit_test(threads_do_not_spoil_each_others_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
