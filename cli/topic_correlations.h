/* cli/topic_correlations.h - `topics --correlations`: which topics go together in documents. */
#ifndef GB_CLI_TOPIC_CORRELATIONS_H
#define GB_CLI_TOPIC_CORRELATIONS_H

#include "common.h"

/** What cannot be asked for with or without --correlations; to be called before the model is read.  @return GB_OK or GB_EARGUMENT */
gb_status cli_check_correlations(const cli_call *call, gb_error *err);

/** Pairs of topics to --output, as text or as the table of --table. */
gb_status cli_write_correlations(const cli_call *call, const gb_model *model, gb_error *err);

#endif
