/* cli/verdict.h - what a diagnosis says, in words. */
#ifndef GB_CLI_VERDICT_H
#define GB_CLI_VERDICT_H

#include "common.h"

/** A finding and what to do about it, as a sentence or two; free it with gb_free().  NULL when memory runs out.
 * @param checkpoint  of a run that it can make longer, not one that decides its own end; or "" */
char *cli_finding_text(const gb_diagnosis *diagnosis, uint64_t index, const char *checkpoint);

/** What to do about all findings of a kind, DISAGREE or APART, in one sentence; likewise. */
char *cli_advice(const gb_diagnosis *diagnosis, gb_finding_kind kind, const char *checkpoint);

/** The end of a training: has it levelled off, and do its chains agree?  A note of one line; nothing for a model without traces. */
gb_status cli_note_verdict(const cli_call *call, const gb_model *model, const char *checkpoint, gb_error *err);

#endif
