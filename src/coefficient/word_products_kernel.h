/* coefficient/word_products_kernel.h - word_products.h, included once per instruction set with GB_WORD_PRODUCTS naming the table.
 *
 * The loops over outputs have a width that is known when they are compiled. */
#include "coefficient/word_products.h"
#include "simd/inline.h"

#include <string.h>

enum { WIDEST = GB_WIDEST_WORD_GROUP };

/* sum[l] += x * from[l] */
ALWAYS_INLINE void add_entry(float *sum, const size_t width, float x, const float *from)
{
    for (size_t l = 0; l < width; l++)
        sum[l] += x * from[l];
}

ALWAYS_INLINE void times_of_width(const gb_sparse_columns *x, const float *value, const size_t width,
                                  const bool squared, const float *v, uint64_t first, uint64_t last, float *y)
{
    const uint64_t end = x->doc_start[last];
    for (uint64_t d = first; d < last; d++) {
        float sum[WIDEST] = {0};
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++) {
            if (i + GB_ENTRIES_AHEAD < end)
                __builtin_prefetch(v + x->column[i + GB_ENTRIES_AHEAD] * width);
            add_entry(sum, width, squared ? value[i] * value[i] : value[i], v + x->column[i] * width);
        }
        memcpy(y + d * width, sum, width * sizeof *sum);
    }
}

ALWAYS_INLINE void runs_of_width(const gb_word_piece *piece, const size_t width, const float *y, double *w)
{
    const uint32_t *doc = piece->doc;
    const float *value = piece->value;
    for (size_t r = 0; r < piece->n_runs; r++) {
        const uint32_t length = piece->length[r];
        double *to = w + piece->word[r] * width;
        double sum[WIDEST];
        float part[WIDEST] = {0};
        for (uint32_t i = 0; i < length; i++) {
            __builtin_prefetch(y + doc[i + GB_ENTRIES_AHEAD] * width);
            add_entry(part, width, value[i], y + doc[i] * width);
        }
        memcpy(sum, to, width * sizeof *sum);
        for (size_t l = 0; l < width; l++)
            sum[l] += part[l];
        memcpy(to, sum, width * sizeof *sum);
        doc += length;
        value += length;
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

ALWAYS_INLINE void step_of_width(const size_t width, uint64_t n, const float *a, const float *x, const float *weight,
                                 float *r, double *sum)
{
    float factor[WIDEST];
    double s[2 * WIDEST];
    memcpy(factor, a, width * sizeof *a);
    memcpy(s, sum, 2 * width * sizeof *s);
    for (uint64_t i = 0; i < n * width; i += width)
        for (size_t l = 0; l < width; l++) {
            const float rest = r[i + l] + factor[l] * x[i + l];
            const double square = (double)rest * (double)rest;
            r[i + l] = rest;
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

static void times(const gb_sparse_columns *x, const float *value, size_t width, const float *v, uint64_t first,
                  uint64_t last, float *y)
{
#define CALL(n) times_of_width(x, value, n, false, v, first, last, y)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void squares(const gb_sparse_columns *x, const float *value, size_t width, const float *v, uint64_t first,
                    uint64_t last, float *y)
{
#define CALL(n) times_of_width(x, value, n, true, v, first, last, y)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void add_runs(const gb_word_piece *piece, size_t width, const float *y, double *w)
{
#define CALL(n) runs_of_width(piece, n, y, w)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void dot(size_t width, uint64_t n, const float *a, const float *b, double *sum)
{
#define CALL(w) dot_of_width(w, n, a, b, sum)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void squares_of(size_t width, uint64_t n, const float *weight, const float *r, double *sum)
{
#define CALL(w) squares_of_width(w, n, weight, r, sum)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void step(size_t width, uint64_t n, const float *a, const float *x, const float *weight, float *r, double *sum)
{
#define CALL(w) step_of_width(w, n, a, x, weight, r, sum)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void add_multiple(size_t width, uint64_t n, const float *a, const float *x, float *y)
{
#define CALL(w) multiple_of_width(w, n, a, x, y)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

static void turn(size_t width, uint64_t n, const float *beta, const float *inverse, const float *r, const float *root,
                 float *p, float *y)
{
#define CALL(w) turn_of_width(w, n, beta, inverse, r, root, p, y)
    GB_FOR_WIDTH(width, 16, CALL)
#undef CALL
}

const gb_word_products GB_WORD_PRODUCTS = {.times = times,
                                           .squares = squares,
                                           .add_runs = add_runs,
                                           .add_image = add_image,
                                           .dot = dot,
                                           .squares_of = squares_of,
                                           .step = step,
                                           .add_multiple = add_multiple,
                                           .turn = turn};
