/* cli/apply.h - a model applied to documents batch by batch: what predict, infer and evaluate share. */
#ifndef GB_CLI_APPLY_H
#define GB_CLI_APPLY_H

#include "common.h"

typedef struct cli_batch {
    const gb_model *model;
    gb_corpus *docs;
    const uint64_t *n_unknown;       /* per document */
    uint64_t first_row;              /* input row of the first document, from 0 */
    const gb_prediction *prediction; /* NULL if none was asked for */
} cli_batch;

/** Called once per batch, in the order of the input. */
typedef gb_status cli_on_batch(const cli_batch *batch, void *user, gb_error *err);

/**
 * Apply the model to the input of the call.
 *
 * @param predict  find out shares and scores; else the batches are only read
 * @param n_docs   receives the number of documents
 * @param n_prior  receives how many of them have no word that the model knows
 * @return GB_ESTOP after Ctrl-C
 */
gb_status cli_apply(const cli_call *call, const gb_model *model, bool predict, cli_on_batch *on_batch, void *user,
                    uint64_t *n_docs, uint64_t *n_prior, gb_error *err);

/** The notes after the output is done.  @param what  "row", or "document" if each has several rows */
void cli_note_rows(const cli_call *call, uint64_t n_docs, uint64_t n_prior, const char *what);

#endif
