/* Sparse factors: against the definition, and alike for every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "math/sparse_ldl.h"

#include <math.h>
#include <string.h>

/* A ring of rows, each also joined with row i * i mod ROWS; some pairs come twice or the other way round. */
enum { ROWS = 61, PAIRS = 2 * ROWS };

static size_t make_pairs(uint32_t pair[2 * PAIRS])
{
    size_t n = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        const uint32_t ends[2] = {(i + 1) % ROWS, i * i % ROWS};
        for (size_t e = 0; e < 2; e++)
            if (ends[e] != i) {
                pair[2 * n] = i;
                pair[2 * n++ + 1] = ends[e];
            }
    }
    return n;
}

/* Entry (i, j) of the matrix: -0.1 (i + j mod 5 + 1) where there is a pair, and a dominant diagonal. */
static double value_of(size_t i, size_t j)
{
    return i == j ? 20 + (double)(i % 3) : -0.1 * (double)((i + j) % 5 + 1);
}

static gb_ldl *make_matrix(gb_ldl_pattern **pattern, double dense[ROWS][ROWS])
{
    gb_ldl *a = NULL;
    uint32_t pair[2 * PAIRS];
    const size_t n_pairs = make_pairs(pair);
    assert_int_equal(gb_ldl_analyse(pattern, ROWS, n_pairs, pair, NULL), GB_OK);
    assert_int_equal(gb_ldl_create(&a, *pattern, NULL), GB_OK);
    memset(dense, 0, sizeof(double[ROWS][ROWS]));
    for (uint32_t i = 0; i < ROWS; i++)
        a->entry[gb_ldl_diagonal(*pattern, i)] = dense[i][i] = value_of(i, i);
    for (size_t e = 0; e < n_pairs; e++) {
        const uint32_t i = pair[2 * e], j = pair[2 * e + 1];
        a->entry[(*pattern)->pair_at[e]] = dense[i][j] = dense[j][i] = value_of(i, j);
    }
    return a;
}

/* A x = b for eight right-hand sides. */
static void a_factor_solves(void **unused)
{
    (void)unused;
    static double dense[ROWS][ROWS];
    gb_ldl_pattern *p = NULL;
    gb_ldl *a = make_matrix(&p, dense);
    double *x = NULL;
    assert_int_equal(gb_alloc(&x, (size_t)ROWS * GB_LDL_LANES, sizeof x[0], "a test", NULL), GB_OK);
    assert_true(gb_ldl_factor(a));
    for (size_t i = 0; i < ROWS; i++)
        for (size_t l = 0; l < GB_LDL_LANES; l++)
            x[(size_t)p->place[i] * GB_LDL_LANES + l] = sin((double)(i * 8 + l));
    gb_ldl_forward(a, x);
    for (size_t i = 0; i < (size_t)ROWS * GB_LDL_LANES; i++)
        x[i] /= a->pivot[i / GB_LDL_LANES];
    gb_ldl_backward(a, x);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t l = 0; l < GB_LDL_LANES; l++) {
            double sum = 0;
            for (size_t j = 0; j < ROWS; j++)
                sum += dense[i][j] * x[(size_t)p->place[j] * GB_LDL_LANES + l];
            assert_true(fabs(sum - sin((double)(i * 8 + l))) < 1e-12);
        }
    gb_free(x);
    gb_ldl_free(a);
    gb_ldl_pattern_free(p);
}

static void the_determinant_is_that_of_the_dense_matrix(void **unused)
{
    (void)unused;
    static double dense[ROWS][ROWS];
    gb_ldl_pattern *p = NULL;
    gb_ldl *a = make_matrix(&p, dense);
    double expected = 0;
    assert_true(gb_ldl_factor(a));
    for (size_t k = 0; k < ROWS; k++) { /* Gauss */
        expected += log(dense[k][k]);
        for (size_t i = k + 1; i < ROWS; i++) {
            const double factor = dense[i][k] / dense[k][k];
            for (size_t j = k; j < ROWS; j++)
                dense[i][j] -= factor * dense[k][j];
        }
    }
    assert_true(fabs(gb_ldl_log_determinant(a) - expected) < 1e-11);
    gb_ldl_free(a);
    gb_ldl_pattern_free(p);
}

static void all_instruction_sets_give_the_same_bits(void **unused)
{
    (void)unused;
    static double dense[ROWS][ROWS];
    gb_ldl_pattern *p = NULL;
    gb_ldl *a = make_matrix(&p, dense);
    double *x[GB_N_ISAS] = {NULL}, one[ROWS];
    assert_true(gb_ldl_factor(a));
    for (int isa = 0; isa < GB_N_ISAS; isa++) {
        if (!gb_isa_available((gb_isa)isa))
            continue;
        assert_int_equal(gb_alloc(&x[isa], (size_t)ROWS * GB_LDL_LANES, sizeof(double), "a test", NULL), GB_OK);
        for (size_t i = 0; i < (size_t)ROWS * GB_LDL_LANES; i++)
            x[isa][i] = cos((double)i);
        a->isa = (gb_isa)isa;
        gb_ldl_forward(a, x[isa]);
        gb_ldl_backward(a, x[isa]);
        assert_memory_equal(x[isa], x[GB_ISA_PLAIN], sizeof(double[ROWS * GB_LDL_LANES]));
    }
    for (size_t i = 0; i < ROWS; i++)
        one[i] = cos((double)(i * GB_LDL_LANES + 3));
    gb_ldl_forward_one(a, one);
    gb_ldl_backward_one(a, one);
    for (size_t i = 0; i < ROWS; i++)
        assert_memory_equal(&one[i], &x[GB_ISA_PLAIN][i * GB_LDL_LANES + 3], sizeof(double));
    for (int isa = 0; isa < GB_N_ISAS; isa++)
        gb_free(x[isa]);
    gb_ldl_free(a);
    gb_ldl_pattern_free(p);
}

static void a_matrix_that_is_not_positive_is_refused(void **unused)
{
    (void)unused;
    static double dense[ROWS][ROWS];
    gb_ldl_pattern *p = NULL;
    gb_ldl *a = make_matrix(&p, dense);
    static const double bad[] = {0, -3, (double)NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        a->entry[gb_ldl_diagonal(p, 17)] = bad[i];
        assert_false(gb_ldl_factor(a));
    }
    a->entry[gb_ldl_diagonal(p, 17)] = value_of(17, 17);
    assert_true(gb_ldl_factor(a));
    gb_ldl_free(a);
    gb_ldl_pattern_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_factor_solves),
        cmocka_unit_test(the_determinant_is_that_of_the_dense_matrix),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(a_matrix_that_is_not_positive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
