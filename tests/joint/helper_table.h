/* helper_table.h - a table of rows: each row's chain against its exact law, and planted faults that have to show.
 *
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per row. */
#ifndef HELPER_TABLE_H
#define HELPER_TABLE_H

#include "helper_effort.h"
#include "helper_joint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Words of rows, in the order of joint_row. */
#define SYMMETRIC          PRIOR_SYMMETRIC
#define VECTOR             PRIOR_VECTOR
#define UNIFORM            PRIOR_UNIFORM
#define NO_LABELS          RESPONSE_NONE, 1, 1, TASK_BINARY
#define HINGE              RESPONSE_HINGE, 1, 1
#define HINGE_2            RESPONSE_HINGE, 0.6, 1.7
#define LOGISTIC           RESPONSE_LOGISTIC, 1, 1
#define LOGISTIC_2         RESPONSE_LOGISTIC, 2.5, 1
#define PROBIT             RESPONSE_PROBIT, 1, 1
#define BINARY             TASK_BINARY
#define CLASSES            TASK_MULTICLASS
#define LABELS             TASK_MULTILABEL
#define GAUSSIAN           RESPONSE_GAUSSIAN, 1, 0.6, TASK_NUMBER
#define GAUSSIAN_2         RESPONSE_GAUSSIAN, 1.8, 0.3, TASK_NUMBER
#define NARROW             RESPONSE_INSENSITIVE, 1, 0.1, TASK_NUMBER
#define WIDE               RESPONSE_INSENSITIVE, 1.6, 0.7, TASK_NUMBER
#define COUNTS             RESPONSE_NEGATIVE_BINOMIAL, 1, 1.5, TASK_NUMBER
#define COUNTS_2           RESPONSE_NEGATIVE_BINOMIAL, 0.7, 0.8, TASK_NUMBER
#define TWO_LEVELS         RESPONSE_ORDINAL, 1, -0.4, TASK_TWO_LEVELS
#define THREE_LEVELS       RESPONSE_ORDINAL, 1, -0.7, TASK_THREE_LEVELS
#define WEIGHTS            WITH_DOCUMENT_WEIGHTS
#define CLASS_WEIGHTS      WITH_CLASS_WEIGHTS
#define NUMBER             WITH_NUMBER
#define FACTOR             WITH_FACTOR
#define WORDS              WITH_WORDS
#define WORD_VARIANCE      WITH_WORD_VARIANCE
#define EMBEDDING          WITH_EMBEDDING
#define EMBEDDING_VARIANCE WITH_EMBEDDING_VARIANCE
#define SEEDS              WITH_SEEDS
#define KEYWORDS           WITH_KEYWORDS
#define BAGS               WITH_BAGS
#define EXPOSURE           WITH_EXPOSURE
#define HIDDEN             WITH_OWN
#define VARIANCE           WITH_VARIANCE
enum {
    SAMPLED = 0,
    NO = 0,
    YES = 1,
    NORMAL = 0,
    HORSESHOE = 1,
    BLOCK = SAMPLER_BLOCK,
    COORDINATE = SAMPLER_COORDINATE,
    MIXED = SAMPLER_MIXED,
    CONJUGATE = SAMPLER_CONJUGATE
};

typedef struct joint_table {
    const char *name;
    const joint_row *rows;
    size_t n_rows;
    unsigned first_seed;
    size_t (*n_sweeps)(const joint_row *row);
    double largest_mean_square; /* of z, over the quantities of a row; they go together */
    joint_grid short_grid;      /* under a sanitizer chains are short, and integrals need not be better than they */
    /* filled as the rows are asked for */
    joint_measurement *measurement;
    double (*exact)[MAX_QUANTITIES];
    bool *is_known;
    double sum_of_squares, n_compared; /* of z, over the table */
    size_t n_rows_compared;
} joint_table;

/** Run a test for each row, then the others. */
int joint_table_run(joint_table *table, const struct CMUnitTest *others, size_t n_others);

/** Number of the row that reads like this one; fails the test if there is none. */
size_t joint_table_find(const joint_table *table, joint_row wanted);

/** Fails unless the chain of the row disagrees with the faulty law. */
void joint_table_assert_noticed(joint_table *table, const char *test, joint_fault fault, size_t row);

/** Fails unless the mean of z^2 over the rows that were run is near 1. */
void joint_table_assert_deviations(const joint_table *table);

/** A line of the verbose output. */
void joint_say(const char *name, const char *text);

/** A test named `test`: the fault shows in the row of the `table` that reads as the last arguments say. */
#define NOTICED(test, table, fault, ...)                                                                             \
    static void test(void **state)                                                                                   \
    {                                                                                                                \
        (void)state;                                                                                                 \
        joint_table_assert_noticed(&(table), #test, fault, joint_table_find(&(table), (joint_row){__VA_ARGS__}));    \
    }

#endif
