/* coefficient/coordinate_kernel.h - coordinate.h, included once per instruction set with GB_COORDINATE_KERNEL naming
 * the table.
 *
 * The loops over outputs have a width that is known when they are compiled, so that a document's numbers are one
 * or two vectors and the sums stay in registers. */
#include "coefficient/coordinate.h"
#include "simd/inline.h"

#include <string.h>

enum { AHEAD = 12 }; /* documents between fetching a row and using it */

ALWAYS_INLINE uint64_t document_at(const gb_feature *f, uint64_t i)
{
    return f->doc == NULL ? f->first + i : f->doc[i];
}

ALWAYS_INLINE void fetch_ahead(const gb_feature *f, uint64_t i, size_t width, const double *row)
{
    if (f->doc == NULL || i + AHEAD >= f->n)
        return;
    const double *next = row + (size_t)f->doc[i + AHEAD] * 2 * width;
    __builtin_prefetch(next, 1);
    if (width > 4)
        __builtin_prefetch(next + 8, 1);
}

ALWAYS_INLINE void sums_of_width(const gb_feature *f, const size_t width, const double *row, double *curvature,
                                 double *slope)
{
    double a[GB_GROUP_WIDTH] = {0}, b[GB_GROUP_WIDTH] = {0};
    for (uint64_t i = 0; i < f->n; i++) {
        const double *omega = row + document_at(f, i) * 2 * width, *r = omega + width;
        const double value = f->value == NULL ? 1 : f->value[i], square = value * value;
        fetch_ahead(f, i, width, row);
        for (size_t l = 0; l < width; l++) {
            a[l] += omega[l] * square;
            b[l] += r[l] * value;
        }
    }
    memcpy(curvature, a, width * sizeof *a);
    memcpy(slope, b, width * sizeof *b);
}

ALWAYS_INLINE void move_of_width(const gb_feature *f, const size_t width, const double *delta, double *row)
{
    double step[GB_GROUP_WIDTH];
    memcpy(step, delta, width * sizeof *step);
    for (uint64_t i = 0; i < f->n; i++) {
        double *omega = row + document_at(f, i) * 2 * width, *r = omega + width;
        const double value = f->value == NULL ? 1 : f->value[i];
        fetch_ahead(f, i, width, row);
        for (size_t l = 0; l < width; l++)
            r[l] -= omega[l] * (value * step[l]);
    }
}

static void sums(const gb_feature *f, size_t width, const double *row, double *curvature, double *slope)
{
    switch (width) {
    case 1:
        sums_of_width(f, 1, row, curvature, slope);
        break;
    case 2:
        sums_of_width(f, 2, row, curvature, slope);
        break;
    case 4:
        sums_of_width(f, 4, row, curvature, slope);
        break;
    default:
        sums_of_width(f, GB_GROUP_WIDTH, row, curvature, slope);
    }
}

static void move(const gb_feature *f, size_t width, const double *delta, double *row)
{
    switch (width) {
    case 1:
        move_of_width(f, 1, delta, row);
        break;
    case 2:
        move_of_width(f, 2, delta, row);
        break;
    case 4:
        move_of_width(f, 4, delta, row);
        break;
    default:
        move_of_width(f, GB_GROUP_WIDTH, delta, row);
    }
}

const gb_coordinate_kernel GB_COORDINATE_KERNEL = {.sums = sums, .move = move};
