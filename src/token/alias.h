/* token/alias.h - tables to draw a topic from, whose probabilities are exactly those they state.
 *
 * A proposal of a Metropolis-Hastings step is compensated for by its probability, so a topic must be drawn with the
 * probability that is used, also where that is tiny.  Weights are therefore rounded to whole numbers of a fixed total,
 * at least 1 each, and everything after that is arithmetic of integers: the table of an alias method (Walker 1977;
 * Vose 1991, IEEE Trans. Softw. Eng. 17), or running sums.
 *
 * An alias table is read in a time that does not depend on its size; running sums are made in a fraction of the time,
 * which is what counts for a table that serves a few tokens. */
#ifndef GB_TOKEN_ALIAS_H
#define GB_TOKEN_ALIAS_H

#include <stddef.h>
#include <stdint.h>

/** Cell i stands for topic `topic`, and gives part of its draws to the topic of another cell. */
typedef struct gb_alias_cell {
    uint32_t threshold; /* a coin of 32 bits below this: the cell's own topic */
    float probability;  /* of `topic`, by all cells */
    uint16_t topic;     /* the caller's */
    uint16_t other;     /* number of the other cell */
} gb_alias_cell;

/** Memory to make an alias table in. */
typedef struct gb_alias_scratch {
    double *weight; /* n: given, >= 0, not all 0 */
    uint64_t *share;
    uint16_t *small, *large;
} gb_alias_scratch;

/** Make a table of n <= 65535 cells from scratch->weight; everything but the topics is set. */
void gb_alias_make(gb_alias_cell *cell, size_t n, const gb_alias_scratch *scratch);

/** The cell drawn by two numbers of 32 bits. */
static inline const gb_alias_cell *gb_alias_draw(const gb_alias_cell *cell, size_t n, uint32_t place, uint32_t coin)
{
    const size_t i = (size_t)((uint64_t)place * n >> 32);
    return cell + (coin < cell[i].threshold ? i : cell[i].other);
}

enum { GB_SUMS_TOTAL = 1 << 30, GB_SUMS_STRETCH = 64 };

/** Make running sums of n weights >= 0, not all 0, up to GB_SUMS_TOTAL, with which everything after them to `stride`, at
 * least n, is filled. */
void gb_sums_make(int32_t *sum, size_t n, size_t stride, const double *weight);

/** The same for weights as they come out of vectors: at most 1, of that sum. */
static inline void gb_sums_make_from_floats(int32_t *sum, size_t n, size_t stride, const float *weight, double total)
{
    const float scale = (float)(((double)GB_SUMS_TOTAL - 2 * (double)n - 4096) / total);
    int32_t running = 0;
    for (size_t k = 0; k < stride; k++)
        sum[k] = (int32_t)(weight[k] * scale) + 1;
    for (size_t k = 0; k + 1 < n; k++)
        sum[k] = running += sum[k];
    for (size_t k = n - 1; k < stride; k++)
        sum[k] = GB_SUMS_TOTAL;
}

/** The topic drawn by a number of 32 bits. */
static inline size_t gb_sums_draw(const int32_t *sum, size_t stride, uint32_t number)
{
    const int32_t x = (int32_t)(number >> 2);
    size_t at = 0;
    int32_t below = 0;
    while (at + GB_SUMS_STRETCH < stride && sum[at + GB_SUMS_STRETCH - 1] <= x)
        at += GB_SUMS_STRETCH;
    const size_t n = stride - at < GB_SUMS_STRETCH ? stride - at : GB_SUMS_STRETCH;
    for (size_t k = 0; k < n; k++)
        below += sum[at + k] <= x;
    return at + (size_t)below;
}

static inline double gb_sums_probability(const int32_t *sum, size_t topic)
{
    const int32_t before = topic == 0 ? 0 : sum[topic - 1];
    return (double)(sum[topic] - before) / GB_SUMS_TOTAL;
}

#endif
