/* cli/topic_unions.h - how lists show topics that count as one, or are left out. */
#ifndef GB_CLI_TOPIC_UNIONS_H
#define GB_CLI_TOPIC_UNIONS_H

#include "common.h"

/** True if a list has a row for this topic: it is the first of its union. */
bool cli_is_listed(const gb_model *model, uint64_t topic);
/** Topics that are left out of lists. */
uint64_t cli_n_left_out(const gb_model *model);
/** Say so, and how much of the tokens they have. */
void cli_note_left_out(const cli_call *call, const gb_model *model);
/** "5", or the topics of its union: "3+7".  Free it with gb_free(). */
gb_status cli_union_title(const gb_model *model, uint64_t topic, char **out, gb_error *err);

#endif
