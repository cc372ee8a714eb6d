/* run/lines.h - lines of the file of the option "draws", beside a checkpoint until the run is done (store/record_log.h).
 *
 * A record is a line: the chain, the number of the line among the chain's, then its bytes.  A run that is resumed draws again what was kept
 * after its checkpoint: a record with a number that its chain has already takes the place of that one. */
#ifndef GB_RUN_LINES_H
#define GB_RUN_LINES_H

#include "plan/fingerprint.h"
#include "store/record_log.h"

#include <stdio.h>

typedef struct gb_lines gb_lines;

/** What lines belong to: they are of no use to another run. */
typedef struct gb_lines_of {
    const char *include;              /* the option "draws-include" */
    const char *corpus, *description; /* fingerprints */
    size_t n_chains;                  /* of the model */
} gb_lines_of;

/** Begin a file.  @return as gb_record_log_create() */
gb_status gb_lines_create(gb_lines **out, const char *path, bool force, const gb_lines_of *of, gb_error *err);
/** Go on with a file.
 *
 * @param n  how many lines of each chain stay; all of them must be there
 * @return GB_EFORMAT if they are not, or GB_EARGUMENT (the file is of other draws), GB_EIO or GB_ENOMEM */
gb_status gb_lines_open(gb_lines **out, const char *path, const gb_lines_of *of, const uint64_t *n, gb_error *err);
/** Append the next line of a chain, with its end.  Safe from several threads if each has its own chain.  @return GB_OK, GB_EIO or GB_ENOMEM */
gb_status gb_lines_append(gb_lines *lines, size_t chain, const char *line, size_t n_bytes, gb_error *err);
/** Append all lines of a stream, from where it is.  @return GB_OK, GB_EIO or GB_ENOMEM */
gb_status gb_lines_append_all(gb_lines *lines, size_t chain, FILE *from, gb_error *err);
/** Wait until all lines are on the disk.  @return GB_OK or GB_EIO */
gb_status gb_lines_sync(gb_lines *lines, gb_error *err);
/** Give the file its name; nothing to do if it has it.  @return GB_OK or GB_EIO */
gb_status gb_lines_keep(gb_lines *lines, gb_error *err);
/** Write a chain's lines in their order; what a stream cannot take shows when it is flushed.  @return GB_OK, GB_EIO or GB_ENOMEM */
gb_status gb_lines_write(gb_lines *lines, size_t chain, FILE *to, gb_error *err);
/** Accepts NULL. */
void gb_lines_close(gb_lines *lines);

#endif
