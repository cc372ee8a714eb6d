/* cli/scored.h - a model on documents with known labels, and what its scores are shown beside. */
#ifndef GB_CLI_SCORED_H
#define GB_CLI_SCORED_H

#include "baseline.h"
#include "table.h"

typedef struct cli_scored {
    const cli_call *call;
    gb_evaluation *evaluation;
    cli_baseline baseline; /* of linear models, with --baseline-on */
    cli_table *table;      /* receives likelihoods; NULL without --output, and where `asks` */
    bool asks;             /* for one answer, which takes --output */
} cli_scored;

/** Score the documents of the call.
 * @param out  call and asks are set, the others are 0; close it also on failure */
gb_status cli_score(cli_scored *out, const gb_model *model, gb_error *err);
void cli_scored_close(cli_scored *scored);

#endif
