/* math/assignment.h - the cheapest way to pair the rows of a square matrix with its columns. */
#ifndef GB_MATH_ASSIGNMENT_H
#define GB_MATH_ASSIGNMENT_H

#include "base/status.h"

#include <stddef.h>

/**
 * Give each row a column of its own so that the sum of their costs is the smallest possible.
 *
 * @param n       rows and columns
 * @param cost    n x n, row by row; finite
 * @param column  receives the column of each row
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: up to n^3 steps.  Of several cheapest ways it always finds the same one.
 */
gb_status gb_assign(size_t n, const double *cost, size_t *column, gb_error *err);

#endif
