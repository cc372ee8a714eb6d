/* cli/evaluation.h - what evaluate finds out about one model: predictions against known labels, and how probable the words
 * are. */
#ifndef GB_CLI_EVALUATION_H
#define GB_CLI_EVALUATION_H

#include "apply.h"
#include "table.h"

#include "evaluation/held_out_scores.h"

#include <jansson.h>

typedef struct cli_evaluation {
    const cli_call *call;
    size_t n;                /* responses that are evaluated */
    struct cli_truth *truth; /* n; owned */
    bool has_likelihood;     /* it is asked for */
    gb_held_out_scores likelihood;
    uint64_t n_docs, n_unknown; /* documents, words in them that the model does not know */
} cli_evaluation;

/**
 * Begin.
 *
 * @param chooses_fields  the options name fields among those that the model answers for, or the truth of the only one,
 *                        and fields that they do not name are added to the settings, to be read; else all are evaluated
 * @param out             clear it with cli_evaluation_clear(), also on failure
 */
gb_status cli_evaluation_start(cli_evaluation *out, const cli_call *call, const gb_model *model, bool chooses_fields,
                               gb_error *err);
void cli_evaluation_clear(cli_evaluation *e);

/** Add documents; with responses their prediction has to be there.
 *
 * @param likelihood  receives that of the documents, or NULL if it is not asked for; free it with gb_held_out_free() */
gb_status cli_evaluation_add(cli_evaluation *e, const cli_batch *batch, gb_held_out **likelihood, gb_error *err);

/** After the last document: GB_EFORMAT if a field has no value in any of them. */
gb_status cli_evaluation_check(const cli_evaluation *e, gb_error *err);

/** On standard output, as tables or as one JSON object. */
gb_status cli_evaluation_print(const cli_evaluation *e, gb_error *err);

/** Single scores: one object per field, and one named held_out; NULL when memory runs out. */
json_t *cli_evaluation_summary(const cli_evaluation *e);

/** True if the likelihood is to be estimated; by default it is where there is no response. */
bool cli_wants_likelihood(const gb_settings *settings, bool has_response);

/* Messages: no response and no likelihood; a table of likelihoods without any. */
gb_status cli_nothing_to_evaluate(gb_error *err);
gb_status cli_no_likelihoods(gb_error *err);

/** Name of the method of held-out likelihood. */
const char *cli_held_out_method(const gb_settings *settings);

/* ---- a row per document --------------------------------------------------------------------------- */

/** Columns of a table of likelihoods; `has_parts`: the first one says what was held out. */
gb_status cli_likelihood_columns(cli_table *table, bool has_parts, gb_error *err);

/** @param part  what was held out; NULL without such a column */
void cli_likelihood_rows(cli_table *table, const char *part, const gb_corpus *docs, const uint64_t *n_unknown,
                         const gb_held_out *likelihood);

#endif
