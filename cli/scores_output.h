/* cli/scores_output.h - how good predictions are, as text or as one JSON object. */
#ifndef GB_CLI_SCORES_OUTPUT_H
#define GB_CLI_SCORES_OUTPUT_H

#include "common.h"

/** Answer all questions about an evaluation or a cross-validation on standard output, with --json as one object. */
gb_status cli_print_scores(const cli_call *call, const gb_subject *subject, gb_error *err);

#endif
