/* cli/dry_run.h - a training that is only begun, to say what it would do. */
#ifndef GB_CLI_DRY_RUN_H
#define GB_CLI_DRY_RUN_H

#include "common.h"

/** Print what was decided, and how long the training would take, by some seconds of it. */
gb_status cli_dry_run(const cli_call *call, const gb_corpus *corpus, gb_error *err);

#endif
