/* Draws of coefficients with covariates: every sampler against the normal law (Lambda^{-1} h, Lambda^{-1}), whose
 * moments are worked out here from the dense matrix of features; the variance that is sampled; the same bits on any
 * number of threads and with every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "base/memory.h"
#include "coefficient/coefficient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 3, P = 7, F = K + P + 1, D = 24, L = 3, MOST_TOKENS = 6 * D };

static const double variance[L] = {1.7, 0.5, 3}, covariate_variance[L] = {0.8, 2, 0.3},
                    intercept_variance[L] = {4, 2, 0.5};
static const gb_coefficient_prior normal_prior = {.ops = &gb_coefficient_normal,
                                                  .variance = variance,
                                                  .covariate_variance = covariate_variance,
                                                  .intercept_variance = intercept_variance};

/* ---- a regression ---- */

/* Topics of documents of 0 to 5 tokens, and covariates: a number (column 0), a factor with four levels (1 to 4), a
 * list of two (5, 6), the first of which most documents have.  Labels of the last output are missing in every third document. */
typedef struct problem {
    uint64_t doc_start[D + 1];
    uint16_t topic[MOST_TOKENS];
    gb_proportions z;
    gb_sparse_columns x;
    gb_score_term term[D * L];
    double f[D][F]; /* all features, dense */
} problem;

static void make_topics(problem *p, gb_random *r)
{
    for (size_t d = 0; d < D; d++) {
        const uint64_t length = d % 6;
        p->doc_start[d + 1] = p->doc_start[d] + length;
        for (uint64_t i = 0; i < length; i++) {
            const uint64_t k = gb_random_below(r, K);
            p->topic[p->doc_start[d] + i] = (uint16_t)k;
            p->f[d][k] += 1 / (double)length;
        }
    }
    assert_int_equal(gb_proportions_create(&p->z, D, K, p->doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&p->z, p->topic, NULL), GB_OK);
}

static void make_covariates(problem *p, gb_random *r)
{
    gb_sparse_entry entry[D * P];
    uint64_t n = 0;
    for (size_t d = 0; d < D; d++) {
        double *x = p->f[d] + K;
        x[0] = gb_random_normal(r);
        x[1 + gb_random_below(r, 4)] = 1;
        x[5] = gb_random_below(r, 4) > 0; /* dense, as column 0 is */
        x[6] = (double)gb_random_below(r, 2);
        p->f[d][F - 1] = 1;
        for (uint32_t j = 0; j < P; j++)
            if (x[j] != 0)
                entry[n++] = (gb_sparse_entry){d, j, x[j]};
    }
    assert_int_equal(gb_sparse_columns_create(&p->x, D, P, n, entry, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&p->x, NULL), GB_OK);
}

static problem *make_problem(void)
{
    problem *p = calloc(1, sizeof *p);
    gb_random r = law_stream(0);
    assert_non_null(p);
    make_topics(p, &r);
    make_covariates(p, &r);
    for (size_t i = 0; i < D * L; i++)
        if (i % L != L - 1 || (i / L) % 3 != 0)
            p->term[i] = (gb_score_term){
                .slope = gb_random_normal(&r), .omega = gb_random_exponential(&r), .centre = gb_random_normal(&r)};
    return p;
}

static void free_problem(problem *p)
{
    gb_proportions_clear(&p->z);
    gb_sparse_columns_clear(&p->x);
    free(p);
}

static void score_of(const problem *p, const double *eta, double *score)
{
    for (size_t d = 0; d < D; d++)
        for (size_t l = 0; l < L; l++) {
            score[d * L + l] = 0;
            for (size_t k = 0; k < F; k++)
                score[d * L + l] += p->f[d][k] * eta[l * F + k];
        }
}

/* ---- the exact law ---- */

/* a := its inverse, by Gauss and Jordan; symmetric and positive definite. */
static void invert(double a[F][F])
{
    for (size_t i = 0; i < F; i++) {
        const double pivot = a[i][i];
        a[i][i] = 1;
        for (size_t j = 0; j < F; j++)
            a[i][j] /= pivot;
        for (size_t k = 0; k < F; k++) {
            const double factor = a[k][i];
            if (k == i)
                continue;
            a[k][i] = 0;
            for (size_t j = 0; j < F; j++)
                a[k][j] -= factor * a[i][j];
        }
    }
}

static void exact_law(const problem *p, size_t l, double mean[F], double covariance[F][F])
{
    double h[F] = {0};
    memset(covariance, 0, F * sizeof covariance[0]);
    for (size_t k = 0; k < F; k++)
        covariance[k][k] = 1 / (k < K ? variance[l] : k < K + P ? covariate_variance[l] : intercept_variance[l]);
    for (size_t d = 0; d < D; d++) {
        const gb_score_term *t = &p->term[d * L + l];
        for (size_t i = 0; i < F; i++) {
            h[i] += (t->slope + t->omega * t->centre) * p->f[d][i];
            for (size_t j = 0; j < F; j++)
                covariance[i][j] += t->omega * p->f[d][i] * p->f[d][j];
        }
    }
    invert(covariance);
    for (size_t i = 0; i < F; i++) {
        mean[i] = 0;
        for (size_t j = 0; j < F; j++)
            mean[i] += covariance[i][j] * h[j];
    }
}

/* ---- sampling ---- */

typedef struct moments {
    size_t n;
    double sum[L][F], product[L][F][F]; /* about the exact mean */
} moments;

static void draw_once(const problem *p, const gb_coefficient_scales *scales, const gb_coefficient_sampler *sampler,
                      uint64_t seed, uint32_t sweep, size_t n_steps, double *eta)
{
    double score[D * L];
    score_of(p, eta, score);
    const gb_design design = gb_design_make(&p->z, &p->x, NULL, true);
    const gb_regression regression = {.design = &design,
                                      .n_outputs = L,
                                      .term = p->term,
                                      .score = score,
                                      .scales = scales,
                                      .key = gb_key_make(seed, 0),
                                      .sweep = sweep,
                                      .n_steps = n_steps,
                                      .n_threads = 1,
                                      .isa = gb_isa_best()};
    assert_int_equal(sampler->draw(&regression, eta, NULL), GB_OK);
}

static void add(moments *m, const double *eta, double mean[L][F])
{
    m->n++;
    for (size_t l = 0; l < L; l++)
        for (size_t i = 0; i < F; i++) {
            m->sum[l][i] += eta[l * F + i] - mean[l][i];
            for (size_t j = 0; j <= i; j++)
                m->product[l][i][j] += (eta[l * F + i] - mean[l][i]) * (eta[l * F + j] - mean[l][j]);
        }
}

/* Means, and second moments about the exact mean; for a normal law E (xy)^2 - (E xy)^2 = vx vy + cxy^2. */
static void check_moments(const char *law, const moments *m, double covariance[L][F][F])
{
    char statistic[60];
    const double n = (double)m->n;
    for (size_t l = 0; l < L; l++)
        for (size_t i = 0; i < F; i++) {
            snprintf(statistic, sizeof statistic, "mean of coefficient %zu of output %zu", i, l);
            law_check_z(law, statistic, m->sum[l][i] / n / sqrt(covariance[l][i][i] / n));
            for (size_t j = 0; j <= i; j++) {
                const double c = covariance[l][i][j];
                const double v = covariance[l][i][i] * covariance[l][j][j] + c * c;
                snprintf(statistic, sizeof statistic, "product of coefficients %zu, %zu of output %zu", i, j, l);
                law_check_z(law, statistic, (m->product[l][i][j] / n - c) / sqrt(v / n));
            }
        }
}

/* One pass from a draw of the law gives another; many from 0 get there. */
static void check_sampler(const gb_coefficient_sampler *sampler, bool from_zero)
{
    problem *p = make_problem();
    gb_coefficient_scales scales;
    double mean[L][F], covariance[L][F][F], eta[L * F];
    moments m = {.n = 0};
    char law[60];
    assert_int_equal(gb_coefficient_scales_create(&scales, &normal_prior, L, gb_layout_make(K, P, 0, true), NULL),
                     GB_OK);
    for (size_t l = 0; l < L; l++)
        exact_law(p, l, mean[l], covariance[l]);
    for (uint32_t i = 0; i < (from_zero ? 4000 : 40000); i++) {
        memset(eta, 0, sizeof eta);
        if (!from_zero)
            draw_once(p, &scales, &gb_coefficient_block, 1, i, 1, eta);
        for (uint32_t pass = 0; pass < (from_zero && sampler != &gb_coefficient_block ? 100 : 1); pass++)
            draw_once(p, &scales, sampler, 2, 100 * i + pass, 1, eta);
        add(&m, eta, mean);
    }
    snprintf(law, sizeof law, "%s from %s", sampler->name, from_zero ? "0" : "a draw");
    check_moments(law, &m, covariance);
    gb_coefficient_scales_clear(&scales);
    free_problem(p);
}

static void the_block_draw_has_the_normal_law(void **state)
{
    (void)state;
    check_sampler(&gb_coefficient_block, true);
    check_sampler(&gb_coefficient_block, false);
}

static void the_coordinate_draw_has_the_normal_law(void **state)
{
    (void)state;
    check_sampler(&gb_coefficient_coordinate, true);
    check_sampler(&gb_coefficient_coordinate, false);
}

static void the_mixed_draw_has_the_normal_law(void **state)
{
    (void)state;
    check_sampler(&gb_coefficient_mixed, true);
    check_sampler(&gb_coefficient_mixed, false);
}

static void the_conjugate_draw_has_the_normal_law(void **state)
{
    (void)state;
    check_sampler(&gb_coefficient_conjugate, true);
    check_sampler(&gb_coefficient_conjugate, false);
}

/* After a mixed draw the topics' numbers and the columns' must not be the same ones: with no documents but the prior,
 * coefficients in units of their prior deviation are the bare numbers. */
static void the_mixed_draw_uses_no_number_twice(void **state)
{
    (void)state;
    problem *p = make_problem();
    gb_coefficient_scales scales;
    double eta[L * F] = {0}, number[L * F];
    memset(p->term, 0, sizeof p->term);
    assert_int_equal(gb_coefficient_scales_create(&scales, &normal_prior, L, gb_layout_make(K, P, 0, true), NULL),
                     GB_OK);
    draw_once(p, &scales, &gb_coefficient_mixed, 3, 1, 1, eta);
    for (size_t i = 0; i < L * F; i++) {
        const size_t k = i % F;
        number[i] = eta[i] / sqrt(k < K       ? variance[i / F]
                                  : k < K + P ? covariate_variance[i / F]
                                              : intercept_variance[i / F]);
        for (size_t j = 0; j < i; j++)
            assert_true(fabs(number[i] - number[j]) > 1e-9);
    }
    gb_coefficient_scales_clear(&scales);
    free_problem(p);
}

/* ---- bits ---- */

enum { MANY = 1500, MANY_K = 12, MANY_P = 60, MANY_L = 11, MANY_F = MANY_K + MANY_P + 1, MANY_TOKENS = 8 * MANY };

typedef struct large {
    uint64_t doc_start[MANY + 1];
    uint16_t topic[MANY_TOKENS];
    gb_sparse_entry entry[2 * MANY];
    gb_score_term term[MANY * MANY_L];
    double score[MANY * MANY_L], eta[MANY_L * MANY_F], again[MANY_L * MANY_F];
    double variance[MANY_L];
} large;

static void fill_large(large *a, gb_random *r)
{
    for (size_t d = 0; d < MANY; d++) {
        a->doc_start[d + 1] = a->doc_start[d] + gb_random_below(r, 8);
        for (uint64_t i = a->doc_start[d]; i < a->doc_start[d + 1]; i++)
            a->topic[i] = (uint16_t)gb_random_below(r, MANY_K);
        a->entry[2 * d] = (gb_sparse_entry){d, 0, gb_random_normal(r)};
        a->entry[2 * d + 1] = (gb_sparse_entry){d, 1 + (uint32_t)gb_random_below(r, MANY_P - 1), 1};
    }
    for (size_t i = 0; i < MANY * MANY_L; i++)
        a->term[i] = (gb_score_term){gb_random_normal(r), gb_random_exponential(r), gb_random_normal(r)};
    for (size_t l = 0; l < MANY_L; l++)
        a->variance[l] = 1 + (double)l;
}

static void bits_do_not_depend_on_threads_or_instructions(void **state)
{
    (void)state;
    static const gb_coefficient_sampler *const samplers[] = {&gb_coefficient_block, &gb_coefficient_coordinate,
                                                             &gb_coefficient_mixed, &gb_coefficient_conjugate};
    large *a = calloc(1, sizeof *a);
    gb_random r = law_stream(5);
    gb_proportions z;
    gb_sparse_columns x;
    gb_coefficient_scales scales;
    assert_non_null(a);
    fill_large(a, &r);
    const gb_coefficient_prior prior = {.ops = &gb_coefficient_normal,
                                        .variance = a->variance,
                                        .covariate_variance = (const double[MANY_L]){2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                                        .intercept_variance =
                                            (const double[MANY_L]){9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}};
    assert_int_equal(gb_proportions_create(&z, MANY, MANY_K, a->doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, a->topic, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_create(&x, MANY, MANY_P, 2 * MANY, a->entry, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&x, NULL), GB_OK);
    assert_int_equal(
        gb_coefficient_scales_create(&scales, &prior, MANY_L, gb_layout_make(MANY_K, MANY_P, 0, true), NULL), GB_OK);
    for (size_t s = 0; s < sizeof samplers / sizeof *samplers; s++)
        for (size_t threads = 1; threads <= 4; threads++)
            for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
                const gb_design design = gb_design_make(&z, &x, NULL, true);
                const gb_regression regression = {.design = &design,
                                                  .n_outputs = MANY_L,
                                                  .term = a->term,
                                                  .score = a->score,
                                                  .scales = &scales,
                                                  .key = gb_key_make(9, 0),
                                                  .n_steps = 2,
                                                  .n_threads = threads,
                                                  .isa = (gb_isa)isa};
                double *eta = threads == 1 && isa == GB_ISA_PLAIN ? a->eta : a->again;
                memset(eta, 0, sizeof a->eta);
                assert_int_equal(samplers[s]->draw(&regression, eta, NULL), GB_OK);
                assert_true(eta[0] != 0 && eta[MANY_L * MANY_F - 1] != 0);
                if (eta == a->again)
                    assert_memory_equal(a->eta, a->again, sizeof a->eta);
            }
    gb_coefficient_scales_clear(&scales);
    gb_sparse_columns_clear(&x);
    gb_proportions_clear(&z);
    free(a);
}

/* ---- the sampled variance ---- */

static const gb_coefficient_prior sampled_prior = {.ops = &gb_coefficient_normal,
                                                   .variance_is_sampled = true,
                                                   .covariate_variance = covariate_variance,
                                                   .intercept_variance = intercept_variance};

/* 1 / v of v ~ InvGamma(a, b): Gamma(a, rate b). */
typedef struct gamma_law {
    double shape, rate;
} gamma_law;

static double gamma_cdf(double x, const void *parameters)
{
    const gamma_law *g = parameters;
    return law_gamma_cdf(g->shape, log(g->rate * x));
}

/* Coefficients of covariates and the intercept are large, and must not matter. */
static void the_variance_has_its_conditional_law(void **state)
{
    (void)state;
    double eta[2 * F] = {0}, *x = law_room(LAW_DRAWS);
    const double topic[K] = {0.5, -1.25, 2};
    const gamma_law g = {1 + K / 2.0, 1 + (0.25 + 1.5625 + 4) / 2};
    gb_coefficient_scales scales;
    assert_int_equal(gb_coefficient_scales_create(&scales, &sampled_prior, 2, gb_layout_make(K, P, 0, true), NULL),
                     GB_OK);
    assert_int_equal(scales.n, 1);
    for (size_t k = 0; k < F; k++)
        eta[F + k] = k < K ? topic[k] : 100;
    for (uint32_t i = 0; i < LAW_DRAWS; i++) {
        assert_int_equal(gb_coefficient_scales_draw(&scales, eta, gb_key_make(4, 0), i, 1, NULL), GB_OK);
        x[i] = 1 / scales.square[1];
    }
    law_check_cdf("precision of topic coefficients", LAW_DRAWS, x, gamma_cdf, &g);
    free(x);
    gb_coefficient_scales_clear(&scales);
}

static void drawing_the_variance_leaves_its_prior_alone(void **state)
{
    (void)state;
    double square[1], eta[F] = {0}, *x = law_room(LAW_DRAWS), *ratio = law_room(LAW_DRAWS);
    const gamma_law g = {1, 1};
    gb_coefficient_scales scales = {
        .prior = &sampled_prior, .n_outputs = 1, .layout = gb_layout_make(K, P, 0, true), .n = 1, .square = square};
    gb_random r = law_stream(6);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        const double v = 1 / gb_random_exponential(&r);
        for (size_t k = 0; k < K; k++)
            eta[k] = sqrt(v) * gb_random_normal(&r);
        sampled_prior.ops->draw_scales(&scales, 0, eta, &r);
        x[i] = 1 / square[0];
        ratio[i] = exp(-eta[1] * eta[1] * x[i] / 2);
    }
    law_check_mean("sampled variance", "exp(-x^2 / 2) of eta / sqrt(v)", LAW_DRAWS, ratio, NULL, M_SQRT1_2);
    law_check_cdf("sampled precision", LAW_DRAWS, x, gamma_cdf, &g);
    free(x);
    free(ratio);
}

/* log p(eta, log v) written out, and the precisions that belong to it. */
static void densities_and_precisions_are_those_of_the_priors(void **state)
{
    (void)state;
    const double log_two_pi = log(2 * M_PI), v = 0.37;
    double square[1] = {v}, eta[F], precision[F], fixed = 0, sampled = -log(v) - 1 / v;
    gb_coefficient_scales scales = {.prior = &normal_prior, .n_outputs = L, .layout = gb_layout_make(K, P, 0, true)};
    for (size_t k = 0; k < F; k++) {
        eta[k] = 0.3 * (double)k - 1;
        const double u = k < K ? variance[1] : k < K + P ? covariate_variance[1] : intercept_variance[1];
        const double w = k < K ? v : k < K + P ? covariate_variance[0] : intercept_variance[0];
        fixed -= (log_two_pi + log(u) + eta[k] * eta[k] / u) / 2;
        sampled -= (log_two_pi + log(w) + eta[k] * eta[k] / w) / 2;
    }
    normal_prior.ops->precision(&scales, 1, precision);
    for (size_t k = 0; k < F; k++)
        assert_true(fabs(precision[k] * (k < K       ? variance[1]
                                         : k < K + P ? covariate_variance[1]
                                                     : intercept_variance[1]) -
                         1) < 1e-14);
    assert_true(fabs(normal_prior.ops->log_density(&scales, 1, eta) - fixed) < 1e-12);
    scales.prior = &sampled_prior;
    scales.n = 1;
    scales.square = square;
    sampled_prior.ops->precision(&scales, 0, precision);
    for (size_t k = 0; k < F; k++)
        assert_true(fabs(precision[k] * (k < K       ? v
                                         : k < K + P ? covariate_variance[0]
                                                     : intercept_variance[0]) -
                         1) < 1e-14);
    assert_true(fabs(sampled_prior.ops->log_density(&scales, 0, eta) - sampled) < 1e-12);
}

/* ---- which sampler ---- */

static void samplers_are_found_by_name_and_size(void **state)
{
    (void)state;
    assert_ptr_equal(gb_coefficient_sampler_find("block", 900, 0), &gb_coefficient_block);
    assert_ptr_equal(gb_coefficient_sampler_find("coordinate", 3, 0), &gb_coefficient_coordinate);
    assert_ptr_equal(gb_coefficient_sampler_find("mixed", 3, 0), &gb_coefficient_mixed);
    assert_ptr_equal(gb_coefficient_sampler_find("conjugate", 3, 0), &gb_coefficient_conjugate);
    assert_null(gb_coefficient_sampler_find("slice", 3, 0));
    assert_ptr_equal(gb_coefficient_sampler_find("auto", 399, 0), &gb_coefficient_block);
    assert_ptr_equal(gb_coefficient_sampler_find("auto", 400, 0), &gb_coefficient_coordinate);
    assert_ptr_equal(gb_coefficient_sampler_find("auto", 100, 299), &gb_coefficient_block);
    assert_ptr_equal(gb_coefficient_sampler_find("auto", 100, 300), &gb_coefficient_mixed);
    assert_ptr_equal(gb_coefficient_sampler_find("auto", 400, 300), &gb_coefficient_coordinate);
}

static void a_block_that_is_too_large_is_refused(void **state)
{
    (void)state;
    problem *p = make_problem();
    gb_error err = {.status = GB_OK};
    gb_sparse_columns x;
    gb_coefficient_scales scales;
    enum { TOO_MANY = 20000 };
    double *eta = law_room(L * (K + TOO_MANY)), score[D * L] = {0};
    assert_int_equal(gb_sparse_columns_create(&x, D, TOO_MANY, 0, NULL, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&x, NULL), GB_OK);
    assert_int_equal(
        gb_coefficient_scales_create(&scales, &normal_prior, L, gb_layout_make(K, TOO_MANY, 0, false), NULL), GB_OK);
    const gb_design design = gb_design_make(&p->z, &x, NULL, false);
    const gb_regression regression = {.design = &design,
                                      .n_outputs = L,
                                      .term = p->term,
                                      .score = score,
                                      .scales = &scales,
                                      .n_steps = 1,
                                      .n_threads = 1,
                                      .isa = gb_isa_best()};
    memset(eta, 0, L * (K + TOO_MANY) * sizeof *eta);
    assert_int_equal(gb_coefficient_block.draw(&regression, eta, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "20003 coefficients of a score are too many for `coefficient-sampler` block, "
                                     "which takes 20000: use mixed or coordinate");
    assert_int_equal(gb_coefficient_mixed.draw(&regression, eta, NULL), GB_OK);
    gb_coefficient_scales_clear(&scales);
    gb_sparse_columns_clear(&x);
    free(eta);
    free_problem(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_draw_has_the_normal_law),
        cmocka_unit_test(the_coordinate_draw_has_the_normal_law),
        cmocka_unit_test(the_mixed_draw_has_the_normal_law),
        cmocka_unit_test(the_conjugate_draw_has_the_normal_law),
        cmocka_unit_test(the_mixed_draw_uses_no_number_twice),
        cmocka_unit_test(bits_do_not_depend_on_threads_or_instructions),
        cmocka_unit_test(the_variance_has_its_conditional_law),
        cmocka_unit_test(drawing_the_variance_leaves_its_prior_alone),
        cmocka_unit_test(densities_and_precisions_are_those_of_the_priors),
        cmocka_unit_test(samplers_are_found_by_name_and_size),
        cmocka_unit_test(a_block_that_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
