/* cli/verdict.h - what a diagnosis says, in words. */
#ifndef GB_CLI_VERDICT_H
#define GB_CLI_VERDICT_H

#include "common.h"

enum { CLI_FINDING_SIZE = 1000 };

/** What the advice depends on. */
typedef struct cli_run {
    uint64_t n_sweeps, n_chains, n_tokens; /* 0: not known */
    const char *checkpoint; /* of a run that it can make longer, not one that decides its own end; or "" */
} cli_run;

/** A finding and what to do about it, as a sentence or two. */
void cli_finding_text(const gb_finding *finding, const cli_run *run, char out[CLI_FINDING_SIZE]);

/** What to do about all findings of a kind, DISAGREE or APART, in one sentence. */
void cli_disagree_advice(gb_finding_kind kind, const cli_run *run, char out[CLI_FINDING_SIZE]);

/** The end of a training: has it levelled off, and do its chains agree?  A note of one line; nothing for a model without traces. */
gb_status cli_note_verdict(const cli_call *call, const gb_model *model, const char *checkpoint, gb_error *err);

/** Sweeps of the longest chain, burn-in included; 0 if that is not known. */
uint64_t cli_sweeps_of(const gb_diagnosis *diagnosis);

#endif
