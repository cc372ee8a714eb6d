/* cli/hold_out.h - evaluate by cross-validation: folds, or groups of documents. */
#ifndef GB_CLI_HOLD_OUT_H
#define GB_CLI_HOLD_OUT_H

#include "common.h"

/** evaluate --folds and evaluate --hold-out-group. */
gb_status cli_hold_out(cli_call *call, gb_error *err);

#endif
