/* simd/floats_avx2.h - the sixteen lanes of floats.h in two registers of AVX2 and FMA. */
#ifndef GB_SIMD_FLOATS_AVX2_H
#define GB_SIMD_FLOATS_AVX2_H

#include "simd/inline.h"

#include <immintrin.h>
#include <stdint.h>

typedef struct vf {
    __m256 low, high;
} vf;

ALWAYS_INLINE vf load(const float *p)
{
    return (vf){_mm256_load_ps(p), _mm256_load_ps(p + 8)};
}

ALWAYS_INLINE void store(float *p, vf x)
{
    _mm256_store_ps(p, x.low);
    _mm256_store_ps(p + 8, x.high);
}

ALWAYS_INLINE vf all(float x)
{
    return (vf){_mm256_set1_ps(x), _mm256_set1_ps(x)};
}

ALWAYS_INLINE vf add(vf a, vf b)
{
    return (vf){_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}

ALWAYS_INLINE vf sub(vf a, vf b)
{
    return (vf){_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
}

ALWAYS_INLINE vf mul(vf a, vf b)
{
    return (vf){_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}

ALWAYS_INLINE vf fma_of(vf a, vf b, vf c)
{
    return (vf){_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}

ALWAYS_INLINE vf fnma_of(vf a, vf b, vf c)
{
    return (vf){_mm256_fnmadd_ps(a.low, b.low, c.low), _mm256_fnmadd_ps(a.high, b.high, c.high)};
}

ALWAYS_INLINE vf maximum(vf a, vf b)
{
    return (vf){_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
}

ALWAYS_INLINE vf from_bytes(const unsigned char *p)
{
    const __m128i x = _mm_load_si128((const __m128i *)(const void *)p);
    return (vf){_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(x)),
                _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_srli_si128(x, 8)))};
}

ALWAYS_INLINE vf from_shorts(const unsigned char *p)
{
    const __m128i *x = (const __m128i *)(const void *)p;
    return (vf){_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_load_si128(x))),
                _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_load_si128(x + 1)))};
}

ALWAYS_INLINE vf from_ints(const unsigned char *p)
{
    const __m256i *x = (const __m256i *)(const void *)p;
    return (vf){_mm256_cvtepi32_ps(_mm256_load_si256(x)), _mm256_cvtepi32_ps(_mm256_load_si256(x + 1))};
}

ALWAYS_INLINE __m256 weigh_half(const float *product, const uint32_t *entry)
{
    const __m256i x = _mm256_load_si256((const __m256i *)(const void *)entry);
    const __m256 p = _mm256_i32gather_ps(product, _mm256_and_si256(x, _mm256_set1_epi32(0xFFFF)), sizeof(float));
    return _mm256_mul_ps(p, _mm256_cvtepi32_ps(_mm256_srli_epi32(x, 16)));
}

ALWAYS_INLINE vf weigh_entries(const float *product, const uint32_t *entry)
{
    return (vf){weigh_half(product, entry), weigh_half(product, entry + 8)};
}

ALWAYS_INLINE __m256 half_times_power(__m256 p, __m256 n)
{
    return _mm256_castsi256_ps(
        _mm256_add_epi32(_mm256_castps_si256(p), _mm256_slli_epi32(_mm256_castps_si256(n), 23)));
}

ALWAYS_INLINE vf times_power(vf p, vf n)
{
    return (vf){half_times_power(p.low, n.low), half_times_power(p.high, n.high)};
}

ALWAYS_INLINE float largest_lane(vf x)
{
    const __m256 y = _mm256_max_ps(x.low, x.high);
    __m128 z = _mm_max_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));
    z = _mm_max_ps(z, _mm_movehl_ps(z, z));
    z = _mm_max_ss(z, _mm_movehdup_ps(z));
    return _mm_cvtss_f32(z);
}

ALWAYS_INLINE __m256 sums_in_groups(__m256 x)
{
    x = _mm256_add_ps(x, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(x), 4)));
    return _mm256_add_ps(x, _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(x), 8)));
}

ALWAYS_INLINE vf running_sums(vf x)
{
    x.low = sums_in_groups(x.low);
    x.high = sums_in_groups(x.high);
    const __m256 g01 = _mm256_permute_ps(x.low, 0xFF), g23 = _mm256_permute_ps(x.high, 0xFF);
    const __m256 low = _mm256_permute2f128_ps(g01, g01, 0x08);                        /* 0, g0 */
    const __m256 high = _mm256_permute2f128_ps(g01, g23, 0x21);                       /* g1, g2 */
    const __m256 once = _mm256_add_ps(high, _mm256_permute2f128_ps(low, high, 0x21)); /* g1+g0, g2+g1 */
    const __m256 twice = _mm256_add_ps(once, _mm256_permute2f128_ps(low, low, 0x18)); /* g1+g0 + 0, g2+g1 + g0 */
    return (vf){_mm256_add_ps(x.low, low), _mm256_add_ps(x.high, twice)};
}

ALWAYS_INLINE unsigned lanes_at_most(vf ascending, float x)
{
    const __m256 y = _mm256_set1_ps(x);
    return (unsigned)(__builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(ascending.low, y, _CMP_LE_OQ))) +
                      __builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(ascending.high, y, _CMP_LE_OQ))));
}

typedef struct vw {
    __m256i low, high;
} vw;

ALWAYS_INLINE vw all_wide(uint64_t x)
{
    return (vw){_mm256_set1_epi64x((long long)x), _mm256_set1_epi64x((long long)x)};
}

ALWAYS_INLINE vw ascending_wide(uint64_t x)
{
    const vw y = all_wide(x);
    return (vw){_mm256_add_epi64(y.low, _mm256_setr_epi64x(0, 1, 2, 3)),
                _mm256_add_epi64(y.high, _mm256_setr_epi64x(4, 5, 6, 7))};
}

ALWAYS_INLINE vw mul_lower(vw a, vw b)
{
    return (vw){_mm256_mul_epu32(a.low, b.low), _mm256_mul_epu32(a.high, b.high)};
}

ALWAYS_INLINE vw upper_xor(vw a, vw b, vw c)
{
    return (vw){_mm256_xor_si256(_mm256_srli_epi64(a.low, 32), _mm256_xor_si256(b.low, c.low)),
                _mm256_xor_si256(_mm256_srli_epi64(a.high, 32), _mm256_xor_si256(b.high, c.high))};
}

ALWAYS_INLINE void store_wide(uint64_t *p, vw x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, x.low);
    _mm256_storeu_si256((__m256i *)(void *)(p + 4), x.high);
}

#endif
