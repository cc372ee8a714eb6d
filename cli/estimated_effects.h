/* cli/estimated_effects.h - effects DOCUMENTS: effects on labelled documents that the training did not see. */
#ifndef GB_CLI_ESTIMATED_EFFECTS_H
#define GB_CLI_ESTIMATED_EFFECTS_H

#include "common.h"

/** True if there are documents to estimate effects on. */
bool cli_has_documents(const cli_call *call);

/** Read the documents and estimate.  @param out  receives the estimate, free it with gb_estimate_free() */
gb_status cli_estimate(const cli_call *call, const gb_model *model, gb_estimate **out, gb_error *err);

#endif
