/* cli/baseline.h - linear models beside a model that is evaluated: evaluate --baseline-on. */
#ifndef GB_CLI_BASELINE_H
#define GB_CLI_BASELINE_H

#include "apply.h"

/** All NULL without --baseline-on; then the functions below do nothing. */
typedef struct cli_baseline {
    gb_linear *linear;
    gb_evaluation *evaluation;
} cli_baseline;

/** Read the documents that --baseline-on names and fit linear models to them.
 *
 * @param model  borrowed until cli_baseline_close()
 * @param b      zeroed; close it also on failure */
gb_status cli_baseline_open(const cli_call *call, const gb_model *model, cli_baseline *b, gb_error *err);
/** Predict and evaluate a batch. */
gb_status cli_baseline_add(cli_baseline *baseline, const cli_batch *batch, gb_error *err);
/** After the last batch. */
gb_status cli_baseline_finish(cli_baseline *baseline, gb_error *err);
void cli_baseline_close(cli_baseline *baseline);

#endif
