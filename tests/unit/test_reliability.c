/* tests/unit/test_reliability.c - bins of probabilities and their error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evaluation/reliability.h"
#include "random/random.h"

#include <math.h>

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.15g, expected %.15g", value, expected);
}

/* Events that happen are counted, events that do not are not. */
static void add(gb_reliability *r, double probability, int n_happened, int n_not)
{
    for (int i = 0; i < n_happened + n_not; i++)
        gb_reliability_add(r, probability, i < n_happened);
}

static void events_fall_into_their_bins(void **state)
{
    (void)state;
    gb_reliability r = {0};
    for (size_t b = 0; b <= GB_RELIABILITY_BINS; b++)
        add(&r, (double)b / GB_RELIABILITY_BINS, 1, 0); /* the lower end belongs to the bin; 1 to the last */
    add(&r, 0.55, 0, 1);
    add(&r, nextafter(1, 0), 0, 1);
    add(&r, nextafter(1, 2), 0, 1); /* as a sum of shares may come out */
    add(&r, 5e-324, 0, 1);
    static const uint64_t n[GB_RELIABILITY_BINS] = {2, 1, 1, 1, 1, 2, 1, 1, 1, 4};
    for (size_t b = 0; b < GB_RELIABILITY_BINS; b++) {
        gb_reliability_bin bin = gb_reliability_of_bin(&r, b);
        assert_int_equal(bin.n, n[b]);
        assert_near(bin.low, (double)b / 10);
        assert_near(bin.high, (double)(b + 1) / 10);
    }
    assert_near(gb_reliability_of_bin(&r, 5).mean_probability, (0.5 + 0.55) / 2);
    assert_near(gb_reliability_of_bin(&r, 5).share, 0.5);
}

/* 4 of 10 at 0.75: |0.4 - 0.75|; 5 of 5 at 0.9: |1 - 0.9|; of 15 events. */
static void error_worked_out_by_hand(void **state)
{
    (void)state;
    gb_reliability r = {0};
    add(&r, 0.75, 4, 6);
    assert_near(gb_reliability_error(&r), 0.35);
    add(&r, 0.9, 5, 0);
    assert_near(gb_reliability_error(&r), (10 * 0.35 + 5 * 0.1) / 15);
}

/* Within a bin only the mean counts; between bins errors of different signs do not cancel. */
static void errors_cancel_within_a_bin_only(void **state)
{
    (void)state;
    gb_reliability within = {0}, between = {0};
    add(&within, 0.52, 10, 10);
    add(&within, 0.48 + 0.1, 11, 9);
    add(&within, 0.55, 12, 8);
    assert_near(gb_reliability_error(&within), 0);
    add(&between, 0.25, 1, 1); /* 0.25 too low */
    add(&between, 0.75, 1, 1); /* 0.25 too high */
    assert_near(gb_reliability_error(&between), 0.25);
}

/* Events that happen with the probability said: the error of 1e6 of them is near that of ten binomial shares,
 * sum_b n_b / n E|share_b - p_b| < 10 sqrt(0.25 / 1e5) / 10 = 0.0016. */
static void probabilities_that_are_right_have_a_small_error(void **state)
{
    (void)state;
    gb_random random = gb_random_open(gb_key_make(17, 0), 0, GB_DRAW_TEST, 0);
    gb_reliability right = {0}, sure = {0};
    for (int i = 0; i < 1000000; i++) {
        const double p = gb_random_uniform(&random);
        const bool happened = gb_random_uniform(&random) < p;
        gb_reliability_add(&right, p, happened);
        gb_reliability_add(&sure, p < 0.5 ? 0 : 1, happened); /* mean of min(p, 1 - p) is 1/4 */
    }
    assert_true(gb_reliability_error(&right) < 0.0016);
    assert_true(fabs(gb_reliability_error(&sure) - 0.25) < 0.0025);
}

static void no_events_no_error(void **state)
{
    (void)state;
    const gb_reliability r = {0};
    assert_true(isnan(gb_reliability_error(&r)));
    gb_reliability_bin bin = gb_reliability_of_bin(&r, 3);
    assert_int_equal(bin.n, 0);
    assert_true(isnan(bin.mean_probability) && isnan(bin.share));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_fall_into_their_bins),
        cmocka_unit_test(error_worked_out_by_hand),
        cmocka_unit_test(errors_cancel_within_a_bin_only),
        cmocka_unit_test(probabilities_that_are_right_have_a_small_error),
        cmocka_unit_test(no_events_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
