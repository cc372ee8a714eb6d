/* base/output.h - a file that appears whole or not at all: written beside its target and renamed.  The functions are public
 * (gibbous/output.h). */
#ifndef GB_BASE_OUTPUT_H
#define GB_BASE_OUTPUT_H

#include "base/status.h"
#include "gibbous/output.h"

/** Bring what is written so far to the disk, so that gb_out_file_commit() of a large file does not wait for all of it at once.
 * A failure shows there too.  @return false if it failed */
bool gb_out_file_settle(gb_out_file *file);

/** Open a new file in the folder of a target under a name by which the next run that writes there removes it if this process is killed; it
 * is locked.
 * @param how         GB_OPEN_WRITE or GB_OPEN_BOTH
 * @param path        receives its name, to be freed with gb_free(); NULL before
 * @param descriptor  receives -1 if there is none: errno says why not
 * @return GB_OK or GB_ENOMEM */
gb_status gb_open_beside(const char *target, int how, char **path, int *descriptor, gb_error *err);

/** Open a new file that is gone when it is closed, for reading and writing.  It has no name, so a kill leaves nothing; on file systems that
 * know no such files it has one for a moment, by which the next run that makes one there removes it.
 * @param folder  "": TMPDIR or /tmp
 * @return the descriptor; -1: errno says why not */
int gb_open_without_name(const char *folder);

/** The same as a stream, in TMPDIR or /tmp.  @return NULL: errno says why not */
FILE *gb_stream_without_name(void);

/** The folder that gb_open_without_name() means. */
const char *gb_temporary_folder(const char *folder);

/**
 * End two files of one result, of which the second is of use with the first only: draws beside their model.  Both are flushed and
 * synced, and then get their names together (base/rename_pair.h): wherever the process is killed or a call fails, there is the old pair or the new
 * one.
 *
 * @param file    freed in either case
 * @param second  *second is freed, and NULL then, unless it is sound and has not got its name
 * @return as gb_out_file_commit(), of the first that failed
 */
gb_status gb_out_file_commit_pair(gb_out_file *file, gb_out_file **second, gb_error *err);

/** End several files of one result.  All are written to their ends before the first gets its name, in this order; if one cannot have its name,
 * the old files come back.  A kill between two names leaves some of both.
 * @param file  n files, each freed and NULL then; NULL is passed over
 * @return as gb_out_file_commit() */
gb_status gb_out_file_commit_all(gb_out_file **file, size_t n, gb_error *err);

#endif
