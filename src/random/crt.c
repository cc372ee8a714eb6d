/* random/crt.c - the number of tables of a Chinese restaurant with y customers and concentration r.
 *
 *   L = sum over i = 1 .. y of Bernoulli(r / (r + i - 1)),  independent                               (1)
 *   The first one is always 1.  After a one at i, the next one comes after j > i with probability
 *       product over m = i + 1 .. j of (m - 1) / (r + m - 1)
 *           = Gamma(j) Gamma(i + r) / (Gamma(i) Gamma(j + r)) = E[ B^(j - i) ],  B ~ Beta(i, r)          (2)
 *   so the gap is geometric given B:  1 + floor(E / -log B),  E exponential,  -log B = log(1 + G_r / G_i) with gamma
 *   numbers of shapes r and i.
 *
 *   While ones are frequent, each term of (1) is drawn; from i = SELDOM r on, gaps are, and the same holds from any i
 *   on since the terms are independent.  Exact, up to rounding of gaps beyond 2^52.
 *
 *   Of n restaurants together, customers i .. j - 1 of each: a binomial number for each term, or, where gaps need fewer numbers, each
 *   restaurant's own.
 *
 *   (1): Zhou & Carin 2015, IEEE Trans. Pattern Analysis 37; (2) is the moment of a beta variate.
 *   Cost: min(y, SELDOM r) uniform numbers, and about r log(y / (SELDOM r)) times two gamma numbers and an
 *   exponential one: y = 10^12 takes no longer than y = 10^3.
 *   Tiny r: G_r underflows to 0, the gap is infinite, and L = 1. */
#include "random/random.h"

#include <math.h>

static const double SELDOM = 16;
enum { NUMBERS_OF_A_GAP = 4 }; /* a gap takes about as long as so many terms */

/* Ones among terms i + 1 .. y, i > 0, by (2). */
static uint64_t by_gaps(gb_random *r, uint64_t i, uint64_t y, double concentration)
{
    uint64_t count = 0;
    while (i < y) { /* terms up to i are done */
        const double small = gb_random_gamma(r, concentration), large = gb_random_gamma(r, (double)i);
        const double gap = 1 + floor(gb_random_exponential(r) / log1p(small / large));
        if (!(gap <= (double)(y - i)))
            break;
        i += (uint64_t)gap;
        count++;
    }
    return count;
}

uint64_t gb_random_crt(gb_random *r, uint64_t y, double concentration)
{
    if (y == 0 || !(concentration > 0))
        return 0;
    uint64_t count = 1, i = 1;
    for (; i < y && (double)i < SELDOM * concentration; i++) /* term i + 1 */
        count += gb_random_uniform(r) * (concentration + (double)i) < concentration;
    return count + by_gaps(r, i, y, concentration);
}

uint64_t gb_random_crt_tables(gb_random *r, uint64_t n, uint64_t first, uint64_t last, double concentration)
{
    uint64_t count = 0, i = first;
    if (!(concentration > 0))
        return 0;
    for (; i < last && ((double)i < SELDOM * concentration || (last - i) / NUMBERS_OF_A_GAP < n); i++)
        count += gb_random_binomial(r, n, concentration / (concentration + (double)i));
    for (uint64_t j = 0; j < n && i < last; j++)
        count += by_gaps(r, i, last, concentration);
    return count;
}
