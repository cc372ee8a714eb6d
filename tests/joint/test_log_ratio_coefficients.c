/* Coefficients: mean and covariance of many draws against the normal law that the joint density (helper_log_ratio.h) is in
 * eta. */
#include "coefficient/coefficient.h"
#include "counts/proportions.h"
#include "helper_log_ratio.h"
#include "simd/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { F = K + 1, N_DRAWS = 20000 };

enum { MOST_OUTPUTS = 51 };
static const double topic_variance[MOST_OUTPUTS] = {1.7, 0.6, 2.9, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7,
                                                    1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7,
                                                    1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7,
                                                    1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7, 1.7};
static const double intercept_variance[MOST_OUTPUTS] = {4, 2, 9, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
                                                        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
                                                        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
static const gb_coefficient_prior normal_prior = {
    .ops = &gb_coefficient_normal, .variance = topic_variance, .intercept_variance = intercept_variance};

/* log of (1) as a function of the coefficients of output l, the intercept last. */
static double log_joint_of_coefficients(const ratio_state *s, size_t l, const double *eta)
{
    double log_p = -eta[K] * eta[K] / (2 * normal_prior.intercept_variance[l]);
    for (size_t k = 0; k < K; k++)
        log_p -= eta[k] * eta[k] / (2 * normal_prior.variance[l]);
    ratio_state other = {.n_outputs = 1, .intercept = {eta[K]}};
    memcpy(other.topic, s->topic, sizeof other.topic);
    memcpy(other.eta[0], eta, sizeof other.eta[0]);
    for (size_t d = 0; d < D; d++)
        other.term[d][0] = s->term[d][l];
    return log_p + ratio_log_of_responses(&other);
}

/* Gauss-Jordan; the matrices here are small and well behaved. */
static void invert(size_t n, double a[F][F], double inverse[F][F])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            inverse[i][j] = i == j;
    for (size_t i = 0; i < n; i++) {
        const double pivot = a[i][i];
        for (size_t j = 0; j < n; j++) {
            a[i][j] /= pivot;
            inverse[i][j] /= pivot;
        }
        for (size_t m = 0; m < n; m++) {
            const double factor = a[m][i];
            for (size_t j = 0; j < n && m != i; j++) {
                a[m][j] -= factor * a[i][j];
                inverse[m][j] -= factor * inverse[i][j];
            }
        }
    }
}

/* The log joint is quadratic in eta, so differences at unit vectors give its normal without error. */
static void normal_of_joint(const ratio_state *s, size_t l, size_t n, double mean[F], double covariance[F][F])
{
    double zero[F] = {0}, one[F], lambda[F][F], h[F];
    const double at_zero = log_joint_of_coefficients(s, l, zero);
    for (size_t i = 0; i < n; i++) {
        double unit[F] = {0};
        unit[i] = 1;
        one[i] = log_joint_of_coefficients(s, l, unit) - at_zero;
        unit[i] = -1;
        const double minus = log_joint_of_coefficients(s, l, unit) - at_zero;
        h[i] = (one[i] - minus) / 2;
        lambda[i][i] = -one[i] - minus;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double both[F] = {0};
            both[i] = both[j] = 1;
            lambda[i][j] = lambda[j][i] = one[i] + one[j] - (log_joint_of_coefficients(s, l, both) - at_zero);
        }
    }
    invert(n, lambda, covariance);
    for (size_t i = 0; i < n; i++) {
        mean[i] = 0;
        for (size_t j = 0; j < n; j++)
            mean[i] += covariance[i][j] * h[j];
    }
}

/* How coefficients are drawn: by the block, by coordinates from 0, or by coordinates after a block draw. */
typedef enum start { BLOCK, FROM_ZERO, FROM_BLOCK } start;

static void scores_of(const gb_proportions *z, bool intercept, const double *eta, double *score)
{
    const size_t n = K + (intercept ? 1 : 0);
    for (size_t d = 0; d < D; d++) {
        for (size_t l = 0; l < L; l++) {
            const gb_document_topics t = gb_proportions_of(z, d);
            score[d * L + l] = intercept ? eta[l * n + K] : 0;
            for (size_t i = 0; i < t.n; i++)
                score[d * L + l] +=
                    eta[l * n + t.topic[i]] * t.count[i] / (double)(ratio_doc_start[d + 1] - ratio_doc_start[d]);
        }
    }
}

static void draw_coefficients(gb_regression regression, start from, double *eta)
{
    double score[D * L];
    memset(eta, 0, L * F * sizeof *eta);
    if (from != FROM_ZERO)
        assert_int_equal(gb_coefficient_block.draw(&regression, eta, NULL), GB_OK);
    if (from == BLOCK)
        return;
    scores_of(regression.design->z, gb_layout_find(&regression.design->layout, GB_CONSTANT_BLOCK) != NULL, eta,
              score);
    regression.score = score;
    regression.n_steps = from == FROM_ZERO ? 300 : 1; /* from a draw of the law, one pass has to give another */
    regression.key = gb_key_make(8, 0);
    assert_int_equal(gb_coefficient_coordinate.draw(&regression, eta, NULL), GB_OK);
}

static double largest_deviation(uint32_t stream, bool intercept, start from)
{
    gb_random r = ratio_stream(stream);
    const ratio_state s = ratio_random_state(&r, L, 20);
    const size_t n = K + (intercept ? 1 : 0), n_draws = from == FROM_ZERO ? N_DRAWS / 10 : N_DRAWS;
    gb_proportions z;
    gb_coefficient_scales scales;
    gb_score_term term[D * L];
    double first[L][F] = {{0}}, second[L][F][L][F] = {{{{0}}}}, mean[L][F], covariance[L][F][F], largest = 0;
    assert_int_equal(gb_proportions_create(&z, D, K, ratio_doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, s.topic, NULL), GB_OK);
    assert_int_equal(
        gb_coefficient_scales_create(&scales, &normal_prior, L, gb_layout_make(K, 0, 0, intercept), NULL), GB_OK);
    for (size_t d = 0; d < D; d++)
        memcpy(term + d * L, s.term[d], sizeof s.term[d]);
    for (size_t l = 0; l < L; l++)
        normal_of_joint(&s, l, n, mean[l], covariance[l]);
    for (uint32_t draw = 0; draw < n_draws; draw++) {
        const gb_design design = gb_design_make(&z, NULL, NULL, intercept);
        const gb_regression regression = {.design = &design,
                                          .n_outputs = L,
                                          .term = term,
                                          .scales = &scales,
                                          .key = gb_key_make(7, 0),
                                          .sweep = draw,
                                          .n_threads = 1,
                                          .isa = gb_isa_best()};
        double eta[L * F];
        draw_coefficients(regression, from, eta);
        for (size_t l = 0; l < L; l++) {
            for (size_t i = 0; i < n; i++) {
                const double x = eta[l * n + i] - mean[l][i];
                first[l][i] += x / (double)n_draws;
                for (size_t m = 0; m <= l; m++)
                    for (size_t j = 0; j < n; j++)
                        second[l][i][m][j] += x * (eta[m * n + j] - mean[m][j]) / (double)n_draws;
            }
        }
    }
    for (size_t l = 0; l < L; l++) {
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(first[l][i]) / sqrt(covariance[l][i][i] / (double)n_draws));
            for (size_t m = 0; m <= l; m++) {
                for (size_t j = 0; j < n; j++) { /* outputs are independent */
                    const double exact = l == m ? covariance[l][i][j] : 0;
                    const double error =
                        sqrt((covariance[l][i][i] * covariance[m][j][j] + exact * exact) / (double)n_draws);
                    largest = fmax(largest, fabs(second[l][i][m][j] - exact) / error);
                }
            }
        }
    }
    gb_proportions_clear(&z);
    gb_coefficient_scales_clear(&scales);
    return largest;
}

static void coefficient_draws_have_the_normal_law_of_the_joint(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(5, false, BLOCK) < 5);
}

static void coefficient_draws_with_an_intercept_have_the_normal_law_of_the_joint(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(6, true, BLOCK) < 5);
}

static void a_pass_over_coordinates_leaves_the_normal_law_of_the_joint_alone(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(15, false, FROM_BLOCK) < 5);
    assert_true(largest_deviation(16, true, FROM_BLOCK) < 5);
}

static void many_passes_over_coordinates_reach_the_normal_law_of_the_joint(void **unused)
{
    (void)unused;
    assert_true(largest_deviation(17, false, FROM_ZERO) < 5);
    assert_true(largest_deviation(18, true, FROM_ZERO) < 5);
}

/* As wide as the groups that share a pass, wider, and not a multiple of them: the outputs do not mix. */
static void an_output_gets_the_same_coefficients_beside_any_number_of_others(void **unused)
{
    (void)unused;
    enum { MOST = MOST_OUTPUTS };
    gb_random r = ratio_stream(19);
    const ratio_state s = ratio_random_state(&r, L, 20);
    gb_proportions z;
    gb_score_term term[D * MOST];
    double score[D * MOST] = {0}, eta[MOST * F], alone[2][F];
    static const gb_coefficient_sampler *const samplers[] = {&gb_coefficient_block, &gb_coefficient_coordinate};
    assert_int_equal(gb_proportions_create(&z, D, K, ratio_doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, s.topic, NULL), GB_OK);
    for (size_t n = 1; n <= MOST; n++) {
        gb_coefficient_scales scales;
        assert_int_equal(gb_coefficient_scales_create(&scales, &normal_prior, n, gb_layout_make(K, 0, 0, true), NULL),
                         GB_OK);
        for (size_t d = 0; d < D; d++)
            for (size_t l = 0; l < n; l++)
                term[d * n + l] = s.term[d][l % L];
        const gb_design design = gb_design_make(&z, NULL, NULL, true);
        gb_regression regression = {.design = &design,
                                    .n_outputs = n,
                                    .term = term,
                                    .score = score,
                                    .scales = &scales,
                                    .key = gb_key_make(7, 0),
                                    .n_steps = 2,
                                    .n_threads = 2};
        for (size_t i = 0; i < 2; i++)
            for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
                memset(eta, 0, sizeof eta);
                regression.isa = (gb_isa)isa;
                assert_int_equal(samplers[i]->draw(&regression, eta, NULL), GB_OK);
                if (n == 1 && isa == GB_ISA_PLAIN)
                    memcpy(alone[i], eta, sizeof alone[i]);
                assert_memory_equal(alone[i], eta, sizeof alone[i]);
            }
        gb_coefficient_scales_clear(&scales);
    }
    gb_proportions_clear(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficient_draws_have_the_normal_law_of_the_joint),
        cmocka_unit_test(coefficient_draws_with_an_intercept_have_the_normal_law_of_the_joint),
        cmocka_unit_test(a_pass_over_coordinates_leaves_the_normal_law_of_the_joint_alone),
        cmocka_unit_test(many_passes_over_coordinates_reach_the_normal_law_of_the_joint),
        cmocka_unit_test(an_output_gets_the_same_coefficients_beside_any_number_of_others),
    };
    return cmocka_run_group_tests_name("normal law of coefficients", tests, NULL, NULL);
}
