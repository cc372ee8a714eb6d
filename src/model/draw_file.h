/* model/draw_file.h - the kept sweeps of a run, on disk while it goes on (store/record_log.h).
 *
 * A record is a kept sweep: its parameters, and in a snapshot its topics.  Chains that run side by side append when they
 * come to it; a model takes them chain after chain, so its bytes do not depend on who was first. */
#ifndef GB_MODEL_DRAW_FILE_H
#define GB_MODEL_DRAW_FILE_H

#include "model/model.h"

/** The numbers with which a record begins, and how many they are. */
enum {
    GB_RECORD_CHAIN,
    GB_RECORD_INDEX, /* which kept sweep of its chain */
    GB_RECORD_SWEEP,
    GB_RECORD_FIRST_OUTPUT,
    GB_RECORD_ENTRIES, /* of the counts, and 1; 0: no snapshot */
    GB_RECORD_HEAD
};

typedef struct gb_draw_file gb_draw_file;

/** What a run wants to keep. */
typedef struct gb_draw_plan {
    size_t n_chains;              /* of the model, numbered from 0 */
    uint64_t n_kept, n_snapshots; /* of each chain */
} gb_draw_plan;

/**
 * Begin a file of draws.
 *
 * @param path   "" or "FOLDER/": a file without a name in TMPDIR, /tmp or that folder; else gb_draw_file_keep() puts it there
 * @param force  replace a file of draws that is there
 * @param model  the description, for the shapes; no draws are taken from it, and it is not kept
 * @return GB_OK, GB_EARGUMENT (another file, one with draws without `force`, one that another run writes to), GB_EIO or GB_ENOMEM
 */
gb_status gb_draw_file_create(gb_draw_file **out, const char *path, bool force, const gb_model *model,
                              const gb_draw_plan *plan, gb_error *err);

/** Let the file have its name and stay after gb_draw_file_close(); nothing to do if it does.  @return GB_OK or GB_EIO */
gb_status gb_draw_file_keep(gb_draw_file *file, gb_error *err);

/**
 * Go on with a file; everything after the first incomplete record is cut off.
 *
 * @param count  n_chains: how many kept sweeps of each chain stay, later ones are dropped; NULL: all
 * @return GB_EFORMAT if the file is of a model of other shapes or has fewer than `count`, or as gb_draw_file_create()
 */
gb_status gb_draw_file_open(gb_draw_file **out, const char *path, const gb_model *model, const gb_draw_plan *plan,
                            const uint64_t *count, gb_error *err);

/** Kept sweeps of a chain. */
uint64_t gb_draw_file_count(const gb_draw_file *file, size_t chain);

/** A checksum of the first `n` kept sweeps of a chain, which it has: of two runs with the same one, they are the same. */
uint64_t gb_draw_file_checksum(const gb_draw_file *file, size_t chain, uint64_t n);

/** True if kept sweep i of a chain, from 0, is to be a snapshot: they are spread evenly, and the last is one. */
bool gb_draw_plan_is_snapshot(const gb_draw_plan *plan, uint64_t i);
/** The same of the next kept sweep of a chain. */
bool gb_draw_file_wants_topics(const gb_draw_file *file, size_t chain);

/** True if some kept sweep of a chain is a snapshot. */
bool gb_draw_file_has_topics(const gb_draw_file *file, size_t chain);
/** Forget the last kept sweep of a chain if it is that one; the next that is appended takes its place. */
void gb_draw_file_forget_sweep(gb_draw_file *file, size_t chain, uint64_t sweep);

/** Append the next kept sweep of chain draw->chain, a snapshot if it has topics.  Safe from several threads if each has its
 * own chain.  @return GB_OK, GB_EIO or GB_ENOMEM; after a failure the sweep is not there */
gb_status gb_draw_file_append(gb_draw_file *file, const gb_draw *draw, gb_error *err);

/* Draws that go from one file to another: other ranks may have drawn them. */

/** What is known of a chain's kept sweeps. */
typedef struct gb_kept_so_far {
    uint64_t n, last_sweep, has_topics;
} gb_kept_so_far;

gb_kept_so_far gb_draw_file_so_far(const gb_draw_file *file, size_t chain);
/** Go on with a chain whose kept sweeps are in another file.  @return GB_OK or GB_ENOMEM */
gb_status gb_draw_file_begin_after(gb_draw_file *file, size_t chain, const gb_kept_so_far *kept, gb_error *err);
/** Make what was appended so far readable.  @return GB_OK, GB_EIO or GB_ENOMEM */
gb_status gb_draw_file_look(gb_draw_file *file, gb_error *err);
/** Kept sweep i of a chain as bytes, after gb_draw_file_look().  @return NULL if it is in another file */
const void *gb_draw_file_record(const gb_draw_file *file, size_t chain, uint64_t i, size_t *n_bytes);
/** Append such bytes: the kept sweep takes the place of the same one and all later ones of its chain, if there are such.
 * @return GB_OK, GB_EFORMAT, GB_EIO or GB_ENOMEM */
gb_status gb_draw_file_append_record(gb_draw_file *file, const void *bytes, size_t n_bytes, gb_error *err);
/** Forget the content of all kept sweeps, which another file has now.  @return GB_OK or GB_EIO */
gb_status gb_draw_file_let_go(gb_draw_file *file, gb_error *err);

/** Wait until everything is on the disk. */
gb_status gb_draw_file_sync(gb_draw_file *file, gb_error *err);

/**
 * Give the draws to a model, which then owns the file; nothing may be appended any more.
 *
 * @param model  the description that the file was made for, without draws
 * @return GB_OK, GB_EARGUMENT if some output has no draws with topics yet, GB_EFORMAT, GB_EIO or GB_ENOMEM; on failure
 *         the file is still the caller's
 */
gb_status gb_model_take_draws(gb_model *model, gb_draw_file *file, gb_error *err);

/** Accepts NULL. */
void gb_draw_file_close(gb_draw_file *file);

/** Note that so much of the map was read: now and then its pages are given back to the system. */
void gb_draw_file_have_read(gb_draw_file *file, size_t n_bytes);

/** Bytes of a record, as that of a snapshot with so many counts that are not 0. */
uint64_t gb_draw_file_record_bytes(const gb_model *model, bool has_topics, uint64_t n_entries);

#endif
