/* random/lanes_kernel.h - laws of many numbers at once, included once per instruction set with GB_LANES naming the table.
 *
 * Inverse Gaussian with mean 1 / rate and shape 1, as random/inverse_gaussian.c has it, with the absolute value of a
 * normal number by inversion and everything by the rate, which needs one division:
 *     s = (|N| + sqrt(N^2 + 4 rate)) / 2,   x1 = (1 / s)^2 with probability s^2 / (s^2 + rate),   else x2 = (s / rate)^2
 *   Cost: one block of four numbers each. */
#include "random/lanes.h"
#include "random/many.h"

ALWAYS_INLINE vd inverse_gaussian(const counters *c, uint32_t block, vd rate)
{
    vu a, b;
    random_bits(c, block, &a, &b);
    const vd normal = half_normal(uniform(a));
    const vd root = all(0.5) * (normal + square_root(normal * normal + all(4) * rate));
    const vd square = root * root;
    const vi is_first = uniform(b) * (square + rate) <= square;
    const vd x = choose(is_first, all(1), root) / choose(is_first, root, rate);
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

const gb_lanes GB_LANES = {.inverse_gaussians = inverse_gaussians};
