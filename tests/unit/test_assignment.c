/* The assignment problem: against all permutations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/assignment.h"

#include <math.h>
#include <stdbool.h>

enum { MOST = 7, LARGE = 60 };

/* Numbers between 0 and 1 that look random (a linear congruential generator). */
static double next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1u << 24);
}

/* The smallest sum over all ways to give rows `row`.. columns that are not taken. */
static double smallest(size_t n, const double *cost, size_t row, unsigned taken)
{
    double least = row == n ? 0 : INFINITY;
    for (size_t j = 0; row < n && j < n; j++)
        if ((taken >> j & 1) == 0)
            least = fmin(least, cost[row * n + j] + smallest(n, cost, row + 1, taken | 1u << j));
    return least;
}

static double sum_of(size_t n, const double *cost, const size_t *column)
{
    bool is_taken[LARGE] = {false};
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(column[i] < n && !is_taken[column[i]]);
        is_taken[column[i]] = true;
        sum += cost[i * n + column[i]];
    }
    return sum;
}

static void the_sum_is_the_smallest_of_all_permutations(void **unused)
{
    (void)unused;
    uint64_t state = 1;
    double cost[MOST * MOST];
    size_t column[MOST];
    for (size_t repeat = 0; repeat < 200; repeat++) {
        const size_t n = 1 + repeat % MOST;
        for (size_t i = 0; i < n * n; i++) /* every third time with many equal costs, and with negative ones */
            cost[i] = repeat % 3 == 0 ? floor(4 * next_number(&state)) - 2 : next_number(&state);
        assert_int_equal(gb_assign(n, cost, column, NULL), GB_OK);
        assert_true(fabs(sum_of(n, cost, column) - smallest(n, cost, 0, 0)) < 1e-12);
    }
}

static void a_hidden_permutation_is_found(void **unused)
{
    (void)unused;
    static double cost[LARGE * LARGE];
    uint64_t state = 2;
    size_t column[LARGE];
    for (size_t i = 0; i < LARGE; i++)
        for (size_t j = 0; j < LARGE; j++)
            cost[i * LARGE + j] = (j == (7 * i + 3) % LARGE ? 0 : 0.5) + 0.4 * next_number(&state);
    assert_int_equal(gb_assign(LARGE, cost, column, NULL), GB_OK);
    for (size_t i = 0; i < LARGE; i++)
        assert_int_equal(column[i], (7 * i + 3) % LARGE);
}

static void of_equal_ways_rows_keep_their_order(void **unused)
{
    (void)unused;
    const double cost[9] = {0};
    size_t column[3];
    assert_int_equal(gb_assign(3, cost, column, NULL), GB_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(column[i], i);
    assert_int_equal(gb_assign(0, NULL, NULL, NULL), GB_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_sum_is_the_smallest_of_all_permutations),
                                       cmocka_unit_test(a_hidden_permutation_is_found),
                                       cmocka_unit_test(of_equal_ways_rows_keep_their_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
