/* cli/topic_prompts.h - `topics --prompts`: questions to a language model, what topics are to be called. */
#ifndef GB_CLI_TOPIC_PROMPTS_H
#define GB_CLI_TOPIC_PROMPTS_H

#include "common.h"

/** What cannot be asked for together with --prompts.  @return GB_OK or GB_EARGUMENT */
gb_status cli_check_prompts(const cli_call *call, gb_error *err);

/** One prompt for each topic that lists have, to the file of --prompts: as one text, or by its name as JSON Lines. */
gb_status cli_write_prompts(const cli_call *call, const gb_model *model, gb_error *err);

#endif
