/* store/record_log.h - a file that records are appended to while a run goes on, and that a kill leaves readable.
 *
 * A header (8 bytes of length, JSON, spaces), then records: 8 bytes of length, 8 bytes of XXH3-64 of what follows (with the
 * length as seed), the content, zeros up to a multiple of 8.  Reading stops at the first record that is incomplete or damaged: a process that
 * is killed loses the record that it was writing.  docs/format.md draws it. */
#ifndef GB_STORE_RECORD_LOG_H
#define GB_STORE_RECORD_LOG_H

#include "base/status.h"

#include <jansson.h>

typedef struct gb_record_log gb_record_log;

typedef struct gb_record_part {
    const void *data;
    size_t n;
} gb_record_part;

/**
 * Begin a file.
 *
 * @param path    "FOLDER/": a file without a name in that folder, gone when it is closed; "": in TMPDIR or /tmp.  Else the log has a
 *                temporary name beside `path` until gb_record_log_keep(), which puts it there; meanwhile no other process can begin
 *                one for `path`.  Refused (GB_EARGUMENT) are a file that is no log, a log that another process has open, and
 *                without `force` one with records
 * @param header  an object that says what is in the records; borrowed
 * @return GB_OK, GB_EARGUMENT, GB_EIO or GB_ENOMEM
 */
gb_status gb_record_log_create(gb_record_log **out, const char *path, bool force, const json_t *header,
                               gb_error *err);

/** Let the file have its name, in place of the one that is there; nothing to do if it has it.  Without this call nothing of a log that
 * was created stays after gb_record_log_close().  @return GB_OK or GB_EIO */
gb_status gb_record_log_keep(gb_record_log *log, gb_error *err);

/** Go on with a file.  @return GB_EFORMAT if it is no log with that very header, or as gb_record_log_create() */
gb_status gb_record_log_open(gb_record_log **out, const char *path, const json_t *header, gb_error *err);

/**
 * Look into a file that another process may be writing, as far as it is now; nothing can be appended.
 *
 * @param header  receives its header, to be freed with json_decref()
 * @return GB_OK, GB_EFORMAT (not such a file), GB_EIO or GB_ENOMEM
 */
gb_status gb_record_log_look(gb_record_log **out, const char *path, json_t **header, gb_error *err);

/** A record in the file. */
typedef struct gb_record_place {
    uint64_t offset;   /* of its content, a multiple of 8 */
    uint64_t checksum; /* of it */
} gb_record_place;

/**
 * Append a record, whole or not at all; safe from several threads.
 *
 * @param part  its content, one part after the other; together at least 1 byte
 * @return GB_OK, GB_EIO (no room on the disk) or GB_ENOMEM
 */
gb_status gb_record_log_append(gb_record_log *log, size_t n_parts, const gb_record_part *part, gb_record_place *place,
                               gb_error *err);

/** Where the content of the first record is, if there is one. */
uint64_t gb_record_log_first(const gb_record_log *log);

/**
 * The record whose content is at *offset, if it is whole; needs gb_record_log_map().
 *
 * @param offset  moves on to the next record
 * @param length  receives the number of bytes
 * @return its content, a part of the map; NULL: there is no whole record
 */
const void *gb_record_log_next(const gb_record_log *log, uint64_t *offset, size_t *length);

/** The checksum of a record whose content is at `offset`, which gb_record_log_next() has found whole. */
uint64_t gb_record_log_checksum(const gb_record_log *log, uint64_t offset);

/** Forget everything from a record on: `offset` as for gb_record_log_next(). */
gb_status gb_record_log_truncate(gb_record_log *log, uint64_t offset, gb_error *err);

/** Map what is there now, for reading; offsets count from *out.  It stays until the next map or the close. */
gb_status gb_record_log_map(gb_record_log *log, const char **out, gb_error *err);

/** Give pages of the map back to the system that were read; they come again when they are read again. */
void gb_record_log_forget_pages(const gb_record_log *log);

/** Wait until everything is on the disk.  @return GB_OK, or GB_EIO, also if the name is that of another file now, or of none */
gb_status gb_record_log_sync(gb_record_log *log, gb_error *err);

/** A file that was opened, or kept, stays; accepts NULL. */
void gb_record_log_close(gb_record_log *log);

const char *gb_record_log_path(const gb_record_log *log);

#endif
