/* The joint table for coefficient priors and coefficient samplers: the law of the whole chain against exact
 * enumeration, as in test_joint_table.c, for {normal, horseshoe} x {block, coordinate}; rows with the normal prior
 * and the block draw are there.  Quantities of the horseshoe are bounded functions: it has no moments.
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

static const double LARGEST_Z = 5;
static const size_t N_SWEEPS = 300000, FEWEST_SWEEPS = 100000; /* scales of the horseshoe move slowly */

#define SYMMETRIC  PRIOR_SYMMETRIC
#define VECTOR     PRIOR_VECTOR
#define UNIFORM    PRIOR_UNIFORM
#define HINGE      RESPONSE_HINGE, 1, 1
#define HINGE_2    RESPONSE_HINGE, 0.6, 1.7
#define LOGISTIC   RESPONSE_LOGISTIC, 1, 1
#define LOGISTIC_2 RESPONSE_LOGISTIC, 2.5, 1
#define BINARY     TASK_BINARY
#define CLASSES    TASK_MULTICLASS
#define LABELS     TASK_MULTILABEL
enum { SAMPLED = 0, NO = 0, YES = 1, NORMAL = 0, HORSESHOE = 1, BLOCK = 0, COORDINATE = 1 };

/* clang-format off */
/*    document   response    task     B        K  intercept  corpus             coefficients  sampler */
static const joint_row rows[] = {
    { SYMMETRIC, HINGE,      BINARY,  1,       2, NO,  &corpus_full,           NORMAL,    COORDINATE },
    { VECTOR,    HINGE_2,    LABELS,  2,       3, NO,  &corpus_partial_hollow, NORMAL,    COORDINATE },
    { UNIFORM,   HINGE,      BINARY,  SAMPLED, 2, YES, &corpus_hollow,         NORMAL,    COORDINATE },
    { SYMMETRIC, LOGISTIC_2, BINARY,  1,       2, YES, &corpus_partial,        NORMAL,    COORDINATE },
    { VECTOR,    LOGISTIC,   CLASSES, 2,       3, NO,  &corpus_short,          NORMAL,    COORDINATE },
    { UNIFORM,   LOGISTIC_2, LABELS,  SAMPLED, 2, NO,  &corpus_full,           NORMAL,    COORDINATE },

    { SYMMETRIC, HINGE,      BINARY,  1,       2, NO,  &corpus_full,           HORSESHOE, BLOCK },
    { VECTOR,    HINGE_2,    LABELS,  2,       2, NO,  &corpus_partial_hollow, HORSESHOE, BLOCK },
    { UNIFORM,   HINGE_2,    BINARY,  SAMPLED, 2, YES, &corpus_hollow,         HORSESHOE, BLOCK },
    { SYMMETRIC, LOGISTIC_2, BINARY,  1,       2, YES, &corpus_partial,        HORSESHOE, BLOCK },
    { VECTOR,    LOGISTIC,   CLASSES, 2,       2, NO,  &corpus_short,          HORSESHOE, BLOCK },
    { UNIFORM,   LOGISTIC_2, BINARY,  SAMPLED, 2, NO,  &corpus_full,           HORSESHOE, BLOCK },

    { SYMMETRIC, HINGE,      BINARY,  1,       2, NO,  &corpus_full,           HORSESHOE, COORDINATE },
    { VECTOR,    HINGE_2,    LABELS,  2,       2, NO,  &corpus_partial_hollow, HORSESHOE, COORDINATE },
    { UNIFORM,   HINGE_2,    BINARY,  SAMPLED, 2, YES, &corpus_hollow,         HORSESHOE, COORDINATE },
    { SYMMETRIC, LOGISTIC_2, BINARY,  1,       2, YES, &corpus_partial,        HORSESHOE, COORDINATE },
    { VECTOR,    LOGISTIC,   CLASSES, 2,       2, NO,  &corpus_short,          HORSESHOE, COORDINATE },
    { UNIFORM,   LOGISTIC_2, BINARY,  SAMPLED, 2, NO,  &corpus_full,           HORSESHOE, COORDINATE },
};
/* clang-format on */
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* ---- comparing ---- */

static joint_measurement measurement[N_ROWS];

/* Batches must be longer than a visit of the scales to the neighbourhood of 0, under a sanitizer too. */
static size_t n_sweeps(const joint_row *row)
{
    const size_t n = joint_effort(N_SWEEPS);
    return row->horseshoe && n < FEWEST_SWEEPS ? FEWEST_SWEEPS : n;
}

/* The chain of a row, run when it is first asked for. */
static const joint_measurement *measured(size_t r)
{
    if (measurement[r].n == 0)
        joint_measure(&rows[r], n_sweeps(&rows[r]), 3000 + (unsigned)r, &measurement[r]);
    return &measurement[r];
}

/* Under a sanitizer the chains are short, and the integrals need not be better than they. */
static joint_grid grid(void)
{
    return joint_effort(10) < 10 ? (joint_grid){.panel = 4, .nodes = 6} : joint_grid_usual;
}

typedef struct comparison {
    double largest, mean_square;
    size_t at;
} comparison;

/* The exact side knows nothing of samplers: rows that differ in nothing else have the same. */
static const double *exact_of(size_t r, joint_fault fault)
{
    static double known[N_ROWS][MAX_QUANTITIES], other[MAX_QUANTITIES];
    static bool is_known[N_ROWS];
    joint_row row = rows[r];
    for (size_t q = 0; q < r; q++) {
        row.coordinate = rows[q].coordinate;
        if (fault == FAULT_NONE && is_known[q] && memcmp(&row, &rows[q], sizeof row) == 0)
            return known[q];
    }
    double *exact = fault == FAULT_NONE ? known[r] : other;
    joint_exact(&rows[r], fault, grid(), exact);
    is_known[r] |= fault == FAULT_NONE;
    return exact;
}

static comparison compare(size_t r, joint_fault fault)
{
    const joint_measurement *m = measured(r);
    const double *exact = exact_of(r, fault);
    comparison c = {.largest = 0};
    for (size_t i = 0; i < m->n; i++) {
        const double z = joint_z(m, exact, i);
        c.mean_square += z * z / (double)m->n;
        if (!(fabs(z) <= c.largest)) {
            c.largest = fabs(z);
            c.at = i;
        }
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

/* Most quantities of a row move as one, with the visits of a chain to its modes: the mean of z^2 has nearly the
 * spread of a single one. */
static void the_chain_has_the_exact_law(void **state)
{
    const size_t r = (size_t)((const joint_row *)*state - rows);
    char text[200], name[160];
    const comparison c = compare(r, FAULT_NONE);
    joint_row_name(&rows[r], name, sizeof name);
    describe(r, &c, text, sizeof text);
    say(name, text);
    if (!(c.largest < LARGEST_Z && c.mean_square < 9))
        fail_msg("%s: %s", name, text);
}

static void every_response_and_treatment_meets_every_prior_and_sampler(void **state)
{
    (void)state;
    for (int prior = NORMAL; prior <= HORSESHOE; prior++) {
        for (int sampler = prior == NORMAL ? COORDINATE : BLOCK; sampler <= COORDINATE; sampler++) {
            for (int response = RESPONSE_HINGE; response <= RESPONSE_LOGISTIC; response++) {
                for (int blocks = SAMPLED; blocks <= 2; blocks++) {
                    size_t n = 0;
                    for (size_t r = 0; r < N_ROWS; r++)
                        n += rows[r].horseshoe == (prior == HORSESHOE) &&
                             rows[r].coordinate == (sampler == COORDINATE) && (int)rows[r].response == response &&
                             rows[r].blocks == blocks;
                    assert_true(n >= 1);
                }
            }
        }
    }
}

/* ---- the exact side itself ---- */

static void a_finer_grid_changes_nothing(void **state)
{
    (void)state;
    double usual[MAX_QUANTITIES], finer[MAX_QUANTITIES], largest = 0;
    char text[60];
    for (size_t r = 0; r < N_ROWS; r++) {
        if (!rows[r].horseshoe || rows[r].coordinate || rows[r].task != TASK_BINARY ||
            (rows[r].intercept && joint_effort(10) < 10))
            continue;
        joint_exact(&rows[r], FAULT_NONE, joint_grid_usual, usual);
        joint_exact(&rows[r], FAULT_NONE, (joint_grid){.panel = 1.2, .nodes = 8}, finer);
        for (size_t i = 0; i < MAX_QUANTITIES; i++)
            largest = fmax(largest, fabs(usual[i] - finer[i]));
    }
    snprintf(text, sizeof text, "largest change %.1e", largest);
    say("grid", text);
    assert_true(largest < 3e-4);
}

/* Documents that are all unlabelled leave the prior: mass 1, and E 1 / (1 + eta^2) by integrating eta first:
 * given its standard deviation sd, with c = 1 / (sd sqrt 2), it is sqrt(pi) c exp(c^2) erfc(c). */
static void without_labels_the_horseshoe_is_its_prior(void **state)
{
    (void)state;
    static const joint_corpus unlabelled = {
        .name = "unlabelled", .n_docs = 1, .n_words = 1, .length = {1}, .word = {0}};
    const joint_row row = {SYMMETRIC, HINGE, BINARY, 1, 2, YES, &unlabelled, HORSESHOE, BLOCK};
    unsigned n[MAX_DOCS][MAX_TOPICS] = {{1, 0}};
    score_law law;
    double small = 0;
    const double step = 0.1;
    joint_horseshoe_law(&row, FAULT_NONE, joint_grid_usual, n, 0, &law);
    for (double u = -20; u <= 20; u += step) { /* logarithms of tau and lam, each with density 1 / (pi cosh u) */
        for (double v = -20; v <= 20; v += step) {
            const double c = exp(-u - v) / M_SQRT2;
            const double mean =
                c > 20 ? 1 - 1 / (2 * c * c) : sqrt(M_PI) * c * exp(c * c) * erfc(c); /* 1 / (1 + eta^2) */
            small += mean * step * step / (M_PI * M_PI * cosh(u) * cosh(v));
        }
    }
    assert_true(fabs(law.evidence - 1) < 1e-4);
    assert_true(fabs(law.small - 2 * small) < 1e-3);
    assert_true(fabs(law.t[0]) < 1e-12);
}

/* ---- faults ---- */

static void assert_noticed(const char *name, joint_fault fault, size_t first, size_t last)
{
    for (size_t r = first; r <= last; r++) {
        char text[200];
        const comparison c = compare(r, fault);
        describe(r, &c, text, sizeof text);
        say(name, text);
        if (c.largest > LARGEST_Z)
            return;
    }
    fail_msg("%s is not noticed", name);
}

enum { FIRST_HORSESHOE = 6 }; /* row of the table */

static void a_missing_global_scale_is_noticed(void **state)
{
    (void)state;
    assert_noticed(__func__, FAULT_NO_GLOBAL_SCALE, FIRST_HORSESHOE, FIRST_HORSESHOE);
}

static void scales_that_are_never_redrawn_are_noticed(void **state)
{
    (void)state;
    assert_noticed(__func__, FAULT_SCALES_FIXED, FIRST_HORSESHOE, FIRST_HORSESHOE);
}

static void a_wrong_shape_of_the_global_scale_is_noticed(void **state)
{
    (void)state;
    assert_noticed(__func__, FAULT_SCALE_SHAPE, FIRST_HORSESHOE, FIRST_HORSESHOE);
}

static const struct CMUnitTest fixed_tests[] = {
    cmocka_unit_test(every_response_and_treatment_meets_every_prior_and_sampler),
    cmocka_unit_test(a_finer_grid_changes_nothing),
    cmocka_unit_test(without_labels_the_horseshoe_is_its_prior),
    cmocka_unit_test(a_missing_global_scale_is_noticed),
    cmocka_unit_test(scales_that_are_never_redrawn_are_noticed),
    cmocka_unit_test(a_wrong_shape_of_the_global_scale_is_noticed),
};
enum { N_FIXED = sizeof fixed_tests / sizeof fixed_tests[0] };

int main(void)
{
    static char name[N_ROWS][160];
    static struct CMUnitTest tests[N_ROWS + N_FIXED];
    for (size_t r = 0; r < N_ROWS; r++) {
        joint_row_name(&rows[r], name[r], sizeof name[r]);
        tests[r] = (struct CMUnitTest){
            .name = name[r], .test_func = the_chain_has_the_exact_law, .initial_state = (void *)(uintptr_t)&rows[r]};
    }
    memcpy(tests + N_ROWS, fixed_tests, sizeof fixed_tests);
    return cmocka_run_group_tests_name("joint table of coefficients", tests, NULL, NULL);
}
