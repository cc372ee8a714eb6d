/* math/min_degree.h - an order of elimination of a sparse symmetric matrix that leaves few entries in its factor. */
#ifndef GB_MATH_MIN_DEGREE_H
#define GB_MATH_MIN_DEGREE_H

#include "base/status.h"

/**
 * @param start  n + 1 numbers, row: start[n]; the upper triangle by columns with its diagonal, no entry twice
 * @param order  receives n numbers: order[k] is the row that is eliminated in place k
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_min_degree(int n, const int *start, const int *row, int *order, gb_error *err);

#endif
