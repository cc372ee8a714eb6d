/* design/smooth.h - a smooth curve of a number as columns: spec 22.5.
 *
 * A curve is a constant, a straight line and bends.  The constant and the line have columns of their own; here are the bends.  A cubic
 * B-spline of `df` coefficients at equal distances over [low, high] has the penalty |D2 a|^2, the sum of squared second differences of its
 * coefficients a.  With D2'D2 = U diag(d) U', d > 0 in df - 2 places, the columns are those of B U diag(d)^(-1/2) with d > 0: a penalty on the
 * curve is then the sum of squares of their coefficients, a prior N(0, tau^2 I).
 *
 * The straight line that fits a column best over [low, high] is taken away from it, which leaves the penalty as it is; and all columns are
 * multiplied by one number after which the squared length of a row is 1 on average over [low, high].  Both depend on df only.  Below low and
 * above high columns go on as straight lines. */
#ifndef GB_DESIGN_SMOOTH_H
#define GB_DESIGN_SMOOTH_H

#include "base/status.h"

#include <stddef.h>

typedef struct gb_smooth {
    size_t df;
    double low, high;
    double *coefficient; /* df x (df - 2): of B-splines in each column */
} gb_smooth;

/** @param df   from GB_SMOOTH_LEAST_DF to GB_SMOOTH_MOST_DF
 *  @param low  less than `high`
 *  @param out  clear it with gb_smooth_clear(); untouched on failure
 *  @return GB_OK or GB_ENOMEM */
gb_status gb_smooth_create(gb_smooth *out, size_t df, double low, double high, gb_error *err);
void gb_smooth_clear(gb_smooth *smooth);

static inline size_t gb_smooth_n_columns(const gb_smooth *smooth)
{
    return smooth->df - 2;
}

/** The columns at a number.  @param row  receives df - 2 numbers */
void gb_smooth_row(const gb_smooth *smooth, double x, double *row);

#endif
