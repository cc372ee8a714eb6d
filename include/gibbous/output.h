/* gibbous/output.h - files that appear whole or not at all, and words for messages. */
#ifndef GIBBOUS_OUTPUT_H
#define GIBBOUS_OUTPUT_H

#include "gibbous/status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- output files ---- */

/** A file on its way: written beside its target and renamed. */
typedef struct gb_out_file gb_out_file;

/**
 * Open for writing.
 *
 * @param out    receives the file; end it with gb_out_file_commit() or gb_out_file_discard(); untouched on failure
 * @param path   "" or "-" is standard output; devices and pipes are written to directly
 * @param force  replace an existing file when the new one is complete
 * @return GB_OK, GB_EARGUMENT (the file exists and `force` is false), GB_EIO (its folder cannot be written: found out before
 * hours of work) or GB_ENOMEM
 */
GB_API gb_status gb_out_file_open(gb_out_file **out, const char *path, bool force, gb_error *err);
/** The stream to write to.  Errors of writing may wait for gb_out_file_commit(). */
GB_API FILE *gb_out_file_stream(gb_out_file *file);
/** Flush, sync, rename; on failure the temporary file is removed and the old target is untouched.  Frees `file`.
 * @return GB_OK, GB_EARGUMENT (a file has appeared meanwhile and `force` was false) or GB_EIO */
GB_API gb_status gb_out_file_commit(gb_out_file *file, gb_error *err);
/** Throw the temporary file away; accepts NULL.  Frees `file`. */
GB_API void gb_out_file_discard(gb_out_file *file);

/**
 * A name that the temporary file of a target may have, so that a signal handler can remove what a killed program leaves.
 *
 * @param path     the target, as for gb_out_file_open(); links are followed
 * @param attempt  from 0: names are tried in this order
 * @param out      receives the name
 * @param size     of `out`; PATH_MAX is always enough
 * @return false if the target has none (standard output, devices), or its name does not fit
 */
GB_API bool gb_out_file_temporary(const char *path, unsigned attempt, char *out, size_t size);

/* ---- words for messages ---- */

/** Room that gb_text_quote() needs. */
enum { GB_QUOTE_SIZE = 120 };

/** A user's text in double quotes for a message of one line: control characters and malformed bytes become "?", a long text
 * ends in "...".
 *
 * @param out  receives at most GB_QUOTE_SIZE bytes */
GB_API void gb_text_quote(const char *text, size_t length, char *out);

/**
 * Which of the candidates a mistyped word most likely meant.
 *
 * @return the candidate fewest edits away (insert, delete, replace, swap neighbours), the first of equals; NULL when none is
 * near.  A word of at least three letters that begins a candidate counts as one edit.
 */
GB_API const char *gb_text_nearest(const char *word, size_t n, const char *const *candidate);

#ifdef __cplusplus
}
#endif

#endif
