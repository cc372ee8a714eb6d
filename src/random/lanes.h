/* random/lanes.h - eight streams at a time: what the vector kernels of laws are made of.
 *
 * Everything is written for eight lanes of double or 64-bit whole numbers, in a fixed order of IEEE operations without
 * contraction, so every instruction set gives the same bits, and the bits of one lane do not depend on the others.
 *
 *   Logarithm: Sun Microsystems' fdlibm (Ng 1993): x = 2^k (1 + f), s = f / (2 + f), log(1 + f) = f - f^2/2 +
 *   s (f^2/2 + R(s^2)); error below one unit in the last place.
 *   Normal numbers: Wichura 1988, Algorithm AS 241, Applied Statistics 37: rational approximations of the inverse of the
 *   normal distribution function with a relative error of 1e-16. */
#ifndef GB_RANDOM_LANES_H
#define GB_RANDOM_LANES_H

#include "random/random.h"
#include "simd/doubles.h"

#include <math.h>
#include <string.h>

/* ---- numbers of streams ---- */

/** The counters of eight streams; halves of 32 bits in lanes of 64. */
typedef struct counters {
    vu block, item, purpose;
    uint32_t sweep;
    gb_key key;
} counters;

/* Where the stream of number `first` stands: steps from there on need no division. */
typedef struct place {
    uint64_t item;
    size_t within;
} place;

ALWAYS_INLINE place place_of(const gb_random_streams *s, size_t first)
{
    const uint64_t item = (uint64_t)(s->counter[2] & 0xffffff) << 32 | s->counter[1];
    return (place){item + first / s->per_item, first % s->per_item};
}

ALWAYS_INLINE vu ramp(uint64_t first)
{
    return (vu){0, 1, 2, 3, 4, 5, 6, 7} + first;
}

/* The counters of the next eight numbers, at block 0 of each. */
ALWAYS_INLINE counters next_counters(const gb_random_streams *s, place *at)
{
    vu within = ramp(at->within), item = all_bits(at->item);
    if (s->per_item >= LANES) { /* the next item begins among them at most once */
        const vu next = (vu)(within >= s->per_item);
        within -= next & s->per_item;
        item -= next; /* a mask is -1 */
    } else {
        for (int i = 0; i < LANES; i++) {
            item[i] += within[i] / s->per_item;
            within[i] %= s->per_item;
        }
    }
    at->item += (at->within + LANES) / s->per_item;
    at->within = (at->within + LANES) % s->per_item;
    return (counters){.block = within * GB_BLOCKS_EACH + s->counter[0],
                      .item = item,
                      .purpose = item >> 32 | all_bits(s->counter[2] & 0xff000000),
                      .sweep = s->counter[3],
                      .key = s->key};
}

/* One block of each stream as two numbers of 64 bits: Philox4x32-10 (Salmon and others 2011). */
ALWAYS_INLINE void random_bits(const counters *c, uint32_t block, vu *first, vu *second)
{
    const vu low = all_bits(UINT32_MAX);
    uint32_t k0 = c->key.k[0], k1 = c->key.k[1];
    vu x0 = c->block + block, x1 = c->item, x2 = c->purpose, x3 = all_bits(c->sweep);
    for (int round = 0; round < 10; round++) { /* only lower halves count */
        const vu a = multiply(x0, 0xD2511F53), b = multiply(x2, 0xCD9E8D57);
        x0 = (b >> 32) ^ x1 ^ k0;
        x1 = b;
        x2 = (a >> 32) ^ x3 ^ k1;
        x3 = a;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    *first = (x0 & low) | x1 << 32;
    *second = (x2 & low) | x3 << 32;
}

/* (2 k + 1) / 2^53 of the upper 52 bits k, as gb_random_uniform(): 1 + k / 2^52, less 1 - 2^-53, is exact. */
ALWAYS_INLINE vd uniform(vu bits)
{
    return (vd)(bits >> 12 | all_bits(0x3ff0000000000000)) - all(1 - 0x1p-53);
}

/* ---- functions ---- */

/* log x for normal x > 0. */
ALWAYS_INLINE vd logarithm(vd x)
{
    const uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e00000000;
    const vu shifted = (vu)x + all_bits(one - root_half);
    const vd k = (vd)((shifted >> 52) - 0x3ff + 0x4338000000000000) - all(0x1.8p52);
    const vd f = (vd)((shifted & all_bits(0x000fffffffffffff)) + all_bits(root_half)) - all(1);
    const vd s = f / (all(2) + f), z = s * s, w = z * z, half = all(0.5) * f * f;
    const vd even =
        w * (all(3.999999999940941908e-01) + w * (all(2.222219843214978396e-01) + w * all(1.531383769920937332e-01)));
    const vd odd = z * (all(6.666666666666735130e-01) +
                        w * (all(2.857142874366239149e-01) +
                             w * (all(1.818357216161805012e-01) + w * all(1.479819860511658591e-01))));
    return s * (half + (odd + even)) + k * all(1.90821492927058770002e-10) - half + f +
           k * all(6.93147180369123816490e-01);
}

/* exp(x) for x <= 0, by x = n log 2 + r and the Taylor series of exp(r), |r| <= log(2) / 2, to x^13, whose rest is below
 * 1e-17; 3e-308 below -708. */
ALWAYS_INLINE vd exponential_of_negative(vd x)
{
    x = choose(x > all(-708), x, all(-708));
    const vd magic = all(0x1.8p52), shifted = x * all(1.44269504088896338700) + magic, n = shifted - magic;
    const vd r = (x - n * all(6.93147180369123816490e-01)) - n * all(1.90821492927058770002e-10);
    vd p = all(1.0 / 6227020800);
    static const double inverse_factorial[13] = {
        1,          1,           1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,      1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
    for (int i = 12; i >= 0; i--)
        p = p * r + all(inverse_factorial[i]);
    return (vd)((vu)p + ((vu)shifted << 52));
}

/* c[0] + c[1] x + ... + c[7] x^7. */
ALWAYS_INLINE vd polynomial(vd x, const double c[8])
{
    vd p = all(c[7]);
    for (int i = 6; i >= 0; i--)
        p = p * x + all(c[i]);
    return p;
}

static const double centre_above[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                       1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                       3.3430575583588128105e+4, 2.5090809287301226727e+3},
                    centre_below[8] = {1.0,
                                       4.2313330701600911252e+1,
                                       6.8718700749205790830e+2,
                                       5.3941960214247511077e+3,
                                       2.1213794301586595867e+4,
                                       3.9307895800092710610e+4,
                                       2.8729085735721942674e+4,
                                       5.2264952788528545610e+3},
                    middle_above[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                       3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                       2.27238449892691845833e-2, 7.74545014278341407640e-4},
                    middle_below[8] = {1.0,
                                       2.05319162663775882187e0,
                                       1.67638483018380384940e0,
                                       6.89767334985100004550e-1,
                                       1.48103976427480074590e-1,
                                       1.51986665636164571966e-2,
                                       5.47593808499534494600e-4,
                                       1.05075007164441684324e-9},
                    far_above[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                    2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                    2.71155556874348757815e-5, 2.01033439929228813265e-7},
                    far_below[8] = {1.0,
                                    5.99832206555887937690e-1,
                                    1.36929880922735805310e-1,
                                    1.48753612908506148525e-2,
                                    7.86869131145613259100e-4,
                                    1.84631831751005468180e-5,
                                    1.42151175831644588870e-7,
                                    2.04426310338993978564e-15};

/* The absolute value of a normal number, above / below, both > 0: P(|N| <= above / below) = u, 0 < u < 1. */
typedef struct fraction {
    vd above, below;
} fraction;

ALWAYS_INLINE fraction half_normal_fraction(vd u)
{
    const vd q = all(0.5) * u, centre = all(0.180625) - q * q;
    const vi is_tail = q > all(0.425);
    const fraction x = {q * polynomial(centre, centre_above), polynomial(centre, centre_below)};
    if (!any(is_tail))
        return x;
    const vd r = square_root(-logarithm(all(0.5) - q)), middle = r - all(1.6);
    const vi is_far = r > all(5);
    fraction tail = {polynomial(middle, middle_above), polynomial(middle, middle_below)};
    if (any(is_far)) {
        tail.above = choose(is_far, polynomial(r - all(5), far_above), tail.above);
        tail.below = choose(is_far, polynomial(r - all(5), far_below), tail.below);
    }
    return (fraction){choose(is_tail, tail.above, x.above), choose(is_tail, tail.below, x.below)};
}

ALWAYS_INLINE vd half_normal(vd u)
{
    const fraction x = half_normal_fraction(u);
    return x.above / x.below;
}

#endif
