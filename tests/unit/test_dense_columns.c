/* An embedding as a block of its own: its scores and draws are those of the same numbers as sparse columns, whether their products are
 * kept or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "coefficient/dense_gram.h"
#include "coefficient/parts.h"
#include "design/scores.h"

#include <math.h>
#include <string.h>

/* More documents than are added at once, and outputs for kernels of several widths. */
enum { D = 700, K = 3, E = 5, L = 2, F = K + E + 1 };

typedef struct problem {
    uint64_t doc_start[D + 1];
    gb_proportions z;
    gb_dense_columns dense;
    gb_sparse_columns sparse;
    gb_score_term term[D * L];
    double score[D * L];
} problem;

static const double variance[L] = {1.2, 0.7}, intercept_variance[L] = {10, 5}, covariate_variance[L] = {0.3, 0.3};

/* @param is_constant  omega is one number in the documents that have a label */
static problem *make_problem(bool is_constant)
{
    problem *p = NULL;
    uint16_t topic[D * K];
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    gb_sparse_entry *entry = NULL;
    assert_int_equal(gb_alloc(&p, 1, sizeof *p, "a problem", NULL), GB_OK);
    assert_int_equal(gb_alloc(&entry, D * E, sizeof *entry, "a problem", NULL), GB_OK);
    assert_int_equal(gb_alloc(&p->dense.value, D * E, sizeof *p->dense.value, "a problem", NULL), GB_OK);
    p->dense.n_docs = D;
    p->dense.n_columns = E;
    for (size_t d = 0; d <= D; d++)
        p->doc_start[d] = d * K;
    assert_int_equal(gb_proportions_create(&p->z, D, K, p->doc_start, 1, NULL), GB_OK);
    for (size_t i = 0; i < D * K; i++)
        topic[i] = (uint16_t)gb_random_below(&r, K);
    assert_int_equal(gb_proportions_count(&p->z, topic, NULL), GB_OK);
    for (size_t d = 0; d < D; d++) {
        for (uint32_t j = 0; j < E; j++) {
            p->dense.value[d * E + j] = (float)gb_random_normal(&r);
            entry[d * E + j] = (gb_sparse_entry){d, j, p->dense.value[d * E + j]};
        }
        for (size_t l = 0; l < L && d % 7 != 3; l++)
            p->term[d * L + l] = (gb_score_term){.slope = gb_random_normal(&r),
                                                 .omega = is_constant ? 1.5 + (double)l : gb_random_exponential(&r),
                                                 .centre = gb_random_normal(&r)};
    }
    assert_int_equal(gb_sparse_columns_create(&p->sparse, D, E, D * E, entry, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&p->sparse, NULL), GB_OK);
    gb_free(entry);
    return p;
}

static void free_problem(problem *p)
{
    gb_proportions_clear(&p->z);
    gb_sparse_columns_clear(&p->sparse);
    gb_free(p->dense.value);
    gb_free(p);
}

static gb_design design_of(const problem *p, bool is_dense)
{
    gb_design design = gb_design_make(&p->z, is_dense ? NULL : &p->sparse, NULL, true);
    if (is_dense)
        gb_design_add_embedding(&design, &p->dense);
    return design;
}

/* The columns alone, by conjugate gradients, as embeddings are drawn that no block has room for. */
static gb_status draw_columns(const gb_regression *in, double *eta, gb_error *err)
{
    size_t feature[E];
    for (size_t j = 0; j < E; j++)
        feature[j] = K + j;
    return gb_conjugate_draw_columns(in, (gb_feature_list){E, feature}, eta, err);
}

static const gb_coefficient_sampler columns_alone = {.name = "columns alone", .draw = draw_columns};

/* @param gram  NULL: products are not kept */
static void draw(const problem *p, const gb_coefficient_sampler *sampler, bool is_dense, gb_dense_gram *gram,
                 size_t n_threads, double *eta)
{
    const gb_design design = design_of(p, is_dense);
    const gb_coefficient_prior prior = {.ops = &gb_coefficient_normal,
                                        .variance = variance,
                                        .covariate_variance = covariate_variance,
                                        .embedding_variance = 0.3,
                                        .intercept_variance = intercept_variance};
    const gb_coefficient_scales scales = {.prior = &prior, .n_outputs = L, .layout = design.layout};
    const gb_regression regression = {.design = &design,
                                      .n_outputs = L,
                                      .term = p->term,
                                      .score = p->score,
                                      .scales = &scales,
                                      .gram = gram,
                                      .key = gb_key_make(9, 0),
                                      .sweep = 4,
                                      .n_steps = 1,
                                      .n_threads = n_threads,
                                      .isa = gb_isa_best()};
    memset(eta, 0, L * F * sizeof *eta);
    assert_int_equal(sampler->draw(&regression, eta, NULL), GB_OK);
}

static void assert_within(const double *a, const double *b, size_t n, double most)
{
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(a[i] - b[i]) < most);
}

static void assert_close(const double *a, const double *b, size_t n)
{
    assert_within(a, b, n, 1e-10);
}

static gb_dense_gram make_gram(void)
{
    gb_dense_gram gram = {.n_docs = D, .n = E, .n_outputs = L};
    assert_int_equal(gb_arrays_allocate(gb_dense_gram_list, &gram, "a test", NULL), GB_OK);
    return gram;
}

static void a_draw_is_that_of_sparse_columns(void **state)
{
    (void)state;
    const gb_coefficient_sampler *samplers[] = {&gb_coefficient_block, &gb_coefficient_mixed,
                                                &gb_coefficient_coordinate};
    for (int is_constant = 0; is_constant < 2; is_constant++) {
        problem *p = make_problem(is_constant);
        for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++) {
            double sparse[L * F], dense[L * F];
            draw(p, samplers[i], false, NULL, 1, sparse);
            draw(p, samplers[i], true, NULL, 2, dense);
            assert_close(sparse, dense, L * F);
        }
        double sparse[L * F], dense[L * F];
        draw(p, &columns_alone, false, NULL, 1, sparse);
        draw(p, &columns_alone, true, NULL, 2, dense);
        assert_true(fabs(dense[K]) > 1e-4);
        assert_within(sparse, dense, L * F, 1e-6); /* where the solver stops */
        free_problem(p);
    }
}

static void products_that_are_kept_change_nothing(void **state)
{
    (void)state;
    double without[L * F], first[L * F], again[L * F];
    problem *p = make_problem(true);
    gb_dense_gram gram = make_gram();
    draw(p, &gb_coefficient_block, true, NULL, 1, without);
    draw(p, &gb_coefficient_block, true, &gram, 1, first);
    assert_true(gram.is_known);
    assert_true(gram.omega[0] == 1.5 && gram.omega[1] == 2.5);
    assert_close(without, first, L * F);
    draw(p, &gb_coefficient_block, true, &gram, 3, again);
    assert_memory_equal(first, again, sizeof first);
    gb_arrays_free(gb_dense_gram_list, &gram);
    free_problem(p);
}

/* Labels may join in burn-in, and a noise variance changes with every sweep. */
static void products_follow_the_documents_that_count(void **state)
{
    (void)state;
    double without[L * F], with[L * F];
    problem *p = make_problem(true);
    gb_dense_gram gram = make_gram();
    draw(p, &gb_coefficient_block, true, &gram, 1, with);
    for (size_t l = 0; l < L; l++)
        p->term[3 * L + l] = (gb_score_term){.slope = 1, .omega = 1.5 + (double)l};
    for (size_t i = 0; i < D * L; i++)
        p->term[i].omega *= 0.4;
    draw(p, &gb_coefficient_block, true, NULL, 1, without);
    draw(p, &gb_coefficient_block, true, &gram, 1, with);
    assert_close(without, with, L * F);
    assert_true(gram.is_known && gram.counts[3]);
    gb_arrays_free(gb_dense_gram_list, &gram);
    free_problem(p);
}

static void products_are_not_used_where_omega_differs(void **state)
{
    (void)state;
    double without[L * F], with[L * F];
    problem *p = make_problem(false);
    gb_dense_gram gram = make_gram();
    draw(p, &gb_coefficient_block, true, NULL, 1, without);
    draw(p, &gb_coefficient_block, true, &gram, 1, with);
    assert_false(gram.is_known);
    assert_memory_equal(without, with, sizeof with);
    free_problem(p);
    p = make_problem(true);
    p->term[10].omega = 0; /* one output lacks a label that the other has */
    draw(p, &gb_coefficient_block, true, NULL, 1, without);
    draw(p, &gb_coefficient_block, true, &gram, 1, with);
    assert_memory_equal(without, with, sizeof with);
    gb_arrays_free(gb_dense_gram_list, &gram);
    free_problem(p);
}

static void scores_are_those_of_sparse_columns(void **state)
{
    (void)state;
    enum { MOST_OUTPUTS = 31 };
    problem *p = make_problem(true);
    double eta[F * MOST_OUTPUTS];
    double *score[2];
    gb_random r = gb_random_open(gb_key_make(6, 0), 0, GB_DRAW_TEST, 0);
    for (size_t i = 0; i < F * MOST_OUTPUTS; i++)
        eta[i] = gb_random_normal(&r);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(gb_alloc(&score[i], D * MOST_OUTPUTS, sizeof(double), "scores", NULL), GB_OK);
    for (size_t n = 1; n <= MOST_OUTPUTS; n += 5)
        for (gb_isa isa = GB_ISA_PLAIN; isa < GB_N_ISAS; isa++) {
            if (!gb_isa_available(isa))
                continue;
            for (size_t i = 0; i < 2; i++) {
                const gb_design design = design_of(p, i == 1);
                const gb_scoring scoring = {.design = &design, .n_outputs = n, .eta = eta};
                gb_score_documents(&scoring, isa, 0, D, score[i]);
            }
            assert_memory_equal(score[0], score[1], D * n * sizeof(double));
        }
    gb_free(score[0]);
    gb_free(score[1]);
    free_problem(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draw_is_that_of_sparse_columns),
        cmocka_unit_test(products_that_are_kept_change_nothing),
        cmocka_unit_test(products_follow_the_documents_that_count),
        cmocka_unit_test(products_are_not_used_where_omega_differs),
        cmocka_unit_test(scores_are_those_of_sparse_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
