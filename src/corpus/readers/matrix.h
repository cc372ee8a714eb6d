/* corpus/readers/matrix.h - a square table of numbers, without a header. */
#ifndef GB_CORPUS_READERS_MATRIX_H
#define GB_CORPUS_READERS_MATRIX_H

#include "base/status.h"

/**
 * Read n rows of n numbers.
 *
 * @param path  CSV, or TSV by the name; any input that gb_input_open() takes.  A text that begins with "[" is the matrix itself, as JSON
 * @param why   ends the message about other sizes: "one for each topic"
 * @param out   receives n x n numbers by rows
 * @return GB_OK, GB_EIO, GB_EFORMAT or GB_ENOMEM
 */
gb_status gb_matrix_read(const char *path, size_t n, const char *why, double *out, gb_error *err);

#endif
