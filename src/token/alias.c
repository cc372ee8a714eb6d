/* token/alias.c - making tables to draw from. */
#include "token/alias.h"

#define ONE (UINT64_C(1) << 32)

/* Whole shares, at least 1 each, that sum to n ONE: what rounding leaves over goes to the largest. */
static void make_shares(size_t n, const gb_alias_scratch *s)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += s->weight[i];
    const double scale = (double)n * 0x1p32 / sum;
    uint64_t total = 0;
    size_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t share = (uint64_t)(s->weight[i] * scale);
        s->share[i] = share > 0 ? share : 1;
        total += s->share[i];
        largest = s->share[i] > s->share[largest] ? i : largest;
    }
    s->share[largest] += n * ONE - total; /* modulo 2^64, so it may be negative */
}

void gb_alias_make(gb_alias_cell *cell, size_t n, const gb_alias_scratch *s)
{
    size_t n_small = 0, n_large = 0;
    make_shares(n, s);
    for (size_t i = 0; i < n; i++) {
        cell[i].probability = (float)((double)s->share[i] / ((double)n * 0x1p32));
        s->small[n_small] = s->large[n_large] = (uint16_t)i;
        n_small += s->share[i] < ONE;
        n_large += s->share[i] >= ONE;
    }
    while (n_small > 0) { /* then there is a large one: the mean is ONE */
        const uint16_t i = s->small[--n_small], j = s->large[n_large - 1];
        cell[i].threshold = (uint32_t)s->share[i];
        cell[i].other = j;
        s->share[j] -= ONE - s->share[i];
        if (s->share[j] < ONE) {
            n_large--;
            s->small[n_small++] = j;
        }
    }
    for (size_t i = 0; i < n_large; i++) { /* of one whole share */
        const uint16_t j = s->large[i];
        cell[j].threshold = UINT32_MAX;
        cell[j].other = j;
    }
}

void gb_sums_make(int32_t *sum, size_t n, size_t stride, const double *weight)
{
    double total = 0;
    int32_t running = 0;
    for (size_t k = 0; k < n; k++)
        total += weight[k];
    const double scale = (GB_SUMS_TOTAL - 2 * (double)n) / total;
    for (size_t k = 0; k + 1 < n; k++)
        sum[k] = running += (int32_t)(weight[k] * scale) + 1;
    for (size_t k = n - 1; k < stride; k++)
        sum[k] = GB_SUMS_TOTAL;
}
