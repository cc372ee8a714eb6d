/* simd/floats.h - sixteen float lanes, once per instruction set.
 *
 * Every operation has one meaning, rounding included, so a kernel written with them leaves the same bits on every
 * processor: multiply-add rounds once, sums over lanes have a fixed order, and the maximum is the instruction's
 * a > b ? a : b. */
#ifndef GB_SIMD_FLOATS_H
#define GB_SIMD_FLOATS_H

#include "simd/inline.h"

enum { LANES = 16 };

#if defined(__AVX512F__)
#include "simd/floats_avx512.h"
#elif defined(__AVX2__)
#include "simd/floats_avx2.h"
#else
#include "simd/floats_quads.h"
#endif

/* 2^x for x <= 100 to 2e-7; below -100 the value at -100.  x = n + r with |r| <= 1/2, 2^r by a polynomial of least largest
 * relative error. */
ALWAYS_INLINE vf power_of_two(vf x)
{
    const vf magic = all(12582912); /* 1.5 x 2^23: adding it rounds to an integer */
    x = maximum(x, all(-100));
    const vf shifted = add(x, magic), r = sub(x, sub(shifted, magic));
    vf p = fma_of(r, all(0x1.5c08e6p-10F), all(0x1.3d0c52p-7F));
    p = fma_of(p, r, all(0x1.c6b6e4p-5F));
    p = fma_of(p, r, all(0x1.ebf918p-3F));
    p = fma_of(p, r, all(0x1.62e428p-1F));
    p = fma_of(p, r, all(0x1.000002p+0F));
    return times_power(p, shifted);
}

#endif
