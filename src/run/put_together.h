/* run/put_together.h - what several teams of ranks have found out, put together (run/teams.h).  All ranks make these calls, in
 * the same order; with one team there is nothing to do. */
#ifndef GB_RUN_PUT_TOGETHER_H
#define GB_RUN_PUT_TOGETHER_H

#include "run/run.h"

/**
 * For a checkpoint: give rank 0 the draws of other teams, and all ranks the held-out scores.
 *
 * @param kept  why rank 0 could not keep the draws, if so; it has taken them all the same
 * @return GB_OK, GB_ENOMEM, GB_EIO or GB_ERANK
 */
gb_status gb_put_draws_together(gb_run *run, gb_error *kept, gb_error *err);

/**
 * For a checkpoint: the state of a chain that a team has in memory.
 *
 * @param w  at rank 0, receives it; NULL at the others, or if rank 0 has no use for it
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_put_state(const gb_run *run, size_t number, const char *prefix, gb_store_writer *w, gb_error *err);

/** At the end of a run: all that the model needs, at rank 0, and without checkpoints at all ranks.
 * @return GB_OK, GB_ENOMEM, GB_EIO or GB_ERANK */
gb_status gb_put_together(gb_run *run, gb_error *err);

#endif
