/* A draw from a normal given its precision, and triangular factors: against the definitions, from many threads at once, and by every
 * instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "math/cholesky.h"
#include "math/triangles.h"
#include "simd/isa.h"

#include <math.h>
#include <stdlib.h>
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

/* ---- triangles ---- */

/* Sizes below, at and above the widths of tiles. */
static const size_t sizes[] = {1,  2,  3,  4,  5,  7,  8,  9,  11, 12, 13, 15, 16,
                               23, 24, 25, 31, 32, 33, 47, 49, 64, 65, 97, 130};

enum { N_SIZES = sizeof sizes / sizeof *sizes };

static double *make_matrix(size_t n)
{
    double *a = calloc(n * n, sizeof *a);
    assert_non_null(a);
    return a;
}

/* Symmetric and positive definite; the elements have no pattern. */
static double *make_definite(size_t n)
{
    double *a = make_matrix(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            a[i * n + j] = a[j * n + i] = (i == j ? 1 + (double)n : 0) + sin((double)(3 * i + 7 * j + i * j));
    return a;
}

/* Lower triangular with zeros above. */
static double *make_lower(size_t n, double phase)
{
    double *a = make_matrix(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            a[i * n + j] = i == j ? 1 + 0.5 * cos(phase + (double)i) : sin(phase + (double)(i + 5 * j)) / (double)n;
    return a;
}

/* sum_k left_ik right_kj, where `transposed` takes right_jk. */
static double element(size_t n, const double *left, const double *right, bool transposed, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += left[i * n + k] * (transposed ? right[j * n + k] : right[k * n + j]);
    return sum;
}

static void assert_product(size_t n, const double *left, const double *right, bool transposed, const double *expected)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double wanted = expected == NULL ? i == j : expected[i * n + j];
            assert_true(fabs(element(n, left, right, transposed, i, j) - wanted) < 1e-11 * (1 + (double)n));
        }
}

static void a_factor_times_itself_is_the_matrix(void **unused)
{
    (void)unused;
    for (size_t q = 0; q < N_SIZES; q++) {
        const size_t n = sizes[q];
        double *a = make_definite(n), *l = make_definite(n);
        assert_true(gb_cholesky(n, l));
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                assert_true(l[i * n + j] == 0);
        assert_product(n, l, l, true, a);
        free(a);
        free(l);
    }
}

static void the_inverse_times_the_matrix_is_one(void **unused)
{
    (void)unused;
    for (size_t q = 0; q < N_SIZES; q++) {
        const size_t n = sizes[q];
        double *a = make_definite(n), *inverse = make_definite(n);
        assert_true(gb_cholesky(n, inverse));
        assert_true(gb_cholesky_inverse(n, inverse));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(inverse[i * n + j] == inverse[j * n + i]);
        assert_product(n, inverse, a, false, NULL);
        free(a);
        free(inverse);
    }
}

static void a_triangle_divided_and_multiplied_again_is_the_same(void **unused)
{
    (void)unused;
    for (size_t q = 0; q < N_SIZES; q++) {
        const size_t n = sizes[q];
        double *l = make_lower(n, 0), *b = make_lower(n, 1), *quotient = make_lower(n, 0), *product = make_matrix(n);
        gb_divide_triangular(n, quotient, b);
        assert_product(n, quotient, b, false, l);
        gb_multiply_triangular(n, l, product);
        assert_product(n, l, l, true, product);
        free(l);
        free(b);
        free(quotient);
        free(product);
    }
}

static void a_singular_factor_has_no_inverse(void **unused)
{
    (void)unused;
    double l[4] = {1, 0, 1, 0};
    assert_false(gb_cholesky_inverse(2, l));
}

static void a_matrix_with_a_bad_element_is_refused_wherever_it_is(void **unused)
{
    (void)unused;
    const double bad[] = {NAN, INFINITY, -1, 0};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        for (size_t i = 0; i < 33; i++) {
            double *a = make_definite(33);
            a[i * 33 + i] = bad[b];
            assert_false(gb_cholesky(33, a));
            free(a);
        }
}

static void compare_triangles(size_t n, const double *a, const double *b, bool is_upper)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = is_upper ? i : 0; j < (is_upper ? n : i + 1); j++)
            assert_true(a[i * n + j] == b[i * n + j]);
}

/* All of a kernel's functions, one after the other: the factor, its square, two draws, and the same of lower triangles. */
static void run(const gb_triangles *k, size_t n, double *factor, double *square, double *x, double *quotient,
                double *inverse)
{
    double *b = make_lower(n, 1);
    assert_true(k->factor(n, factor));
    for (size_t i = 0; i < n; i++) {
        x[i] = x[n + i] = cos((double)i);
        for (size_t j = i; j < n; j++)
            square[i * n + j] = factor[i * n + j];
    }
    k->square(n, square);
    k->forward(n, factor, x);
    k->backward(n, factor, x + n);
    k->divide(n, quotient, b);
    k->invert(n, inverse);
    k->square_columns(n, inverse);
    free(b);
}

static void every_instruction_set_gives_the_same_bits(void **unused)
{
    (void)unused;
    for (size_t q = 0; q < N_SIZES; q++) {
        const size_t n = sizes[q];
        double *result[GB_N_ISAS][5];
        for (int isa = 0; isa < GB_N_ISAS; isa++) {
            double **r = result[isa];
            const gb_isa used = gb_isa_available((gb_isa)isa) ? (gb_isa)isa : GB_ISA_PLAIN;
            r[0] = make_definite(n), r[1] = make_matrix(n), r[2] = calloc(2 * n, sizeof(double));
            r[3] = make_lower(n, 0), r[4] = make_lower(n, 2);
            run(GB_KERNEL_FOR(used, &gb_triangles), n, r[0], r[1], r[2], r[3], r[4]);
            for (int i = 0; i < 5; i++)
                if (i == 2)
                    assert_memory_equal(r[i], result[0][i], 2 * n * sizeof(double));
                else
                    compare_triangles(n, r[i], result[0][i], i < 2);
        }
        for (int isa = 0; isa < GB_N_ISAS; isa++)
            for (int i = 0; i < 5; i++)
                free(result[isa][i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_the_draw_is_the_mean),
        cmocka_unit_test(the_draw_has_the_stated_precision),
        cmocka_unit_test(an_indefinite_matrix_is_refused),
        cmocka_unit_test(threads_do_not_spoil_each_others_draws),
        cmocka_unit_test(a_factor_times_itself_is_the_matrix),
        cmocka_unit_test(the_inverse_times_the_matrix_is_one),
        cmocka_unit_test(a_triangle_divided_and_multiplied_again_is_the_same),
        cmocka_unit_test(a_singular_factor_has_no_inverse),
        cmocka_unit_test(a_matrix_with_a_bad_element_is_refused_wherever_it_is),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
