/* simd/floats_quads.h - the sixteen lanes of floats.h in four vectors of 128 bits: registers of NEON or SSE2, or whatever the
 * compiler makes of them. */
#ifndef GB_SIMD_FLOATS_QUADS_H
#define GB_SIMD_FLOATS_QUADS_H

#include "simd/inline.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_bits __attribute__((vector_size(16)));

typedef struct vf {
    quad a, b, c, d;
} vf;

ALWAYS_INLINE quad quad_of(float x)
{
    return (quad){x, x, x, x};
}

ALWAYS_INLINE quad load_quad(const float *p)
{
    quad x;
    memcpy(&x, __builtin_assume_aligned(p, sizeof x), sizeof x);
    return x;
}

/* ---- what processors have instructions for ---- */

#if defined(__ARM_NEON) && defined(__aarch64__)

ALWAYS_INLINE vf fma_of(vf a, vf b, vf c)
{
    return (vf){vfmaq_f32(c.a, a.a, b.a), vfmaq_f32(c.b, a.b, b.b), vfmaq_f32(c.c, a.c, b.c),
                vfmaq_f32(c.d, a.d, b.d)};
}

ALWAYS_INLINE vf fnma_of(vf a, vf b, vf c)
{
    return (vf){vfmsq_f32(c.a, a.a, b.a), vfmsq_f32(c.b, a.b, b.b), vfmsq_f32(c.c, a.c, b.c),
                vfmsq_f32(c.d, a.d, b.d)};
}

/* The instructions for a maximum take another zero, and another not-a-number. */
ALWAYS_INLINE quad larger(quad a, quad b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

ALWAYS_INLINE vf from_bytes(const unsigned char *p)
{
    static const uint8_t place[4][16] = {{0, 16, 16, 16, 1, 16, 16, 16, 2, 16, 16, 16, 3, 16, 16, 16},
                                         {4, 16, 16, 16, 5, 16, 16, 16, 6, 16, 16, 16, 7, 16, 16, 16},
                                         {8, 16, 16, 16, 9, 16, 16, 16, 10, 16, 16, 16, 11, 16, 16, 16},
                                         {12, 16, 16, 16, 13, 16, 16, 16, 14, 16, 16, 16, 15, 16, 16, 16}};
    const uint8x16_t x = vld1q_u8(p); /* places beyond it are 0 */
    return (vf){vcvtq_f32_u32(vreinterpretq_u32_u8(vqtbl1q_u8(x, vld1q_u8(place[0])))),
                vcvtq_f32_u32(vreinterpretq_u32_u8(vqtbl1q_u8(x, vld1q_u8(place[1])))),
                vcvtq_f32_u32(vreinterpretq_u32_u8(vqtbl1q_u8(x, vld1q_u8(place[2])))),
                vcvtq_f32_u32(vreinterpretq_u32_u8(vqtbl1q_u8(x, vld1q_u8(place[3]))))};
}

ALWAYS_INLINE vf from_shorts(const unsigned char *p)
{
    const uint16x8_t x = vreinterpretq_u16_u8(vld1q_u8(p)), y = vreinterpretq_u16_u8(vld1q_u8(p + 16));
    return (vf){vcvtq_f32_u32(vmovl_u16(vget_low_u16(x))), vcvtq_f32_u32(vmovl_high_u16(x)),
                vcvtq_f32_u32(vmovl_u16(vget_low_u16(y))), vcvtq_f32_u32(vmovl_high_u16(y))};
}

#elif defined(__SSE2__)

/* a b + c in double precision: the product is exact, and the sum is rounded to 53 bits. */
typedef struct wide_quad {
    __m128d low, high;
} wide_quad;

ALWAYS_INLINE wide_quad widen(quad x)
{
    return (wide_quad){_mm_cvtps_pd(x), _mm_cvtps_pd(_mm_movehl_ps(x, x))};
}

ALWAYS_INLINE quad narrow(__m128d low, __m128d high)
{
    return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}

/* a b + c, rounded to double and then to float.  The second rounding goes another way than one alone would where the first
 * one ended on a tie, the middle between two floats; of numbers too small for a full float, the middle is elsewhere (where
 * they round to 0, the sum was exact).  Then `doubt` is not 0. */
ALWAYS_INLINE quad round_twice(quad a, quad b, quad c, __m128i *doubt)
{
    const wide_quad x = widen(a), y = widen(b), z = widen(c);
    const __m128d low = _mm_add_pd(_mm_mul_pd(x.low, y.low), z.low);
    const __m128d high = _mm_add_pd(_mm_mul_pd(x.high, y.high), z.high);
    const quad r = narrow(low, high);
    const __m128i last = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), 0x88));
    const __m128i tie =
        _mm_cmpeq_epi32(_mm_slli_epi32(last, 3), _mm_set1_epi32(INT32_MIN)); /* of 29 bits the first */
    const __m128i size = _mm_add_epi32(_mm_slli_epi32(_mm_castps_si128(r), 1), _mm_set1_epi32(INT32_MAX));
    const __m128i tiny = _mm_cmpgt_epi32(_mm_set1_epi32(INT32_MIN + 0x1000000), size); /* but not 0 */
    *doubt = _mm_or_si128(*doubt, _mm_or_si128(tie, tiny));
    return r;
}

/* a b + c rounded to odd, in double precision: if it is not exact, the neighbour with an odd last bit is taken, so that
 * the second rounding, to float, sees on which side the exact sum lies (Boldo and Melquiond 2008, IEEE Trans. Comput. 57:
 * 53 bits are enough for 24). */
ALWAYS_INLINE __m128d round_to_odd(__m128d a, __m128d b, __m128d c)
{
    const __m128d p = _mm_mul_pd(a, b), s = _mm_add_pd(p, c), from_c = _mm_sub_pd(s, p), zero = _mm_setzero_pd();
    const __m128d error = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(s, from_c)), _mm_sub_pd(c, from_c));
    const __m128d above = _mm_cmpgt_pd(error, zero), below = _mm_cmplt_pd(error, zero);
    const __m128i bits = _mm_castpd_si128(s), one = _mm_set1_epi64x(1);
    const __m128i is_even = _mm_sub_epi64(_mm_and_si128(bits, one), one);
    const __m128i is_inward = _mm_castpd_si128(_mm_xor_pd(above, _mm_cmpgt_pd(s, zero)));
    const __m128i step = _mm_or_si128(is_inward, one); /* away from zero, or towards it */
    const __m128i is_inexact_and_even = _mm_and_si128(_mm_castpd_si128(_mm_or_pd(above, below)), is_even);
    return _mm_castsi128_pd(_mm_add_epi64(bits, _mm_and_si128(step, is_inexact_and_even)));
}

ALWAYS_INLINE quad round_once(quad a, quad b, quad c)
{
    const wide_quad x = widen(a), y = widen(b), z = widen(c);
    return narrow(round_to_odd(x.low, y.low, z.low), round_to_odd(x.high, y.high, z.high));
}

static __attribute__((noinline, cold)) vf round_all_once(vf a, vf b, vf c)
{
    return (vf){round_once(a.a, b.a, c.a), round_once(a.b, b.b, c.b), round_once(a.c, b.c, c.c),
                round_once(a.d, b.d, c.d)};
}

ALWAYS_INLINE vf fma_of(vf a, vf b, vf c)
{
    __m128i doubt = _mm_setzero_si128();
    vf r = {round_twice(a.a, b.a, c.a, &doubt), round_twice(a.b, b.b, c.b, &doubt),
            round_twice(a.c, b.c, c.c, &doubt), round_twice(a.d, b.d, c.d, &doubt)};
    if (__builtin_expect(_mm_movemask_epi8(doubt) != 0, 0))
        r = round_all_once(a, b, c);
    return r;
}

ALWAYS_INLINE vf fnma_of(vf a, vf b, vf c)
{
    return fma_of((vf){-a.a, -a.b, -a.c, -a.d}, b, c);
}

ALWAYS_INLINE quad larger(quad a, quad b)
{
    return _mm_max_ps(a, b);
}

ALWAYS_INLINE vf from_halves(__m128i x, __m128i y)
{
    const __m128i zero = _mm_setzero_si128();
    return (vf){_mm_cvtepi32_ps(_mm_unpacklo_epi16(x, zero)), _mm_cvtepi32_ps(_mm_unpackhi_epi16(x, zero)),
                _mm_cvtepi32_ps(_mm_unpacklo_epi16(y, zero)), _mm_cvtepi32_ps(_mm_unpackhi_epi16(y, zero))};
}

ALWAYS_INLINE vf from_bytes(const unsigned char *p)
{
    const __m128i x = _mm_load_si128((const __m128i *)(const void *)p), zero = _mm_setzero_si128();
    return from_halves(_mm_unpacklo_epi8(x, zero), _mm_unpackhi_epi8(x, zero));
}

ALWAYS_INLINE vf from_shorts(const unsigned char *p)
{
    const __m128i *x = (const __m128i *)(const void *)p;
    return from_halves(_mm_load_si128(x), _mm_load_si128(x + 1));
}

#else

ALWAYS_INLINE quad quad_fma(quad a, quad b, quad c)
{
    for (int i = 0; i < 4; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
}

ALWAYS_INLINE vf fma_of(vf a, vf b, vf c)
{
    return (vf){quad_fma(a.a, b.a, c.a), quad_fma(a.b, b.b, c.b), quad_fma(a.c, b.c, c.c), quad_fma(a.d, b.d, c.d)};
}

ALWAYS_INLINE vf fnma_of(vf a, vf b, vf c)
{
    return fma_of((vf){-a.a, -a.b, -a.c, -a.d}, b, c);
}

ALWAYS_INLINE quad larger(quad a, quad b)
{
    const quad_bits is_a = a > b;
    return (quad)(((quad_bits)a & is_a) | ((quad_bits)b & ~is_a));
}

ALWAYS_INLINE vf from_bytes(const unsigned char *p)
{
    return (vf){
        {p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7]}, {p[8], p[9], p[10], p[11]}, {p[12], p[13], p[14], p[15]}};
}

ALWAYS_INLINE vf from_shorts(const unsigned char *p)
{
    uint16_t x[16];
    memcpy(x, p, sizeof x);
    return (vf){
        {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}, {x[8], x[9], x[10], x[11]}, {x[12], x[13], x[14], x[15]}};
}

#endif

/* ---- what compilers have ---- */

ALWAYS_INLINE vf load(const float *p)
{
    return (vf){load_quad(p), load_quad(p + 4), load_quad(p + 8), load_quad(p + 12)};
}

ALWAYS_INLINE void store(float *p, vf x)
{
    memcpy(__builtin_assume_aligned(p, sizeof x.a), &x, sizeof x);
}

ALWAYS_INLINE vf all(float x)
{
    return (vf){quad_of(x), quad_of(x), quad_of(x), quad_of(x)};
}

ALWAYS_INLINE vf add(vf a, vf b)
{
    return (vf){a.a + b.a, a.b + b.b, a.c + b.c, a.d + b.d};
}

ALWAYS_INLINE vf sub(vf a, vf b)
{
    return (vf){a.a - b.a, a.b - b.b, a.c - b.c, a.d - b.d};
}

ALWAYS_INLINE vf mul(vf a, vf b)
{
    return (vf){a.a * b.a, a.b * b.b, a.c * b.c, a.d * b.d};
}

ALWAYS_INLINE vf maximum(vf a, vf b)
{
    return (vf){larger(a.a, b.a), larger(a.b, b.b), larger(a.c, b.c), larger(a.d, b.d)};
}

ALWAYS_INLINE quad from_four_ints(const unsigned char *p)
{
    quad_bits x;
    memcpy(&x, p, sizeof x);
    return __builtin_convertvector(x, quad);
}

ALWAYS_INLINE vf from_ints(const unsigned char *p)
{
    return (vf){from_four_ints(p), from_four_ints(p + 16), from_four_ints(p + 32), from_four_ints(p + 48)};
}

ALWAYS_INLINE quad weigh_four_entries(const float *product, const uint32_t *entry)
{
    const quad p = {product[entry[0] & UINT16_MAX], product[entry[1] & UINT16_MAX], product[entry[2] & UINT16_MAX],
                    product[entry[3] & UINT16_MAX]};
    uint32_t x __attribute__((vector_size(16)));
    memcpy(&x, entry, sizeof x);
    return p * __builtin_convertvector((quad_bits)(x >> 16), quad);
}

ALWAYS_INLINE vf weigh_entries(const float *product, const uint32_t *entry)
{
    return (vf){weigh_four_entries(product, entry), weigh_four_entries(product, entry + 4),
                weigh_four_entries(product, entry + 8), weigh_four_entries(product, entry + 12)};
}

ALWAYS_INLINE quad quad_times_power(quad p, quad n)
{
    return (quad)((quad_bits)p + ((quad_bits)n << 23));
}

ALWAYS_INLINE vf times_power(vf p, vf n)
{
    return (vf){quad_times_power(p.a, n.a), quad_times_power(p.b, n.b), quad_times_power(p.c, n.c),
                quad_times_power(p.d, n.d)};
}

ALWAYS_INLINE float largest_lane(vf x)
{
    quad y = larger(larger(x.a, x.c), larger(x.b, x.d));
    y = larger(y, __builtin_shufflevector(y, y, 2, 3, 2, 3));
    y = larger(y, __builtin_shufflevector(y, y, 1, 1, 3, 3));
    return y[0];
}

/* x0, x1 + x0, (x2 + x1) + x0, (x3 + x2) + (x1 + x0) */
ALWAYS_INLINE quad sums_in_group(quad x)
{
    const quad zero = quad_of(0);
    x += __builtin_shufflevector(zero, x, 3, 4, 5, 6);
    return x + __builtin_shufflevector(zero, x, 2, 3, 4, 5);
}

ALWAYS_INLINE quad last_of(quad x)
{
    return __builtin_shufflevector(x, x, 3, 3, 3, 3);
}

ALWAYS_INLINE vf running_sums(vf x)
{
    x = (vf){sums_in_group(x.a), sums_in_group(x.b), sums_in_group(x.c), sums_in_group(x.d)};
    const quad g0 = last_of(x.a), g1 = last_of(x.b), g2 = last_of(x.c);
    return (vf){x.a, x.b + g0, x.c + (g1 + g0), x.d + ((g2 + g1) + g0)};
}

ALWAYS_INLINE unsigned lanes_at_most(vf ascending, float x)
{
    const quad y = quad_of(x);
    const quad_bits n = (ascending.a <= y) + (ascending.b <= y) + (ascending.c <= y) + (ascending.d <= y);
    return (unsigned)-(n[0] + n[1] + n[2] + n[3]);
}

/* Eight numbers of 64 bits. */
typedef uint64_t wide_pair __attribute__((vector_size(16)));

typedef struct vw {
    wide_pair a, b, c, d;
} vw;

ALWAYS_INLINE vw all_wide(uint64_t x)
{
    return (vw){{x, x}, {x, x}, {x, x}, {x, x}};
}

ALWAYS_INLINE vw ascending_wide(uint64_t x)
{
    return (vw){{x, x + 1}, {x + 2, x + 3}, {x + 4, x + 5}, {x + 6, x + 7}};
}

ALWAYS_INLINE wide_pair mul_lower_pair(wide_pair a, wide_pair b)
{
#if defined(__ARM_NEON) && defined(__aarch64__)
    return vmull_u32(vmovn_u64(a), vmovn_u64(b));
#elif defined(__SSE2__)
    return (wide_pair)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & UINT32_MAX) * (b & UINT32_MAX);
#endif
}

ALWAYS_INLINE vw mul_lower(vw a, vw b)
{
    return (vw){mul_lower_pair(a.a, b.a), mul_lower_pair(a.b, b.b), mul_lower_pair(a.c, b.c),
                mul_lower_pair(a.d, b.d)};
}

ALWAYS_INLINE vw upper_xor(vw a, vw b, vw c)
{
    return (vw){(a.a >> 32) ^ b.a ^ c.a, (a.b >> 32) ^ b.b ^ c.b, (a.c >> 32) ^ b.c ^ c.c, (a.d >> 32) ^ b.d ^ c.d};
}

ALWAYS_INLINE void store_wide(uint64_t *p, vw x)
{
    memcpy(p, &x, sizeof x);
}

#endif
