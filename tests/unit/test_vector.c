/* Sixteen lanes on any processor: multiply-add rounds once, as the library's fmaf() does; the power of two is as good as
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

static void check_fma(float a, float b, float c)
{
    if (!same_bits(fma_of(all(a), all(b), all(c)).x[0], fmaf(a, b, c)))
        fail_msg("%a x %a + %a is %a, not %a", a, b, c, fmaf(a, b, c), fma_of(all(a), all(b), all(c)).x[0]);
    if (!same_bits(fnma_of(all(a), all(b), all(c)).x[0], fmaf(-a, b, c)))
        fail_msg("%a - %a x %a is wrong", c, a, b);
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
    }
}

static void powers_of_two_are_as_good_as_they_say(void **unused)
{
    (void)unused;
    for (float x = 0; x > -99.9F; x -= 0.00137F) {
        const double got = power_of_two(all(x)).x[0], want = exp2((double)x);
        if (fabs(got / want - 1) > 2.2e-7)
            fail_msg("2^%g is %g, not %g", (double)x, got, want);
    }
    assert_true(power_of_two(all(-1e30F)).x[0] == power_of_two(all(-100)).x[0]);
    assert_true(power_of_two(all(0)).x[0] >= 1 - 2.2e-7F);
}

static void lanes_are_summed_and_counted(void **unused)
{
    (void)unused;
    vf x;
    for (int lane = 0; lane < LANES; lane++)
        x.x[lane] = (float)(lane + 1);
    const vf sums = running_sums(x);
    for (int lane = 0; lane < LANES; lane++)
        assert_true(sums.x[lane] == (float)((lane + 1) * (lane + 2) / 2));
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
