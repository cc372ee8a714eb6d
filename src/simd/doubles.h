/* simd/doubles.h - eight lanes of double and of 64-bit whole numbers, once per instruction set.
 *
 * Every operation has one meaning, rounding included, so a kernel written with them leaves the same bits on every processor. */
#ifndef GB_SIMD_DOUBLES_H
#define GB_SIMD_DOUBLES_H

#include "simd/inline.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
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

/* ---- by registers ---- */

#if defined(__AVX512F__)
typedef __m512d part;
typedef __m512i bits_of_part;
#define MULTIPLY_PART(x, m) _mm512_mul_epu32(x, _mm512_set1_epi64(m))
#define ROOT_OF_PART(x)     _mm512_sqrt_pd(x)
#elif defined(__AVX2__)
typedef __m256d part;
typedef __m256i bits_of_part;
#define MULTIPLY_PART(x, m) _mm256_mul_epu32(x, _mm256_set1_epi64x(m))
#define ROOT_OF_PART(x)     _mm256_sqrt_pd(x)
#elif defined(__SSE2__)
typedef __m128d part;
typedef __m128i bits_of_part;
#define MULTIPLY_PART(x, m) _mm_mul_epu32(x, _mm_set1_epi64x(m))
#define ROOT_OF_PART(x)     _mm_sqrt_pd(x)
#elif defined(__ARM_NEON) && defined(__aarch64__)
typedef float64x2_t part;
typedef uint64x2_t bits_of_part;
#define MULTIPLY_PART(x, m) vmull_u32(vmovn_u64(x), vdup_n_u32(m))
#define ROOT_OF_PART(x)     vsqrtq_f64(x)
#else
typedef double part;
typedef uint64_t bits_of_part;
#define MULTIPLY_PART(x, m) (((x)&UINT32_MAX) * (m))
#define ROOT_OF_PART(x)     __builtin_sqrt(x)
#endif

enum { N_PARTS = sizeof(vd) / sizeof(part) };

/* The lower halves of a, each times m. */
ALWAYS_INLINE vu multiply(vu a, uint32_t m)
{
    bits_of_part x[N_PARTS];
    memcpy(x, &a, sizeof a);
    for (int i = 0; i < N_PARTS; i++)
        x[i] = MULTIPLY_PART(x[i], m);
    memcpy(&a, x, sizeof a);
    return a;
}

ALWAYS_INLINE vd square_root(vd a)
{
    part x[N_PARTS];
    memcpy(x, &a, sizeof a);
    for (int i = 0; i < N_PARTS; i++)
        x[i] = ROOT_OF_PART(x[i]);
    memcpy(&a, x, sizeof a);
    return a;
}

#endif
