/* design/products_kernel.h - products.h, included once per instruction set with GB_PRODUCTS naming the table.
 *
 * The loops over outputs have a width that is known when they are compiled, so that a column's numbers are one or two
 * vectors and sums stay in registers. */
#include "design/products.h"
#include "design/seek.h"
#include "simd/inline.h"

#include <string.h>

enum {
    WIDEST = 8,
    STRIP = 16, /* columns of an embedding */
    AHEAD = 12  /* entries between fetching numbers and using them */
};

/* sum[l] += x * from[l] */
ALWAYS_INLINE void add_entry(double *sum, const size_t width, double x, const double *from)
{
    for (size_t l = 0; l < width; l++)
        sum[l] += x * from[l];
}

ALWAYS_INLINE void times_of_width(const gb_sparse_columns *x, const size_t width, const bool squared, const double *v,
                                  uint64_t first, uint64_t last, double *y)
{
    const uint64_t end = x->doc_start[last];
    for (uint64_t d = first; d < last; d++) {
        double sum[WIDEST];
        memcpy(sum, y + d * width, width * sizeof *sum);
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++) {
            if (i + AHEAD < end)
                __builtin_prefetch(v + x->column[i + AHEAD] * width);
            add_entry(sum, width, squared ? x->value[i] * x->value[i] : x->value[i], v + x->column[i] * width);
        }
        memcpy(y + d * width, sum, width * sizeof *sum);
    }
}

/* One entry after the other: most columns have few, so that looking for where a part ends takes longer than walking there. */
ALWAYS_INLINE void columns_of_width(const gb_sparse_columns *x, const size_t width, const bool squared,
                                    const gb_doc_parts *parts, const double *y, size_t first, size_t last, double *w)
{
    const uint32_t *doc = x->column_doc;
    for (size_t j = first; j < last; j++) {
        const uint64_t end = x->column_start[j + 1];
        double sum[WIDEST] = {0};
        uint64_t i = x->column_start[j];
        if (parts->start[0] > 0)
            i = gb_seek_document(doc, i, end, parts->start[0]);
        for (size_t p = 0; i < end && p < parts->n; p++) {
            const uint64_t limit = parts->start[p + 1];
            double part[WIDEST] = {0};
            if (doc[i] >= limit)
                continue;
            for (; i < end && doc[i] < limit; i++) {
                if (i + AHEAD < x->n_entries)
                    __builtin_prefetch(y + doc[i + AHEAD] * width);
                const double value = x->column_value[i];
                add_entry(part, width, squared ? value * value : value, y + doc[i] * width);
            }
            for (size_t l = 0; l < width; l++)
                sum[l] += part[l];
        }
        memcpy(w + j * width, sum, width * sizeof *sum);
    }
}

/* ---- an embedding ---- */

ALWAYS_INLINE void dense_times_of_width(const gb_dense_columns *x, const size_t width, const bool squared,
                                        const double *v, uint64_t first, uint64_t last, double *y)
{
    for (uint64_t d = first; d < last; d++) {
        const float *row = gb_dense_columns_row(x, d);
        double sum[WIDEST];
        memcpy(sum, y + d * width, width * sizeof *sum);
        for (size_t j = 0; j < x->n_columns; j++) {
            const double value = row[j];
            add_entry(sum, width, squared ? value * value : value, v + j * width);
        }
        memcpy(y + d * width, sum, width * sizeof *sum);
    }
}

/* A few columns: a line of the cache of each document. */
ALWAYS_INLINE void dense_strip(const gb_dense_columns *x, const size_t width, const gb_doc_parts *parts,
                               const double *y, size_t first, size_t n, double *w)
{
    double sum[STRIP * WIDEST] = {0};
    for (size_t p = 0; p < parts->n; p++) {
        double part[STRIP * WIDEST] = {0};
        for (uint64_t d = parts->start[p]; d < parts->start[p + 1]; d++) {
            const float *row = gb_dense_columns_row(x, d) + first;
            for (size_t j = 0; j < n; j++)
                add_entry(part + j * width, width, row[j], y + d * width);
        }
        for (size_t i = 0; i < n * width; i++)
            sum[i] += part[i];
    }
    memcpy(w + first * width, sum, n * width * sizeof *sum);
}

ALWAYS_INLINE void dense_columns_of_width(const gb_dense_columns *x, const size_t width, const gb_doc_parts *parts,
                                          const double *y, size_t first, size_t last, double *w)
{
    for (size_t j = first; j < last; j += STRIP)
        dense_strip(x, width, parts, y, j, last - j < STRIP ? last - j : STRIP, w);
}

/* ---- widths ---- */

/* A call for each width, which the compiler then knows. */
#define FOR_WIDTH(width, call, ...)                                                                                  \
    switch (width) {                                                                                                 \
    case 1:                                                                                                          \
        call(x, 1, __VA_ARGS__);                                                                                     \
        break;                                                                                                       \
    case 2:                                                                                                          \
        call(x, 2, __VA_ARGS__);                                                                                     \
        break;                                                                                                       \
    case 4:                                                                                                          \
        call(x, 4, __VA_ARGS__);                                                                                     \
        break;                                                                                                       \
    default:                                                                                                         \
        call(x, WIDEST, __VA_ARGS__);                                                                                \
    }

static void times(const gb_sparse_columns *x, size_t width, const double *v, uint64_t first, uint64_t last, double *y)
{
    FOR_WIDTH(width, times_of_width, false, v, first, last, y)
}

static void squares(const gb_sparse_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                    double *y)
{
    FOR_WIDTH(width, times_of_width, true, v, first, last, y)
}

static void transposed(const gb_sparse_columns *x, size_t width, const gb_doc_parts *parts, const double *y,
                       size_t first, size_t last, double *w)
{
    FOR_WIDTH(width, columns_of_width, false, parts, y, first, last, w)
}

static void transposed_squares(const gb_sparse_columns *x, size_t width, const gb_doc_parts *parts, const double *y,
                               size_t first, size_t last, double *w)
{
    FOR_WIDTH(width, columns_of_width, true, parts, y, first, last, w)
}

static void dense_times(const gb_dense_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                        double *y)
{
    FOR_WIDTH(width, dense_times_of_width, false, v, first, last, y)
}

static void dense_squares(const gb_dense_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                          double *y)
{
    FOR_WIDTH(width, dense_times_of_width, true, v, first, last, y)
}

static void dense_transposed(const gb_dense_columns *x, size_t width, const gb_doc_parts *parts, const double *y,
                             size_t first, size_t last, double *w)
{
    FOR_WIDTH(width, dense_columns_of_width, parts, y, first, last, w)
}

const gb_products GB_PRODUCTS = {.times = times,
                                 .squares = squares,
                                 .transposed = transposed,
                                 .transposed_squares = transposed_squares,
                                 .dense_times = dense_times,
                                 .dense_squares = dense_squares,
                                 .dense_transposed = dense_transposed};
