/* tests/unit/test_number_scores.c - scores of predicted numbers against values worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evaluation/number_scores.h"

#include <math.h>

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("%.15g, expected %.15g", value, expected);
}

/* No interval. */
static void add(gb_number_scores *s, double target, double predicted)
{
    gb_number_scores_add(s, target, predicted, NAN, NAN, 1);
}

/* Targets 1 2 3 6 have mean 3 and spread 4 + 1 + 0 + 9 = 14; errors 1 0 -2 1. */
static void worked_out_by_hand(void **state)
{
    (void)state;
    gb_number_scores s = {0};
    add(&s, 1, 0);
    add(&s, 2, 2);
    add(&s, 3, 5);
    add(&s, 6, 5);
    gb_number_summary r = gb_number_scores_summary(&s);
    assert_int_equal(r.n, 4);
    assert_near(r.r2, 1 - 6.0 / 14);
    assert_near(r.mae, 1);
    assert_near(r.rmse, sqrt(1.5));
    assert_true(isnan(r.coverage));
}

static void predicting_the_mean_has_r2_zero_and_less_is_negative(void **state)
{
    (void)state;
    gb_number_scores mean = {0}, worse = {0}, perfect = {0};
    for (int y = -2; y <= 4; y++) {
        add(&mean, y, 1);
        add(&worse, y, -y);
        add(&perfect, y, y);
    }
    assert_near(gb_number_scores_summary(&mean).r2, 0);
    assert_near(gb_number_scores_summary(&worse).r2, 1 - 4 * 35.0 / 28);
    assert_near(gb_number_scores_summary(&perfect).r2, 1);
    assert_near(gb_number_scores_summary(&perfect).rmse, 0);
}

static void constant_targets_have_no_r2(void **state)
{
    (void)state;
    gb_number_scores s = {0};
    add(&s, 0.1, 0.1);
    assert_true(isnan(gb_number_scores_summary(&s).r2)); /* a single one is constant too */
    for (int i = 0; i < 1000; i++)
        add(&s, 0.1, i);
    gb_number_summary r = gb_number_scores_summary(&s);
    assert_true(isnan(r.r2));
    assert_false(isnan(r.mae) || isnan(r.rmse));
}

/* Mean 1e9, variance 1: the difference of the sums of squares, near 1e18 each, would have no digit left. */
static void a_large_mean_costs_no_digits(void **state)
{
    (void)state;
    gb_number_scores near = {0}, far = {0};
    for (int i = 0; i < 1000; i++) {
        const double y = i % 2 == 0 ? 1 : -1, error = i % 4 == 0 ? 0.5 : 0;
        add(&near, y, y + error);
        add(&far, 1e9 + y, 1e9 + y + error);
    }
    assert_near(gb_number_scores_summary(&near).r2, 1 - 0.25 / 4);
    assert_near(gb_number_scores_summary(&far).r2, 1 - 0.25 / 4);
}

static void ends_of_an_interval_are_inside(void **state)
{
    (void)state;
    gb_number_scores s = {0};
    gb_number_scores_add(&s, 1, 0, 1, 2, 1);
    gb_number_scores_add(&s, 2, 0, 1, 2, 1);
    gb_number_scores_add(&s, 3, 0, 1, 2, 1);
    gb_number_scores_add(&s, 0, 0, 1, 2, 1);
    gb_number_scores_add(&s, 0, 0, -1, 2, 1);
    assert_near(gb_number_scores_summary(&s).coverage, 3.0 / 5);
    gb_number_scores_add(&s, 0, 0, -1, NAN, 1);
    assert_true(isnan(gb_number_scores_summary(&s).coverage)); /* one without spoils it */
}

static void no_targets_no_scores(void **state)
{
    (void)state;
    const gb_number_scores s = {0};
    gb_number_summary r = gb_number_scores_summary(&s);
    assert_int_equal(r.n, 0);
    assert_true(isnan(r.r2) && isnan(r.mae) && isnan(r.rmse) && isnan(r.coverage));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_out_by_hand),
        cmocka_unit_test(predicting_the_mean_has_r2_zero_and_less_is_negative),
        cmocka_unit_test(constant_targets_have_no_r2),
        cmocka_unit_test(a_large_mean_costs_no_digits),
        cmocka_unit_test(ends_of_an_interval_are_inside),
        cmocka_unit_test(no_targets_no_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
