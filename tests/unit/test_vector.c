/* Sixteen lanes in vectors of 128 bits: multiply-add rounds once, as the library's fmaf() does; the power of two is as good as
 * it says; sums over lanes have the order that they should have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#undef __AVX512F__
#undef __AVX2__
#include "simd/floats.h"

#include "random/random.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool same_bits(float x, float y)
{
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

/* One lane, the others being plain sums, so that each has to be looked after. */
static float in_lane(int lane, vf (*f)(vf, vf, vf), float a, float b, float c)
{
    float x[3][LANES] __attribute__((aligned(64)));
    for (int i = 0; i < LANES; i++) {
        x[0][i] = i == lane ? a : 1;
        x[1][i] = i == lane ? b : 2;
        x[2][i] = i == lane ? c : 3;
    }
    store(x[0], f(load(x[0]), load(x[1]), load(x[2])));
    return x[0][lane];
}

static vf multiply_add(vf a, vf b, vf c)
{
    return fma_of(a, b, c);
}

static vf multiply_subtract(vf a, vf b, vf c)
{
    return fnma_of(a, b, c);
}

static void check_fma(float a, float b, float c)
{
    static int lane;
    const float got = in_lane(lane, multiply_add, a, b, c), want = fmaf(a, b, c);
    if (!same_bits(got, want))
        fail_msg("%a x %a + %a is %a, not %a", a, b, c, want, got);
    if (!same_bits(in_lane(lane, multiply_subtract, a, b, c), fmaf(-a, b, c)))
        fail_msg("%a - %a x %a is wrong", c, a, b);
    lane = (lane + 1) % LANES;
}

static void multiply_add_rounds_once(void **unused)
{
    (void)unused;
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    for (int i = 0; i < 200000; i++) {
        const float a = float_of_bits(gb_random_u32(&r)), b = float_of_bits(gb_random_u32(&r));
        check_fma(a, b, float_of_bits(gb_random_u32(&r)));
        /* sums that nearly cancel, and sums in which one part only breaks a tie */
        const float x = 1 + (float)gb_random_below(&r, 1 << 12) * 0x1p-12F, y = 1 + 0x1p-12F;
        check_fma(x, y, -x);
        check_fma(x, y, ldexpf(x, (int)gb_random_below(&r, 60)));
        check_fma(x, 0x1p-20F, 0x1p4F + (float)gb_random_below(&r, 64) * 0x1p-19F);
        check_fma(x, 0x1p-130F, ldexpf(y, -140 + (int)gb_random_below(&r, 10)));
        /* sums that are nearly a tie of their own numbers' spacing, from full floats down to those of one bit */
        const float up = ldexpf(1 + 0x1p-23F, -75), down = ldexpf(1 - 0x1p-23F, -75);
        check_fma(up, down, (float)gb_random_below(&r, UINT32_C(1) << (1 + gb_random_below(&r, 25))) * 0x1p-149F);
        check_fma(up, down, 0x1p-126F - 0x1p-149F);
        check_fma(up, up, 0x1p-126F - 0x1p-149F);
        check_fma(x, y, gb_random_below(&r, 2) == 0 ? INFINITY : -INFINITY);
    }
}

static float first_lane(vf x)
{
    float lanes[LANES] __attribute__((aligned(64)));
    store(lanes, x);
    return lanes[0];
}

static void powers_of_two_are_as_good_as_they_say(void **unused)
{
    (void)unused;
    for (float x = 0; x > -99.9F; x -= 0.00137F) {
        const double got = (double)first_lane(power_of_two(all(x))), want = exp2((double)x);
        if (fabs(got / want - 1) > 2.2e-7)
            fail_msg("2^%g is %g, not %g", (double)x, got, want);
    }
    assert_true(first_lane(power_of_two(all(-1e30F))) == first_lane(power_of_two(all(-100))));
    assert_true(first_lane(power_of_two(all(0))) >= 1 - 2.2e-7F);
}

static void lanes_are_summed_and_counted(void **unused)
{
    (void)unused;
    float lanes[LANES] __attribute__((aligned(64)));
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = (float)(lane + 1);
    const vf x = load(lanes), sums = running_sums(x);
    store(lanes, sums);
    for (int lane = 0; lane < LANES; lane++)
        assert_true(lanes[lane] == (float)((lane + 1) * (lane + 2) / 2));
    assert_int_equal(lanes_at_most(sums, 0), 0);
    assert_int_equal(lanes_at_most(sums, 3), 2);
    assert_int_equal(lanes_at_most(sums, 1e9F), LANES);
    assert_true(largest_lane(x) == LANES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_add_rounds_once),
        cmocka_unit_test(powers_of_two_are_as_good_as_they_say),
        cmocka_unit_test(lanes_are_summed_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
