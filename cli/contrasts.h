/* cli/contrasts.h - contrasts of topics and of levels of covariates: `effects --contrast "3+7,5"`. */
#ifndef GB_CLI_CONTRASTS_H
#define GB_CLI_CONTRASTS_H

#include "common.h"

/** Whether --contrast is given and speaks of topics or levels, not of groups: with --kind coefficients, and unless --kind groups
 * is given, if the model has scores and the first value is not two of its groups.
 * @return GB_OK or GB_ENOMEM */
gb_status cli_asks_for_contrasts(const cli_call *call, const gb_model *model, bool *out, gb_error *err);

/** Check the values against the model, before anything is written.  @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
gb_status cli_check_contrasts(const cli_call *call, const gb_model *model, gb_error *err);

/** The contrasts as text.  @param trained  has the words of the topics; the same model, or for an estimate the one in training */
gb_status cli_print_contrasts(const cli_call *call, const gb_model *model, const gb_model *trained, FILE *stream,
                              gb_error *err);
/** The same as the table of --table. */
gb_status cli_write_contrasts(const cli_call *call, const gb_model *model, gb_error *err);

#endif
