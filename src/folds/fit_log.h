/* folds/fit_log.h - a file with a line for every fit of a selection: a JSON object that its member "key" identifies.
 *
 * A process that is killed loses the line that it was writing: text behind the last line feed is cut off when the file is
 * opened again. */
#ifndef GB_FOLDS_FIT_LOG_H
#define GB_FOLDS_FIT_LOG_H

#include "base/status.h"

#include <jansson.h>

typedef struct gb_fit_log gb_fit_log;

/**
 * Read what a file has, if it exists.
 *
 * @param path  "": no file; then nothing is kept
 * @return GB_OK, GB_EFORMAT (a line is something else), GB_EIO or GB_ENOMEM; nothing is changed on failure
 */
gb_status gb_fit_log_open(const char *path, gb_fit_log **out, gb_error *err);
/** The file stays; accepts NULL. */
void gb_fit_log_close(gb_fit_log *log);

/** The fit with that key, borrowed; NULL if the file did not have it when it was opened.  Safe from several threads. */
json_t *gb_fit_log_find(const gb_fit_log *log, const char *key);
/** Any fit of the file, borrowed; NULL if it has none. */
json_t *gb_fit_log_any(const gb_fit_log *log);

/** Open the file for writing, which makes it, so that a name that cannot be written fails before any work.  @return GB_OK or GB_EIO */
gb_status gb_fit_log_begin(gb_fit_log *log, gb_error *err);
/** Append a line, on the disk when this returns.  Safe from several threads, after
 * gb_fit_log_begin().  @return GB_OK, GB_EIO or GB_ENOMEM */
gb_status gb_fit_log_add(gb_fit_log *log, const json_t *fit, gb_error *err);

#endif
