/* cli/estimated_effects.h - effects DOCUMENTS: effects on labelled documents that the training did not see. */
#ifndef GB_CLI_ESTIMATED_EFFECTS_H
#define GB_CLI_ESTIMATED_EFFECTS_H

#include "common.h"

/** True if there are documents to estimate effects on. */
bool cli_has_documents(const cli_call *call);

/** Read the documents and estimate.  @param out  receives the estimate, free it with gb_estimate_free() */
gb_status cli_estimate(const cli_call *call, const gb_model *model, gb_estimate **out, gb_error *err);

/** For a page: effects on the documents of the call, if they are labelled, are no training documents, and few enough that it takes about
 * a minute at most.  Else a note says why not.
 * @param out  receives NULL where there are none  @return GB_OK, or what ends the command */
gb_status cli_estimate_for_page(const cli_call *call, const gb_model *model, gb_estimate **out, gb_error *err);

#endif
