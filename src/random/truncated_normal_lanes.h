/* random/truncated_normal_lanes.h - normal numbers within intervals, eight at a time; included by vector kernels.
 *
 *   density of a step s proportional to exp(-(c + s)^2 / 2),  -below < s < above                          (1)
 *
 * that is, z = c + s is standard normal given that it lies between c - below and c + above.  Ends are given by their
 * distances from c, a point inside, so that nothing cancels where the interval is short or far out in a tail.  With the
 * axis turned round if the interval lies rather below 0, a < z < b with -b <= a, w = b - a = below + above, and
 *
 *   - a < NEAR and w > WIDE:  a normal number, or its absolute value if a > 0, until it falls inside.
 *   - a w < FLAT:  z = a + t, t uniform on (0, w), accepted with probability exp(-z^2 / 2) if a <= 0, else
 *     exp(-t (a + t / 2)).
 *   - else  z = a + t, t exponential of rate a on (0, w):  t = -log(1 - U (1 - exp(-a w))) / a,           (2)
 *     accepted with probability exp(-t^2 / 2).
 *
 *   The same proposals as truncated_normal.c; at most 2.4 of them on average, wherever the interval lies.  FLAT keeps
 *   the digits of 1 - exp(-a w) in (2).
 *   Cost: one block of four numbers per proposal.  Numbers that were accepted wait for the others of their vector.
 *   Rounding may put a number on an end.  An interval of no width: 0; one that is none, or not a number: not a number. */
#ifndef GB_RANDOM_TRUNCATED_NORMAL_LANES_H
#define GB_RANDOM_TRUNCATED_NORMAL_LANES_H

#include "random/lanes.h"

#define NEAR 0.7
#define WIDE 2.5
#define FLAT 0.25

/* s of (1); below, above >= 0, infinite for no end.  Blocks `block` on. */
ALWAYS_INLINE vd truncated_step(const counters *c, uint32_t block, vd centre, vd below, vd above)
{
    const vd low = centre - below, high = centre + above, w = below + above;
    const vi is_turned = low < -high;
    const vd a = choose(is_turned, -high, low), b = choose(is_turned, -low, high);
    const vd start = choose(is_turned, -above, -below),
             from = choose(is_turned, -centre, centre); /* a = from + start */
    const vi is_above = a > all(0), is_wide = (a < all(NEAR)) & (w > all(WIDE)),
             is_flat = ~is_wide & (a * w < all(FLAT));
    vi is_left = (w > all(0)) & (a < all(INFINITY)) & (b > all(-INFINITY));
    vd step = choose(w == all(0), all(0), choose(is_left, all(0), all(NAN)));
    for (; any(is_left); block++) {
        vu first, second;
        random_bits(c, block, &first, &second);
        const vd u = uniform(first);
        vd proposal = all(0);
        vi is_taken = is_left;
        if (any(is_left & is_wide)) {
            const vu sign = (vu)~is_above & first << 63; /* uniform() leaves that bit out */
            const vd z = (vd)((vu)half_normal(u) | sign);
            proposal = z - from;
            is_taken &= ~is_wide | ((z > a) & (z < b));
        }
        if (any(is_left & ~is_wide)) {
            vd t = u * w, exponent = choose(is_above, t * (a + all(0.5) * t), all(0.5) * (a + t) * (a + t));
            if (any(is_left & ~is_wide & ~is_flat)) {
                const vd rest = exponential_of_negative(-(a * w));
                const vd tail = -logarithm(all(1) - u * (all(1) - rest)) / a; /* (2) */
                t = choose(is_flat, t, tail);
                exponent = choose(is_flat, exponent, all(0.5) * t * t);
            }
            proposal = choose(is_wide, proposal, start + t);
            is_taken &= is_wide | (uniform(second) < exponential_of_negative(-exponent));
        }
        step = choose(is_taken, choose(is_turned, -proposal, proposal), step);
        is_left &= ~is_taken;
    }
    return choose(step < -below, -below, choose(step > above, above, step));
}

#undef NEAR
#undef WIDE
#undef FLAT

#endif
