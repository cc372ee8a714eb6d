/* base/output.h - a file that appears whole or not at all: written beside its target and renamed. */
#ifndef GB_BASE_OUTPUT_H
#define GB_BASE_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct gb_out_file gb_out_file;

/** Open for writing.  An existing target is GB_EARGUMENT unless `force`; a folder that cannot be written is
 * GB_EIO, so opening early finds it out before hours of work.  `path` "" or "-" is standard output. */
gb_status gb_out_file_open(gb_out_file **out, const char *path, bool force, gb_error *err);
/** The stream to write to. */
FILE *gb_out_file_stream(gb_out_file *o);
/** Flush, sync, rename; on failure the temporary file is removed and the old target is untouched.  Frees `o`.
 */
gb_status gb_out_file_commit(gb_out_file *o, gb_error *err);
/** Throw the temporary file away; accepts NULL.  Frees `o`. */
void gb_out_file_discard(gb_out_file *o);

#endif
