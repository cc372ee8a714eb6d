/* The joint table for log weights whose means are a regression on metadata: against sums over assignments with quadrature over the log
 * weights of all documents, for both updates and their choice, with topics that are all alike or correlated, all token samplers,
 * responses, seeds and missing labels.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per row. */
#include "helper_table.h"

#include <math.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last members of rows: nothing besides */

/* ---- two tiny corpora whose laws are known from elsewhere: spec 22.8 ---- */

static const joint_corpus corpus_slope = {.name = "slope",
                                          .n_docs = 3,
                                          .n_words = 2,
                                          .length = {3, 1, 2},
                                          .word = {0, 0, 1, 1, 0, 1},
                                          .beta = 0.7,
                                          .measurement = {-1, 0.5, 1.2},
                                          .level = {'u', 'v', 'u'}};
/* the third document has no words, and says nothing */
static const joint_corpus corpus_pair = {.name = "pair",
                                         .n_docs = 3,
                                         .n_words = 3,
                                         .length = {3, 2, 0},
                                         .word = {0, 0, 1, 1, 2},
                                         .measurement = {-1, 1, 0},
                                         .level = {'u', 'v', 'u'}};
static const joint_corpus corpus_unlabelled = {.name = "unlabelled",
                                               .n_docs = 3,
                                               .n_words = 4,
                                               .length = {3, 2, 2},
                                               .word = {0, 1, 0, 2, 3, 1, 3},
                                               .label = {{"b", NULL, "a"}, {"c", NULL, "a"}, {"ab", NULL, ""}},
                                               .number = {1.4, NAN, -0.8},
                                               .measurement = {0.9, -1.3, 0.1},
                                               .level = {'u', 'v', 'v'}};

static const psi_regression
    raw_slope = {.formula = "measurement",
                 .has_x = true,
                 .is_raw = true,
                 .level_precision = 0.25,
                 .fixed_variance = 2},
    raw_pair = {.formula = "measurement",
                .has_x = true,
                .is_raw = true,
                .level_precision = 0.5,
                .fixed_variance = 1,
                .second = {0.75, 0.8}},
    raw_pair_alike = {.formula = "measurement",
                      .has_x = true,
                      .is_raw = true,
                      .level_precision = 0.5,
                      .fixed_variance = 1},
    slope = {.formula = "measurement", .has_x = true}, constant = {.formula = "1"},
    slope_of_nothing = {.formula = "measurement", .has_x = true, .is_zero = true},
    slope_that_is_0 = {.formula = "measurement",
                       .has_x = true,
                       .level_precision = PSI_LEVEL_PRECISION,
                       .level_mean = PSI_LEVEL_MEAN,
                       .fixed_variance = 1e-9},
    horseshoe = {.formula = "measurement", .has_x = true, .has_horseshoe = true, .scale = 0.1},
    slope_and_level = {.formula = "measurement + level", .has_x = true, .has_level = true},
    random = {.formula = "(1 | level)", .has_random = true},
    slope_and_random = {.formula = "measurement + (1 | level)", .has_x = true, .has_random = true, .scale = 0.5};

/* One reference topic: a full covariance of one coordinate. */
static const psi_prior reference = {
    .name = "slope, reference", .is_full = true, .sigma = {{0.8}}, .regression = &raw_slope};
static const psi_prior reference_sampled = {
    .name = "slope, reference, sampled", .is_full = true, .covariance_is_sampled = true, .regression = &slope};
static const psi_prior reference_random = {
    .name = "random, reference, sampled", .is_full = true, .covariance_is_sampled = true, .regression = &random};
#define CORRELATED .is_full = true, .sigma = {{0.9, 0.4}, {0.4, 0.7}}
static const psi_prior pair = {.name = "slope, full", CORRELATED, .regression = &raw_pair_alike};
static const psi_prior pair_of_two_laws = {.name = "slope, full, two laws", CORRELATED, .regression = &raw_pair};
static const psi_prior full = {.name = "slope and level, full", CORRELATED, .regression = &slope_and_level};
/* All topics are alike. */
static const psi_prior alike = {.name = "slope, alike", .sigma = {{0.8}}, .regression = &slope};
static const psi_prior reference_horseshoe = {
    .name = "slope with a horseshoe, reference", .is_full = true, .sigma = {{0.8}}, .regression = &horseshoe};
static const psi_prior alike_levels = {
    .name = "slope and level, alike", .sigma = {{1.3}}, .regression = &slope_and_level};
static const psi_prior alike_constant = {.name = "constant, alike", .sigma = {{1.7}}, .regression = &constant};
static const psi_prior alike_nothing = {
    .name = "column of zeros, alike", .sigma = {{1.7}}, .regression = &slope_of_nothing};
static const psi_prior alike_0 = {
    .name = "slope of variance 0, alike", .sigma = {{1.7}}, .regression = &slope_that_is_0};
static const psi_prior reference_constant = {
    .name = "constant, reference", .is_full = true, .sigma = {{1}}, .regression = &constant};
static const psi_prior plain = {
    .name = "logistic-normal, mean sampled", .is_full = true, .mean_is_sampled = true, .sigma = {{1}}};
static const psi_prior alike_sampled = {
    .name = "slope, alike, sampled", .covariance_is_sampled = true, .regression = &slope};
static const psi_prior alike_random = {
    .name = "slope and random, alike", .sigma = {{0.6}}, .regression = &slope_and_random};

static const joint_tokens dense = {.sampler = "dense"}, sparse = {.sampler = "sparse"},
                          mixture = {"mh", "6", "doc,word,exp", "mixture"};

#define PSI                         PRIOR_PSI
#define INTERVAL                    "interval"
#define POLYA                       "polya-gamma"
#define AUTO                        "auto"
#define WITH(p, update)             NORMAL, BLOCK, 0, NULL, NULL, &(p), update
#define BY(p, update, tokens, with) NORMAL, BLOCK, with, NULL, &(tokens), &(p), update

static const size_t N_SWEEPS = 60000;

/* clang-format off */
/*    prior  response    task     B        K  intercept  corpus */
static const joint_row rows[] = {
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_slope,      WITH(reference, INTERVAL) },
    { PSI,   NO_LABELS,          2,       2, NO,  &corpus_slope,      WITH(reference, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_slope,      BY(reference, AUTO, sparse, 0) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_pair,       WITH(pair, INTERVAL) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_pair,       BY(pair, POLYA, mixture, 0) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_pair,       BY(pair, AUTO, dense, 0) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(reference_sampled, INTERVAL) },
    { PSI,   HINGE,      BINARY, 1,       2, NO,  &corpus_full,       WITH(reference_sampled, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_slope,      WITH(reference_random, AUTO) },
    { PSI,   LOGISTIC_2, BINARY, 1,       3, NO,  &corpus_hollow,     WITH(full, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(alike, INTERVAL) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       BY(alike, POLYA, sparse, 0) },
    { PSI,   HINGE,      BINARY, 2,       2, NO,  &corpus_short,      WITH(alike, AUTO) },
    { PSI,   GAUSSIAN,           1,       2, NO,  &corpus_full,       WITH(alike_levels, AUTO) },
    { PSI,   LOGISTIC,   BINARY, SAMPLED, 2, NO,  &corpus_unlabelled, WITH(alike, AUTO) },
    { PSI,   HINGE_2,    BINARY, 1,       2, NO,  &corpus_unlabelled, BY(alike_levels, POLYA, dense, 0) },
    { PSI,   GAUSSIAN,           1,       2, YES, &corpus_unlabelled, BY(alike, INTERVAL, sparse, 0) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       BY(alike, AUTO, sparse, SEEDS) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_short,      BY(alike, AUTO, dense, KEYWORDS) },
    { PSI,   NO_LABELS,          1,       3, NO,  &corpus_pair,       WITH(alike, AUTO) },
    { PSI,   NO_LABELS,          2,       3, NO,  &corpus_short,      BY(alike_levels, POLYA, mixture, 0) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(alike_constant, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(alike_nothing, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(alike_0, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(reference_constant, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_full,       WITH(plain, AUTO) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_slope,      WITH(alike_sampled, AUTO) },
    { PSI,   LOGISTIC,   BINARY, 1,       2, NO,  &corpus_short,      WITH(alike_sampled, POLYA) },
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_slope,      WITH(alike_random, AUTO) },
    { PSI,   HINGE,      BINARY, 1,       2, NO,  &corpus_short,      WITH(alike_random, POLYA) },
    /* scales of heavy tails move too slowly for more of it: test_prevalence draws them anew */
    { PSI,   NO_LABELS,          1,       2, NO,  &corpus_slope,      WITH(reference_horseshoe, POLYA) },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static size_t n_sweeps(const joint_row *row)
{
    (void)row;
    return joint_effort(N_SWEEPS);
}

static joint_table table = {.name = "joint table of regressions on metadata",
                            .rows = rows,
                            .n_rows = N_ROWS,
                            .first_seed = 1400,
                            .n_sweeps = n_sweeps,
                            .largest_mean_square = 5,
                            .short_grid = {.panel = 4, .nodes = 4}};

/* ---- the exact side itself ---- */

typedef struct known {
    const char *name; /* as joint_quantities() has it */
    double value;
} known;

static void exact_side_knows(const joint_row *row, size_t n, const known *wanted)
{
    static const unsigned char z[MAX_TOKENS];
    static const score_law law[MAX_OUTPUTS];
    double exact[MAX_QUANTITIES];
    char name[MAX_QUANTITIES][NAME_SIZE];
    joint_exact(row, FAULT_NONE, joint_grid_usual, exact);
    const size_t n_quantities = joint_quantities(row, z, law, NULL, NULL, name);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        size_t n_found = 0;
        for (size_t q = 0; q < n_quantities; q++)
            if (strncmp(name[q], wanted[i].name, strlen(wanted[i].name)) == 0) {
                sum += exact[q];
                n_found++;
            }
        assert_true(n_found > 0);
        if (!(fabs(sum - wanted[i].value) < 5e-4))
            fail_msg("%s is %.5f, not %.5f", wanted[i].name, sum, wanted[i].value);
    }
}

static void the_law_of_one_slope_is_that_of_another_program(void **state)
{
    (void)state;
    const joint_row row = {PSI, NO_LABELS, 1, 2, NO, &corpus_slope, WITH(reference, AUTO)};
    const known wanted[] = {{"z_i = z_j 1 0", 0.7853},
                            {"z_i = z_j 3 0", 0.5152},
                            {"z_i = z_j 4 3", 0.6103},
                            {"coefficient^2 1", 1.8257},
                            {"coefficient^2 0", 3.6397}};
    exact_side_knows(&row, sizeof wanted / sizeof wanted[0], wanted);
}

static void the_law_of_two_slopes_is_that_of_another_program(void **state)
{
    (void)state;
    const joint_row row = {PSI, NO_LABELS, 1, 3, NO, &corpus_pair, WITH(pair_of_two_laws, AUTO)};
    const known wanted[] = {{"z_i = z_j 1 0", 0.6857},
                            {"z_i = z_j 3 0", 0.2924},
                            {"coefficient^2 1", 1.8589}, /* of both topics */
                            {"product of coefficients", -0.0109},
                            {"theta_dk 1 2", 0.3055}};
    exact_side_knows(&row, sizeof wanted / sizeof wanted[0], wanted);
}

/* ---- laws that are the same ---- */

/* Of all quantities that both have; chains of both have rows in the table. */
static void same_laws(const psi_prior *a, const psi_prior *b)
{
    static const unsigned char z[MAX_TOKENS];
    static const score_law law[MAX_OUTPUTS];
    const joint_row row[2] = {{PSI, NO_LABELS, 1, 2, NO, &corpus_full, WITH(*a, AUTO)},
                              {PSI, NO_LABELS, 1, 2, NO, &corpus_full, WITH(*b, AUTO)}};
    double exact[2][MAX_QUANTITIES];
    char name[2][MAX_QUANTITIES][NAME_SIZE];
    size_t n[2], n_shared = 0;
    for (size_t i = 0; i < 2; i++) {
        (void)joint_table_find(&table, row[i]);
        joint_exact(&row[i], FAULT_NONE, joint_grid_usual, exact[i]);
        n[i] = joint_quantities(&row[i], z, law, NULL, NULL, name[i]);
    }
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++)
            if (strcmp(name[0][i], name[1][j]) == 0) {
                if (!(fabs(exact[0][i] - exact[1][j]) < 2e-4))
                    fail_msg("%s: %.5f and %.5f", name[0][i], exact[0][i], exact[1][j]);
                n_shared++;
            }
    assert_true(n_shared > 40);
}

static void a_formula_of_a_constant_is_the_plain_law(void **state)
{
    (void)state;
    same_laws(&reference_constant, &plain);
}

static void a_column_of_zeros_changes_nothing(void **state)
{
    (void)state;
    same_laws(&alike_nothing, &alike_constant);
}

static void a_coefficient_that_must_be_0_changes_nothing(void **state)
{
    (void)state;
    same_laws(&alike_0, &alike_constant);
}

/* ---- faults ---- */

NOTICED(means_without_a_column_are_noticed, table, FAULT_PSI_NO_COLUMN, PSI, NO_LABELS, 2, 2, NO, &corpus_slope,
        WITH(reference, POLYA))
NOTICED(means_without_a_column_are_noticed_with_correlated_topics, table, FAULT_PSI_NO_COLUMN, PSI, NO_LABELS, 1, 3,
        NO, &corpus_pair, BY(pair, POLYA, mixture, 0))
NOTICED(means_without_a_column_are_noticed_where_topics_are_alike, table, FAULT_PSI_NO_COLUMN, PSI, GAUSSIAN, 1, 2,
        NO, &corpus_full, WITH(alike_levels, AUTO))
NOTICED(a_topic_without_a_weight_is_noticed, table, FAULT_PSI_ONE_SIDED, PSI, NO_LABELS, 1, 2, NO, &corpus_full,
        WITH(alike, INTERVAL))
NOTICED(a_topic_without_a_weight_is_noticed_among_three, table, FAULT_PSI_ONE_SIDED, PSI, NO_LABELS, 2, 3, NO,
        &corpus_short, BY(alike_levels, POLYA, mixture, 0))
NOTICED(a_wrong_variance_of_fixed_effects_is_noticed, table, FAULT_PSI_FIXED_AS_ONE, PSI, NO_LABELS, 1, 2, NO,
        &corpus_full, BY(alike, POLYA, sparse, 0))
NOTICED(a_level_for_each_document_is_noticed, table, FAULT_PSI_ONE_LEVEL, PSI, NO_LABELS, 1, 2, NO, &corpus_slope,
        WITH(alike_random, AUTO))
NOTICED(a_level_for_each_document_is_noticed_with_a_reference, table, FAULT_PSI_ONE_LEVEL, PSI, NO_LABELS, 1, 2, NO,
        &corpus_slope, WITH(reference_random, AUTO))
NOTICED(a_wide_law_of_effects_is_noticed, table, FAULT_PSI_WIDE, PSI, HINGE, BINARY, 1, 2, NO, &corpus_short,
        WITH(alike_random, POLYA))
NOTICED(a_wide_horseshoe_is_noticed, table, FAULT_PSI_WIDE, PSI, NO_LABELS, 1, 2, NO, &corpus_slope,
        WITH(reference_horseshoe, POLYA))
NOTICED(a_precision_taken_for_a_variance_is_noticed, table, FAULT_PSI_VARIANCE, PSI, NO_LABELS, 1, 2, NO,
        &corpus_slope, WITH(alike_sampled, AUTO))
NOTICED(a_precision_taken_for_a_variance_is_noticed_with_a_reference, table, FAULT_PSI_VARIANCE, PSI, NO_LABELS, 1, 2,
        NO, &corpus_full, WITH(reference_sampled, INTERVAL))
NOTICED(one_token_less_is_noticed, table, FAULT_PSI_SHORT, PSI, NO_LABELS, 1, 2, NO, &corpus_full,
        WITH(alike_constant, AUTO))
NOTICED(half_the_hinge_is_noticed, table, FAULT_HALF_HINGE, PSI, HINGE, BINARY, 2, 2, NO, &corpus_short,
        WITH(alike, AUTO))
NOTICED(a_power_of_one_is_noticed, table, FAULT_POWER_ONE, PSI, LOGISTIC_2, BINARY, 1, 3, NO, &corpus_hollow,
        WITH(full, AUTO))
NOTICED(a_deviation_taken_for_a_variance_is_noticed, table, FAULT_DEVIATION_IS_VARIANCE, PSI, GAUSSIAN, 1, 2, NO,
        &corpus_full, WITH(alike_levels, AUTO))
NOTICED(topics_that_ignore_the_labels_are_noticed, table, FAULT_TOPICS_IGNORE_LABELS, PSI, HINGE, BINARY, 1, 2, NO,
        &corpus_full, WITH(reference_sampled, POLYA))
NOTICED(a_missing_label_taken_for_a_negative_one_is_noticed, table, FAULT_MISSING_IS_NEGATIVE, PSI, LOGISTIC, BINARY,
        SAMPLED, 2, NO, &corpus_unlabelled, WITH(alike, AUTO))
NOTICED(a_missing_number_taken_for_0_is_noticed, table, FAULT_MISSING_IS_NEGATIVE, PSI, GAUSSIAN, 1, 2, YES,
        &corpus_unlabelled, BY(alike, INTERVAL, sparse, 0))
NOTICED(seeds_ignored_are_noticed, table, FAULT_SEEDS_IGNORED, PSI, NO_LABELS, 1, 2, NO, &corpus_full,
        BY(alike, AUTO, sparse, SEEDS))
NOTICED(keywords_ignored_are_noticed, table, FAULT_KEYWORDS_IGNORED, PSI, NO_LABELS, 1, 2, NO, &corpus_short,
        BY(alike, AUTO, dense, KEYWORDS))

static void deviations_are_as_large_as_chance_makes_them(void **state)
{
    (void)state;
    joint_table_assert_deviations(&table);
}

static const struct CMUnitTest fixed_tests[] = {
    cmocka_unit_test(deviations_are_as_large_as_chance_makes_them),
    cmocka_unit_test(the_law_of_one_slope_is_that_of_another_program),
    cmocka_unit_test(the_law_of_two_slopes_is_that_of_another_program),
    cmocka_unit_test(a_formula_of_a_constant_is_the_plain_law),
    cmocka_unit_test(a_column_of_zeros_changes_nothing),
    cmocka_unit_test(a_coefficient_that_must_be_0_changes_nothing),
    cmocka_unit_test(means_without_a_column_are_noticed),
    cmocka_unit_test(means_without_a_column_are_noticed_with_correlated_topics),
    cmocka_unit_test(means_without_a_column_are_noticed_where_topics_are_alike),
    cmocka_unit_test(a_topic_without_a_weight_is_noticed),
    cmocka_unit_test(a_topic_without_a_weight_is_noticed_among_three),
    cmocka_unit_test(a_wrong_variance_of_fixed_effects_is_noticed),
    cmocka_unit_test(a_level_for_each_document_is_noticed),
    cmocka_unit_test(a_level_for_each_document_is_noticed_with_a_reference),
    cmocka_unit_test(a_wide_law_of_effects_is_noticed),
    cmocka_unit_test(a_wide_horseshoe_is_noticed),
    cmocka_unit_test(a_precision_taken_for_a_variance_is_noticed),
    cmocka_unit_test(a_precision_taken_for_a_variance_is_noticed_with_a_reference),
    cmocka_unit_test(one_token_less_is_noticed),
    cmocka_unit_test(half_the_hinge_is_noticed),
    cmocka_unit_test(a_power_of_one_is_noticed),
    cmocka_unit_test(a_deviation_taken_for_a_variance_is_noticed),
    cmocka_unit_test(topics_that_ignore_the_labels_are_noticed),
    cmocka_unit_test(a_missing_label_taken_for_a_negative_one_is_noticed),
    cmocka_unit_test(a_missing_number_taken_for_0_is_noticed),
    cmocka_unit_test(seeds_ignored_are_noticed),
    cmocka_unit_test(keywords_ignored_are_noticed),
};

int main(void)
{
    return joint_table_run(&table, fixed_tests, sizeof fixed_tests / sizeof fixed_tests[0]);
}
