/* coefficient/coordinate_kernel.h - coordinate.h, included once per instruction set with GB_COORDINATE_KERNEL naming
 * the table.
 *
 * The loops over outputs have a width that is known when they are compiled, so that a document's numbers are one
 * or two vectors and the sums stay in registers. */
#include "coefficient/coordinate.h"
#include "simd/inline.h"

#include <math.h>
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

/* Of documents number first..end-1 of its list. */
ALWAYS_INLINE void add_documents(const gb_feature *f, uint64_t first, uint64_t end, const size_t width,
                                 const double *row, double *a, double *b)
{
    for (uint64_t i = first; i < end; i++) {
        const double *omega = row + document_at(f, i) * 2 * width, *r = omega + width;
        const double value = f->value == NULL ? 1 : f->value[i], square = value * value;
        fetch_ahead(f, i, width, row);
        for (size_t l = 0; l < width; l++) {
            a[l] += omega[l] * square;
            b[l] += r[l] * value;
        }
    }
}

ALWAYS_INLINE void sums_of_width(const gb_feature *f, const size_t width, const double *row, double *curvature,
                                 double *slope)
{
    double a[GB_GROUP_WIDTH] = {0}, b[GB_GROUP_WIDTH] = {0};
    add_documents(f, 0, f->n, width, row, a, b);
    memcpy(curvature, a, width * sizeof *a);
    memcpy(slope, b, width * sizeof *b);
}

ALWAYS_INLINE void parts_of_width(const gb_feature *f, size_t n_parts, const uint32_t *end, const size_t width,
                                  const double *row, double *sum)
{
    double curvature[GB_GROUP_WIDTH] = {0}, slope[GB_GROUP_WIDTH] = {0};
    uint64_t at = 0;
    for (size_t p = 0; at < f->n && p < n_parts; p++) {
        double a[GB_GROUP_WIDTH] = {0}, b[GB_GROUP_WIDTH] = {0};
        if (end[p] == at)
            continue;
        add_documents(f, at, end[p], width, row, a, b);
        for (size_t l = 0; l < width; l++) {
            curvature[l] += a[l];
            slope[l] += b[l];
        }
        at = end[p];
    }
    memcpy(sum, curvature, width * sizeof *sum);
    memcpy(sum + width, slope, width * sizeof *sum);
}

ALWAYS_INLINE void draw_of_width(const size_t width, const double *sum, const double *precision, const double *noise,
                                 double *eta, double *delta)
{
    double drawn[GB_GROUP_WIDTH], step[GB_GROUP_WIDTH];
    for (size_t l = 0; l < width; l++) {
        const double all = precision[l] + sum[l];
        drawn[l] = (sum[width + l] + sum[l] * eta[l]) / all + noise[l] / sqrt(all);
        step[l] = drawn[l] - eta[l];
    }
    memcpy(eta, drawn, width * sizeof *eta);
    memcpy(delta, step, width * sizeof *delta);
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
#define CALL(n) sums_of_width(f, n, row, curvature, slope)
    GB_FOR_WIDTH(width, GB_GROUP_WIDTH, CALL)
#undef CALL
}

static void sums_of_parts(const gb_feature *f, size_t n_parts, const uint32_t *end, size_t width, const double *row,
                          double *sum)
{
#define CALL(n) parts_of_width(f, n_parts, end, n, row, sum)
    GB_FOR_WIDTH(width, GB_GROUP_WIDTH, CALL)
#undef CALL
}

static void draw(size_t width, const double *sum, const double *precision, const double *noise, double *eta,
                 double *delta)
{
#define CALL(n) draw_of_width(n, sum, precision, noise, eta, delta)
    GB_FOR_WIDTH(width, GB_GROUP_WIDTH, CALL)
#undef CALL
}

static void move(const gb_feature *f, size_t width, const double *delta, double *row)
{
#define CALL(n) move_of_width(f, n, delta, row)
    GB_FOR_WIDTH(width, GB_GROUP_WIDTH, CALL)
#undef CALL
}

const gb_coordinate_kernel GB_COORDINATE_KERNEL = {
    .sums = sums, .sums_of_parts = sums_of_parts, .draw = draw, .move = move};
