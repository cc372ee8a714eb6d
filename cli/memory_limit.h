/* cli/memory_limit.h - --memory-limit, kept by the system, where nothing has said beforehand what is needed. */
#ifndef GB_CLI_MEMORY_LIMIT_H
#define GB_CLI_MEMORY_LIMIT_H

#include "common.h"

/** From here on the system gives no more memory than --memory-limit, in addition to what the program has and to room for its threads.
 * Without the option nothing is done. */
gb_status cli_limit_memory(const cli_call *call, gb_error *err);
/** Before a training, whose memory is estimated and checked before it begins: one that is under way must not end for the difference. */
void cli_end_memory_limit(void);
/** Name the option in the message of a failure for which it is to blame.  @return the status, GB_EARGUMENT in that case */
gb_status cli_explain_memory_limit(gb_status st, gb_error *err);

#endif
