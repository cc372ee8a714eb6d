/* base/output.h - a file that appears whole or not at all: written beside its target and renamed.  The functions are public
 * (gibbous/output.h). */
#ifndef GB_BASE_OUTPUT_H
#define GB_BASE_OUTPUT_H

#include "base/status.h"
#include "gibbous/output.h"

/** Bring what is written so far to the disk, so that gb_out_file_commit() of a large file does not wait for all of it at once.
 * A failure shows there too.  @return false if it failed */
bool gb_out_file_settle(gb_out_file *file);

#endif
