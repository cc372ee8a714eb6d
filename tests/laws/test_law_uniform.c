/* tests/laws/test_law_uniform.c - the uniform laws: open unit interval, 0..n-1, and the bits they come from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <stdlib.h>

static double identity(double x, const void *unused)
{
    (void)unused;
    return x;
}

static void uniform_is_uniform(void **state)
{
    (void)state;
    enum { DRAWS = 1000000 };
    gb_random r = law_stream(1);
    double *x = law_room(DRAWS);
    for (size_t i = 0; i < DRAWS; i++) {
        x[i] = gb_random_uniform(&r);
        assert_true(x[i] > 0 && x[i] < 1);
    }
    law_check_moments("uniform", DRAWS, x, 0.5, 1.0 / 12, -1.0 / 120);
    law_check_cdf("uniform", DRAWS, x, identity, NULL);
    free(x);
}

static void neighbours_are_independent(void **state)
{
    (void)state;
    enum { SIDE = 32, CELLS = SIDE * SIDE, DRAWS = 500000 };
    double count[CELLS] = {0}, probability[CELLS];
    gb_random r = law_stream(2);
    for (size_t i = 0; i < DRAWS; i++) {
        size_t row = (size_t)(SIDE * gb_random_uniform(&r));
        size_t column = (size_t)(SIDE * gb_random_uniform(&r));
        count[row * SIDE + column]++;
    }
    for (size_t i = 0; i < CELLS; i++)
        probability[i] = 1.0 / CELLS;
    law_check_counts("pairs of uniforms", CELLS, count, probability);
}

/* The first number of neighbouring items, sweeps and chains: what the sampler really uses. */
static void streams_are_independent(void **state)
{
    (void)state;
    enum { SIDE = 32, CELLS = SIDE * SIDE, DRAWS = 200000, WAYS = 3 };
    static const char *const name[WAYS] = {"neighbouring items", "neighbouring sweeps", "neighbouring chains"};
    for (int way = 0; way < WAYS; way++) {
        double count[CELLS] = {0}, probability[CELLS];
        size_t previous = 0;
        for (uint32_t i = 0; i <= DRAWS; i++) {
            gb_key key = gb_key_make(7, way == 2 ? i : 0);
            gb_random r = gb_random_open(key, way == 1 ? i : 0, GB_DRAW_TEST, way == 0 ? i : 0);
            size_t cell = (size_t)(SIDE * gb_random_uniform(&r));
            if (i > 0)
                count[previous * SIDE + cell]++;
            previous = cell;
        }
        for (size_t i = 0; i < CELLS; i++)
            probability[i] = 1.0 / CELLS;
        law_check_counts(name[way], CELLS, count, probability);
    }
}

static void every_bit_is_fair(void **state)
{
    (void)state;
    enum { BITS = 64, DRAWS = 100000 };
    double ones[BITS] = {0};
    gb_random r = law_stream(3);
    for (size_t i = 0; i < DRAWS; i++) {
        uint64_t bits = gb_random_u64(&r);
        for (size_t j = 0; j < BITS; j++)
            ones[j] += (double)(bits >> j & 1);
    }
    for (size_t j = 0; j < BITS; j++) {
        double count[2] = {DRAWS - ones[j], ones[j]};
        law_check_counts("one bit", 2, count, (const double[]){0.5, 0.5});
    }
}

static void below_gives_each_number_alike(void **state)
{
    (void)state;
    static const uint64_t size[] = {1, 2, 3, 7, 100};
    for (size_t s = 0; s < sizeof size / sizeof size[0]; s++) {
        double count[100] = {0}, probability[100] = {0};
        gb_random r = law_stream(10 + s);
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            uint64_t draw = gb_random_below(&r, size[s]);
            assert_true(draw < size[s]);
            count[draw]++;
        }
        for (size_t i = 0; i < size[s]; i++)
            probability[i] = 1 / (double)size[s];
        if (size[s] > 1)
            law_check_counts("below", size[s], count, probability);
    }
}

/* With n = 3/4 of 2^64 a draw without rejection would fall on every third number twice as often. */
static void below_is_without_bias(void **state)
{
    (void)state;
    const uint64_t n = UINT64_C(3) << 62;
    double third[3] = {0};
    double *x = law_room(LAW_DRAWS);
    gb_random r = law_stream(20);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        uint64_t draw = gb_random_below(&r, n);
        assert_true(draw < n);
        third[draw % 3]++;
        x[i] = (double)draw / (double)n;
    }
    law_check_counts("below 3 * 2^62, modulo 3", 3, third, (const double[]){1.0 / 3, 1.0 / 3, 1.0 / 3});
    law_check_cdf("below 3 * 2^62", LAW_DRAWS, x, identity, NULL);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_is_uniform),
        cmocka_unit_test(neighbours_are_independent),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(every_bit_is_fair),
        cmocka_unit_test(below_gives_each_number_alike),
        cmocka_unit_test(below_is_without_bias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
