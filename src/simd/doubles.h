/* simd/doubles.h - eight lanes of double and of 64-bit whole numbers, once per instruction set.
 *
 * Every operation has one meaning, rounding included, so a kernel written with them leaves the same bits on every processor. */
#ifndef GB_SIMD_DOUBLES_H
#define GB_SIMD_DOUBLES_H

#include "simd/inline.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { LANES = 8 };
typedef double vd __attribute__((vector_size(64)));
typedef int64_t vi __attribute__((vector_size(64)));
typedef uint64_t vu __attribute__((vector_size(64)));

ALWAYS_INLINE vd all(double x)
{
    return (vd){x, x, x, x, x, x, x, x};
}

ALWAYS_INLINE vu all_bits(uint64_t x)
{
    return (vu){x, x, x, x, x, x, x, x};
}

ALWAYS_INLINE vd load(const double *p)
{
    vd x;
    memcpy(&x, p, sizeof x);
    return x;
}

ALWAYS_INLINE void store(double *p, vd x)
{
    memcpy(p, &x, sizeof x);
}

/* a where the mask is set, b elsewhere. */
ALWAYS_INLINE vd choose(vi mask, vd a, vd b)
{
    return (vd)(((vi)a & mask) | ((vi)b & ~mask));
}

ALWAYS_INLINE bool any(vi mask)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3] | mask[4] | mask[5] | mask[6] | mask[7]) != 0;
#endif
}

/* The lower halves of a, each times m. */
ALWAYS_INLINE vu multiply(vu a, uint32_t m)
{
#if defined(__AVX512F__)
    return (vu)_mm512_mul_epu32((__m512i)a, (__m512i)all_bits(m));
#elif defined(__AVX2__)
    __m256i half[2];
    memcpy(half, &a, sizeof a);
    half[0] = _mm256_mul_epu32(half[0], _mm256_set1_epi64x(m));
    half[1] = _mm256_mul_epu32(half[1], _mm256_set1_epi64x(m));
    memcpy(&a, half, sizeof a);
    return a;
#else
    return (a & all_bits(UINT32_MAX)) * all_bits(m);
#endif
}

ALWAYS_INLINE vd square_root(vd x)
{
#if defined(__AVX512F__)
    return (vd)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX2__)
    __m256d half[2];
    memcpy(half, &x, sizeof x);
    half[0] = _mm256_sqrt_pd(half[0]);
    half[1] = _mm256_sqrt_pd(half[1]);
    memcpy(&x, half, sizeof x);
    return x;
#else
    for (int i = 0; i < LANES; i++)
        x[i] = __builtin_sqrt(x[i]);
    return x;
#endif
}

#endif
