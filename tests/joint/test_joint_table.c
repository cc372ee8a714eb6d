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
#include "helper_table.h"

#include <math.h>
#include <stdio.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last members of rows: normal prior, block draw */

/* Token samplers other than the dense one. */
static const joint_tokens mixture = {"mh", "6", "doc,word,exp", "mixture"},
                          cycle = {"mh", "3", "doc,word,exp", "cycle"}, doc_only = {"mh", "2", "doc", "mixture"},
                          sparse = {"sparse", NULL, NULL, NULL}, word_only = {"mh", "2", "word", "mixture"},
                          exp_only = {"mh", "2", "exp", "mixture"};

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

    /*                                                                     coefficients  sampler    besides */
    { VECTOR,    HINGE_2,    BINARY,  1,       2, NO,  &corpus_partial,        NORMAL, BLOCK,      WEIGHTS | CLASS_WEIGHTS },
    { SYMMETRIC, LOGISTIC,   CLASSES, 2,       2, NO,  &corpus_short,          NORMAL, BLOCK,      CLASS_WEIGHTS },
    { UNIFORM,   LOGISTIC_2, LABELS,  SAMPLED, 2, NO,  &corpus_partial,        NORMAL, COORDINATE, WEIGHTS | CLASS_WEIGHTS },
    { VECTOR,    PROBIT,     BINARY,  2,       2, NO,  &corpus_partial_hollow, NORMAL, BLOCK,      NUMBER | FACTOR },
    { SYMMETRIC, HINGE,      BINARY,  SAMPLED, 2, YES, &corpus_short,          NORMAL, COORDINATE, FACTOR },
    { SYMMETRIC, LOGISTIC,   LABELS,  1,       2, YES, &corpus_hollow,         NORMAL, MIXED,      NUMBER | FACTOR },
    { SYMMETRIC, LOGISTIC,   LABELS,  1,       2, YES, &corpus_hollow,         NORMAL, CONJUGATE,  NUMBER | FACTOR },
    { UNIFORM,   LOGISTIC,   BINARY,  1,       2, NO,  &corpus_short,          NORMAL, BLOCK,      VARIANCE },
    { SYMMETRIC, HINGE,      LABELS,  2,       2, NO,  &corpus_partial_hollow, NORMAL, COORDINATE, VARIANCE },

    { SYMMETRIC, NO_LABELS,           1,       2, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &mixture },
    { VECTOR,    NO_LABELS,           2,       3, NO,  &corpus_short,          NORMAL, BLOCK,      NO, NULL, &word_only },
    { SYMMETRIC, NO_LABELS,           SAMPLED, 3, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &cycle },
    { UNIFORM,   NO_LABELS,           1,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      NO, NULL, &mixture },
    { SYMMETRIC, HINGE,      BINARY,  1,       2, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &mixture },
    { VECTOR,    HINGE,      LABELS,  1,       3, YES, &corpus_partial_hollow, NORMAL, BLOCK,      NO, NULL, &cycle },
    { SYMMETRIC, HINGE,      BINARY,  2,       3, YES, &corpus_short,          NORMAL, BLOCK,      NO, NULL, &exp_only },
    { VECTOR,    HINGE,      CLASSES, 2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &mixture },
    { SYMMETRIC, HINGE,      CLASSES, SAMPLED, 3, NO,  &corpus_short,          NORMAL, BLOCK,      NO, NULL, &mixture },
    { UNIFORM,   HINGE,      BINARY,  SAMPLED, 2, YES, &corpus_hollow,         NORMAL, BLOCK,      NO, NULL, &exp_only },
    { SYMMETRIC, LOGISTIC,   BINARY,  1,       3, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &doc_only },
    { VECTOR,    LOGISTIC,   BINARY,  2,       3, YES, &corpus_partial,        NORMAL, BLOCK,      NO, NULL, &cycle },
    { VECTOR,    LOGISTIC,   BINARY,  SAMPLED, 2, NO,  &corpus_short,          NORMAL, BLOCK,      NO, NULL, &word_only },
    { SYMMETRIC, PROBIT,     CLASSES, 2,       2, YES, &corpus_partial_hollow, NORMAL, BLOCK,      NO, NULL, &mixture },
    { VECTOR,    PROBIT,     BINARY,  2,       2, NO,  &corpus_partial_hollow, NORMAL, BLOCK,      NUMBER | FACTOR, NULL, &mixture },

    { SYMMETRIC, NO_LABELS,           1,       2, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &sparse },
    { VECTOR,    NO_LABELS,           2,       3, NO,  &corpus_short,          NORMAL, BLOCK,      NO, NULL, &sparse },
    { UNIFORM,   NO_LABELS,           3,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      NO, NULL, &sparse },
    { VECTOR,    NO_LABELS,           SAMPLED, 2, NO,  &corpus_hollow,         NORMAL, BLOCK,      NO, NULL, &sparse },
    { SYMMETRIC, HINGE,      BINARY,  1,       2, NO,  &corpus_full,           NORMAL, BLOCK,      NO, NULL, &sparse },
    { VECTOR,    LOGISTIC,   LABELS,  2,       3, YES, &corpus_partial_hollow, NORMAL, BLOCK,      NO, NULL, &sparse },
    { UNIFORM,   PROBIT,     CLASSES, 2,       2, NO,  &corpus_short,          NORMAL, BLOCK,      NO, NULL, &sparse },

    { SYMMETRIC, NO_LABELS,           1,       2, NO,  &corpus_full,           NORMAL, BLOCK,      SEEDS },
    { VECTOR,    NO_LABELS,           2,       3, NO,  &corpus_short,          NORMAL, BLOCK,      SEEDS },
    { SYMMETRIC, NO_LABELS,           SAMPLED, 3, NO,  &corpus_full,           NORMAL, BLOCK,      SEEDS },
    { UNIFORM,   LOGISTIC,   BINARY,  3,       2, YES, &corpus_hollow,         NORMAL, BLOCK,      SEEDS },
    { SYMMETRIC, HINGE,      CLASSES, 2,       3, NO,  &corpus_short,          NORMAL, BLOCK,      SEEDS, NULL, &mixture },
    { VECTOR,    NO_LABELS,           3,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      SEEDS, NULL, &word_only },
    { SYMMETRIC, PROBIT,     BINARY,  1,       2, NO,  &corpus_full,           NORMAL, BLOCK,      SEEDS, NULL, &sparse },

    { SYMMETRIC, NO_LABELS,           2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      KEYWORDS },
    { VECTOR,    NO_LABELS,           3,       3, NO,  &corpus_short,          NORMAL, BLOCK,      KEYWORDS },
    { VECTOR,    NO_LABELS,           2,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      KEYWORDS },
    { VECTOR,    NO_LABELS,           SAMPLED, 3, NO,  &corpus_full,           NORMAL, BLOCK,      KEYWORDS },
    { UNIFORM,   LOGISTIC,   BINARY,  3,       2, YES, &corpus_hollow,         NORMAL, BLOCK,      KEYWORDS },
    { SYMMETRIC, PROBIT,     CLASSES, SAMPLED, 2, NO,  &corpus_short,          NORMAL, BLOCK,      KEYWORDS },
    { SYMMETRIC, HINGE,      CLASSES, 2,       3, NO,  &corpus_short,          NORMAL, BLOCK,      KEYWORDS, NULL, &mixture },
    { VECTOR,    NO_LABELS,           3,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      KEYWORDS, NULL, &word_only },
    { VECTOR,    NO_LABELS,           SAMPLED, 2, NO,  &corpus_full,           NORMAL, BLOCK,      KEYWORDS, NULL, &cycle },
    { VECTOR,    NO_LABELS,           2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      KEYWORDS, NULL, &sparse },
    { SYMMETRIC, PROBIT,     BINARY,  2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      KEYWORDS, NULL, &sparse },

    { SYMMETRIC, NO_LABELS,           2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS },
    { VECTOR,    NO_LABELS,           3,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      BAGS },
    { VECTOR,    NO_LABELS,           SAMPLED, 3, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS },
    { UNIFORM,   NO_LABELS,           2,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      BAGS, NULL, &sparse },
    { SYMMETRIC, NO_LABELS,           2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS, NULL, &mixture },
    { VECTOR,    NO_LABELS,           3,       3, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS, NULL, &word_only },
    { VECTOR,    NO_LABELS,           SAMPLED, 2, NO,  &corpus_hollow,         NORMAL, BLOCK,      BAGS, NULL, &cycle },
    { SYMMETRIC, NO_LABELS,           2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS | SEEDS },
    { VECTOR,    NO_LABELS,           SAMPLED, 2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS | SEEDS },
    { SYMMETRIC, NO_LABELS,           3,       2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS | KEYWORDS },
    { VECTOR,    NO_LABELS,           3,       3, NO,  &corpus_hollow,         NORMAL, BLOCK,      BAGS | KEYWORDS },
    { VECTOR,    NO_LABELS,           SAMPLED, 3, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS | KEYWORDS },
    { UNIFORM,   LOGISTIC,   BINARY,  3,       2, YES, &corpus_hollow,         NORMAL, BLOCK,      BAGS | KEYWORDS, NULL, &mixture },
    { VECTOR,    NO_LABELS,           3,       2, NO,  &corpus_short,          NORMAL, BLOCK,      BAGS | KEYWORDS, NULL, &sparse },
    { SYMMETRIC, HINGE_2,    BINARY,  2,       3, NO,  &corpus_partial,        NORMAL, BLOCK,      BAGS },
    { VECTOR,    HINGE,      CLASSES, SAMPLED, 2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS },
    { UNIFORM,   LOGISTIC,   BINARY,  3,       2, YES, &corpus_partial_hollow, NORMAL, BLOCK,      BAGS | SEEDS },
    { VECTOR,    LOGISTIC_2, LABELS,  2,       2, NO,  &corpus_hollow,         NORMAL, BLOCK,      BAGS, NULL, &mixture },
    { SYMMETRIC, PROBIT,     BINARY,  2,       2, NO,  &corpus_full,           NORMAL, BLOCK,      BAGS, NULL, &sparse },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static size_t n_sweeps(const joint_row *row)
{
    (void)row;
    return joint_effort(40000);
}

/* The mean of z^2 of a row has about as much spread as that of a dozen. */
static joint_table table = {.name = "joint table",
                            .rows = rows,
                            .n_rows = N_ROWS,
                            .first_seed = 1000,
                            .n_sweeps = n_sweeps,
                            .largest_mean_square = 4,
                            .short_grid = {.panel = 3, .nodes = 6}};

static void deviations_are_as_large_as_chance_makes_them(void **state)
{
    (void)state;
    joint_table_assert_deviations(&table);
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
 * errors are thirty times what is allowed, and more. */
static void finer_quadrature_changes_nothing(void **state)
{
    (void)state;
    double usual[MAX_QUANTITIES], finer[MAX_QUANTITIES], largest = 0;
    if (!joint_is_long())
        skip();
    for (size_t r = 0; r < N_ROWS; r++) {
        const bool has_two_axes =
            rows[r].n_topics == 2 || (rows[r].corpus == &corpus_partial_hollow && !rows[r].intercept);
        if (rows[r].response == RESPONSE_NONE || !has_two_axes || rows[r].with != 0)
            continue;
        joint_exact(&rows[r], FAULT_NONE, joint_grid_usual, usual);
        joint_exact(&rows[r], FAULT_NONE, (joint_grid){.panel = 1, .nodes = 8}, finer);
        for (size_t i = 0; i < MAX_QUANTITIES; i++)
            largest = fmax(largest, fabs(usual[i] - finer[i]));
    }
    char text[60];
    snprintf(text, sizeof text, "largest change %.1e", largest);
    joint_say("quadrature", text);
    assert_true(largest < 2e-5);
}

/* Without rotation or cuts: sums over a fine grid of the coefficients themselves, two topics. */
static void a_plain_grid_of_coefficients_gives_the_same_law(void **state)
{
    (void)state;
    const joint_row row = {VECTOR, HINGE_2, BINARY, 1, 2, NO, &corpus_partial_hollow};
    const joint_hidden hidden = {{1}, JOINT_VARIANCE};
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{1, 2}, {2, 0}, {0, 0}, {1, 1}};
    const double share[MAX_DOCS] = {1.0 / 3, 1, 0, 0.5}, step = 0.01;
    score_law law;
    double one = 0, s[MAX_DOCS] = {0}, product = 0, positive = 0, square = 0;
    joint_score_law(&row, FAULT_NONE, joint_grid_usual, n, 0, &hidden, &law);
    for (double a = -8 + step / 2; a < 8; a += step) {
        for (double b = -8 + step / 2; b < 8; b += step) {
            double score[MAX_DOCS], log_w = -(a * a + b * b) / (2 * JOINT_VARIANCE);
            for (size_t d = 0; d < MAX_DOCS; d++) {
                score[d] = d == 2 ? 0 : share[d] * a + (1 - share[d]) * b;
                const joint_target target = joint_target_of(&row, d, 0);
                log_w += joint_log_likelihood(&row, FAULT_NONE, &target, 0, score[d]);
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

NOTICED(a_divisor_of_length_minus_one_is_noticed, table, FAULT_LENGTH_MINUS_ONE, SYMMETRIC, HINGE, BINARY, 1, 2, NO,
        &corpus_full)
NOTICED(half_the_hinge_is_noticed, table, FAULT_HALF_HINGE, SYMMETRIC, HINGE, BINARY, 1, 2, NO, &corpus_full)
NOTICED(a_margin_of_one_is_noticed, table, FAULT_MARGIN_ONE, UNIFORM, HINGE_2, BINARY, 3, 3, NO, &corpus_short)
NOTICED(a_cost_of_one_is_noticed_in_the_hinge, table, FAULT_POWER_ONE, SYMMETRIC, HINGE_2, BINARY, 1, 3, NO,
        &corpus_partial)
NOTICED(a_power_of_one_is_noticed_in_the_logistic, table, FAULT_POWER_ONE, VECTOR, LOGISTIC_2, BINARY, 1, 2, NO,
        &corpus_short)
NOTICED(a_probit_truncated_to_the_wrong_side_is_noticed, table, FAULT_WRONG_SIDE, SYMMETRIC, PROBIT, BINARY, 1, 2, NO,
        &corpus_full)
NOTICED(a_forgotten_omega_is_noticed_in_the_probit, table, FAULT_OMEGA_FORGOTTEN, UNIFORM, PROBIT, BINARY, 2, 3, NO,
        &corpus_hollow)
NOTICED(half_the_omega_is_noticed_in_the_probit, table, FAULT_OMEGA_HALVED, SYMMETRIC, PROBIT, LABELS, 3, 3, NO,
        &corpus_partial_hollow)
NOTICED(other_classes_left_out_are_noticed_in_the_probit, table, FAULT_OWN_CLASS_ONLY, UNIFORM, PROBIT, CLASSES, 3, 3,
        NO, &corpus_full)
NOTICED(a_missing_label_taken_for_a_negative_one_is_noticed_in_the_probit, table, FAULT_MISSING_IS_NEGATIVE, VECTOR,
        PROBIT, BINARY, 3, 2, YES, &corpus_partial)
NOTICED(an_empty_document_left_out_is_noticed_in_the_probit, table, FAULT_EMPTY_LEFT_OUT, SYMMETRIC, PROBIT, CLASSES,
        2, 2, YES, &corpus_partial_hollow)
NOTICED(a_forgotten_block_mass_is_noticed, table, FAULT_NO_BLOCK_MASS, VECTOR, NO_LABELS, 2, 3, NO, &corpus_short)
NOTICED(a_wrong_sum_of_beta_is_noticed, table, FAULT_BETA_SUM_OF_TOPICS, VECTOR, NO_LABELS, SAMPLED, 2, NO,
        &corpus_hollow)
NOTICED(one_distribution_over_two_bags_is_noticed, table, FAULT_BAGS_TOGETHER, SYMMETRIC, NO_LABELS, 2, 2, NO,
        &corpus_full, NORMAL, BLOCK, BAGS)
NOTICED(beta_of_all_words_in_a_bag_is_noticed, table, FAULT_BAGS_BETA_SUM, VECTOR, NO_LABELS, SAMPLED, 3, NO,
        &corpus_full, NORMAL, BLOCK, BAGS)
NOTICED(seeds_ignored_are_noticed_in_bags, table, FAULT_SEEDS_IGNORED, SYMMETRIC, NO_LABELS, 2, 2, NO, &corpus_full,
        NORMAL, BLOCK, BAGS | SEEDS)
NOTICED(a_switch_that_does_not_learn_is_noticed_in_bags, table, FAULT_SWITCH_GIVEN, SYMMETRIC, NO_LABELS, 3, 2, NO,
        &corpus_full, NORMAL, BLOCK, BAGS | KEYWORDS)
NOTICED(tokens_from_keywords_counted_twice_are_noticed_in_bags, table, FAULT_SWITCHED_COUNTED, VECTOR, NO_LABELS,
        SAMPLED, 3, NO, &corpus_full, NORMAL, BLOCK, BAGS | KEYWORDS)
NOTICED(a_missing_label_taken_for_a_negative_one_is_noticed_in_bags, table, FAULT_MISSING_IS_NEGATIVE, SYMMETRIC,
        HINGE_2, BINARY, 2, 3, NO, &corpus_partial, NORMAL, BLOCK, BAGS)
NOTICED(one_distribution_over_two_bags_is_noticed_with_labels, table, FAULT_BAGS_TOGETHER, VECTOR, HINGE, CLASSES,
        SAMPLED, 2, NO, &corpus_full, NORMAL, BLOCK, BAGS)
NOTICED(seeds_ignored_are_noticed, table, FAULT_SEEDS_IGNORED, SYMMETRIC, NO_LABELS, 1, 2, NO, &corpus_full, NORMAL,
        BLOCK, SEEDS)
NOTICED(seeds_of_a_topic_in_all_topics_are_noticed, table, FAULT_SEEDS_FOR_ALL, VECTOR, NO_LABELS, 2, 3, NO,
        &corpus_short, NORMAL, BLOCK, SEEDS)
NOTICED(keywords_ignored_are_noticed, table, FAULT_KEYWORDS_IGNORED, VECTOR, NO_LABELS, 3, 3, NO, &corpus_short,
        NORMAL, BLOCK, KEYWORDS)
NOTICED(a_switch_that_does_not_learn_is_noticed, table, FAULT_SWITCH_GIVEN, VECTOR, NO_LABELS, SAMPLED, 3, NO,
        &corpus_full, NORMAL, BLOCK, KEYWORDS)
NOTICED(tokens_from_keywords_counted_twice_are_noticed, table, FAULT_SWITCHED_COUNTED, SYMMETRIC, NO_LABELS, 2, 2, NO,
        &corpus_full, NORMAL, BLOCK, KEYWORDS)
NOTICED(one_alpha_for_all_topics_is_noticed, table, FAULT_MEAN_ALPHA, VECTOR, NO_LABELS, SAMPLED, 2, NO,
        &corpus_hollow)
NOTICED(alpha_taken_for_a_total_is_noticed, table, FAULT_TOTAL_ALPHA, SYMMETRIC, NO_LABELS, SAMPLED, 3, NO,
        &corpus_full)
NOTICED(counts_in_the_uniform_prior_are_noticed, table, FAULT_UNIFORM_COUNTS, UNIFORM, NO_LABELS, 3, 3, NO,
        &corpus_hollow)
NOTICED(a_missing_label_taken_for_a_negative_one_is_noticed, table, FAULT_MISSING_IS_NEGATIVE, SYMMETRIC, HINGE_2,
        BINARY, 1, 3, NO, &corpus_partial)
NOTICED(an_empty_document_left_out_is_noticed, table, FAULT_EMPTY_LEFT_OUT, UNIFORM, HINGE, BINARY, SAMPLED, 2, YES,
        &corpus_hollow)
NOTICED(a_variance_taken_for_a_precision_is_noticed, table, FAULT_VARIANCE_IS_PRECISION, SYMMETRIC, LOGISTIC, BINARY,
        1, 3, NO, &corpus_full)
NOTICED(an_intercept_with_the_variance_of_topics_is_noticed, table, FAULT_ONE_VARIANCE, SYMMETRIC, HINGE, BINARY, 2,
        3, YES, &corpus_short)
NOTICED(other_classes_left_out_are_noticed, table, FAULT_OWN_CLASS_ONLY, VECTOR, HINGE, CLASSES, 2, 2, NO,
        &corpus_full)
NOTICED(topics_that_ignore_the_labels_are_noticed, table, FAULT_TOPICS_IGNORE_LABELS, VECTOR, LOGISTIC_2, BINARY, 1,
        2, NO, &corpus_short)

NOTICED(weights_ignored_are_noticed_in_the_hinge, table, FAULT_WEIGHTS_IGNORED, VECTOR, HINGE_2, BINARY, 1, 2, NO,
        &corpus_partial, NORMAL, BLOCK, WEIGHTS | CLASS_WEIGHTS)
NOTICED(weights_ignored_are_noticed_in_the_logistic, table, FAULT_WEIGHTS_IGNORED, UNIFORM, LOGISTIC_2, LABELS,
        SAMPLED, 2, NO, &corpus_partial, NORMAL, COORDINATE, WEIGHTS | CLASS_WEIGHTS)
NOTICED(weights_of_classes_ignored_are_noticed, table, FAULT_WEIGHTS_IGNORED, SYMMETRIC, LOGISTIC, CLASSES, 2, 2, NO,
        &corpus_short, NORMAL, BLOCK, CLASS_WEIGHTS)
NOTICED(covariates_ignored_are_noticed_in_the_probit, table, FAULT_COVARIATES_IGNORED, VECTOR, PROBIT, BINARY, 2, 2,
        NO, &corpus_partial_hollow, NORMAL, BLOCK, NUMBER | FACTOR)
NOTICED(covariates_ignored_are_noticed_in_the_hinge, table, FAULT_COVARIATES_IGNORED, SYMMETRIC, HINGE, BINARY,
        SAMPLED, 2, YES, &corpus_short, NORMAL, COORDINATE, FACTOR)
NOTICED(a_wrong_shape_of_the_sampled_variance_is_noticed, table, FAULT_VARIANCE_SHAPE, UNIFORM, LOGISTIC, BINARY, 1,
        2, NO, &corpus_short, NORMAL, BLOCK, VARIANCE)

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
    cmocka_unit_test(one_distribution_over_two_bags_is_noticed),
    cmocka_unit_test(beta_of_all_words_in_a_bag_is_noticed),
    cmocka_unit_test(seeds_ignored_are_noticed_in_bags),
    cmocka_unit_test(a_switch_that_does_not_learn_is_noticed_in_bags),
    cmocka_unit_test(tokens_from_keywords_counted_twice_are_noticed_in_bags),
    cmocka_unit_test(a_missing_label_taken_for_a_negative_one_is_noticed_in_bags),
    cmocka_unit_test(one_distribution_over_two_bags_is_noticed_with_labels),
    cmocka_unit_test(seeds_ignored_are_noticed),
    cmocka_unit_test(seeds_of_a_topic_in_all_topics_are_noticed),
    cmocka_unit_test(keywords_ignored_are_noticed),
    cmocka_unit_test(a_switch_that_does_not_learn_is_noticed),
    cmocka_unit_test(tokens_from_keywords_counted_twice_are_noticed),
    cmocka_unit_test(one_alpha_for_all_topics_is_noticed),
    cmocka_unit_test(alpha_taken_for_a_total_is_noticed),
    cmocka_unit_test(counts_in_the_uniform_prior_are_noticed),
    cmocka_unit_test(a_missing_label_taken_for_a_negative_one_is_noticed),
    cmocka_unit_test(an_empty_document_left_out_is_noticed),
    cmocka_unit_test(a_variance_taken_for_a_precision_is_noticed),
    cmocka_unit_test(an_intercept_with_the_variance_of_topics_is_noticed),
    cmocka_unit_test(other_classes_left_out_are_noticed),
    cmocka_unit_test(topics_that_ignore_the_labels_are_noticed),
    cmocka_unit_test(weights_ignored_are_noticed_in_the_hinge),
    cmocka_unit_test(weights_ignored_are_noticed_in_the_logistic),
    cmocka_unit_test(weights_of_classes_ignored_are_noticed),
    cmocka_unit_test(covariates_ignored_are_noticed_in_the_probit),
    cmocka_unit_test(covariates_ignored_are_noticed_in_the_hinge),
    cmocka_unit_test(a_wrong_shape_of_the_sampled_variance_is_noticed),
};
int main(void)
{
    return joint_table_run(&table, fixed_tests, sizeof fixed_tests / sizeof fixed_tests[0]);
}
