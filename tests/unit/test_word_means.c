/* The expected coefficients of words given all else, against a dense solve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coefficient/word_means.h"

#include <math.h>
#include <string.h>

enum { N_DOCS = 60, N_WORDS = 12, L = 3, F = 1 + N_WORDS + 1 }; /* features: a topic, words, the constant */

static const double WORD_VARIANCE = 0.5;

typedef struct problem {
    uint64_t doc_start[N_DOCS + 1]; /* documents have no tokens */
    double x[N_DOCS][N_WORDS];
    double eta[L * F], variance[L], score[N_DOCS * L];
    gb_score_term term[N_DOCS * L];
    gb_proportions z;
    gb_sparse_columns words;
    gb_coefficient_prior prior;
    gb_coefficient_scales scales;
    gb_design design;
} problem;

static void make_words(problem *p, gb_random *r)
{
    gb_sparse_entry entry[N_DOCS * N_WORDS];
    uint64_t n = 0;
    memset(p->x, 0, sizeof p->x);
    for (uint64_t d = 0; d < N_DOCS; d++)
        for (size_t w = 0; w < N_WORDS; w++)
            if (gb_random_uniform(r) < 0.4) {
                p->x[d][w] = gb_random_exponential(r);
                entry[n++] = (gb_sparse_entry){d, (uint32_t)w, p->x[d][w]};
            }
    assert_int_equal(gb_sparse_columns_create(&p->words, N_DOCS, N_WORDS, n, entry, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&p->words, NULL), GB_OK);
}

/* Labels tell the scores with precisions from nothing, as where there is none, to much. */
static void make_terms(problem *p, gb_random *r)
{
    for (size_t i = 0; i < (size_t)N_DOCS * L; i++) {
        const gb_score_term term = {
            .slope = gb_random_normal(r), .omega = 3 * gb_random_exponential(r), .centre = gb_random_normal(r)};
        p->term[i] = i % 7 == 0 ? (gb_score_term){0} : term;
    }
}

static void make_scores(problem *p)
{
    for (size_t d = 0; d < N_DOCS; d++)
        for (size_t l = 0; l < L; l++) {
            const double *eta = p->eta + l * F;
            p->score[d * L + l] = eta[F - 1];
            for (size_t w = 0; w < N_WORDS; w++)
                p->score[d * L + l] += eta[1 + w] * p->x[d][w];
        }
}

static void make(problem *p)
{
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    const uint16_t no_token = 0;
    *p = (problem){.variance = {1, 1, 1}};
    assert_int_equal(gb_proportions_create(&p->z, N_DOCS, 1, p->doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&p->z, &no_token, NULL), GB_OK);
    for (size_t i = 0; i < (size_t)L * F; i++)
        p->eta[i] = 2 * gb_random_normal(&r);
    make_words(p, &r);
    make_terms(p, &r);
    make_scores(p);
    p->design = gb_design_make(&p->z, NULL, &p->words, true);
    p->prior = (gb_coefficient_prior){.ops = &gb_coefficient_normal,
                                      .variance = p->variance,
                                      .word_variance = WORD_VARIANCE,
                                      .intercept_variance = p->variance};
    assert_int_equal(gb_coefficient_scales_create(&p->scales, &p->prior, L, p->design.layout, NULL), GB_OK);
}

static void clear(problem *p)
{
    gb_proportions_clear(&p->z);
    gb_sparse_columns_clear(&p->words);
    gb_coefficient_scales_clear(&p->scales);
}

/* Q and b of output l: kappa - omega o = slope + omega (centre - o) with the rest of the score o, here the constant. */
static void make_system(const problem *p, size_t l, double q[N_WORDS][N_WORDS], double *b)
{
    memset(q, 0, N_WORDS * sizeof q[0]);
    memset(b, 0, N_WORDS * sizeof *b);
    for (size_t i = 0; i < N_WORDS; i++)
        q[i][i] = 1 / WORD_VARIANCE;
    for (size_t d = 0; d < N_DOCS; d++) {
        const gb_score_term t = p->term[d * L + l];
        for (size_t i = 0; i < N_WORDS; i++) {
            b[i] += p->x[d][i] * (t.slope + t.omega * (t.centre - p->eta[l * F + F - 1]));
            for (size_t j = 0; j < N_WORDS; j++)
                q[i][j] += t.omega * p->x[d][i] * p->x[d][j];
        }
    }
}

/* Elimination; q is positive definite. */
static void solve(double q[N_WORDS][N_WORDS], double *b)
{
    for (size_t k = 0; k < N_WORDS; k++)
        for (size_t i = k + 1; i < N_WORDS; i++) {
            const double f = q[i][k] / q[k][k];
            for (size_t j = k; j < N_WORDS; j++)
                q[i][j] -= f * q[k][j];
            b[i] -= f * b[k];
        }
    for (size_t k = N_WORDS; k-- > 0;) {
        for (size_t j = k + 1; j < N_WORDS; j++)
            b[k] -= q[k][j] * b[j];
        b[k] /= q[k][k];
    }
}

/* error' Q error, mean over words: in standard deviations of a draw, squared. */
static double distance(const problem *p, size_t l, const double *found)
{
    double q[N_WORDS][N_WORDS], copy[N_WORDS][N_WORDS], expected[N_WORDS], sum = 0;
    make_system(p, l, q, expected);
    memcpy(copy, q, sizeof q);
    solve(copy, expected);
    for (size_t i = 0; i < N_WORDS; i++)
        for (size_t j = 0; j < N_WORDS; j++)
            sum += (found[i] - expected[i]) * q[i][j] * (found[j] - expected[j]);
    return sum / N_WORDS;
}

static gb_regression regression_of(const problem *p, size_t n_threads)
{
    return (gb_regression){.design = &p->design,
                           .n_outputs = L,
                           .term = p->term,
                           .score = p->score,
                           .scales = &p->scales,
                           .n_threads = n_threads,
                           .isa = gb_isa_best()};
}

/* Within a tenth of a draw's noise, on any number of threads with the same bits. */
static void means_are_those_of_a_dense_solve(void **state)
{
    (void)state;
    problem p;
    double mean[2][L * N_WORDS];
    make(&p);
    for (size_t n_threads = 1; n_threads <= 2; n_threads++) {
        const gb_regression regression = regression_of(&p, n_threads);
        assert_int_equal(gb_word_means(&regression, p.eta, mean[n_threads - 1], NULL), GB_OK);
        for (size_t l = 0; l < L; l++) {
            assert_true(distance(&p, l, mean[n_threads - 1] + l * N_WORDS) < 0.01);
            assert_true(distance(&p, l, p.eta + l * F + 1) > 10); /* the draw */
        }
    }
    assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
    clear(&p);
}

/* They are given everything else, so another draw of the words leads to the same. */
static void the_draw_does_not_matter(void **state)
{
    (void)state;
    problem p;
    double mean[L * N_WORDS];
    make(&p);
    const gb_regression regression = regression_of(&p, 1);
    for (size_t l = 0; l < L; l++)
        for (size_t w = 0; w < N_WORDS; w++)
            p.eta[l * F + 1 + w] = 10 * (double)(l + w);
    make_scores(&p);
    assert_int_equal(gb_word_means(&regression, p.eta, mean, NULL), GB_OK);
    for (size_t l = 0; l < L; l++)
        assert_true(distance(&p, l, mean + l * N_WORDS) < 0.01);
    clear(&p);
}

/* A label of a huge precision, as where a margin is met exactly, fixes the score of its document. */
static void a_label_that_says_all_is_obeyed(void **state)
{
    (void)state;
    problem p;
    double mean[L * N_WORDS];
    make(&p);
    for (size_t l = 0; l < L; l++)
        p.term[3 * L + l] = (gb_score_term){.omega = 1e200, .centre = 1};
    const gb_regression regression = regression_of(&p, 1);
    assert_int_equal(gb_word_means(&regression, p.eta, mean, NULL), GB_OK);
    for (size_t l = 0; l < L; l++) {
        double score = p.eta[l * F + F - 1];
        for (size_t w = 0; w < N_WORDS; w++)
            score += mean[l * N_WORDS + w] * p.x[3][w];
        assert_float_equal(score, 1, 1e-4);
    }
    clear(&p);
}

/* A group of 16 outputs, and those after it, each as if it were alone; every instruction set has the same bits. */
static void outputs_do_not_depend_on_each_other(void **state)
{
    (void)state;
    enum { MANY = 21 };
    problem p;
    static double eta[MANY * F], score[N_DOCS * MANY], variance[MANY], mean[GB_N_ISAS][MANY * N_WORDS],
        one[L * N_WORDS];
    static gb_score_term term[N_DOCS * MANY];
    gb_coefficient_scales scales;
    make(&p);
    for (size_t l = 0; l < MANY; l++) {
        variance[l] = 1;
        memcpy(eta + l * F, p.eta + l % L * F, F * sizeof *eta);
        for (size_t d = 0; d < N_DOCS; d++) {
            score[d * MANY + l] = p.score[d * L + l % L];
            term[d * MANY + l] = p.term[d * L + l % L];
        }
    }
    gb_coefficient_prior prior = p.prior;
    prior.variance = prior.intercept_variance = variance;
    assert_int_equal(gb_coefficient_scales_create(&scales, &prior, MANY, p.design.layout, NULL), GB_OK);
    const gb_regression few = regression_of(&p, 1);
    assert_int_equal(gb_word_means(&few, p.eta, one, NULL), GB_OK);
    for (gb_isa isa = 0; isa < GB_N_ISAS; isa++) {
        if (!gb_isa_available(isa))
            continue;
        gb_regression many = regression_of(&p, 1);
        many.n_outputs = MANY;
        many.score = score;
        many.term = term;
        many.scales = &scales;
        many.isa = isa;
        assert_int_equal(gb_word_means(&many, eta, mean[isa], NULL), GB_OK);
        for (size_t l = 0; l < MANY; l++)
            assert_memory_equal(mean[isa] + l * N_WORDS, one + l % L * N_WORDS, N_WORDS * sizeof *one);
    }
    gb_coefficient_scales_clear(&scales);
    clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_those_of_a_dense_solve),
        cmocka_unit_test(the_draw_does_not_matter),
        cmocka_unit_test(a_label_that_says_all_is_obeyed),
        cmocka_unit_test(outputs_do_not_depend_on_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
