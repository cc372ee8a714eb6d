/* cli/hold_out.h - models that are trained on a part of the documents: evaluate by cross-validation, select, and ask. */
#ifndef GB_CLI_HOLD_OUT_H
#define GB_CLI_HOLD_OUT_H

#include "common.h"

/** A cross-validation of the documents of the call, to be run. */
gb_status cli_open_validation(cli_call *call, gb_cross_validation **out, gb_error *err);
gb_status cli_run_validation(const cli_call *call, gb_cross_validation *validation, gb_error *err);

/** A selection likewise. */
gb_status cli_open_selection(cli_call *call, gb_selection **out, gb_error *err);
gb_status cli_run_selection(const cli_call *call, gb_selection *selection, gb_error *err);

/** Whether options say which documents are held out. */
bool cli_holds_out(const cli_call *call);
/** Refuse options that only a training looks at; a configuration file may have them for other runs. */
gb_status cli_refuse_training_options(const cli_call *call, gb_error *err);

/** evaluate --folds and evaluate --hold-out-group. */
gb_status cli_hold_out(cli_call *call, gb_error *err);

#endif
