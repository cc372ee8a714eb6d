/* coefficient/word_products_kernel.h - word_products.h, included once per instruction set with GB_WORD_PRODUCTS naming the table.
 *
 * The loops over outputs have a width that is known when they are compiled. */
#include "coefficient/word_products.h"
#include "design/seek.h"
#include "simd/inline.h"

#include <string.h>

enum { WIDEST = GB_WIDEST_WORD_GROUP, AHEAD = 12 /* entries between fetching numbers and using them */ };

/* sum[l] += x * from[l] */
ALWAYS_INLINE void add_entry(float *sum, const size_t width, float x, const float *from)
{
    for (size_t l = 0; l < width; l++)
        sum[l] += x * from[l];
}

ALWAYS_INLINE void times_of_width(const gb_sparse_columns *x, const size_t width, const bool squared, const float *v,
                                  uint64_t first, uint64_t last, float *y)
{
    const uint64_t end = x->doc_start[last];
    for (uint64_t d = first; d < last; d++) {
        float sum[WIDEST] = {0};
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++) {
            const float value = (float)x->value[i];
            if (i + AHEAD < end)
                __builtin_prefetch(v + x->column[i + AHEAD] * width);
            add_entry(sum, width, squared ? value * value : value, v + x->column[i] * width);
        }
        memcpy(y + d * width, sum, width * sizeof *sum);
    }
}

ALWAYS_INLINE void columns_of_width(const gb_sparse_columns *x, const size_t width, const gb_doc_parts *parts,
                                    const float *y, size_t first, size_t last, double *w)
{
    const uint32_t *doc = x->column_doc;
    for (size_t j = first; j < last; j++) {
        const uint64_t end = x->column_start[j + 1];
        uint64_t i = x->column_start[j];
        double sum[WIDEST] = {0};
        if (parts->start[0] > 0)
            i = gb_seek_document(doc, i, end, parts->start[0]);
        for (size_t p = 0; i < end && p < parts->n; p++) {
            const uint64_t limit = parts->start[p + 1];
            float part[WIDEST] = {0};
            if (doc[i] >= limit)
                continue;
            for (; i < end && doc[i] < limit; i++) {
                if (i + AHEAD < x->n_entries)
                    __builtin_prefetch(y + doc[i + AHEAD] * width);
                add_entry(part, width, (float)x->column_value[i], y + doc[i] * width);
            }
            for (size_t l = 0; l < width; l++)
                sum[l] += part[l];
        }
        memcpy(w + j * width, sum, width * sizeof *sum);
    }
}

/* ---- vectors ---- */

ALWAYS_INLINE void dot_of_width(const size_t width, uint64_t n, const float *a, const float *b, double *sum)
{
    double s[WIDEST];
    memcpy(s, sum, width * sizeof *s);
    for (uint64_t i = 0; i < n * width; i += width)
        for (size_t l = 0; l < width; l++)
            s[l] += (double)a[i + l] * (double)b[i + l];
    memcpy(sum, s, width * sizeof *s);
}

ALWAYS_INLINE void squares_of_width(const size_t width, uint64_t n, const float *weight, const float *r, double *sum)
{
    double s[2 * WIDEST];
    memcpy(s, sum, 2 * width * sizeof *s);
    for (uint64_t i = 0; i < n * width; i += width)
        for (size_t l = 0; l < width; l++) {
            const double square = (double)r[i + l] * (double)r[i + l];
            s[l] += (double)weight[i + l] * square;
            s[width + l] += square;
        }
    memcpy(sum, s, 2 * width * sizeof *s);
}

ALWAYS_INLINE void multiple_of_width(const size_t width, uint64_t n, const float *a, const float *x, float *y)
{
    float factor[WIDEST];
    memcpy(factor, a, width * sizeof *a);
    for (uint64_t i = 0; i < n * width; i += width)
        for (size_t l = 0; l < width; l++)
            y[i + l] += factor[l] * x[i + l];
}

ALWAYS_INLINE void turn_of_width(const size_t width, uint64_t n, const float *beta, const float *inverse,
                                 const float *r, const float *root, float *p, float *y)
{
    float factor[WIDEST];
    memcpy(factor, beta, width * sizeof *beta);
    for (uint64_t i = 0; i < n * width; i += width)
        for (size_t l = 0; l < width; l++) {
            p[i + l] = inverse[i + l] * r[i + l] + factor[l] * p[i + l];
            y[i + l] = root[i + l] * p[i + l];
        }
}

static void add_image(uint64_t n, const float *p, const float *root, float *image)
{
    for (uint64_t i = 0; i < n; i++)
        image[i] = p[i] + root[i] * image[i];
}

/* ---- widths ---- */

/* A call for each width, which the compiler then knows: CALL(1), ... */
#define FOR_WIDTH(width, CALL)                                                                                       \
    switch (width) {                                                                                                 \
    case 1:                                                                                                          \
        CALL(1);                                                                                                     \
        break;                                                                                                       \
    case 2:                                                                                                          \
        CALL(2);                                                                                                     \
        break;                                                                                                       \
    case 4:                                                                                                          \
        CALL(4);                                                                                                     \
        break;                                                                                                       \
    case 8:                                                                                                          \
        CALL(8);                                                                                                     \
        break;                                                                                                       \
    default:                                                                                                         \
        CALL(16);                                                                                                    \
    }

static void times(const gb_sparse_columns *x, size_t width, const float *v, uint64_t first, uint64_t last, float *y)
{
#define CALL(n) times_of_width(x, n, false, v, first, last, y)
    FOR_WIDTH(width, CALL)
#undef CALL
}

static void squares(const gb_sparse_columns *x, size_t width, const float *v, uint64_t first, uint64_t last, float *y)
{
#define CALL(n) times_of_width(x, n, true, v, first, last, y)
    FOR_WIDTH(width, CALL)
#undef CALL
}

static void transposed(const gb_sparse_columns *x, size_t width, const gb_doc_parts *parts, const float *y,
                       size_t first, size_t last, double *w)
{
#define CALL(n) columns_of_width(x, n, parts, y, first, last, w)
    FOR_WIDTH(width, CALL)
#undef CALL
}

static void dot(size_t width, uint64_t n, const float *a, const float *b, double *sum)
{
#define CALL(w) dot_of_width(w, n, a, b, sum)
    FOR_WIDTH(width, CALL)
#undef CALL
}

static void squares_of(size_t width, uint64_t n, const float *weight, const float *r, double *sum)
{
#define CALL(w) squares_of_width(w, n, weight, r, sum)
    FOR_WIDTH(width, CALL)
#undef CALL
}

static void add_multiple(size_t width, uint64_t n, const float *a, const float *x, float *y)
{
#define CALL(w) multiple_of_width(w, n, a, x, y)
    FOR_WIDTH(width, CALL)
#undef CALL
}

static void turn(size_t width, uint64_t n, const float *beta, const float *inverse, const float *r, const float *root,
                 float *p, float *y)
{
#define CALL(w) turn_of_width(w, n, beta, inverse, r, root, p, y)
    FOR_WIDTH(width, CALL)
#undef CALL
}

const gb_word_products GB_WORD_PRODUCTS = {.times = times,
                                           .squares = squares,
                                           .transposed = transposed,
                                           .add_image = add_image,
                                           .dot = dot,
                                           .squares_of = squares_of,
                                           .add_multiple = add_multiple,
                                           .turn = turn};
