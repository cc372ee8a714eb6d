/* cli/overwrite.h - an output that is an input. */
#ifndef GB_CLI_OVERWRITE_H
#define GB_CLI_OVERWRITE_H

#include "common.h"

/** Refuse to write a file that the same call reads (shards of a corpus and files of a folder, too), or to write one file twice: --force
 * is not meant so.  A file is known by its place on the disk, whatever its name, so that links and other spellings of a path are seen
 * through.
 *
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (a folder cannot be read) or GB_ENOMEM */
gb_status cli_refuse_overwriting(const cli_call *call, gb_error *err);

#endif
