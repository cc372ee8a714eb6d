/* tests/unit/test_random_stream.c - the generator against known answers, and what its streams promise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random/random.h"

#include <math.h>

/* The vectors published with Random123 for Philox4x32-10. */
static void blocks_have_the_published_values(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint32_t *c = known[i].counter;
        gb_key key = {{known[i].key[0], known[i].key[1]}};
        uint64_t item = (uint64_t)(c[2] & 0xffffff) << 32 | c[1];
        uint32_t out[4];
        gb_random_block(key, c[3], (gb_purpose)(c[2] >> 24), item, c[0], out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

static void a_stream_reads_its_blocks_in_order(void **state)
{
    (void)state;
    gb_key key = gb_key_make(3, 1);
    const uint64_t item = UINT64_C(0xabcdef12345678);
    gb_random r = gb_random_open(key, 9, GB_DRAW_TEST, item);
    for (uint32_t index = 0; index < 10; index++) {
        uint32_t block[4];
        gb_random_block(key, 9, GB_DRAW_TEST, item, index, block);
        for (int i = 0; i < 4; i++)
            assert_int_equal(gb_random_u32(&r), block[i]);
    }
}

static void a_wide_number_is_two_numbers_low_first(void **state)
{
    (void)state;
    gb_key key = gb_key_make(3, 1);
    for (int skip = 0; skip < 5; skip++) {
        gb_random a = gb_random_open(key, 0, GB_DRAW_TEST, 5), b = a;
        for (int i = 0; i < skip; i++)
            assert_int_equal(gb_random_u32(&a), gb_random_u32(&b));
        for (int i = 0; i < 5; i++) {
            uint64_t low = gb_random_u32(&b);
            uint64_t high = gb_random_u32(&b);
            assert_true(gb_random_u64(&a) == (high << 32 | low));
        }
    }
}

static void assert_different(const uint32_t a[4], gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item,
                             uint32_t index)
{
    uint32_t b[4];
    gb_random_block(key, sweep, purpose, item, index, b);
    assert_memory_not_equal(a, b, sizeof b);
}

static void every_part_of_the_name_matters(void **state)
{
    (void)state;
    uint32_t a[4];
    gb_key key = gb_key_make(1, 2);
    gb_random_block(key, 3, GB_DRAW_INIT, 4, 5, a);
    assert_different(a, gb_key_make(2, 2), 3, GB_DRAW_INIT, 4, 5);
    assert_different(a, gb_key_make(1, 3), 3, GB_DRAW_INIT, 4, 5);
    assert_different(a, gb_key_make(2, 1), 3, GB_DRAW_INIT, 4, 5);
    assert_different(a, key, 4, GB_DRAW_INIT, 4, 5);
    assert_different(a, key, 3, GB_DRAW_TOPIC, 4, 5);
    assert_different(a, key, 3, GB_DRAW_INIT, 5, 5);
    assert_different(a, key, 3, GB_DRAW_INIT, 4 + (UINT64_C(1) << 32), 5);
    assert_different(a, key, 3, GB_DRAW_INIT, 4 + (UINT64_C(1) << 55), 5);
    assert_different(a, key, 3, GB_DRAW_INIT, 4, 6);
}

/* A saved run is continued with the same numbers, so these may never change. */
static void keys_have_kept_their_values(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed, chain;
        uint32_t k[2];
    } known[] = {
        {0, 0, {0x4d197e6f, 0xa706dd2f}},
        {1, 0, {0x7439611e, 0x5e41ab08}},
        {0, 1, {0xaf37e97f, 0x2a98f501}},
        {UINT64_MAX, UINT64_MAX, {0xb56274f2, 0x5155e650}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        gb_key key = gb_key_make(known[i].seed, known[i].chain);
        assert_int_equal(key.k[0], known[i].k[0]);
        assert_int_equal(key.k[1], known[i].k[1]);
    }
}

/* One stream read by every law in turn.  A change in any of them, in what it returns or in how many numbers it
 * takes, shows here: saved runs would go on differently. */
static void laws_have_kept_their_draws(void **state)
{
    (void)state;
    static const double known[] = {
        0.45402713333790223,
        0.53541349879082767,
        0.080723473540112445,
        488712,
        0.61867408052737893,
        0.2791786707868118,
        2.4040816265254934,
        -156.20308999146437,
        0.33340620024947293,
        0.23194129152523815,
        5.8644168181562844,
        4,
        10177,
        1,
        3181080322,
    };
    enum { DRAWS = sizeof known / sizeof known[0] };
    gb_random r = gb_random_open(gb_key_make(5, 6), 7, GB_DRAW_TEST, 8);
    double share[3];
    gb_random_dirichlet(&r, 3, (const double[]){0.1, 1, 3}, share);
    double drawn[DRAWS];
    size_t n = 0;
    const gb_random_streams s =
        gb_random_split(&(gb_random){.key = r.key, .counter = {8, 8, 8, 8}}, 3, gb_isa_best());
    drawn[n++] = share[0];
    drawn[n++] = share[2];
    drawn[n++] = gb_random_uniform(&r);
    drawn[n++] = (double)gb_random_below(&r, 1000000);
    drawn[n++] = gb_random_normal(&r);
    drawn[n++] = gb_random_exponential(&r);
    drawn[n++] = gb_random_gamma(&r, 2.5);
    drawn[n++] = gb_random_log_gamma(&r, 0.01);
    gb_random_inverse_gaussians(&s, 0, 0, 1, (const double[]){0.5}, drawn + n++);
    gb_random_polya_gammas(&s, 1, 2, (const double[]){1, 20}, (const double[]){0.5, 0.5}, drawn + n);
    n += 2;
    drawn[n++] = (double)gb_random_poisson(&r, 4);
    drawn[n++] = (double)gb_random_poisson(&r, 1e4);
    drawn[n++] = (double)gb_random_categorical(&r, 3, (const double[]){1, 2, 3});
    drawn[n++] = gb_random_u32(&r);
    assert_int_equal(n, DRAWS);
    for (size_t i = 0; i < DRAWS; i++)
        if (!(fabs(drawn[i] - known[i]) <= 1e-13 * fabs(known[i])))
            fail_msg("draw %zu is %.17g, was %.17g", i, drawn[i], known[i]);
}

/* So many that some need a height and some are in the tail. */
static void many_normals_are_those_drawn_one_by_one(void **state)
{
    (void)state;
    enum { MOST = 3000, STRIDE = 3 };
    static const size_t numbers[] = {0, 1, 4, 5, 16, 17, 64, MOST};
    static double out[MOST * STRIDE];
    for (gb_isa isa = 0; isa < GB_N_ISAS; isa++)
        for (size_t i = 0; gb_isa_available(isa) && i < sizeof numbers / sizeof *numbers; i++)
            for (int skipped = 0; skipped < 5; skipped++) {
                gb_random one = gb_random_open(gb_key_make(4, 1), 2, GB_DRAW_TEST, UINT64_C(0xabcdef12345678)), many;
                for (int k = 0; k < skipped; k++)
                    gb_random_u32(&one);
                many = one;
                gb_random_normals(&many, isa, numbers[i], STRIDE, out);
                for (size_t k = 0; k < numbers[i]; k++) {
                    const double expected = gb_random_normal(&one);
                    assert_memory_equal(&out[k * STRIDE], &expected, sizeof expected);
                }
                assert_int_equal(gb_random_u64(&many), gb_random_u64(&one));
                assert_int_equal(gb_random_u32(&many), gb_random_u32(&one));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_the_published_values),
        cmocka_unit_test(a_stream_reads_its_blocks_in_order),
        cmocka_unit_test(a_wide_number_is_two_numbers_low_first),
        cmocka_unit_test(every_part_of_the_name_matters),
        cmocka_unit_test(keys_have_kept_their_values),
        cmocka_unit_test(laws_have_kept_their_draws),
        cmocka_unit_test(many_normals_are_those_drawn_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
