/* token/expected_kernel.h - expected topics of tokens, included once per instruction set with GB_EXPECT_TOKENS and GB_SETTLE_WORDS
 * naming the functions. */
#include "simd/floats.h"
#include "token/expected.h"

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

void GB_EXPECT_TOKENS(gb_expectation *e, size_t n, const uint32_t *word)
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
        const float sum = width == GB_WIDTH_8    ? weigh_row(e, row, GB_WIDTH_8)
                          : width == GB_WIDTH_16 ? weigh_row(e, row, GB_WIDTH_16)
                          : width == GB_WIDTH_32 ? weigh_row(e, row, GB_WIDTH_32)
                                                 : weigh_list(e, list, product_sum);
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

/* ---- towards the fixed point ---- */

ALWAYS_INLINE void settle_row(const gb_settling *s, const unsigned char *row, gb_width width, float count, float *r)
{
    const vf beta = all(s->beta), none = all(0);
    vf sum = none;
    for (size_t k = 0; k < s->stride; k += LANES) {
        const vf others = maximum(sub(load(s->weight + k), load(r + k)), none); /* rounding */
        const vf p = mul(mul(others, load(s->scale + k)), add(cells(row, width, k), beta));
        store(s->cells + k, p);
        sum = add(sum, p);
    }
    const float total = sum_of(sum);
    if (!(total > 0))
        return;
    const vf share = all(1 / total), n = all(count);
    for (size_t k = 0; k < s->stride; k += LANES) {
        const vf next = mul(load(s->cells + k), share);
        store(s->weight + k, fma_of(n, sub(next, load(r + k)), load(s->weight + k)));
        store(r + k, next);
    }
}

/* The cells that a list stands for, where settle_row() reads each before it writes there. */
static const unsigned char *expand_list(const gb_settling *s, const uint32_t *list)
{
    unsigned char *cell = (unsigned char *)s->cells;
    memset(cell, 0, s->stride * sizeof *s->cells);
    for (uint32_t i = 1; i <= list[0]; i++) {
        const uint32_t count = list[i] >> 16;
        memcpy(cell + sizeof count * (list[i] & UINT16_MAX), &count, sizeof count);
    }
    return cell;
}

void GB_SETTLE_WORDS(const gb_settling *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const unsigned char *row = gb_handle_row(s->rows, s->word[i]);
        float *r = s->r + i * s->stride;
        switch (gb_handle_width(s->word[i])) {
        case GB_WIDTH_8:
            settle_row(s, row, GB_WIDTH_8, s->count[i], r);
            break;
        case GB_WIDTH_16:
            settle_row(s, row, GB_WIDTH_16, s->count[i], r);
            break;
        case GB_WIDTH_32:
            settle_row(s, row, GB_WIDTH_32, s->count[i], r);
            break;
        default:
            settle_row(s, expand_list(s, (const uint32_t *)(const void *)row), GB_WIDTH_32, s->count[i], r);
        }
    }
}
