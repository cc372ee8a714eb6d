/* store/store.h - the one file layout of corpus, model and checkpoint.
 *
 * The layout of safetensors: 8 bytes little-endian header length, a JSON header, raw little-endian arrays,
 * each aligned to 64 bytes in the file.  Two additions live in the header's "__metadata__": "gibbous" (kind
 * and version of the file) and "checksum" (XXH3-128 of the whole file with the checksum's own digits taken as
 * zeros).  The file is read by memory map; nothing in it is trusted before it is checked.  docs/format.md
 * draws it. */
#ifndef GB_STORE_STORE_H
#define GB_STORE_STORE_H

#include "base/arrays.h"
#include "base/output.h"
#include "base/status.h"
#include "base/watch.h"

#include <stdbool.h>

/* ---- writing ---- */
typedef struct gb_store_writer gb_store_writer;

/** @param kind  "corpus", "shards", "model", "checkpoint" or "chain" */
gb_status gb_store_create(gb_store_writer **out, const char *kind, gb_error *err);
/** Add a text to the metadata (copied; UTF-8). */
gb_status gb_store_text(gb_store_writer *w, const char *name, const char *text, gb_error *err);
/** Add an array; the data is borrowed until gb_store_save(). */
gb_status gb_store_array(gb_store_writer *w, const char *name, gb_dtype type, size_t n_dimensions,
                         const uint64_t *shape, const void *data, gb_error *err);
/** The same with data from gb_alloc() that the writer frees; in case of failure too. */
gb_status gb_store_take_array(gb_store_writer *w, const char *name, gb_dtype type, size_t n_dimensions,
                              const uint64_t *shape, void *data, gb_error *err);
/** Add the arrays of a component that are state and not empty, under their names.  They are borrowed until gb_store_save(), which asks for
 * those in pieces twice, in order. */
gb_status gb_store_list(gb_store_writer *w, gb_list_arrays *list, const void *component, gb_error *err);
/** An array of a writer. */
typedef struct gb_store_entry {
    const char *name;
    gb_dtype type;
    size_t n_dimensions;
    const uint64_t *shape;
    const void *data; /* NULL: in pieces */
    uint64_t n_bytes;
} gb_store_entry;
size_t gb_store_n_entries(const gb_store_writer *w);
/** Array i < gb_store_n_entries(), as long as nothing is added. */
gb_store_entry gb_store_entry_at(const gb_store_writer *w, size_t i);
/** Reading the file will want memory for something: where the file would be too small for gb_store_check_memory() to allow that, zeros follow
 * the arrays.  Parameters as there. */
void gb_store_make_room(gb_store_writer *w, uint64_t n_bytes, unsigned share);
/** GB_EARGUMENT if the texts and arrays so far are more than one file can have, as gb_store_save() would say. */
gb_status gb_store_check(const gb_store_writer *w, gb_error *err);
/** Write beside the target, sync, rename.  An existing file is GB_EARGUMENT unless `force`; after any failure
 * the old file is untouched and no partial file is left.  Equal contents give equal bytes. */
gb_status gb_store_save(gb_store_writer *w, const char *path, bool force, gb_error *err);
/** The same, asking whether to go on.  @return also GB_ESTOP, after which no file is left; `watch` may be NULL */
gb_status gb_store_save_watched(gb_store_writer *w, const char *path, bool force, gb_watch *watch, gb_error *err);
/** The same, together with another file: see gb_out_file_commit_pair().  @param second  may be NULL, and *second too */
gb_status gb_store_save_with(gb_store_writer *w, const char *path, bool force, gb_out_file **second, gb_watch *watch,
                             gb_error *err);
enum { GB_STORE_CHECKSUM_SIZE = 33 };
/** Write to an open file, which the caller commits or discards: so that several files can appear together.
 * @param checksum  receives the digits of the file's checksum and a NUL
 * @return GB_OK, GB_EARGUMENT, GB_EIO or GB_ENOMEM; a failed write may show only in gb_out_file_commit() */
gb_status gb_store_put(gb_store_writer *w, gb_out_file *file, char checksum[static GB_STORE_CHECKSUM_SIZE],
                       gb_error *err);
/** The bytes of the file, in memory.
 * @param bytes  receives them, free with gb_free(); untouched on failure */
gb_status gb_store_to_bytes(gb_store_writer *w, void **bytes, size_t *n_bytes, gb_error *err);
void gb_store_writer_free(gb_store_writer *w);

/* ---- reading ---- */
typedef struct gb_store gb_store;

/** Map a file and check it whole: layout, bounds, alignment, overlap, checksum, kind and version. */
gb_status gb_store_open(gb_store **out, const char *path, const char *kind, gb_error *err);
/** The same, asking whether to go on.  @return also GB_ESTOP; `watch` may be NULL */
gb_status gb_store_open_watched(gb_store **out, const char *path, const char *kind, gb_watch *watch, gb_error *err);
/** The same with a copy of the file in memory, which nobody changes afterwards. */
gb_status gb_store_open_copy(gb_store **out, const char *path, const char *kind, gb_watch *watch, gb_error *err);
/** The same with the bytes of a file, which are copied; messages call it "the bytes". */
gb_status gb_store_open_bytes(gb_store **out, const void *bytes, size_t n_bytes, const char *kind, gb_error *err);
/** True when the file at path begins like one of ours (any kind); never fails. */
bool gb_store_sniff(const char *path);
/** A text of the metadata, or GB_EFORMAT naming the file and the missing entry; owned by the store. */
gb_status gb_store_get_text(const gb_store *s, const char *name, const char **out, gb_error *err);
/** An array of that type and number of dimensions; `shape` receives the lengths; the data is owned by the
 * store and aligned.  A missing array, another type or rank is GB_EFORMAT. */
gb_status gb_store_get_array(const gb_store *s, const char *name, gb_dtype type, size_t n_dimensions, uint64_t *shape,
                             const void **out, gb_error *err);
/** The array of that name, type and shape, with numbers in that range.
 * @param misfit  goes after the message that says how the shape differs
 * @return GB_OK or GB_EFORMAT */
gb_status gb_store_find(const gb_store *s, const gb_array *array, const char *misfit, const void **out,
                        gb_error *err);
/** Let the arrays of a component that are state be those of the file, each checked as gb_store_find() does before the next is listed.  They
 * point into it, and the list must say that they are views; members of structures are copied.
 * @param watch  asked after each array; may be NULL
 * @return GB_OK, GB_EFORMAT or GB_ESTOP */
gb_status gb_store_view(const gb_store *s, gb_list_arrays *list, void *component, gb_watch *watch, gb_error *err);
/** Length of a dimension of an array; 0 if there is none of that name. */
uint64_t gb_store_length(const gb_store *s, const char *name, size_t dimension);
/** Give back the memory that reading has filled; what is read again comes from the file again. */
void gb_store_forget(const gb_store *s);
bool gb_store_has_array(const gb_store *s, const char *name);
/** Add all arrays whose names begin so to another file; the data is borrowed from `s`. */
gb_status gb_store_copy_arrays(const gb_store *s, const char *prefix, gb_store_writer *w, gb_error *err);
/**
 * Check a size that the file speaks of before memory is taken: reading a file takes at most 4 times its size and 64 MiB.
 *
 * @param n_bytes  wanted for `what`
 * @param share    of the 8 parts of that which `what` may have
 * @return GB_OK, or GB_EFORMAT
 */
gb_status gb_store_check_memory(const gb_store *s, uint64_t n_bytes, unsigned share, const char *what, gb_error *err);
const char *gb_store_path(const gb_store *s);
/** The digits of its checksum. */
const char *gb_store_checksum(const gb_store *s);
/** Kind of the file at path without its version, as far as its first bytes say: false if it is not of that kind or cannot be read. */
bool gb_store_is(const char *path, const char *kind);
void gb_store_close(gb_store *s);

#endif
