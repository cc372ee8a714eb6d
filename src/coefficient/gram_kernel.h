/* coefficient/gram_kernel.h - gram.h, included once per instruction set with GB_GRAM_KERNEL naming the table.
 *
 * The width is known where the loops are compiled, so a document's weights stay in registers while its features are
 * visited.  Arithmetic is by lanes, without contraction: every instruction set gives the same bits. */
#include "coefficient/gram.h"
#include "simd/inline.h"
#include "simd/registers.h"

#define COUNT(WIDTH, V) ((WIDTH) * sizeof(double) / sizeof(V))

enum { AHEAD = 4 }; /* documents between fetching the weights and using them */

ALWAYS_INLINE void fetch_ahead(const gb_gram_entry *e, const gb_gram_entry *end, size_t width, const double *omega)
{
    if (end - e <= AHEAD)
        return;
    const double *next = omega + e[AHEAD].doc * width;
    for (size_t l = 0; l < width; l += 8)
        __builtin_prefetch(next + l);
}

/* sum[k] += weight f_k for the entries first..last-1, two at a time while few vectors do: their sums are different ones, so
 * both are read before either is written. */
#define ADD_ENTRIES(V, N, sums, first, last)                                                                         \
    do {                                                                                                             \
        size_t m = (first);                                                                                          \
        for (; (N) <= 3 && m + 1 < (last); m += 2) {                                                                 \
            V *const sum = (V *)(sums) + (size_t)feature[m] * (N), *const next = (V *)(sums) + feature[m + 1] * (N); \
            const double f = value[m], g = value[m + 1];                                                             \
            V a[N], b[N];                                                                                            \
            for (size_t i = 0; i < (N); i++) {                                                                       \
                a[i] = sum[i] + weight[i] * f;                                                                       \
                b[i] = next[i] + weight[i] * g;                                                                      \
            }                                                                                                        \
            for (size_t i = 0; i < (N); i++)                                                                         \
                sum[i] = a[i];                                                                                       \
            for (size_t i = 0; i < (N); i++)                                                                         \
                next[i] = b[i];                                                                                      \
        }                                                                                                            \
        for (; m < (last); m++) {                                                                                    \
            V *const sum = (V *)(sums) + (size_t)feature[m] * (N);                                                   \
            const double f = value[m];                                                                               \
            for (size_t i = 0; i < (N); i++)                                                                         \
                sum[i] += weight[i] * f;                                                                             \
        }                                                                                                            \
    } while (0)

/* Two functions for a width.  Stores to the sums may alias anything: what stays is taken first. */
#define GRAM_OF_WIDTH(WIDTH, V)                                                                                      \
    static void row_##WIDTH(const gb_gram_block *block, size_t j, const double *omega, double *row)                  \
    {                                                                                                                \
        const uint32_t *const feature = block->feature, *const doc_end = block->doc_start + 1;                       \
        const double *const value = block->value;                                                                    \
        const gb_gram_entry *const end = block->entry + block->feature_start[j + 1];                                 \
        for (const gb_gram_entry *e = block->entry + block->feature_start[j]; e < end; e++) {                        \
            const V *omega_d = (const V *)(omega + (size_t)e->doc * (WIDTH));                                        \
            const size_t first = e->at, last = doc_end[e->doc];                                                      \
            V weight[COUNT(WIDTH, V)];                                                                               \
            fetch_ahead(e, end, WIDTH, omega);                                                                       \
            for (size_t i = 0; i < COUNT(WIDTH, V); i++)                                                             \
                weight[i] = omega_d[i] * value[first];                                                               \
            ADD_ENTRIES(V, COUNT(WIDTH, V), row, first, last);                                                       \
        }                                                                                                            \
    }                                                                                                                \
    static void sums_##WIDTH(const gb_gram_block *block, const double *kappa, double *h)                             \
    {                                                                                                                \
        const uint32_t *const feature = block->feature, *const doc_start = block->doc_start;                         \
        const double *const value = block->value;                                                                    \
        for (size_t d = 0, n = block->n_docs; d < n; d++) {                                                          \
            const V *kappa_d = (const V *)(kappa + d * (WIDTH));                                                     \
            const size_t first = doc_start[d], last = doc_start[d + 1];                                              \
            V weight[COUNT(WIDTH, V)];                                                                               \
            for (size_t i = 0; i < COUNT(WIDTH, V); i++)                                                             \
                weight[i] = kappa_d[i];                                                                              \
            ADD_ENTRIES(V, COUNT(WIDTH, V), h, first, last);                                                         \
        }                                                                                                            \
    }

GRAM_OF_WIDTH(1, v1)
GRAM_OF_WIDTH(2, v2)
GRAM_OF_WIDTH(4, v4)
GRAM_OF_WIDTH(8, longest)
GRAM_OF_WIDTH(16, longest)
GRAM_OF_WIDTH(24, longest)

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
