/* run/keep.h - keep the state of a chain as a posterior draw. */
#ifndef GB_RUN_KEEP_H
#define GB_RUN_KEEP_H

#include "chain/chain.h"
#include "model/draw_file.h"

/** Where a run without checkpoints keeps its draws until they are in the model: for gb_draw_file_create(), a file without a
 * name in the folder of the model, or without that in the one of temporary files.  Free it with gb_free(). */
gb_status gb_keep_path(const gb_settings *settings, char **out, gb_error *err);

/**
 * Append the chain's state to the file as its next kept sweep.  Chains may do so at the same time.
 *
 * @param file          NULL: nothing is appended; at ranks that only take part
 * @param first_output  of the model: the chain's first one
 * @param with_topics   as a snapshot
 * @param log_joint     receives the log joint of the state; may be NULL
 */
gb_status gb_keep_draw(gb_draw_file *file, gb_chain *chain, size_t first_output, bool with_topics, double *log_joint,
                       gb_error *err);

/** For a chain that is stopped before its last sweep: if it has kept sweeps but none with topics yet, append its state with
 * topics, in addition to the planned ones or in place of the same sweep without topics.  A run that is resumed goes on from
 * the counts of before. */
gb_status gb_keep_last(gb_draw_file *file, gb_chain *chain, size_t first_output, gb_error *err);

#endif
