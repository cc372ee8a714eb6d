/* base/bounds.h - how large numbers may be that a file has. */
#ifndef GB_BASE_BOUNDS_H
#define GB_BASE_BOUNDS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/** Products of two such numbers, and sums of their squares, are numbers. */
#define GB_LARGEST 1e75

/** The root mean square of numbers to be predicted, which leaves their coefficients room below GB_LARGEST. */
#define GB_LARGEST_TARGETS 1e70

/** False for what is no number, too. */
static inline bool gb_is_bounded(double x)
{
    return fabs(x) <= GB_LARGEST;
}

static inline bool gb_are_bounded(size_t n, const double *x)
{
    bool all = true;
    for (size_t i = 0; i < n && all; i++)
        all = gb_is_bounded(x[i]);
    return all;
}

#endif
