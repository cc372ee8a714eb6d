/* Draws in order: what one sort gives is what sorting again would give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diagnose/order.h"

#include <math.h>
#include <stdbool.h>

enum { MOST = 50 };

/* Numbers with ties, the same each time. */
static void fill(size_t n, gb_ranked *r)
{
    for (size_t i = 0; i < n; i++)
        r[i] = (gb_ranked){(double)(i * 37 % 23) - 8, i};
}

static void assert_sorted(size_t n, const gb_ranked *r, bool is_folded, double centre)
{
    bool seen[MOST] = {false};
    gb_ranked original[MOST];
    fill(n, original);
    for (size_t i = 0; i < n; i++) {
        const double value = original[r[i].at].value;
        assert_true(r[i].value == (is_folded ? fabs(value - centre) : value));
        assert_false(seen[r[i].at]);
        seen[r[i].at] = true;
        assert_true(i == 0 || r[i - 1].value <= r[i].value);
    }
}

static void sorted_runs_of_any_length_are_merged(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= MOST; n++)
        for (size_t length = 1; length <= n + 1; length++) {
            gb_ranked r[MOST], spare[MOST];
            fill(n, r);
            for (size_t first = 0; first < n; first += length)
                gb_ranked_sort(first + length < n ? length : n - first, r + first);
            assert_sorted(n, gb_ranked_merge(n, length, r, spare), false, 0);
        }
}

static void distances_are_sorted_from_any_centre(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= MOST; n++)
        for (double centre = -10; centre < 17; centre += 0.5) {
            gb_ranked r[MOST], folded[MOST];
            fill(n, r);
            gb_ranked_sort(n, r);
            gb_ranked_fold(n, r, centre, folded);
            assert_sorted(n, folded, true, centre);
        }
}

static void the_median_of_an_even_number_is_the_mean_of_two(void **unused)
{
    (void)unused;
    const gb_ranked r[] = {{1, 0}, {2, 1}, {4, 2}, {9, 3}};
    assert_true(gb_ranked_median(3, r) == 2);
    assert_true(gb_ranked_median(4, r) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_runs_of_any_length_are_merged),
        cmocka_unit_test(distances_are_sorted_from_any_centre),
        cmocka_unit_test(the_median_of_an_even_number_is_the_mean_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
