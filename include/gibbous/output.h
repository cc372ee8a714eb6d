/* gibbous/output.h - output files that appear whole or not at all, and helpers for messages. */
#ifndef GIBBOUS_OUTPUT_H
#define GIBBOUS_OUTPUT_H

#include "gibbous/status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- output files ---- */

/** A file that is being written: under a temporary name in the folder of its target, to which it is renamed when complete. */
typedef struct gb_out_file gb_out_file;

/**
 * Open for writing.
 *
 * @param out    receives the file; end it with gb_out_file_commit() or gb_out_file_discard(); untouched on failure
 * @param path   "" or "-" is standard output; devices and pipes are written to directly
 * @param force  replace an existing file when the new one is complete
 * @return GB_OK, GB_EARGUMENT (the file exists and `force` is false), GB_EIO (its folder cannot be written to) or GB_ENOMEM
 *
 * Open the file before long work: then a target that cannot be written fails at once, not after hours.
 */
GB_API gb_status gb_out_file_open(gb_out_file **out, const char *path, bool force, gb_error *err);
/** The stream to write to, owned by the file.  Write errors are reported by gb_out_file_commit() at the latest. */
GB_API FILE *gb_out_file_stream(gb_out_file *file);
/** Flush, sync and rename; on failure the temporary file is removed and an existing target is untouched.  Frees `file` in
 * either case.  @return GB_OK, GB_EARGUMENT (a file has appeared meanwhile and `force` was false) or GB_EIO */
GB_API gb_status gb_out_file_commit(gb_out_file *file, gb_error *err);
/** Give a file whose rename has failed another name beside it, "NAME.n"; it never replaces a file.
 * @return GB_OK; GB_EARGUMENT (it is not written under a temporary name) or GB_ENOMEM */
GB_API gb_status gb_out_file_put_beside(gb_out_file *file, unsigned n, gb_error *err);
/** Remove the temporary file and free `file`; accepts NULL. */
GB_API void gb_out_file_discard(gb_out_file *file);

/**
 * A name that the temporary file of a target may have, so that a program that ends early can remove its temporary file.
 *
 * @param path     the target, as for gb_out_file_open(); links are followed
 * @param attempt  from 0: names are tried in this order
 * @param out      receives the name
 * @param size     of `out`; PATH_MAX is always enough
 * @return false if the target has no temporary file (standard output, devices), or the name does not fit into `size`
 */
GB_API bool gb_out_file_temporary(const char *path, unsigned attempt, char *out, size_t size);

/* ---- helpers for messages ---- */

/** Bytes that gb_text_quote() may write. */
enum { GB_QUOTE_SIZE = 120 };

/** A user's text in double quotes for a message of one line: control characters and malformed bytes become "?", a long text
 * ends in "...".
 *
 * @param length  bytes of `text`
 * @param out     receives at most GB_QUOTE_SIZE bytes, the closing NUL included */
GB_API void gb_text_quote(const char *text, size_t length, char *out);

/** Make a message fit for a terminal: control characters, line breaks, malformed bytes and marks that change the direction of text become "?".
 * The text never gets longer.  @return `text` */
GB_API char *gb_text_clean(char *text);

/**
 * Which of the candidates a mistyped word most likely meant.
 *
 * @param n          number of candidates
 * @param candidate  n texts
 * @return the candidate that is the fewest edits away (insert, delete, replace, swap neighbours), the first of several; NULL if
 * none is near.  A word of at least three letters that is the beginning of a candidate counts as one edit away.
 */
GB_API const char *gb_text_nearest(const char *word, size_t n, const char *const *candidate);

#ifdef __cplusplus
}
#endif

#endif
