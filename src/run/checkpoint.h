/* run/checkpoint.h - the state of a run in a file, and back (docs/format.md). */
#ifndef GB_RUN_CHECKPOINT_H
#define GB_RUN_CHECKPOINT_H

#include "run/run.h"

/** Put the options of checkpoints into the run, and go on from --resume if it is given: sweeps done, draws, scores.
 *
 * @return GB_OK; GB_EARGUMENT (options that do not go together, a file that is there already); GB_EFORMAT (a checkpoint of
 * another corpus, or damaged), GB_EIO or GB_ENOMEM */
gb_status gb_checkpoint_open(gb_run *run, gb_error *err);
void gb_checkpoint_close(gb_run *run);

/** Load the state of a chain that has done sweeps before; it has just been created. */
gb_status gb_checkpoint_load_chain(gb_run *run, size_t number, gb_error *err);

/** Hold the draws beside a checkpoint that was loaded, which the run has opened, against it.  @return GB_OK, or GB_EFORMAT: they are of
 * another run */
gb_status gb_checkpoint_check_draws(const gb_run *run, gb_error *err);

/** Write the state of all chains; none may run meanwhile.  Chains that are done are freed.  @return GB_OK, GB_EIO, GB_ENOMEM */
gb_status gb_checkpoint_write(gb_run *run, gb_error *err);

#endif
