/* token/expected_kernel.h - expected topics of tokens, included once per instruction set with GB_EXPECT_TOKENS naming the
 * function. */
#include "simd/floats.h"
#include "token/expected.h"

static const float LEAST_LEFT =
    0x1p-6F; /* of a sum from which a part is subtracted: below, it is added up without the part */

ALWAYS_INLINE float sum_of(vf x)
{
    float sums[LANES] __attribute__((aligned(64)));
    store(sums, running_sums(x));
    return sums[LANES - 1];
}

ALWAYS_INLINE vf cells(const unsigned char *row, gb_width width, size_t k)
{
    return width == GB_WIDTH_8    ? from_bytes(row + k)
           : width == GB_WIDTH_16 ? from_shorts(row + 2 * k)
                                  : from_ints(row + 4 * k);
}

/* Rows are fetched before their tokens are at hand: the first lines, after which the processor sees a pattern. */
enum { TOKENS_AHEAD = 8, LINE = 64, LINES_AHEAD = 2 };

ALWAYS_INLINE void fetch_row(const gb_expectation *e, uint32_t word)
{
    const unsigned char *row = gb_handle_row(e->rows, word);
    for (size_t line = 0; line < LINES_AHEAD; line++)
        __builtin_prefetch(row + line * LINE);
}

ALWAYS_INLINE float weigh_row(const gb_expectation *e, const unsigned char *row, gb_width width)
{
    const vf beta = all(e->beta);
    vf sum = all(0);
    for (size_t k = 0; k < e->stride; k += LANES)
        sum = fma_of(add(cells(row, width, k), beta), load(e->product + k), sum);
    return sum_of(sum);
}

ALWAYS_INLINE void spread_row(const gb_expectation *e, const unsigned char *row, gb_width width, float factor)
{
    const vf f = all(factor);
    for (size_t k = 0; k < e->stride; k += LANES)
        store(e->weighted + k, fma_of(cells(row, width, k), f, load(e->weighted + k)));
}

/* product_sum: of all topics. */
static float weigh_list(const gb_expectation *e, const uint32_t *list, float product_sum)
{
    float sum = e->beta * product_sum;
    for (uint32_t i = 1; i <= list[0]; i++)
        sum += e->product[list[i] & UINT16_MAX] * (float)(list[i] >> 16);
    return sum;
}

static void spread_list(const gb_expectation *e, const uint32_t *list, float factor)
{
    for (uint32_t i = 1; i <= list[0]; i++)
        e->weighted[list[i] & UINT16_MAX] += factor * (float)(list[i] >> 16);
}

/* The denominator of (1) for a token of topic j that outweighs all others. */
static __attribute__((noinline)) float weigh_without(const gb_expectation *e, const unsigned char *row,
                                                     gb_width width, size_t j)
{
    float sum = 0;
    for (size_t k = 0; k < e->stride; k++) {
        const float left = k == j ? e->product[k] - e->own[k] : e->product[k];
        if (left > 0)
            sum += left * ((float)gb_row_get(row, width, k) + e->beta);
    }
    return sum;
}

void GB_EXPECT_TOKENS(gb_expectation *e, size_t n, const uint32_t *word, const uint16_t *topic)
{
    vf products = all(0);
    for (size_t k = 0; k < e->stride; k += LANES)
        products = add(products, load(e->product + k));
    const float product_sum = sum_of(products);
    for (size_t i = 0; i < n; i++) {
        if (i + TOKENS_AHEAD < n)
            fetch_row(e, word[i + TOKENS_AHEAD]);
        const unsigned char *row = gb_handle_row(e->rows, word[i]);
        const uint32_t *list = (const uint32_t *)(const void *)row;
        const gb_width width = gb_handle_width(word[i]);
        float sum = width == GB_WIDTH_8    ? weigh_row(e, row, GB_WIDTH_8)
                    : width == GB_WIDTH_16 ? weigh_row(e, row, GB_WIDTH_16)
                    : width == GB_WIDTH_32 ? weigh_row(e, row, GB_WIDTH_32)
                                           : weigh_list(e, list, product_sum);
        float own = 0;
        if (e->own != NULL) {
            own = e->own[topic[i]] * ((float)gb_row_get(row, width, topic[i]) + e->beta);
            sum = sum - own > LEAST_LEFT * sum ? sum - own : weigh_without(e, row, width, topic[i]);
            e->taken[topic[i]] += own / sum;
        }
        const float factor = 1 / sum;
        e->rest += (double)factor;
        if (width == GB_WIDTH_8)
            spread_row(e, row, GB_WIDTH_8, factor);
        else if (width == GB_WIDTH_16)
            spread_row(e, row, GB_WIDTH_16, factor);
        else if (width == GB_WIDTH_32)
            spread_row(e, row, GB_WIDTH_32, factor);
        else
            spread_list(e, list, factor);
    }
}
