/* The draw of many columns by conjugate gradients against the normal law of its regression, worked out from the dense matrix with a
 * Cholesky factor: 500 columns, more than there are documents, two of them nearly the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "coefficient/parts.h"
#include "math/cholesky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 300, P = 500, L = 2, K = 2, F = K + P, PER_DOC = 12, N_DRAWS = 6000 };

static const double variance[L] = {1, 1}, covariate_variance[L] = {0.4, 0.7}, intercept_variance[L] = {1, 1};
static const gb_coefficient_prior prior = {.ops = &gb_coefficient_normal,
                                           .variance = variance,
                                           .covariate_variance = covariate_variance,
                                           .intercept_variance = intercept_variance};

typedef struct problem {
    uint64_t doc_start[D + 1];
    gb_proportions z;
    gb_sparse_columns x;
    gb_coefficient_scales scales;
    gb_score_term term[D * L];
    size_t column[P];
    double dense[D][P];
    double eta[L * F], score[D * L];
    double *mean, *covariance; /* L x P, L x P x P: of the law */
} problem;

/* Frequent columns and rare ones; every document has column 0, and column 1 is column 0 but for a little. */
static void make_columns(problem *p, gb_random *r)
{
    static gb_sparse_entry entry[D * P];
    uint64_t n = 0;
    for (size_t d = 0; d < D; d++) {
        p->dense[d][0] = 1;
        p->dense[d][1] = 1 + 0.1 * gb_random_normal(r);
        for (size_t i = 2; i < PER_DOC; i++) {
            const double u = gb_random_uniform(r);
            p->dense[d][2 + (size_t)(u * u * (P - 2))] = gb_random_normal(r);
        }
        for (uint32_t j = 0; j < P; j++)
            if (p->dense[d][j] != 0)
                entry[n++] = (gb_sparse_entry){d, j, p->dense[d][j]};
    }
    assert_int_equal(gb_sparse_columns_create(&p->x, D, P, n, entry, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&p->x, NULL), GB_OK);
}

/* Terms of every size: a hinge's omega is now and then a million. */
static gb_score_term make_term(gb_random *r)
{
    const double u = gb_random_uniform(r);
    return (gb_score_term){gb_random_normal(r), u < 0.02 ? 1e6 : gb_random_exponential(r), gb_random_normal(r)};
}

/* The topics' part of the scores stays. */
static void score_all(problem *p)
{
    for (size_t d = 0; d < D; d++)
        for (size_t l = 0; l < L; l++) {
            double s = 0.3 * (double)(d % 7);
            for (size_t j = 0; j < P; j++)
                s += p->dense[d][j] * p->eta[l * F + K + j];
            p->score[d * L + l] = s;
        }
}

/* Q^{-1} and Q^{-1} b; scores are the part that stays, as all columns' coefficients are 0. */
static void find_law(problem *p, size_t l)
{
    double *q = p->covariance + l * P * P, *mean = p->mean + l * P, *b = law_room(P);
    memset(b, 0, P * sizeof *b);
    for (size_t j = 0; j < P; j++) {
        for (size_t d = 0; d < D; d++) {
            const gb_score_term *t = &p->term[d * L + l];
            b[j] += p->dense[d][j] * (t->slope + t->omega * (t->centre - p->score[d * L + l]));
            for (size_t k = 0; k <= j && p->dense[d][j] != 0; k++)
                q[j * P + k] += t->omega * p->dense[d][j] * p->dense[d][k];
        }
        q[j * P + j] += 1 / covariate_variance[l];
    }
    assert_true(gb_cholesky(P, q));
    assert_true(gb_cholesky_inverse(P, q));
    for (size_t j = 0; j < P; j++)
        for (size_t k = 0; k < P; k++)
            mean[j] += q[j * P + k] * b[k];
    free(b);
}

static problem *make_problem(void)
{
    problem *p = calloc(1, sizeof *p);
    gb_random r = law_stream(11);
    assert_non_null(p);
    assert_non_null(p->mean = calloc(L * P, sizeof *p->mean));
    assert_non_null(p->covariance = calloc(L * P * P, sizeof *p->covariance));
    assert_int_equal(gb_proportions_create(&p->z, D, K, p->doc_start, 1, NULL), GB_OK);
    make_columns(p, &r);
    for (size_t i = 0; i < D * L; i++)
        p->term[i] = make_term(&r);
    for (size_t j = 0; j < P; j++)
        p->column[j] = K + j;
    assert_int_equal(gb_coefficient_scales_create(&p->scales, &prior, L, gb_layout_make(K, P, 0, false), NULL),
                     GB_OK);
    score_all(p);
    for (size_t l = 0; l < L; l++)
        find_law(p, l);
    return p;
}

static void free_problem(problem *p)
{
    gb_proportions_clear(&p->z);
    gb_sparse_columns_clear(&p->x);
    gb_coefficient_scales_clear(&p->scales);
    free(p->mean);
    free(p->covariance);
    free(p);
}

static void draw(problem *p, uint32_t sweep)
{
    const gb_design design = gb_design_make(&p->z, &p->x, NULL, false);
    const gb_regression regression = {.design = &design,
                                      .n_outputs = L,
                                      .term = p->term,
                                      .score = p->score,
                                      .scales = &p->scales,
                                      .key = gb_key_make(9, 0),
                                      .sweep = sweep,
                                      .n_threads = 1,
                                      .isa = gb_isa_best()};
    score_all(p);
    assert_int_equal(gb_conjugate_draw_columns(&regression, (gb_feature_list){P, p->column}, p->eta, NULL), GB_OK);
}

/* Sums over draws, about the mean: of coefficients, of their squares, and of their products with the next and with the first. */
typedef struct sums {
    double first[L * P], square[L * P], with_next[L * P], with_first[L * P];
} sums;

static void add(const problem *p, sums *s)
{
    for (size_t i = 0; i < L * P; i++) {
        const size_t l = i / P, j = i % P, next = (j + 1) % P;
        const double *eta = p->eta + l * F + K, *mean = p->mean + l * P, x = eta[j] - mean[j];
        s->first[i] += x;
        s->square[i] += x * x;
        s->with_next[i] += x * (eta[next] - mean[next]);
        s->with_first[i] += x * (eta[0] - mean[0]);
    }
}

/* How far the sums are from the law, in standard errors: the largest, and the mean square. */
typedef struct distance {
    double largest, square;
    size_t n;
} distance;

static void measure(distance *m, double z)
{
    m->largest = fmax(m->largest, fabs(z));
    m->square += z * z;
    m->n++;
}

static void measure_product(distance *m, const double *c, size_t j, size_t k, double sum)
{
    const double error = sqrt((c[j * P + j] * c[k * P + k] + c[j * P + k] * c[j * P + k]) / N_DRAWS);
    measure(m, (sum / N_DRAWS - c[j * P + k]) / error);
}

/* Of means and variances; and of products of two coefficients. */
static distance distance_from(const problem *p, const sums *s, distance *products)
{
    distance m = {0};
    *products = m;
    for (size_t i = 0; i < L * P; i++) {
        const size_t j = i % P;
        const double *c = p->covariance + i / P * P * P;
        measure(&m, s->first[i] / N_DRAWS / sqrt(c[j * P + j] / N_DRAWS));
        measure_product(&m, c, j, j, s->square[i]);
        measure_product(products, c, j, (j + 1) % P, s->with_next[i]);
        measure_product(products, c, j, 0, s->with_first[i]);
    }
    m.square /= (double)m.n;
    products->square /= (double)products->n;
    return m;
}

/* 2,000 means and variances, and as many products.  Those of one draw are correlated through column 0, so their mean square has a
 * standard error of about 0.05. */
static void moments_are_those_of_the_dense_draw(void **state)
{
    (void)state;
    problem *p = make_problem();
    sums *s = calloc(1, sizeof *s);
    distance products;
    assert_non_null(s);
    for (uint32_t i = 0; i < N_DRAWS; i++) {
        draw(p, i);
        add(p, s);
    }
    const distance right = distance_from(p, s, &products);
    assert_true(right.largest < 4);
    assert_true(products.largest < LAW_LIMIT);
    assert_true(fabs(right.square - 1) < 0.2);
    assert_true(fabs(products.square - 1) < 0.2);
    for (size_t i = 0; i < L * P * P; i++)
        p->covariance[i] *= 0.95; /* as if a little noise were missing */
    assert_true(distance_from(p, s, &products).square > 3);
    free(s);
    free_problem(p);
}

/* More documents of a large omega than columns, and others of a small one: rounding leaves a residual. */
static void columns_whose_iterations_do_not_end_are_drawn_one_after_the_other(void **state)
{
    (void)state;
    enum { FEW = 20 };
    problem *p = make_problem();
    double *one_by_one = law_room(L * F);
    draw(p, 1); /* from coefficients that are not 0 */
    for (size_t i = 0; i < D * L; i++)
        p->term[i].omega = i % 3 == 0 ? 1e9 : 1;
    score_all(p);
    memcpy(one_by_one, p->eta, L * F * sizeof *one_by_one);
    const gb_feature_list columns = {FEW, p->column};
    const gb_design design = gb_design_make(&p->z, &p->x, NULL, false);
    const gb_regression regression = {.design = &design,
                                      .n_outputs = L,
                                      .term = p->term,
                                      .score = p->score,
                                      .scales = &p->scales,
                                      .key = gb_key_make(9, 0),
                                      .sweep = 2,
                                      .n_steps = 1,
                                      .n_threads = 1,
                                      .isa = gb_isa_best()};
    assert_int_equal(gb_coordinate_draw_columns(&regression, columns, one_by_one, NULL), GB_OK);
    assert_int_equal(gb_conjugate_draw_columns(&regression, columns, p->eta, NULL), GB_OK);
    assert_memory_equal(p->eta, one_by_one, L * F * sizeof *one_by_one);
    free(one_by_one);
    free_problem(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_those_of_the_dense_draw),
        cmocka_unit_test(columns_whose_iterations_do_not_end_are_drawn_one_after_the_other)};
    return cmocka_run_group_tests_name("conjugate gradients", tests, NULL, NULL);
}
