/* cli/group_effects.h - what `effects` shows of groups of documents. */
#ifndef GB_CLI_GROUP_EFFECTS_H
#define GB_CLI_GROUP_EFFECTS_H

#include "common.h"

/** True if the call asks for something that only models with groups have: --trend, --contrast, --prior-predictive. */
bool cli_asks_for_groups(const cli_call *call);

/** Whether a value of --contrast is two groups of the model.  @return GB_OK or GB_ENOMEM */
gb_status cli_is_contrast_of_groups(const gb_model *model, const char *text, bool *is, gb_error *err);

/** Check the three options against the model, before anything is written.  @return GB_OK or GB_EARGUMENT */
gb_status cli_check_groups(const cli_call *call, const gb_model *model, gb_error *err);

/** What the options ask for, or the topic shares of all groups, as text. */
gb_status cli_print_groups(const cli_call *call, const gb_model *model, FILE *stream, gb_error *err);
/** The same as the table of --table. */
gb_status cli_write_groups(const cli_call *call, const gb_model *model, gb_error *err);

#endif
