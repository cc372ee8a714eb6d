/* cli/topics_alone.h - how good a model with words or embeddings is by its topics alone. */
#ifndef GB_CLI_TOPICS_ALONE_H
#define GB_CLI_TOPICS_ALONE_H

#include "apply.h"

/** All NULL for a model of topics and covariates; then the functions below do nothing. */
typedef struct cli_topics_alone {
    gb_settings *settings;
    gb_evaluation *evaluation;
} cli_topics_alone;

/** @param a  zeroed; close it also on failure */
gb_status cli_alone_open(const cli_call *call, const gb_model *model, cli_topics_alone *a, gb_error *err);
/** Predict a batch once more and evaluate that. */
gb_status cli_alone_add(cli_topics_alone *alone, const cli_batch *batch, gb_error *err);
/** After the last batch. */
gb_status cli_alone_finish(cli_topics_alone *alone, gb_error *err);
void cli_alone_close(cli_topics_alone *alone);

#endif
