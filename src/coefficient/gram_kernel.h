/* coefficient/gram_kernel.h - gram.h, included once per instruction set with GB_GRAM_KERNEL naming the table.
 *
 * The width is known where the loops are compiled, so a document's weights stay in registers while its features are
 * visited.  Arithmetic is by lanes, without contraction: every instruction set gives the same bits. */
#include "coefficient/gram.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef double v1;
typedef double v2 __attribute__((vector_size(16), aligned(16), may_alias));
typedef double v4 __attribute__((vector_size(32), aligned(32), may_alias));
typedef double v8 __attribute__((vector_size(64), aligned(64), may_alias));

enum { AHEAD = 4 }; /* documents between fetching the weights and using them */

ALWAYS_INLINE void fetch_ahead(const gb_gram_entry *e, const gb_gram_entry *end, size_t width, const double *omega)
{
    if (end - e <= AHEAD)
        return;
    const double *next = omega + e[AHEAD].doc * width;
    for (size_t l = 0; l < width; l += 8)
        __builtin_prefetch(next + l);
}

/* Two functions for a width of N vectors of type V.  Stores to the sums may alias anything: what stays is taken first. */
#define GRAM_OF_WIDTH(NAME, V, N)                                                                                    \
    static void row_##NAME(const gb_gram_block *b, size_t j, const double *omega, double *row)                       \
    {                                                                                                                \
        enum { WIDTH = (N) * sizeof(V) / sizeof(double) };                                                           \
        const uint32_t *const feature = b->feature, *const doc_end = b->doc_start + 1;                               \
        const double *const value = b->value;                                                                        \
        const gb_gram_entry *const end = b->entry + b->feature_start[j + 1];                                         \
        for (const gb_gram_entry *e = b->entry + b->feature_start[j]; e < end; e++) {                                \
            const V *omega_d = (const V *)(omega + (size_t)e->doc * WIDTH);                                          \
            const size_t first = e->at, last = doc_end[e->doc];                                                      \
            V weight[N];                                                                                             \
            fetch_ahead(e, end, WIDTH, omega);                                                                       \
            for (int i = 0; i < (N); i++)                                                                            \
                weight[i] = omega_d[i] * value[first];                                                               \
            for (size_t m = first; m < last; m++) {                                                                  \
                V *sum = (V *)(row + (size_t)feature[m] * WIDTH);                                                    \
                const double f = value[m];                                                                           \
                for (int i = 0; i < (N); i++)                                                                        \
                    sum[i] += weight[i] * f;                                                                         \
            }                                                                                                        \
        }                                                                                                            \
    }                                                                                                                \
    static void sums_##NAME(const gb_gram_block *b, const double *kappa, double *h)                                  \
    {                                                                                                                \
        const uint32_t *const feature = b->feature, *const doc_start = b->doc_start;                                 \
        const double *const value = b->value;                                                                        \
        const V *weights = (const V *)kappa;                                                                         \
        for (size_t d = 0, n = b->n_docs; d < n; d++, weights += N) {                                                \
            V weight[N];                                                                                             \
            for (int i = 0; i < (N); i++)                                                                            \
                weight[i] = weights[i];                                                                              \
            for (size_t m = doc_start[d], last = doc_start[d + 1]; m < last; m++) {                                  \
                V *sum = (V *)h + (size_t)feature[m] * (N);                                                          \
                const double f = value[m];                                                                           \
                for (int i = 0; i < (N); i++)                                                                        \
                    sum[i] += weight[i] * f;                                                                         \
            }                                                                                                        \
        }                                                                                                            \
    }

GRAM_OF_WIDTH(1, v1, 1)
GRAM_OF_WIDTH(2, v2, 1)
GRAM_OF_WIDTH(4, v4, 1)
GRAM_OF_WIDTH(8, v8, 1)
GRAM_OF_WIDTH(16, v8, 2)
GRAM_OF_WIDTH(24, v8, 3)

static void row(const gb_gram_block *b, size_t j, size_t width, const double *omega, double *out)
{
    switch (width) {
    case 1:
        row_1(b, j, omega, out);
        break;
    case 2:
        row_2(b, j, omega, out);
        break;
    case 4:
        row_4(b, j, omega, out);
        break;
    case 8:
        row_8(b, j, omega, out);
        break;
    case 16:
        row_16(b, j, omega, out);
        break;
    default:
        row_24(b, j, omega, out);
    }
}

static void sums(const gb_gram_block *b, size_t width, const double *kappa, double *h)
{
    switch (width) {
    case 1:
        sums_1(b, kappa, h);
        break;
    case 2:
        sums_2(b, kappa, h);
        break;
    case 4:
        sums_4(b, kappa, h);
        break;
    case 8:
        sums_8(b, kappa, h);
        break;
    case 16:
        sums_16(b, kappa, h);
        break;
    default:
        sums_24(b, kappa, h);
    }
}

const gb_gram_kernel GB_GRAM_KERNEL = {.row = row, .sums = sums};
