/* cli/effect_rows.h - the rows that `effects` shows: coefficients of each score, and own parameters of responses. */
#ifndef GB_CLI_EFFECT_ROWS_H
#define GB_CLI_EFFECT_ROWS_H

#include "common.h"

/** A row: a feature of the output that is being written. */
typedef struct cli_effect_row {
    uint64_t feature;
    gb_effect posterior;
    double reliability; /* of a topic's shares; NaN: not known */
    double between;     /* by cross-fitting: standard deviation between folds */
    uint64_t n_folds;   /* likewise: that it is from */
} cli_effect_row;

/** The rows of one output at a time. */
typedef struct cli_effect_rows {
    const gb_model *model;
    const gb_model *trained;     /* whose topics they are: the same, without an estimate */
    const gb_estimate *estimate; /* NULL: effects in the training */
    uint64_t n_topics, n_columns;
    uint64_t output;         /* the one at hand */
    char **words;            /* n_topics: of the output */
    char **title;            /* n_topics: "3", or of a union "3+7" */
    uint64_t n_words, *word; /* n_topics x n_words */
    double *probability;
    cli_effect_row *effect; /* of one output; room for all features */
    gb_effect *posterior;
    gb_cross_effect *cross;
    uint64_t n_folds; /* of a training with --cross-fit, whose effects are shown; else 0 */
    bool has_shrinkage;
} cli_effect_rows;

/** @param estimate  NULL: effects in the training
 * @param e         borrows both; clear it with cli_effect_rows_clear(), also on failure */
gb_status cli_effect_rows_make(cli_effect_rows *e, const gb_model *trained, const gb_estimate *estimate,
                               uint64_t n_words, gb_error *err);
void cli_effect_rows_clear(cli_effect_rows *e);

/** The features of an output, in their order.  @param n  receives their number */
gb_status cli_find_effects(cli_effect_rows *e, uint64_t output, uint64_t *n, gb_error *err);
/** Whether rows say how well words tell the shares of a topic. */
bool cli_has_reliability(const cli_effect_rows *e);

/** The name that somebody has given a topic of the output whose rows are shown; "" without one. */
const char *cli_name_of_topic(const cli_effect_rows *e, uint64_t topic);

/** Kinds of features whose shares of the variance of scores are shown: those of a training. */
uint64_t cli_n_blocks(const cli_effect_rows *e);

/* ---- own parameters of responses ---- */

typedef struct cli_own_parameter {
    char *title;      /* in the list: "noise variance", "fair | good" */
    const char *name; /* in the table: as in the draws, "noise_variance"; between classes the title */
    gb_effect posterior;
    double between; /* by cross-fitting, as in an effect */
    uint64_t n_folds;
} cli_own_parameter;

/** Those of the response that the output belongs to, if it is the last one of the response; else none.
 * @param out  free it with cli_clear_own(), also on failure */
gb_status cli_find_own(const cli_effect_rows *e, uint64_t output, cli_own_parameter **out, uint64_t *n,
                       gb_error *err);
void cli_clear_own(cli_own_parameter *own, uint64_t n);

/* ---- as a table ---- */

/** All rows as the table of --table; with --per-fold those of the folds too. */
gb_status cli_write_effects(const cli_call *call, cli_effect_rows *e, gb_error *err);

#endif
