/* run/memory.h - how much memory a training will need, before it starts. */
#ifndef GB_RUN_MEMORY_H
#define GB_RUN_MEMORY_H

#include "base/size.h"
#include "plan/plan.h"

/** Code, libraries and their data, in the estimate. */
#define GB_PROGRAM_BYTES ((uint64_t)10 << 20)

/** The MPI library and its buffers, on a rank. */
#define GB_TEAM_BYTES ((uint64_t)8 << 20)

/** Bytes that the process holds at its largest, the program and the corpus included: within a tenth for corpora of some
 * megabytes.  On several ranks, the one with most tokens. */
gb_status gb_train_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t *out, gb_error *err);

/** GB_EARGUMENT if the disk clearly has not enough room for the model file and the draws on their way to it; nothing is checked
 * for a model without a path. */
gb_status gb_train_check_room(const gb_plan *plan, gb_error *err);

/**
 * GB_EARGUMENT if more is needed than --memory-limit.
 *
 * @param what  what needs it: "this training"
 * @param hint  the end of the message: "; ... need less", or ""
 */
gb_status gb_memory_check(const char *limit, uint64_t need, const char *what, const char *hint, gb_error *err);
/** The same for a training. */
gb_status gb_train_check_memory(const gb_corpus *corpus, const gb_spec *spec, const char *limit, gb_error *err);

#endif
