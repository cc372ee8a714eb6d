/* simd/floats_avx512.h - the sixteen lanes of floats.h in one register of AVX-512. */
#ifndef GB_SIMD_FLOATS_AVX512_H
#define GB_SIMD_FLOATS_AVX512_H

#include "simd/inline.h"

#include <immintrin.h>
#include <stdint.h>

typedef __m512 vf;

ALWAYS_INLINE vf load(const float *p)
{
    return _mm512_load_ps(p);
}

ALWAYS_INLINE void store(float *p, vf x)
{
    _mm512_store_ps(p, x);
}

ALWAYS_INLINE vf all(float x)
{
    return _mm512_set1_ps(x);
}

ALWAYS_INLINE vf add(vf a, vf b)
{
    return _mm512_add_ps(a, b);
}

ALWAYS_INLINE vf sub(vf a, vf b)
{
    return _mm512_sub_ps(a, b);
}

ALWAYS_INLINE vf mul(vf a, vf b)
{
    return _mm512_mul_ps(a, b);
}

/* a b + c */
ALWAYS_INLINE vf fma_of(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}

/* c - a b */
ALWAYS_INLINE vf fnma_of(vf a, vf b, vf c)
{
    return _mm512_fnmadd_ps(a, b, c);
}

ALWAYS_INLINE vf maximum(vf a, vf b)
{
    return _mm512_max_ps(a, b);
}

ALWAYS_INLINE vf from_bytes(const unsigned char *p)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_load_si128((const __m128i *)(const void *)p)));
}

ALWAYS_INLINE vf from_shorts(const unsigned char *p)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_load_si256((const __m256i *)(const void *)p)));
}

ALWAYS_INLINE vf from_ints(const unsigned char *p)
{
    return _mm512_cvtepi32_ps(_mm512_load_si512((const void *)p));
}

/* product[topic] times count for sixteen entries topic + 65536 count */
ALWAYS_INLINE vf weigh_entries(const float *product, const uint32_t *entry)
{
    const __m512i x = _mm512_load_si512((const void *)entry);
    const vf p = _mm512_i32gather_ps(_mm512_and_si512(x, _mm512_set1_epi32(0xFFFF)), product, sizeof(float));
    return _mm512_mul_ps(p, _mm512_cvtepi32_ps(_mm512_srli_epi32(x, 16)));
}

/* p 2^n for an integer n in the low bits of `n` */
ALWAYS_INLINE vf times_power(vf p, vf n)
{
    return _mm512_castsi512_ps(
        _mm512_add_epi32(_mm512_castps_si512(p), _mm512_slli_epi32(_mm512_castps_si512(n), 23)));
}

ALWAYS_INLINE float largest_lane(vf x)
{
    const __m256 y = _mm256_max_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
    __m128 z = _mm_max_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
    z = _mm_max_ps(z, _mm_movehl_ps(z, z));
    z = _mm_max_ss(z, _mm_movehdup_ps(z));
    return _mm_cvtss_f32(z);
}

/* Running sums over the lanes: inside groups of four, then the groups before. */
ALWAYS_INLINE vf running_sums(vf x)
{
    x = _mm512_add_ps(x, _mm512_castsi512_ps(_mm512_bslli_epi128(_mm512_castps_si512(x), 4)));
    x = _mm512_add_ps(x, _mm512_castsi512_ps(_mm512_bslli_epi128(_mm512_castps_si512(x), 8)));
    vf group = _mm512_permute_ps(x, 0xFF);
    group = _mm512_maskz_shuffle_f32x4(0xFFF0, group, group, 0x90);                       /* 0, g0, g1, g2 */
    group = _mm512_add_ps(group, _mm512_maskz_shuffle_f32x4(0xFF00, group, group, 0x90)); /* 0, g0, g0+g1, g1+g2 */
    group = _mm512_add_ps(group, _mm512_maskz_shuffle_f32x4(0xF000, group, group, 0x40)); /* ..., g1+g2 + g0 */
    return _mm512_add_ps(x, group);
}

/* How many of ascending lanes are at or below x. */
ALWAYS_INLINE unsigned lanes_at_most(vf ascending, float x)
{
    return (unsigned)__builtin_popcount(_mm512_cmp_ps_mask(ascending, all(x), _CMP_LE_OQ));
}

/* Eight numbers of 64 bits. */
typedef __m512i vw;

ALWAYS_INLINE vw all_wide(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}

ALWAYS_INLINE vw ascending_wide(uint64_t x)
{
    return _mm512_add_epi64(all_wide(x), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
}

/* products of the lower halves */
ALWAYS_INLINE vw mul_lower(vw a, vw b)
{
    return _mm512_mul_epu32(a, b);
}

/* (upper half of a) ^ b ^ c */
ALWAYS_INLINE vw upper_xor(vw a, vw b, vw c)
{
    return _mm512_ternarylogic_epi64(_mm512_srli_epi64(a, 32), b, c, 0x96);
}

ALWAYS_INLINE void store_wide(uint64_t *p, vw x)
{
    _mm512_storeu_si512((void *)p, x);
}

#endif
