/* cli/topic_unions.h - topics that count as one: `topics --merge 3+7 --drop 4`, and how lists show them. */
#ifndef GB_CLI_TOPIC_UNIONS_H
#define GB_CLI_TOPIC_UNIONS_H

#include "common.h"

/** True if --merge, --drop or --topic-groups is given. */
bool cli_changes_unions(const cli_call *call);
/** The model with their unions in its place.  @return GB_OK, GB_EARGUMENT, GB_EFORMAT, GB_EIO or GB_ENOMEM */
gb_status cli_unite_topics(const cli_call *call, gb_model **model, gb_error *err);

/** True if a list has a row for this topic: it is the first of its union. */
bool cli_is_listed(const gb_model *model, uint64_t topic);
/** Topics that are left out of lists. */
uint64_t cli_n_left_out(const gb_model *model);
/** Say so, and how much of the tokens they have. */
void cli_note_left_out(const cli_call *call, const gb_model *model);
/** "5", or the topics of its union: "3+7".  Free it with gb_free(). */
gb_status cli_union_title(const gb_model *model, uint64_t topic, char **out, gb_error *err);

#endif
