/* random/lanes_kernel.h - laws of many numbers at once, included once per instruction set with GB_LANES naming the table.
 *
 * The inverse Gaussian law with mean m = 1 / rate and shape 1:
 *
 *   density  (2 pi x^3)^(-1/2) exp(-(x - m)^2 / (2 m^2 x)),  x > 0
 *   (x - m)^2 / (m^2 x) is chi-squared(1).  Given its value N^2, x is one of the two roots of a quadratic,
 *       x1 = (1 / s)^2,   x2 = (s / rate)^2,   s = (|N| + sqrt(N^2 + 4 rate)) / 2                          (1)
 *   and it is the smaller one, x1, with probability s^2 / (s^2 + rate)                                    (2)
 *
 *   Michael, Schucany & Haas 1976, The American Statistician 30; (1) is their smaller root written as a sum
 *   of positive terms, so no digits cancel when m N^2 is large.  Cost: one block of four numbers, two square roots and
 *   two divisions.  Rate 0: (2) is 1, so x = 1 / N^2, the limit law.
 *   Shape c instead of 1 and mean m: c times a draw with mean m / c. */
#include "random/lanes.h"
#include "random/many.h"

/* A block has two numbers. */
static void numbers(gb_key key, const uint32_t counter[4], uint64_t out[GB_NUMBERS_AHEAD])
{
    const counters c = {.block = ramp(counter[0]),
                        .item = all_bits(counter[1]),
                        .purpose = all_bits(counter[2]),
                        .sweep = counter[3],
                        .key = key};
    vu first, second;
    random_bits(&c, 0, &first, &second);
    for (size_t i = 0; i < LANES; i++) {
        out[2 * i] = first[i];
        out[2 * i + 1] = second[i];
    }
}

ALWAYS_INLINE vd inverse_gaussian(const counters *c, uint32_t block, vd rate)
{
    vu a, b;
    random_bits(c, block, &a, &b);
    const fraction n = half_normal_fraction(uniform(a));
    const vd scaled = rate * n.below, twice = n.above + square_root(n.above * n.above + all(4) * n.below * scaled);
    const vd square = twice * twice; /* |N| = above / below, s = twice / (2 below) */
    const vi is_first = uniform(b) * (square + all(4) * n.below * scaled) <= square;                   /* (2) */
    const vd x = choose(is_first, all(2) * n.below, twice) / choose(is_first, twice, all(2) * scaled); /* (1) */
    return x * x;
}

static void inverse_gaussians(const gb_random_streams *s, size_t first, uint32_t block, size_t n, const double *rate,
                              double *out)
{
    place at = place_of(s, first);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        const counters c = next_counters(s, &at);
        store(out + i, inverse_gaussian(&c, block, load(rate + i)));
    }
    if (i < n) {
        double last[LANES] = {0};
        const counters c = next_counters(s, &at);
        memcpy(last, rate + i, (n - i) * sizeof *last);
        store(last, inverse_gaussian(&c, block, load(last)));
        memcpy(out + i, last, (n - i) * sizeof *last);
    }
}

#include "random/polya_gamma_lanes.h"

const gb_lanes GB_LANES = {
    .numbers = numbers, .inverse_gaussians = inverse_gaussians, .gammas = gammas, .polya_gammas = polya_gammas};
