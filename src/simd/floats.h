/* simd/floats.h - sixteen float lanes, once per instruction set.
 *
 * Every operation has one meaning, rounding included, so a kernel written with them leaves the same bits on every
 * processor: multiply-add rounds once (where no instruction does that, it is made of double precision, below), sums
 * over lanes have a fixed order, and the maximum is the instruction's a > b ? a : b. */
#ifndef GB_SIMD_FLOATS_H
#define GB_SIMD_FLOATS_H

#include "simd/inline.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LANES = 16 };

/* ---- AVX-512: one register ---- */
#if defined(__AVX512F__)

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

/* ---- AVX2 and FMA: two registers ---- */
#elif defined(__AVX2__)

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

/* ---- any processor ---- */
#else

typedef struct vf {
    float x[LANES];
} vf;

#define FOR_LANES for (int lane = 0; lane < LANES; lane++)

ALWAYS_INLINE vf load(const float *p)
{
    vf r;
    memcpy(&r, p, sizeof r);
    return r;
}

ALWAYS_INLINE void store(float *p, vf x)
{
    memcpy(p, &x, sizeof x);
}

ALWAYS_INLINE vf all(float x)
{
    vf r;
    FOR_LANES r.x[lane] = x;
    return r;
}

ALWAYS_INLINE vf add(vf a, vf b)
{
    FOR_LANES a.x[lane] += b.x[lane];
    return a;
}

ALWAYS_INLINE vf sub(vf a, vf b)
{
    FOR_LANES a.x[lane] -= b.x[lane];
    return a;
}

ALWAYS_INLINE vf mul(vf a, vf b)
{
    FOR_LANES a.x[lane] *= b.x[lane];
    return a;
}

/* a b + c rounded once.  The product of two floats is exact in double.  Its sum with c is rounded to odd: if it is not
 * exact, the neighbour with an odd last bit is taken, so that the second rounding, to float, sees on which side the
 * exact sum lies (Boldo and Melquiond 2008, IEEE Trans. Comput. 57: 53 bits are enough for 24). */
ALWAYS_INLINE float fma_of_one(float a, float b, float c)
{
#if defined(__FP_FAST_FMAF)
    return __builtin_fmaf(a, b, c);
#else
    const double p = (double)a * (double)b, s = p + (double)c;
    const double from_c = s - p, error = (p - (s - from_c)) + ((double)c - from_c);
    uint64_t bits;
    memcpy(&bits, &s, sizeof bits);
    const uint64_t inexact_and_even = (uint64_t)(error != 0) & ~bits & 1;
    const uint64_t outward = (uint64_t)((error > 0) == (s > 0));
    bits += inexact_and_even * (2 * outward - 1); /* away from zero, or towards it */
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
#endif
}

ALWAYS_INLINE vf fma_of(vf a, vf b, vf c)
{
    FOR_LANES c.x[lane] = fma_of_one(a.x[lane], b.x[lane], c.x[lane]);
    return c;
}

ALWAYS_INLINE vf fnma_of(vf a, vf b, vf c)
{
    FOR_LANES c.x[lane] = fma_of_one(-a.x[lane], b.x[lane], c.x[lane]);
    return c;
}

ALWAYS_INLINE vf maximum(vf a, vf b)
{
    FOR_LANES a.x[lane] = a.x[lane] > b.x[lane] ? a.x[lane] : b.x[lane];
    return a;
}

ALWAYS_INLINE vf from_bytes(const unsigned char *p)
{
    vf r;
    FOR_LANES r.x[lane] = p[lane];
    return r;
}

ALWAYS_INLINE vf from_shorts(const unsigned char *p)
{
    uint16_t cell[LANES];
    vf r;
    memcpy(cell, p, sizeof cell);
    FOR_LANES r.x[lane] = cell[lane];
    return r;
}

ALWAYS_INLINE vf from_ints(const unsigned char *p)
{
    int32_t cell[LANES];
    vf r;
    memcpy(cell, p, sizeof cell);
    FOR_LANES r.x[lane] = (float)cell[lane];
    return r;
}

ALWAYS_INLINE vf weigh_entries(const float *product, const uint32_t *entry)
{
    vf r;
    FOR_LANES r.x[lane] = product[entry[lane] & UINT16_MAX] * (float)(entry[lane] >> 16);
    return r;
}

ALWAYS_INLINE vf times_power(vf p, vf n)
{
    uint32_t mantissa[LANES], power[LANES];
    memcpy(mantissa, &p, sizeof p);
    memcpy(power, &n, sizeof n);
    FOR_LANES mantissa[lane] += power[lane] << 23;
    memcpy(&p, mantissa, sizeof p);
    return p;
}

ALWAYS_INLINE float largest_lane(vf x)
{
    for (int n = LANES / 2; n > 0; n /= 2)
        for (int lane = 0; lane < n; lane++)
            x.x[lane] = x.x[lane] > x.x[lane + n] ? x.x[lane] : x.x[lane + n];
    return x.x[0];
}

ALWAYS_INLINE vf running_sums(vf x)
{
    for (int g = 0; g < LANES; g += 4) { /* x0, x1 + x0, (x2 + x1) + x0, (x3 + x2) + (x1 + x0) */
        const float x01 = x.x[g + 1] + x.x[g], x12 = x.x[g + 2] + x.x[g + 1], x23 = x.x[g + 3] + x.x[g + 2];
        x.x[g + 1] = x01;
        x.x[g + 2] = x12 + x.x[g];
        x.x[g + 3] = x23 + x01;
    }
    const float g0 = x.x[3], g01 = x.x[7] + g0, g012 = (x.x[11] + x.x[7]) + g0;
    for (int lane = 0; lane < 4; lane++) {
        x.x[lane + 4] += g0;
        x.x[lane + 8] += g01;
        x.x[lane + 12] += g012;
    }
    return x;
}

ALWAYS_INLINE unsigned lanes_at_most(vf ascending, float x)
{
    unsigned n = 0;
    FOR_LANES n += ascending.x[lane] <= x;
    return n;
}

typedef struct vw {
    uint64_t x[8];
} vw;

#define FOR_WIDE for (int lane = 0; lane < 8; lane++)

ALWAYS_INLINE vw all_wide(uint64_t x)
{
    vw r;
    FOR_WIDE r.x[lane] = x;
    return r;
}

ALWAYS_INLINE vw ascending_wide(uint64_t x)
{
    vw r;
    FOR_WIDE r.x[lane] = x + (uint64_t)lane;
    return r;
}

ALWAYS_INLINE vw mul_lower(vw a, vw b)
{
    FOR_WIDE a.x[lane] = (a.x[lane] & UINT32_MAX) * (b.x[lane] & UINT32_MAX);
    return a;
}

ALWAYS_INLINE vw upper_xor(vw a, vw b, vw c)
{
    FOR_WIDE a.x[lane] = (a.x[lane] >> 32) ^ b.x[lane] ^ c.x[lane];
    return a;
}

ALWAYS_INLINE void store_wide(uint64_t *p, vw x)
{
    memcpy(p, &x, sizeof x);
}

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
