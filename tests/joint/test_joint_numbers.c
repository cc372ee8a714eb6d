/* The joint table for targets that are numbers: the law of the whole chain against exact enumeration, as in
 * test_joint_table.c, for {gaussian, insensitive, negative binomial} x {normal, horseshoe} x {block, coordinate} x the
 * three topic treatments, with covariates, weights, exposures and sampled parameters in some of the rows.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per row. */
#include "helper_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member of rows: no second response */

static const joint_row gaussian_too = {VECTOR, GAUSSIAN_2, 1, 2, NO, &corpus_partial, NORMAL, BLOCK, HIDDEN},
                       counts_too = {SYMMETRIC, COUNTS, 2, 2, NO, &corpus_short, NORMAL, COORDINATE, EXPOSURE},
                       wide_too = {UNIFORM, WIDE, SAMPLED, 2, NO, &corpus_hollow, NORMAL, BLOCK, NUMBER};

/* clang-format off */
/*    document   response     B        K  intercept  corpus             coefficients  sampler    besides */
static const joint_row rows[] = {
    { SYMMETRIC, GAUSSIAN,    1,       3, YES, &corpus_full,           NORMAL,    BLOCK,      0 },
    { VECTOR,    GAUSSIAN_2,  2,       2, NO,  &corpus_partial,        NORMAL,    BLOCK,      WEIGHTS | HIDDEN },
    { UNIFORM,   GAUSSIAN_2,  SAMPLED, 2, YES, &corpus_hollow,         NORMAL,    BLOCK,      NUMBER | FACTOR },
    { VECTOR,    GAUSSIAN_2,  1,       2, NO,  &corpus_partial,        NORMAL,    COORDINATE, WEIGHTS | HIDDEN },
    { UNIFORM,   GAUSSIAN_2,  2,       2, YES, &corpus_hollow,         NORMAL,    COORDINATE, NUMBER | FACTOR },
    { SYMMETRIC, GAUSSIAN,    SAMPLED, 3, YES, &corpus_full,           NORMAL,    COORDINATE, 0 },
    { UNIFORM,   GAUSSIAN_2,  SAMPLED, 2, YES, &corpus_hollow,         NORMAL,    MIXED,      NUMBER | FACTOR },
    { SYMMETRIC, GAUSSIAN,    1,       3, NO,  &corpus_partial_hollow, NORMAL,    BLOCK,      HIDDEN | VARIANCE },
    { VECTOR,    GAUSSIAN,    1,       2, NO,  &corpus_partial_hollow, HORSESHOE, BLOCK,      WEIGHTS },
    { VECTOR,    GAUSSIAN,    2,       2, NO,  &corpus_partial_hollow, HORSESHOE, BLOCK,      WEIGHTS },
    { VECTOR,    GAUSSIAN,    SAMPLED, 2, NO,  &corpus_partial_hollow, HORSESHOE, BLOCK,      WEIGHTS },
    { VECTOR,    GAUSSIAN,    1,       2, NO,  &corpus_partial_hollow, HORSESHOE, COORDINATE, WEIGHTS },
    { VECTOR,    GAUSSIAN,    2,       2, NO,  &corpus_partial_hollow, HORSESHOE, COORDINATE, WEIGHTS },
    { VECTOR,    GAUSSIAN,    SAMPLED, 2, NO,  &corpus_partial_hollow, HORSESHOE, COORDINATE, WEIGHTS },

    { VECTOR,    NARROW,      1,       3, NO,  &corpus_hollow,         NORMAL,    BLOCK,      0 },
    { UNIFORM,   WIDE,        2,       2, NO,  &corpus_short,          NORMAL,    BLOCK,      WEIGHTS },
    { SYMMETRIC, WIDE,        SAMPLED, 2, YES, &corpus_partial,        NORMAL,    BLOCK,      NUMBER },
    { SYMMETRIC, WIDE,        1,       2, YES, &corpus_partial,        NORMAL,    COORDINATE, NUMBER },
    { VECTOR,    NARROW,      2,       3, NO,  &corpus_hollow,         NORMAL,    COORDINATE, 0 },
    { UNIFORM,   WIDE,        SAMPLED, 2, NO,  &corpus_short,          NORMAL,    COORDINATE, WEIGHTS },
    { SYMMETRIC, WIDE,        1,       2, NO,  &corpus_hollow,         HORSESHOE, BLOCK,      0 },
    { SYMMETRIC, WIDE,        2,       2, NO,  &corpus_hollow,         HORSESHOE, BLOCK,      0 },
    { SYMMETRIC, WIDE,        SAMPLED, 2, NO,  &corpus_hollow,         HORSESHOE, BLOCK,      0 },
    { SYMMETRIC, WIDE,        1,       2, NO,  &corpus_hollow,         HORSESHOE, COORDINATE, 0 },
    { SYMMETRIC, WIDE,        2,       2, NO,  &corpus_hollow,         HORSESHOE, COORDINATE, 0 },
    { SYMMETRIC, WIDE,        SAMPLED, 2, NO,  &corpus_hollow,         HORSESHOE, COORDINATE, 0 },

    { UNIFORM,   COUNTS,      1,       2, NO,  &corpus_short,          NORMAL,    BLOCK,      EXPOSURE | HIDDEN },
    { SYMMETRIC, COUNTS,      2,       3, NO,  &corpus_full,           NORMAL,    BLOCK,      EXPOSURE },
    { VECTOR,    COUNTS_2,    SAMPLED, 2, YES, &corpus_partial_hollow, NORMAL,    BLOCK,      WEIGHTS | FACTOR },
    { VECTOR,    COUNTS_2,    1,       2, YES, &corpus_partial_hollow, NORMAL,    COORDINATE, WEIGHTS | FACTOR },
    { UNIFORM,   COUNTS,      2,       2, NO,  &corpus_short,          NORMAL,    COORDINATE, EXPOSURE | HIDDEN },
    { SYMMETRIC, COUNTS,      SAMPLED, 3, NO,  &corpus_full,           NORMAL,    COORDINATE, EXPOSURE },
    { UNIFORM,   COUNTS,      1,       2, NO,  &corpus_partial,        HORSESHOE, BLOCK,      EXPOSURE },
    { UNIFORM,   COUNTS,      2,       2, NO,  &corpus_partial,        HORSESHOE, BLOCK,      EXPOSURE },
    { UNIFORM,   COUNTS,      SAMPLED, 2, NO,  &corpus_partial,        HORSESHOE, BLOCK,      EXPOSURE },
    { UNIFORM,   COUNTS,      1,       2, NO,  &corpus_partial,        HORSESHOE, COORDINATE, EXPOSURE },
    { UNIFORM,   COUNTS,      2,       2, NO,  &corpus_partial,        HORSESHOE, COORDINATE, EXPOSURE },
    { UNIFORM,   COUNTS,      SAMPLED, 2, NO,  &corpus_partial,        HORSESHOE, COORDINATE, EXPOSURE },

    /* words in two bags */
    { SYMMETRIC, GAUSSIAN_2,  2,       2, NO,  &corpus_partial,        NORMAL,    BLOCK,      BAGS | HIDDEN },
    { VECTOR,    GAUSSIAN,    SAMPLED, 2, YES, &corpus_partial_hollow, NORMAL,    COORDINATE, BAGS | SEEDS },

    /* words beside topics */
    { SYMMETRIC, GAUSSIAN,    1,       2, YES, &corpus_short,          NORMAL,    MIXED,      WORDS | NUMBER },
    { VECTOR,    GAUSSIAN_2,  2,       2, YES, &corpus_hollow,         NORMAL,    COORDINATE, WORDS },
    { UNIFORM,   GAUSSIAN,    SAMPLED, 2, NO,  &corpus_full,           NORMAL,    BLOCK,      WORDS | HIDDEN },
    { SYMMETRIC, GAUSSIAN,    1,       2, YES, &corpus_partial_hollow, NORMAL,    MIXED,      WORD_VARIANCE },
    { UNIFORM,   COUNTS,      2,       2, NO,  &corpus_short,          NORMAL,    MIXED,      WORD_VARIANCE | EXPOSURE },
    { VECTOR,    WIDE,        1,       2, NO,  &corpus_full,           NORMAL,    MIXED,      WORDS },
    { SYMMETRIC, GAUSSIAN,    1,       2, YES, &corpus_short,          NORMAL,    CONJUGATE,  WORDS | NUMBER },
    { SYMMETRIC, GAUSSIAN,    1,       2, YES, &corpus_partial_hollow, NORMAL,    CONJUGATE,  WORD_VARIANCE },
    { UNIFORM,   COUNTS,      2,       2, NO,  &corpus_short,          NORMAL,    CONJUGATE,  WORD_VARIANCE | EXPOSURE },
    { VECTOR,    WIDE,        1,       2, NO,  &corpus_full,           NORMAL,    CONJUGATE,  WORDS },

    /* an embedding beside topics */
    { SYMMETRIC, GAUSSIAN,    1,       2, YES, &corpus_short,          NORMAL,    BLOCK,      EMBEDDING },
    { VECTOR,    GAUSSIAN_2,  2,       2, YES, &corpus_hollow,         NORMAL,    COORDINATE, EMBEDDING | NUMBER },
    { SYMMETRIC, GAUSSIAN,    1,       2, YES, &corpus_partial_hollow, NORMAL,    BLOCK,      EMBEDDING_VARIANCE },
    { UNIFORM,   COUNTS,      2,       2, NO,  &corpus_short,          NORMAL,    MIXED,      EMBEDDING | WORDS },

    /* two responses: classes, and a number */
    { VECTOR,    LOGISTIC, BINARY,  1,       2, NO,  &corpus_partial, NORMAL, BLOCK,      0,        &gaussian_too },
    { SYMMETRIC, PROBIT,   LABELS,  2,       2, NO,  &corpus_short,   NORMAL, COORDINATE, 0,        &counts_too },
    { UNIFORM,   HINGE,    BINARY,  SAMPLED, 2, NO,  &corpus_hollow,  NORMAL, BLOCK,      NUMBER,   &wide_too },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static size_t n_sweeps(const joint_row *row)
{
    const size_t slow = 100000, n = joint_effort(row->horseshoe ? slow : 40000);
    return row->horseshoe && n < slow ? slow : n;
}

static joint_table table = {.name = "joint table of numbers",
                            .rows = rows,
                            .n_rows = N_ROWS,
                            .first_seed = 5000,
                            .n_sweeps = n_sweeps,
                            .largest_mean_square = 9,
                            .short_grid = {.panel = 4, .nodes = 6}};

static void every_combination_has_a_row(void **state)
{
    (void)state;
    for (int response = RESPONSE_INSENSITIVE; response <= RESPONSE_NEGATIVE_BINOMIAL; response++) {
        for (int blocks = SAMPLED; blocks <= 2; blocks++) {
            for (int prior = NORMAL; prior <= HORSESHOE; prior++) {
                for (int sampler = BLOCK; sampler <= COORDINATE; sampler++) {
                    size_t n = 0;
                    for (size_t r = 0; r < N_ROWS; r++)
                        n += (int)rows[r].response == response && rows[r].blocks == blocks &&
                             rows[r].horseshoe == (prior == HORSESHOE) && rows[r].sampler == sampler;
                    assert_true(n >= 1);
                }
            }
        }
    }
}

/* ---- the exact side itself ---- */

static const joint_hidden given = {{0.7}, JOINT_VARIANCE};

static double largest_difference(const score_law *a, const score_law *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    double largest = 0;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
        largest = fmax(largest, fabs(x[i] - y[i]));
    return largest;
}

static void quadrature_agrees_with_the_closed_form(void **state)
{
    (void)state;
    static const joint_row tried[] = {
        {SYMMETRIC, GAUSSIAN, 1, 3, NO, &corpus_full, NORMAL, BLOCK, 0},
        {SYMMETRIC, GAUSSIAN, 1, 2, YES, &corpus_partial, NORMAL, BLOCK, WEIGHTS},
        {SYMMETRIC, GAUSSIAN_2, 1, 2, NO, &corpus_partial_hollow, NORMAL, BLOCK, NUMBER},
        {SYMMETRIC, GAUSSIAN_2, 1, 2, YES, &corpus_hollow, NORMAL, BLOCK, NUMBER | FACTOR | WEIGHTS}};
    static const joint_fault faults[] = {FAULT_NONE, FAULT_LENGTH_MINUS_ONE, FAULT_NOISE_SHAPE, FAULT_ONE_VARIANCE,
                                         FAULT_COVARIATES_AS_TOPICS};
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{1, 2}, {1, 0}, {1, 1}, {2, 0}};
    double largest = 0;
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        for (size_t j = 0; j < sizeof faults / sizeof faults[0]; j++) {
            score_law closed, sum;
            joint_gaussian_law(&tried[i], faults[j], n, 0, &given, &closed);
            joint_score_law(&tried[i], faults[j], (joint_grid){.panel = 1, .nodes = 8}, n, 0, &given, &sum);
            largest = fmax(largest, largest_difference(&closed, &sum));
        }
    }
    char text[60];
    snprintf(text, sizeof text, "largest difference %.1e", largest);
    joint_say("closed form", text);
    assert_true(largest < 5e-6);
}

/* One point of the grid: coefficients of two topics and of a covariate. */
static void add_point(const joint_row *row, unsigned n[MAX_DOCS][MAX_TOPICS], const double *eta, double prior,
                      score_law *sum)
{
    const size_t n_docs = row->corpus->n_docs;
    double s[MAX_DOCS], log_w = log(prior);
    for (size_t d = 0; d < n_docs; d++) {
        const joint_target target = joint_target_of(row, d, 0);
        const double length = fmax(1, (double)row->corpus->length[d]);
        s[d] = (eta[0] * n[d][0] + eta[1] * n[d][1]) / length;
        if (joint_n_covariates(row) > 0)
            s[d] += eta[2] * joint_covariate(row, d, 0);
        log_w += joint_log_likelihood(row, FAULT_NONE, &target, &row->parameter, s[d]);
    }
    const double w = exp(log_w);
    sum->evidence += w;
    sum->square += w * (eta[0] * eta[0] + eta[1] * eta[1]);
    sum->g[0] += w * eta[2];
    sum->gg[0] += w * eta[2] * eta[2];
    for (size_t d = 0; d < n_docs; d++) {
        sum->s[d] += w * s[d];
        for (size_t e = 0; e < n_docs; e++)
            sum->ss[d][e] += w * s[d] * s[e];
    }
}

static double cell(double x, double variance, double step)
{
    return step * exp(-x * x / (2 * variance)) / sqrt(2 * M_PI * variance);
}

/* Without rotation or cuts: sums over a fine grid of the coefficients themselves. */
static void plain_grid(const joint_row *row, unsigned n[MAX_DOCS][MAX_TOPICS], double step, score_law *sum)
{
    const double reach = 8;
    memset(sum, 0, sizeof *sum);
    for (double a = -reach + step / 2; a < reach; a += step) {
        for (double b = -reach + step / 2; b < reach; b += step) {
            const double prior = cell(a, JOINT_VARIANCE, step) * cell(b, JOINT_VARIANCE, step);
            if (joint_n_covariates(row) == 0)
                add_point(row, n, (const double[]){a, b, 0}, prior, sum);
            for (double g = -5 + step / 2; g < 5 && joint_n_covariates(row) > 0; g += step)
                add_point(row, n, (const double[]){a, b, g}, prior * cell(g, JOINT_COVARIATE_VARIANCE, step), sum);
        }
    }
    for (double *x = (double *)sum + 1; x < (double *)(sum + 1); x++)
        *x /= sum->evidence;
}

static void a_plain_grid_of_coefficients_gives_the_same_law(void **state)
{
    (void)state;
    static const joint_row tried[] = {
        {VECTOR, WIDE, 1, 2, NO, &corpus_partial, NORMAL, BLOCK, WEIGHTS},
        {VECTOR, NARROW, 1, 2, NO, &corpus_partial, NORMAL, BLOCK, NUMBER},
        {VECTOR, COUNTS_2, 1, 2, NO, &corpus_partial, NORMAL, BLOCK, WEIGHTS | EXPOSURE},
        {VECTOR, COUNTS, 1, 2, NO, &corpus_partial, NORMAL, BLOCK, NUMBER | EXPOSURE}};
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{1, 1}, {0, 1}, {1, 1}, {2, 0}};
    char text[80];
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        score_law law, sum;
        const joint_hidden hidden = {{tried[i].parameter}, JOINT_VARIANCE};
        const double step = joint_n_covariates(&tried[i]) > 0 ? 0.1 : 0.02;
        plain_grid(&tried[i], n, step, &sum);
        joint_score_law(&tried[i], FAULT_NONE, joint_grid_usual, n, 0, &hidden, &law);
        assert_true(fabs(sum.evidence - law.evidence) < 1e-3 * law.evidence);
        memset(law.positive, 0, sizeof law.positive); /* the edge of s > 0 cuts through cells */
        const double difference = largest_difference(&law, &sum);
        snprintf(text, sizeof text, "row %zu: largest difference %.1e", i, difference);
        joint_say("plain grid", text);
        assert_true(difference < 2e-3);
    }
}

/* A score that is always 0 leaves the integral over the response's own parameter, which has a closed form: for
 * normal targets with S the sum of squares of D targets, p(y) = (2 pi)^-D/2 b^a / Gamma(a) Gamma(a + D/2) /
 * (b + S/2)^(a + D/2), with a = 1, b = 1/2; for D counts 0, (1/10) / (1/10 + D log 2). */
static void the_integral_over_the_parameter_is_right(void **state)
{
    (void)state;
    static const joint_corpus no_words = {
        .name = "no words", .n_docs = 3, .n_words = 1, .number = {0.4, -1.1, 0.8}, .weight = {1, 1, 1}};
    joint_row row = {SYMMETRIC, GAUSSIAN, 1, 2, NO, &no_words, NORMAL, BLOCK, HIDDEN};
    double value[MAX_HIDDEN][MAX_OWN], weight[MAX_HIDDEN], evidence = 0;
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{0}};
    score_law law;
    size_t n_values = joint_own_values(&row, FAULT_NONE, joint_grid_usual, value, weight);
    for (size_t i = 0; i < n_values; i++) {
        joint_gaussian_law(&row, FAULT_NONE, n, 0, &(joint_hidden){{value[i][0]}, JOINT_VARIANCE}, &law);
        evidence += weight[i] * law.evidence;
    }
    const double half_sum = (0.4 * 0.4 + 1.1 * 1.1 + 0.8 * 0.8) / 2;
    const double exact = pow(2 * M_PI, -1.5) * 0.5 * tgamma(2.5) / pow(0.5 + half_sum, 2.5);
    assert_true(fabs(evidence - exact) < 1e-8 * exact);
    row.response = RESPONSE_NEGATIVE_BINOMIAL;
    evidence = 0;
    n_values = joint_own_values(&row, FAULT_NONE, (joint_grid){.panel = 1, .nodes = 8}, value, weight);
    for (size_t i = 0; i < n_values; i++) {
        joint_score_law(&row, FAULT_NONE, joint_grid_usual, n, 0, &(joint_hidden){{value[i][0]}, JOINT_VARIANCE},
                        &law);
        evidence += weight[i] * law.evidence;
    }
    assert_true(fabs(evidence - 0.1 / (0.1 + 3 * log(2))) < 2e-4 * evidence); /* few counts: a tail towards r = 0 */
}

/* Each distinct law whose integral has two dimensions at most. */
static void finer_quadrature_changes_nothing(void **state)
{
    (void)state;
    double usual[MAX_QUANTITIES], finer[MAX_QUANTITIES];
    char text[80];
    if (!joint_is_long())
        skip();
    for (size_t r = 0; r < N_ROWS; r++) {
        const bool few_axes = !rows[r].intercept && joint_n_covariates(&rows[r]) == 0 && rows[r].n_topics == 2;
        if ((rows[r].sampler != BLOCK || rows[r].blocks != 1) || !(few_axes || rows[r].response == RESPONSE_GAUSSIAN))
            continue;
        double largest = 0;
        joint_exact(&rows[r], FAULT_NONE, joint_grid_usual, usual);
        joint_exact(&rows[r], FAULT_NONE, (joint_grid){.panel = 1.2, .nodes = 8}, finer);
        for (size_t i = 0; i < MAX_QUANTITIES; i++)
            largest = fmax(largest, fabs(usual[i] - finer[i]));
        snprintf(text, sizeof text, "row %zu: largest change %.1e", r, largest);
        joint_say("quadrature", text);
        assert_true(largest < (rows[r].horseshoe ? 3e-4 : 2e-5));
    }
}

/* ---- faults ---- */

NOTICED(a_divisor_of_length_minus_one_is_noticed_in_the_gaussian, table, FAULT_LENGTH_MINUS_ONE, SYMMETRIC, GAUSSIAN,
        1, 3, YES, &corpus_full, NORMAL, BLOCK, 0)
NOTICED(a_deviation_taken_for_a_variance_is_noticed, table, FAULT_DEVIATION_IS_VARIANCE, SYMMETRIC, GAUSSIAN, 1, 3,
        YES, &corpus_full, NORMAL, BLOCK, 0)
NOTICED(a_power_of_one_is_noticed_in_the_gaussian, table, FAULT_POWER_ONE, UNIFORM, GAUSSIAN_2, SAMPLED, 2, YES,
        &corpus_hollow, NORMAL, BLOCK, NUMBER | FACTOR)
NOTICED(a_shape_without_the_power_is_noticed_in_the_noise, table, FAULT_NOISE_SHAPE, VECTOR, GAUSSIAN_2, 2, 2, NO,
        &corpus_partial, NORMAL, BLOCK, WEIGHTS | HIDDEN)
NOTICED(weights_ignored_are_noticed_in_the_gaussian, table, FAULT_WEIGHTS_IGNORED, VECTOR, GAUSSIAN_2, 1, 2, NO,
        &corpus_partial, NORMAL, COORDINATE, WEIGHTS | HIDDEN)
NOTICED(a_missing_number_taken_for_0_is_noticed, table, FAULT_MISSING_IS_NEGATIVE, VECTOR, GAUSSIAN_2, 2, 2, NO,
        &corpus_partial, NORMAL, BLOCK, WEIGHTS | HIDDEN)
NOTICED(an_empty_document_left_out_is_noticed_in_the_gaussian, table, FAULT_EMPTY_LEFT_OUT, UNIFORM, GAUSSIAN_2,
        SAMPLED, 2, YES, &corpus_hollow, NORMAL, BLOCK, NUMBER | FACTOR)
NOTICED(covariates_ignored_are_noticed, table, FAULT_COVARIATES_IGNORED, UNIFORM, GAUSSIAN_2, SAMPLED, 2, YES,
        &corpus_hollow, NORMAL, BLOCK, NUMBER | FACTOR)
NOTICED(covariates_ignored_are_noticed_in_the_coordinate_draw, table, FAULT_COVARIATES_IGNORED, UNIFORM, GAUSSIAN_2,
        2, 2, YES, &corpus_hollow, NORMAL, COORDINATE, NUMBER | FACTOR)
NOTICED(covariates_whose_variance_forgets_the_cost_are_noticed, table, FAULT_COVARIATES_COST_ONE, UNIFORM, GAUSSIAN_2,
        SAMPLED, 2, YES, &corpus_hollow, NORMAL, BLOCK, NUMBER | FACTOR)
NOTICED(covariates_with_the_variance_of_topics_are_noticed, table, FAULT_COVARIATES_AS_TOPICS, UNIFORM, GAUSSIAN_2,
        SAMPLED, 2, YES, &corpus_hollow, NORMAL, BLOCK, NUMBER | FACTOR)
NOTICED(words_ignored_are_noticed, table, FAULT_COVARIATES_IGNORED, SYMMETRIC, GAUSSIAN, 1, 2, YES, &corpus_short,
        NORMAL, MIXED, WORDS | NUMBER)
NOTICED(an_embedding_ignored_is_noticed, table, FAULT_COVARIATES_IGNORED, SYMMETRIC, GAUSSIAN, 1, 2, YES,
        &corpus_short, NORMAL, BLOCK, EMBEDDING)
NOTICED(another_shape_of_the_embeddings_variance_is_noticed, table, FAULT_VARIANCE_SHAPE, SYMMETRIC, GAUSSIAN, 1, 2,
        YES, &corpus_partial_hollow, NORMAL, BLOCK, EMBEDDING_VARIANCE)
NOTICED(words_ignored_are_noticed_in_the_conjugate_draw, table, FAULT_COVARIATES_IGNORED, SYMMETRIC, GAUSSIAN, 1, 2,
        YES, &corpus_short, NORMAL, CONJUGATE, WORDS | NUMBER)
NOTICED(another_shape_of_the_words_variance_is_noticed, table, FAULT_VARIANCE_SHAPE, SYMMETRIC, GAUSSIAN, 1, 2, YES,
        &corpus_partial_hollow, NORMAL, MIXED, WORD_VARIANCE)
NOTICED(one_inverse_gaussian_is_noticed, table, FAULT_ONE_SIDE, UNIFORM, WIDE, 2, 2, NO, &corpus_short, NORMAL, BLOCK,
        WEIGHTS)
NOTICED(a_zone_of_no_width_is_noticed, table, FAULT_NO_INSENSITIVITY, UNIFORM, WIDE, 2, 2, NO, &corpus_short, NORMAL,
        BLOCK, WEIGHTS)
NOTICED(weights_ignored_are_noticed_in_the_insensitive, table, FAULT_WEIGHTS_IGNORED, UNIFORM, WIDE, 2, 2, NO,
        &corpus_short, NORMAL, BLOCK, WEIGHTS)
NOTICED(a_power_of_one_is_noticed_in_the_insensitive, table, FAULT_POWER_ONE, UNIFORM, WIDE, 2, 2, NO, &corpus_short,
        NORMAL, BLOCK, WEIGHTS)
NOTICED(a_divisor_of_length_minus_one_is_noticed_in_the_insensitive, table, FAULT_LENGTH_MINUS_ONE, VECTOR, NARROW, 1,
        3, NO, &corpus_hollow, NORMAL, BLOCK, 0)
NOTICED(covariates_ignored_are_noticed_in_the_insensitive, table, FAULT_COVARIATES_IGNORED, SYMMETRIC, WIDE, SAMPLED,
        2, YES, &corpus_partial, NORMAL, BLOCK, NUMBER)
NOTICED(polya_gamma_of_the_count_alone_is_noticed, table, FAULT_POLYA_GAMMA_OF_COUNT, SYMMETRIC, COUNTS, 2, 3, NO,
        &corpus_full, NORMAL, BLOCK, EXPOSURE)
NOTICED(exposures_ignored_are_noticed, table, FAULT_NO_OFFSET, SYMMETRIC, COUNTS, 2, 3, NO, &corpus_full, NORMAL,
        BLOCK, EXPOSURE)
NOTICED(a_table_per_customer_is_noticed_in_the_dispersion, table, FAULT_ALL_TABLES, UNIFORM, COUNTS, 1, 2, NO,
        &corpus_short, NORMAL, BLOCK, EXPOSURE | HIDDEN)
NOTICED(exposures_ignored_are_noticed_in_the_dispersion, table, FAULT_NO_OFFSET, UNIFORM, COUNTS, 1, 2, NO,
        &corpus_short, NORMAL, BLOCK, EXPOSURE | HIDDEN)
NOTICED(a_power_of_one_is_noticed_in_counts, table, FAULT_POWER_ONE, VECTOR, COUNTS_2, SAMPLED, 2, YES,
        &corpus_partial_hollow, NORMAL, BLOCK, WEIGHTS | FACTOR)
NOTICED(weights_ignored_are_noticed_in_counts, table, FAULT_WEIGHTS_IGNORED, VECTOR, COUNTS_2, SAMPLED, 2, YES,
        &corpus_partial_hollow, NORMAL, BLOCK, WEIGHTS | FACTOR)

NOTICED(a_second_response_ignored_by_the_topics_is_noticed, table, FAULT_SECOND_IGNORED, VECTOR, LOGISTIC, BINARY, 1,
        2, NO, &corpus_partial, NORMAL, BLOCK, 0, &gaussian_too)
NOTICED(a_second_response_ignored_by_the_topics_is_noticed_in_counts, table, FAULT_SECOND_IGNORED, SYMMETRIC, PROBIT,
        LABELS, 2, 2, NO, &corpus_short, NORMAL, COORDINATE, 0, &counts_too)

static void deviations_are_as_large_as_chance_makes_them(void **state)
{
    (void)state;
    joint_table_assert_deviations(&table);
}

static const struct CMUnitTest fixed_tests[] = {
    cmocka_unit_test(deviations_are_as_large_as_chance_makes_them),
    cmocka_unit_test(every_combination_has_a_row),
    cmocka_unit_test(quadrature_agrees_with_the_closed_form),
    cmocka_unit_test(a_plain_grid_of_coefficients_gives_the_same_law),
    cmocka_unit_test(the_integral_over_the_parameter_is_right),
    cmocka_unit_test(finer_quadrature_changes_nothing),
    cmocka_unit_test(a_divisor_of_length_minus_one_is_noticed_in_the_gaussian),
    cmocka_unit_test(a_deviation_taken_for_a_variance_is_noticed),
    cmocka_unit_test(a_power_of_one_is_noticed_in_the_gaussian),
    cmocka_unit_test(a_shape_without_the_power_is_noticed_in_the_noise),
    cmocka_unit_test(weights_ignored_are_noticed_in_the_gaussian),
    cmocka_unit_test(a_missing_number_taken_for_0_is_noticed),
    cmocka_unit_test(an_empty_document_left_out_is_noticed_in_the_gaussian),
    cmocka_unit_test(covariates_ignored_are_noticed),
    cmocka_unit_test(covariates_ignored_are_noticed_in_the_coordinate_draw),
    cmocka_unit_test(covariates_whose_variance_forgets_the_cost_are_noticed),
    cmocka_unit_test(covariates_with_the_variance_of_topics_are_noticed),
    cmocka_unit_test(words_ignored_are_noticed),
    cmocka_unit_test(an_embedding_ignored_is_noticed),
    cmocka_unit_test(another_shape_of_the_embeddings_variance_is_noticed),
    cmocka_unit_test(words_ignored_are_noticed_in_the_conjugate_draw),
    cmocka_unit_test(another_shape_of_the_words_variance_is_noticed),
    cmocka_unit_test(one_inverse_gaussian_is_noticed),
    cmocka_unit_test(a_zone_of_no_width_is_noticed),
    cmocka_unit_test(weights_ignored_are_noticed_in_the_insensitive),
    cmocka_unit_test(a_power_of_one_is_noticed_in_the_insensitive),
    cmocka_unit_test(a_divisor_of_length_minus_one_is_noticed_in_the_insensitive),
    cmocka_unit_test(covariates_ignored_are_noticed_in_the_insensitive),
    cmocka_unit_test(polya_gamma_of_the_count_alone_is_noticed),
    cmocka_unit_test(exposures_ignored_are_noticed),
    cmocka_unit_test(a_table_per_customer_is_noticed_in_the_dispersion),
    cmocka_unit_test(exposures_ignored_are_noticed_in_the_dispersion),
    cmocka_unit_test(a_power_of_one_is_noticed_in_counts),
    cmocka_unit_test(weights_ignored_are_noticed_in_counts),
    cmocka_unit_test(a_second_response_ignored_by_the_topics_is_noticed),
    cmocka_unit_test(a_second_response_ignored_by_the_topics_is_noticed_in_counts),
};

int main(void)
{
    return joint_table_run(&table, fixed_tests, sizeof fixed_tests / sizeof fixed_tests[0]);
}
