/* run/draws.h - kept sweeps as JSON Lines (option --draws). */
#ifndef GB_RUN_DRAWS_H
#define GB_RUN_DRAWS_H

#include "base/output.h"
#include "chain/chain.h"

/** What each line carries besides chain, sweep and log joint. */
typedef struct gb_draws_include {
    bool eta, scores, assignments, prior;
} gb_draws_include;

/** From the option's text, names separated by commas. */
gb_status gb_draws_include_parse(const char *text, gb_draws_include *out, gb_error *err);

/** Write the chain's current state as one line.
 * @param file  NULL at other ranks than 0: they take part, and rank 0 writes what all have */
gb_status gb_draws_write(FILE *file, const gb_chain *chain, double log_joint, gb_draws_include include,
                         gb_error *err);

#endif
