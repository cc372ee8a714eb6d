/* The joint table for levels: the law of the whole chain against exact enumeration, as in test_joint_table.c, for the ordinal
 * response with two and three levels x {normal, horseshoe} x {block, coordinate} x the three topic treatments, cut points
 * sampled or held where they are.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per row. */
#include "helper_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last members of rows */

static const joint_row gaussian_too = {VECTOR, GAUSSIAN_2, 1, 2, NO, &corpus_partial, NORMAL, BLOCK, HIDDEN};
static const joint_tokens sparse = {.sampler = "sparse"},
                          mh = {.sampler = "mh", .steps = "2", .proposals = "doc,word,exp", .compose = "cycle"};

/* clang-format off */
/*    document   response      B        K  intercept  corpus             coefficients  sampler    besides */
static const joint_row rows[] = {
    { SYMMETRIC, TWO_LEVELS,   1,       2, NO,  &corpus_full,           NORMAL,    BLOCK,      HIDDEN },
    { VECTOR,    TWO_LEVELS,   2,       2, NO,  &corpus_partial,        NORMAL,    COORDINATE, HIDDEN },
    { UNIFORM,   TWO_LEVELS,   SAMPLED, 2, NO,  &corpus_partial_hollow, NORMAL,    MIXED,      HIDDEN },
    { SYMMETRIC, TWO_LEVELS,   1,       2, NO,  &corpus_short,          NORMAL,    COORDINATE, HIDDEN, NULL, &mh },
    { SYMMETRIC, THREE_LEVELS, 1,       2, NO,  &corpus_hollow,         NORMAL,    BLOCK,      HIDDEN },
    { VECTOR,    THREE_LEVELS, 2,       2, NO,  &corpus_short,          NORMAL,    COORDINATE, HIDDEN },
    { UNIFORM,   THREE_LEVELS, SAMPLED, 2, NO,  &corpus_hollow,         NORMAL,    COORDINATE, HIDDEN },

    { VECTOR,    THREE_LEVELS, 1,       3, NO,  &corpus_full,           NORMAL,    COORDINATE, 0 },
    { SYMMETRIC, THREE_LEVELS, 2,       2, YES, &corpus_partial,        NORMAL,    BLOCK,      NUMBER, NULL, &sparse },
    { UNIFORM,   THREE_LEVELS, SAMPLED, 2, NO,  &corpus_partial_hollow, NORMAL,    BLOCK,      FACTOR },
    { VECTOR,    THREE_LEVELS, 1,       2, NO,  &corpus_short,          HORSESHOE, BLOCK,      0 },
    { VECTOR,    THREE_LEVELS, 2,       2, NO,  &corpus_short,          HORSESHOE, COORDINATE, 0, NULL, &mh },
    { UNIFORM,   TWO_LEVELS,   SAMPLED, 2, NO,  &corpus_partial,        HORSESHOE, BLOCK,      0 },
    { SYMMETRIC, THREE_LEVELS, 1,       2, NO,  &corpus_partial,        NORMAL,    BLOCK,      VARIANCE },
    { VECTOR,    TWO_LEVELS,   1,       2, NO,  &corpus_partial,        NORMAL,    BLOCK,      0, &gaussian_too },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static size_t n_sweeps(const joint_row *row)
{
    const size_t slow = 200000, n = joint_effort(row->horseshoe ? slow : 40000); /* long excursions */
    return row->horseshoe && n < slow ? slow : n;
}

static joint_table table = {.name = "joint table of levels",
                            .rows = rows,
                            .n_rows = N_ROWS,
                            .first_seed = 9100,
                            .n_sweeps = n_sweeps,
                            .largest_mean_square = 9,
                            .short_grid = {.panel = 4, .nodes = 6}};

/* ---- the exact side itself ---- */

/* A score that is always 0 leaves the integral over the cut points.  Two documents of different levels among two have
 * E Phi(c) - E Phi(c)^2 with c ~ N(0, V), where E Phi(c) = 1/2 and E Phi(c)^2, the probability that two latent numbers lie below
 * c, is 1/4 + arcsin(V / (1 + V)) / (2 pi).  The lowest and the highest of three levels: by a fine grid of both cut points. */
static void the_integral_over_cut_points_is_right(void **state)
{
    (void)state;
    static const joint_corpus no_words = {
        .name = "no words", .n_docs = 2, .n_words = 1, .label = {{"a", "b"}, {"a", "c"}, {"a", "b"}}};
    joint_row row = {SYMMETRIC, TWO_LEVELS, 1, 2, NO, &no_words, NORMAL, BLOCK, HIDDEN};
    double value[MAX_HIDDEN][MAX_OWN], weight[MAX_HIDDEN], evidence = 0, total = 0;
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{0}};
    score_law law;
    size_t n_values = joint_own_values(&row, FAULT_NONE, joint_grid_usual, value, weight);
    for (size_t i = 0; i < n_values; i++) {
        joint_score_law(&row, FAULT_NONE, joint_grid_usual, n, 0, &(joint_hidden){{value[i][0]}, 1}, &law);
        evidence += weight[i] * law.evidence;
        total += weight[i];
    }
    assert_true(fabs(total - 1) < 3e-5);
    assert_true(fabs(evidence - (0.25 - asin(25.0 / 26) / (2 * M_PI))) < 1e-5);
    row = (joint_row){SYMMETRIC, THREE_LEVELS, 1, 2, NO, &no_words, NORMAL, BLOCK, HIDDEN};
    n_values = joint_own_values(&row, FAULT_NONE, joint_grid_usual, value, weight);
    evidence = total = 0;
    for (size_t i = 0; i < n_values; i++) {
        const joint_hidden hidden = {{value[i][0], value[i][1]}, 1};
        joint_score_law(&row, FAULT_NONE, joint_grid_usual, n, 0, &hidden, &law);
        evidence += weight[i] * law.evidence;
        total += weight[i];
    }
    double exact = 0;
    const double step = 0.02;
    for (double c = -30; c < 30; c += step)
        for (double x = c + step / 2; x < 30; x += step)
            exact += 2 * step * step * exp(-(c * c + x * x) / 50) / (2 * M_PI * 25) * (erfc(-c / M_SQRT2) / 2) *
                     (erfc(x / M_SQRT2) / 2);
    if (!(fabs(evidence - exact) < 1e-3 * exact))
        fail_msg("%.8g, expected %.8g; prior %.8g", evidence, exact, total);
}

/* ---- faults ---- */

NOTICED(a_divisor_of_length_minus_one_is_noticed, table, FAULT_LENGTH_MINUS_ONE, VECTOR, THREE_LEVELS, 1, 3, NO,
        &corpus_full, NORMAL, COORDINATE, 0)
NOTICED(a_latent_number_with_twice_the_variance_is_noticed, table, FAULT_OMEGA_HALVED, VECTOR, THREE_LEVELS, 1, 3, NO,
        &corpus_full, NORMAL, COORDINATE, 0)
NOTICED(a_level_without_its_lower_end_is_noticed, table, FAULT_NO_LOW_END, VECTOR, THREE_LEVELS, 1, 3, NO,
        &corpus_full, NORMAL, COORDINATE, 0)
NOTICED(a_level_without_its_lower_end_is_noticed_in_cut_points, table, FAULT_NO_LOW_END, SYMMETRIC, THREE_LEVELS, 1,
        2, NO, &corpus_hollow, NORMAL, BLOCK, HIDDEN)
NOTICED(cut_points_with_a_deviation_for_their_variance_are_noticed, table, FAULT_CUT_PRIOR, SYMMETRIC, TWO_LEVELS, 1,
        2, NO, &corpus_full, NORMAL, BLOCK, HIDDEN)
NOTICED(a_missing_level_taken_for_the_lowest_is_noticed, table, FAULT_MISSING_IS_NEGATIVE, VECTOR, TWO_LEVELS, 2, 2,
        NO, &corpus_partial, NORMAL, COORDINATE, HIDDEN)
NOTICED(an_empty_document_left_out_is_noticed, table, FAULT_EMPTY_LEFT_OUT, UNIFORM, TWO_LEVELS, SAMPLED, 2, NO,
        &corpus_partial_hollow, NORMAL, MIXED, HIDDEN)
NOTICED(topics_that_ignore_levels_are_noticed, table, FAULT_TOPICS_IGNORE_LABELS, SYMMETRIC, THREE_LEVELS, 1, 2, NO,
        &corpus_hollow, NORMAL, BLOCK, HIDDEN)

static void deviations_are_as_large_as_chance_makes_them(void **state)
{
    (void)state;
    joint_table_assert_deviations(&table);
}

static const struct CMUnitTest fixed_tests[] = {
    cmocka_unit_test(deviations_are_as_large_as_chance_makes_them),
    cmocka_unit_test(the_integral_over_cut_points_is_right),
    cmocka_unit_test(a_divisor_of_length_minus_one_is_noticed),
    cmocka_unit_test(a_latent_number_with_twice_the_variance_is_noticed),
    cmocka_unit_test(a_level_without_its_lower_end_is_noticed),
    cmocka_unit_test(a_level_without_its_lower_end_is_noticed_in_cut_points),
    cmocka_unit_test(cut_points_with_a_deviation_for_their_variance_are_noticed),
    cmocka_unit_test(a_missing_level_taken_for_the_lowest_is_noticed),
    cmocka_unit_test(an_empty_document_left_out_is_noticed),
    cmocka_unit_test(topics_that_ignore_levels_are_noticed),
};

int main(void)
{
    return joint_table_run(&table, fixed_tests, sizeof fixed_tests / sizeof fixed_tests[0]);
}
