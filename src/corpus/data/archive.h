/* corpus/data/archive.h - the files of an archive, and bytes that others than gzip packed: by libarchive, or, built without, not at all.
 *
 * Only the filters and formats named in archive.c are switched on: some of the others run outside programs or take plain text for
 * their own (uuencode, mtree). */
#ifndef GB_CORPUS_DATA_ARCHIVE_H
#define GB_CORPUS_DATA_ARCHIVE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_archive gb_archive;

/** Where the bytes come from. */
typedef struct gb_archive_source {
    void *context;
    /** The next bytes, borrowed until the next call.  @return their number, 0 at the end, -1 on failure: errno says why, or *why, which is NULL
     * before */
    int64_t (*give)(void *context, const void **block, const char **why);
    /** As lseek(); NULL: they come one after the other. */
    int64_t (*seek)(void *context, int64_t offset, int whence);
} gb_archive_source;

/** @param source  copied
 *  @param out     close it with gb_archive_close(), also if gb_archive_next() fails
 *  @return GB_OK or GB_ENOMEM; what is wrong with the bytes is found out by the first gb_archive_next() */
gb_status gb_archive_open(gb_archive **out, const gb_archive_source *source, gb_error *err);
/** Accepts NULL. */
void gb_archive_close(gb_archive *a);

typedef enum gb_archive_found { GB_ARCHIVE_FILE, GB_ARCHIVE_END, GB_ARCHIVE_FAILED } gb_archive_found;

/** On to the next file. */
gb_archive_found gb_archive_next(gb_archive *a);
/** Bytes of the file.  @return their number, 0 at its end, -1 on failure */
int64_t gb_archive_read(gb_archive *a, void *to, size_t n);

/** Whether it has files with names (zip, tar), and is not one packed file. */
bool gb_archive_has_members(const gb_archive *a);
/** The name of the file; NULL: it has none that can be read, or is no regular file. */
const char *gb_archive_member(const gb_archive *a);
/** How many bytes the file has; -1: the archive does not say. */
int64_t gb_archive_member_bytes(const gb_archive *a);

/** Bytes that were taken from the source. */
int64_t gb_archive_taken(const gb_archive *a);
/** The bytes are packed, or those of an archive. */
bool gb_archive_is_packed(const gb_archive *a);
/** What was packed had been packed before, so that what is missing within is not noticed. */
bool gb_archive_is_packed_twice(const gb_archive *a);
/** After the end: an archive of whose end blocks none has come. */
bool gb_archive_lacks_end(const gb_archive *a);
/** After the end: bytes behind it belong to it, so that there is nothing to be said against them. */
bool gb_archive_may_end_early(const gb_archive *a);

/** After a failure: why, as errno; it lacked memory; in words, or NULL. */
int gb_archive_code(const gb_archive *a);
bool gb_archive_lacked_memory(const gb_archive *a);
const char *gb_archive_says(const gb_archive *a);

#endif
