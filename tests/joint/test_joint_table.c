/* The joint table: the law of the whole chain against exact enumeration, for every combination of document
 * prior, response, task and topic treatment.
 *
 * Each row is a model on a corpus of six to eight tokens.  Its chain is run for long; means of quantities that
 * do not depend on the names of the topics (two tokens share a topic; moments, products and signs of scores;
 * sizes of coefficients; ...) are compared with their exact values: |z| < 5 for each.  The last tests show that
 * the table notices errors: the exact side is made wrong on purpose, in ways a sampler could be, and has to
 * disagree with the same chain.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per row. */
#include "helper_joint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last members of rows: normal prior, block draw */

static const double LARGEST_Z = 5;
static const size_t N_SWEEPS = 60000;

#define SYMMETRIC  PRIOR_SYMMETRIC
#define VECTOR     PRIOR_VECTOR
#define UNIFORM    PRIOR_UNIFORM
#define NO_LABELS  RESPONSE_NONE, 1, 1, TASK_BINARY
#define HINGE      RESPONSE_HINGE, 1, 1
#define HINGE_2    RESPONSE_HINGE, 0.6, 1.7
#define LOGISTIC   RESPONSE_LOGISTIC, 1, 1
#define LOGISTIC_2 RESPONSE_LOGISTIC, 2.5, 1
#define PROBIT     RESPONSE_PROBIT, 1, 1
#define BINARY     TASK_BINARY
#define CLASSES    TASK_MULTICLASS
#define LABELS     TASK_MULTILABEL
enum { SAMPLED = 0, NO = 0, YES = 1 };

/* clang-format off */
/*    prior      response    task     B        K  intercept  corpus */
static const joint_row rows[] = {
    { SYMMETRIC, NO_LABELS,           1,       2, NO,  &corpus_full },
    { VECTOR,    NO_LABELS,           2,       3, NO,  &corpus_short },
    { UNIFORM,   NO_LABELS,           3,       3, NO,  &corpus_hollow },
    { SYMMETRIC, NO_LABELS,           SAMPLED, 3, NO,  &corpus_full },
    { VECTOR,    NO_LABELS,           SAMPLED, 2, NO,  &corpus_hollow },

    { SYMMETRIC, HINGE,      BINARY,  1,       2, NO,  &corpus_full },
    { VECTOR,    HINGE,      LABELS,  1,       3, YES, &corpus_partial_hollow },
    { SYMMETRIC, HINGE,      BINARY,  2,       3, YES, &corpus_short },
    { VECTOR,    HINGE,      CLASSES, 2,       2, NO,  &corpus_full },
    { UNIFORM,   HINGE,      LABELS,  3,       3, NO,  &corpus_full },
    { VECTOR,    HINGE,      CLASSES, 3,       3, YES, &corpus_partial },
    { SYMMETRIC, HINGE,      CLASSES, SAMPLED, 3, NO,  &corpus_short },
    { UNIFORM,   HINGE,      BINARY,  SAMPLED, 2, YES, &corpus_hollow },

    { SYMMETRIC, HINGE_2,    BINARY,  1,       3, NO,  &corpus_partial },
    { UNIFORM,   HINGE_2,    CLASSES, 1,       2, YES, &corpus_full },
    { VECTOR,    HINGE_2,    BINARY,  2,       2, YES, &corpus_partial_hollow },
    { SYMMETRIC, HINGE_2,    LABELS,  2,       3, NO,  &corpus_short },
    { UNIFORM,   HINGE_2,    BINARY,  3,       3, NO,  &corpus_short },
    { VECTOR,    HINGE_2,    LABELS,  SAMPLED, 2, YES, &corpus_partial },
    { SYMMETRIC, HINGE_2,    CLASSES, SAMPLED, 3, YES, &corpus_hollow },

    { SYMMETRIC, LOGISTIC,   BINARY,  1,       3, NO,  &corpus_full },
    { VECTOR,    LOGISTIC,   BINARY,  2,       3, YES, &corpus_partial },
    { UNIFORM,   LOGISTIC,   CLASSES, 2,       2, NO,  &corpus_hollow },
    { SYMMETRIC, LOGISTIC,   LABELS,  3,       2, YES, &corpus_short },
    { VECTOR,    LOGISTIC,   CLASSES, 3,       3, NO,  &corpus_full },
    { UNIFORM,   LOGISTIC,   LABELS,  SAMPLED, 3, NO,  &corpus_partial_hollow },
    { VECTOR,    LOGISTIC,   BINARY,  SAMPLED, 2, NO,  &corpus_short },

    { SYMMETRIC, LOGISTIC_2, CLASSES, 1,       3, YES, &corpus_hollow },
    { VECTOR,    LOGISTIC_2, BINARY,  1,       2, NO,  &corpus_short },
    { UNIFORM,   LOGISTIC_2, BINARY,  2,       3, YES, &corpus_full },
    { SYMMETRIC, LOGISTIC_2, LABELS,  2,       2, YES, &corpus_partial },
    { UNIFORM,   LOGISTIC_2, CLASSES, 3,       3, NO,  &corpus_partial },
    { VECTOR,    LOGISTIC_2, LABELS,  3,       2, NO,  &corpus_hollow },
    { SYMMETRIC, LOGISTIC_2, BINARY,  SAMPLED, 3, NO,  &corpus_partial_hollow },
    { VECTOR,    LOGISTIC_2, CLASSES, SAMPLED, 2, YES, &corpus_short },

    { SYMMETRIC, PROBIT,     BINARY,  1,       2, NO,  &corpus_full },
    { VECTOR,    PROBIT,     CLASSES, 1,       3, NO,  &corpus_short },
    { UNIFORM,   PROBIT,     LABELS,  1,       2, YES, &corpus_partial },
    { UNIFORM,   PROBIT,     BINARY,  2,       3, NO,  &corpus_hollow },
    { SYMMETRIC, PROBIT,     CLASSES, 2,       2, YES, &corpus_partial_hollow },
    { VECTOR,    PROBIT,     LABELS,  2,       3, YES, &corpus_full },
    { VECTOR,    PROBIT,     BINARY,  3,       2, YES, &corpus_partial },
    { UNIFORM,   PROBIT,     CLASSES, 3,       3, NO,  &corpus_full },
    { SYMMETRIC, PROBIT,     LABELS,  3,       3, NO,  &corpus_partial_hollow },
    { SYMMETRIC, PROBIT,     BINARY,  SAMPLED, 3, YES, &corpus_short },
    { VECTOR,    PROBIT,     CLASSES, SAMPLED, 3, YES, &corpus_partial },
    { UNIFORM,   PROBIT,     LABELS,  SAMPLED, 2, NO,  &corpus_short },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* ---- comparing ---- */

static joint_measurement measurement[N_ROWS];
static double sum_of_squares, n_compared; /* of z, over the table */

/* The chain of a row, run when it is first asked for. */
static const joint_measurement *measured(size_t r)
{
    if (measurement[r].n == 0)
        joint_measure(&rows[r], joint_effort(N_SWEEPS), 1000 + (unsigned)r, &measurement[r]);
    return &measurement[r];
}

/* Under a sanitizer the chains are short, and the integrals need not be better than they. */
static joint_grid grid(void)
{
    return joint_effort(10) < 10 ? (joint_grid){.panel = 3, .nodes = 6} : joint_grid_usual;
}

typedef struct comparison {
    double largest, mean_square;
    size_t at;
} comparison;

static comparison compare(size_t r, joint_fault fault)
{
    double exact[MAX_QUANTITIES];
    const joint_measurement *m = measured(r);
    comparison c = {.largest = 0};
    size_t n = 0;
    joint_exact(&rows[r], fault, grid(), exact);
    for (size_t i = 0; i < m->n; i++) {
        const double z = joint_z(m, exact, i);
        c.mean_square += z * z;
        n += z != 0;
        if (!(fabs(z) <= c.largest)) {
            c.largest = fabs(z);
            c.at = i;
        }
    }
    c.mean_square /= (double)n;
    if (fault == FAULT_NONE) {
        sum_of_squares += c.mean_square * (double)n;
        n_compared += (double)n;
    }
    return c;
}

static void describe(size_t r, const comparison *c, char *out, size_t size)
{
    static const unsigned char z[MAX_TOKENS];
    static const score_law law[MAX_OUTPUTS];
    char name[MAX_QUANTITIES][NAME_SIZE];
    (void)joint_quantities(&rows[r], z, law, NULL, name);
    snprintf(out, size, "largest |z| %.2f (%s: %.5f +- %.5f), mean z^2 %.2f", c->largest, name[c->at],
             measured(r)->mean[c->at], measured(r)->error[c->at], c->mean_square);
}

static void say(const char *name, const char *text)
{
    if (getenv("GIBBOUS_TABLE_VERBOSE") != NULL)
        print_message("             %s: %s\n", name, text);
}

/* Quantities of a row go together, so the mean of z^2 has about as much spread as that of a dozen. */
static void the_chain_has_the_exact_law(void **state)
{
    const size_t r = (size_t)((const joint_row *)*state - rows);
    char text[200], name[128];
    const comparison c = compare(r, FAULT_NONE);
    joint_row_name(&rows[r], name, sizeof name);
    describe(r, &c, text, sizeof text);
    say(name, text);
    if (!(c.largest < LARGEST_Z && c.mean_square < 4))
        fail_msg("%s: %s", name, text);
}

static void deviations_are_as_large_as_chance_makes_them(void **state)
{
    (void)state;
    const double mean = sum_of_squares / n_compared;
    char text[80];
    snprintf(text, sizeof text, "mean z^2 over %.0f quantities is %.3f", n_compared, mean);
    say("table", text);
    if (!(mean > 0.7 && mean < 1.4))
        fail_msg("%s", text);
}

/* ---- the table itself ---- */

static int response_of(const joint_row *row)
{
    if (row->response == RESPONSE_NONE)
        return 0;
    if (row->response == RESPONSE_PROBIT)
        return 5;
    return (row->response == RESPONSE_HINGE ? 1 : 3) + (row->cost != 1);
}

static void every_response_meets_every_treatment(void **state)
{
    (void)state;
    for (int response = 0; response < 6; response++) {
        for (int blocks = 0; blocks < 4; blocks++) {
            size_t n = 0;
            for (size_t r = 0; r < N_ROWS; r++)
                n += response_of(&rows[r]) == response && rows[r].blocks == blocks;
            assert_true(n >= 1);
        }
    }
}

static void every_value_of_an_axis_has_several_rows(void **state)
{
    (void)state;
    size_t prior[N_PRIORS] = {0}, task[N_TASKS] = {0}, n_topics[MAX_TOPICS + 1] = {0}, intercept[2] = {0};
    for (size_t r = 0; r < N_ROWS; r++) {
        prior[rows[r].prior]++;
        n_topics[rows[r].n_topics]++;
        if (rows[r].response == RESPONSE_NONE)
            continue;
        task[rows[r].task]++;
        intercept[rows[r].intercept]++;
    }
    for (size_t i = 0; i < N_PRIORS; i++)
        assert_true(prior[i] >= 5);
    for (size_t i = 0; i < N_TASKS; i++)
        assert_true(task[i] >= 5);
    assert_true(n_topics[2] >= 5 && n_topics[3] >= 5 && intercept[NO] >= 5 && intercept[YES] >= 5);
}

/* ---- the exact side itself ---- */

/* Rows whose integrals have two dimensions; those with three are as good, but slow to refine.  The chain's standard
 * errors are a thousand times what is allowed. */
static void finer_quadrature_changes_nothing(void **state)
{
    (void)state;
    double usual[MAX_QUANTITIES], finer[MAX_QUANTITIES], largest = 0;
    for (size_t r = 0; r < N_ROWS; r++) {
        const bool has_two_axes =
            rows[r].n_topics == 2 || (rows[r].corpus == &corpus_partial_hollow && !rows[r].intercept);
        if (rows[r].response == RESPONSE_NONE || !has_two_axes)
            continue;
        joint_exact(&rows[r], FAULT_NONE, joint_grid_usual, usual);
        joint_exact(&rows[r], FAULT_NONE, (joint_grid){.panel = 1, .nodes = 8}, finer);
        for (size_t i = 0; i < MAX_QUANTITIES; i++)
            largest = fmax(largest, fabs(usual[i] - finer[i]));
    }
    char text[60];
    snprintf(text, sizeof text, "largest change %.1e", largest);
    say("quadrature", text);
    assert_true(largest < 2e-6);
}

/* Without rotation or cuts: sums over a fine grid of the coefficients themselves, two topics. */
static void a_plain_grid_of_coefficients_gives_the_same_law(void **state)
{
    (void)state;
    const joint_row row = {VECTOR, HINGE_2, BINARY, 1, 2, NO, &corpus_partial_hollow};
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{1, 2}, {2, 0}, {0, 0}, {1, 1}};
    const double share[MAX_DOCS] = {1.0 / 3, 1, 0, 0.5}, step = 0.01;
    score_law law;
    double one = 0, s[MAX_DOCS] = {0}, product = 0, positive = 0, square = 0;
    joint_score_law(&row, FAULT_NONE, joint_grid_usual, n, 0, &law);
    for (double a = -8 + step / 2; a < 8; a += step) {
        for (double b = -8 + step / 2; b < 8; b += step) {
            double score[MAX_DOCS], log_w = -(a * a + b * b) / (2 * JOINT_VARIANCE);
            for (size_t d = 0; d < MAX_DOCS; d++) {
                score[d] = d == 2 ? 0 : share[d] * a + (1 - share[d]) * b;
                const int y = joint_label(&row, d, 0);
                log_w += y != 0 ? joint_log_likelihood(&row, FAULT_NONE, y, score[d]) : 0;
            }
            const double w = exp(log_w) * step * step / (2 * M_PI * JOINT_VARIANCE);
            one += w;
            for (size_t d = 0; d < MAX_DOCS; d++)
                s[d] += w * score[d];
            product += w * score[0] * score[3];
            positive += w * (score[3] > 0);
            square += w * (a * a + b * b);
        }
    }
    assert_true(fabs(one - law.evidence) < 1e-5 * one);
    for (size_t d = 0; d < MAX_DOCS; d++)
        assert_true(fabs(s[d] / one - law.s[d]) < 1e-4);
    assert_true(fabs(product / one - law.ss[0][3]) < 1e-4);
    assert_true(fabs(positive / one - law.positive[3]) < 2e-3); /* the edge of s > 0 cuts through cells */
    assert_true(fabs(square / one - law.square) < 1e-4);
}

/* ---- faults ---- */

/* The row of the table that a fault is tried on. */
static size_t row_like(joint_prior prior, joint_response response, double cost, double margin, joint_task task,
                       int blocks, size_t n_topics, bool intercept, const joint_corpus *corpus)
{
    for (size_t r = 0; r < N_ROWS; r++) {
        const joint_row *row = &rows[r];
        if (row->prior == prior && row->response == response && row->cost == cost && row->margin == margin &&
            row->task == task && row->blocks == blocks && row->n_topics == n_topics && row->intercept == intercept &&
            row->corpus == corpus)
            return r;
    }
    fail_msg("%s", "the table has no such row");
    return 0;
}

static void assert_noticed(const char *name, joint_fault fault, size_t r)
{
    char text[200];
    const comparison c = compare(r, fault);
    describe(r, &c, text, sizeof text);
    say(name, text);
    if (!(c.largest > LARGEST_Z))
        fail_msg("%s is not noticed: %s", name, text);
}

#define NOTICED(test, fault, ...)                                                                                    \
    static void test(void **state)                                                                                   \
    {                                                                                                                \
        (void)state;                                                                                                 \
        assert_noticed(#test, fault, row_like(__VA_ARGS__));                                                         \
    }

NOTICED(a_divisor_of_length_minus_one_is_noticed, FAULT_LENGTH_MINUS_ONE, SYMMETRIC, HINGE, BINARY, 1, 2, NO,
        &corpus_full)
NOTICED(half_the_hinge_is_noticed, FAULT_HALF_HINGE, SYMMETRIC, HINGE, BINARY, 1, 2, NO, &corpus_full)
NOTICED(a_margin_of_one_is_noticed, FAULT_MARGIN_ONE, UNIFORM, HINGE_2, BINARY, 3, 3, NO, &corpus_short)
NOTICED(a_cost_of_one_is_noticed_in_the_hinge, FAULT_POWER_ONE, SYMMETRIC, HINGE_2, BINARY, 1, 3, NO, &corpus_partial)
NOTICED(a_power_of_one_is_noticed_in_the_logistic, FAULT_POWER_ONE, VECTOR, LOGISTIC_2, BINARY, 1, 2, NO,
        &corpus_short)
NOTICED(a_probit_truncated_to_the_wrong_side_is_noticed, FAULT_WRONG_SIDE, SYMMETRIC, PROBIT, BINARY, 1, 2, NO,
        &corpus_full)
NOTICED(a_forgotten_omega_is_noticed_in_the_probit, FAULT_OMEGA_FORGOTTEN, UNIFORM, PROBIT, BINARY, 2, 3, NO,
        &corpus_hollow)
NOTICED(half_the_omega_is_noticed_in_the_probit, FAULT_OMEGA_HALVED, SYMMETRIC, PROBIT, LABELS, 3, 3, NO,
        &corpus_partial_hollow)
NOTICED(other_classes_left_out_are_noticed_in_the_probit, FAULT_OWN_CLASS_ONLY, UNIFORM, PROBIT, CLASSES, 3, 3, NO,
        &corpus_full)
NOTICED(a_missing_label_taken_for_a_negative_one_is_noticed_in_the_probit, FAULT_MISSING_IS_NEGATIVE, VECTOR, PROBIT,
        BINARY, 3, 2, YES, &corpus_partial)
NOTICED(an_empty_document_left_out_is_noticed_in_the_probit, FAULT_EMPTY_LEFT_OUT, SYMMETRIC, PROBIT, CLASSES, 2, 2,
        YES, &corpus_partial_hollow)
NOTICED(a_forgotten_block_mass_is_noticed, FAULT_NO_BLOCK_MASS, VECTOR, NO_LABELS, 2, 3, NO, &corpus_short)
NOTICED(a_wrong_sum_of_beta_is_noticed, FAULT_BETA_SUM_OF_TOPICS, VECTOR, NO_LABELS, SAMPLED, 2, NO, &corpus_hollow)
NOTICED(one_alpha_for_all_topics_is_noticed, FAULT_MEAN_ALPHA, VECTOR, NO_LABELS, SAMPLED, 2, NO, &corpus_hollow)
NOTICED(alpha_taken_for_a_total_is_noticed, FAULT_TOTAL_ALPHA, SYMMETRIC, NO_LABELS, SAMPLED, 3, NO, &corpus_full)
NOTICED(counts_in_the_uniform_prior_are_noticed, FAULT_UNIFORM_COUNTS, UNIFORM, NO_LABELS, 3, 3, NO, &corpus_hollow)
NOTICED(a_missing_label_taken_for_a_negative_one_is_noticed, FAULT_MISSING_IS_NEGATIVE, SYMMETRIC, HINGE_2, BINARY, 1,
        3, NO, &corpus_partial)
NOTICED(an_empty_document_left_out_is_noticed, FAULT_EMPTY_LEFT_OUT, UNIFORM, HINGE, BINARY, SAMPLED, 2, YES,
        &corpus_hollow)
NOTICED(a_variance_taken_for_a_precision_is_noticed, FAULT_VARIANCE_IS_PRECISION, SYMMETRIC, LOGISTIC, BINARY, 1, 3,
        NO, &corpus_full)
NOTICED(an_intercept_with_the_variance_of_topics_is_noticed, FAULT_ONE_VARIANCE, SYMMETRIC, HINGE, BINARY, 2, 3, YES,
        &corpus_short)
NOTICED(other_classes_left_out_are_noticed, FAULT_OWN_CLASS_ONLY, VECTOR, HINGE, CLASSES, 2, 2, NO, &corpus_full)
NOTICED(topics_that_ignore_the_labels_are_noticed, FAULT_TOPICS_IGNORE_LABELS, VECTOR, LOGISTIC_2, BINARY, 1, 2, NO,
        &corpus_short)

static const struct CMUnitTest fixed_tests[] = {
    cmocka_unit_test(every_response_meets_every_treatment),
    cmocka_unit_test(every_value_of_an_axis_has_several_rows),
    cmocka_unit_test(finer_quadrature_changes_nothing),
    cmocka_unit_test(a_plain_grid_of_coefficients_gives_the_same_law),
    cmocka_unit_test(deviations_are_as_large_as_chance_makes_them),
    cmocka_unit_test(a_divisor_of_length_minus_one_is_noticed),
    cmocka_unit_test(half_the_hinge_is_noticed),
    cmocka_unit_test(a_margin_of_one_is_noticed),
    cmocka_unit_test(a_cost_of_one_is_noticed_in_the_hinge),
    cmocka_unit_test(a_power_of_one_is_noticed_in_the_logistic),
    cmocka_unit_test(a_probit_truncated_to_the_wrong_side_is_noticed),
    cmocka_unit_test(a_forgotten_omega_is_noticed_in_the_probit),
    cmocka_unit_test(half_the_omega_is_noticed_in_the_probit),
    cmocka_unit_test(other_classes_left_out_are_noticed_in_the_probit),
    cmocka_unit_test(a_missing_label_taken_for_a_negative_one_is_noticed_in_the_probit),
    cmocka_unit_test(an_empty_document_left_out_is_noticed_in_the_probit),
    cmocka_unit_test(a_forgotten_block_mass_is_noticed),
    cmocka_unit_test(a_wrong_sum_of_beta_is_noticed),
    cmocka_unit_test(one_alpha_for_all_topics_is_noticed),
    cmocka_unit_test(alpha_taken_for_a_total_is_noticed),
    cmocka_unit_test(counts_in_the_uniform_prior_are_noticed),
    cmocka_unit_test(a_missing_label_taken_for_a_negative_one_is_noticed),
    cmocka_unit_test(an_empty_document_left_out_is_noticed),
    cmocka_unit_test(a_variance_taken_for_a_precision_is_noticed),
    cmocka_unit_test(an_intercept_with_the_variance_of_topics_is_noticed),
    cmocka_unit_test(other_classes_left_out_are_noticed),
    cmocka_unit_test(topics_that_ignore_the_labels_are_noticed),
};
enum { N_FIXED = sizeof fixed_tests / sizeof fixed_tests[0] };

int main(void)
{
    static char name[N_ROWS][128];
    static struct CMUnitTest tests[N_ROWS + N_FIXED];
    for (size_t r = 0; r < N_ROWS; r++) {
        joint_row_name(&rows[r], name[r], sizeof name[r]);
        tests[r] = (struct CMUnitTest){
            .name = name[r], .test_func = the_chain_has_the_exact_law, .initial_state = (void *)(uintptr_t)&rows[r]};
    }
    memcpy(tests + N_ROWS, fixed_tests, sizeof fixed_tests);
    return cmocka_run_group_tests_name("joint table", tests, NULL, NULL);
}
