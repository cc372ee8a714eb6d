/* Has a trace levelled off?  The answers for traces whose law is known, and how often they are wrong.
 *
 * With the argument "table" it prints the table of gibbous/diagnose.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diagnose/series.h"
#include "gibbous/gibbous.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1000, BEFORE = 400 };

/* ---- traces ---- */

typedef struct law {
    const char *name;
    double memory; /* of a first-order autoregression with variance 1; 1: a random walk */
    double rise;   /* times 1 - exp(-t / (n scale)) is added */
    double scale;
} law;

static const law white = {"independent values", 0, 0, 1};
static const law short_memory = {"memory 0.5 per value", 0.5, 0, 1};
static const law memory = {"memory 0.9", 0.9, 0, 1};
static const law long_memory = {"memory 0.98", 0.98, 0, 1};
static const law walk = {"a random walk", 1, 0, 1};
static const law slow_rise = {"independent, rising by 10 sd, to 86 % at the end", 0, 10, 0.5};
static const law high_rise = {"the same with memory 0.9, rising by 100 sd", 0.9, 100, 0.5};
static const law done_rise = {"independent, rising by 100 sd, to 99.995 % at the end", 0, 100, 0.1};

static void draw(const law *l, size_t n, gb_random *r, double *x)
{
    const double step = l->memory < 1 ? sqrt(1 - l->memory * l->memory) : 1;
    double state = 0;
    for (size_t i = 0; i < BEFORE && l->memory < 1; i++)
        state = l->memory * state + step * gb_random_normal(r);
    for (size_t i = 0; i < n; i++) {
        state = l->memory * state + step * gb_random_normal(r);
        x[i] = -12345.6 + state + l->rise * (1 - exp(-(double)i / ((double)n * l->scale)));
    }
}

/* Shares of the answers. */
static void ask(const law *l, size_t n, size_t n_traces, double share[4])
{
    double x[MOST];
    memset(share, 0, 4 * sizeof *share);
    for (size_t i = 0; i < n_traces; i++) {
        gb_random stream = gb_random_open(gb_key_make(7, 0), (uint32_t)n, GB_DRAW_TEST, i);
        gb_levelled levelled;
        draw(l, n, &stream, x);
        assert_int_equal(gb_levelled_of(n, x, &levelled, NULL), GB_OK);
        share[levelled.trend] += 1 / (double)n_traces;
    }
}

static void print_table(void)
{
    static const law *const laws[] = {&white, &short_memory, &memory,    &long_memory,
                                      &walk,  &slow_rise,    &high_rise, &done_rise};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        printf("%-54s", laws[i]->name);
        for (size_t n = 100; n <= MOST; n *= 10) {
            double share[4];
            ask(laws[i], n, 2000, share);
            printf("  %.3f %.3f %.3f %.3f", share[GB_TREND_LEVEL], share[GB_TREND_UNCLEAR], share[GB_TREND_RISING],
                   share[GB_TREND_FALLING]);
        }
        printf("\n");
    }
}

/* ---- claims ---- */

static double share_of(const law *l, size_t n, gb_trend trend)
{
    double share[4];
    ask(l, n, 400, share);
    return share[trend];
}

static void level_traces_are_called_level(void **unused)
{
    (void)unused;
    assert_true(share_of(&white, 40, GB_TREND_LEVEL) > 0.8);
    assert_true(share_of(&white, 100, GB_TREND_LEVEL) > 0.99);
    assert_true(share_of(&short_memory, 200, GB_TREND_LEVEL) > 0.95);
    assert_true(share_of(&memory, 1000, GB_TREND_LEVEL) > 0.95);
}

static void a_rise_is_seen(void **unused)
{
    (void)unused;
    assert_true(share_of(&slow_rise, 200, GB_TREND_RISING) > 0.95);
    assert_true(share_of(&high_rise, 1000, GB_TREND_RISING) > 0.95);
    assert_true(share_of(&high_rise, 200, GB_TREND_LEVEL) == 0);
}

static void a_rise_that_has_ended_is_level(void **unused)
{
    (void)unused;
    assert_true(share_of(&done_rise, 100, GB_TREND_LEVEL) > 0.9);
}

static void what_wanders_is_seldom_called_level(void **unused)
{
    (void)unused;
    assert_true(share_of(&walk, 100, GB_TREND_LEVEL) < 0.05);
    assert_true(share_of(&walk, 1000, GB_TREND_LEVEL) < 0.05);
    assert_true(share_of(&long_memory, 100, GB_TREND_LEVEL) < 0.05);
}

static void a_fall_mirrors_a_rise(void **unused)
{
    (void)unused;
    double x[200];
    gb_levelled up, down;
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    draw(&slow_rise, 200, &r, x);
    assert_int_equal(gb_levelled_of(200, x, &up, NULL), GB_OK);
    for (size_t i = 0; i < 200; i++)
        x[i] = -x[i];
    assert_int_equal(gb_levelled_of(200, x, &down, NULL), GB_OK);
    assert_int_equal(up.trend, GB_TREND_RISING);
    assert_int_equal(down.trend, GB_TREND_FALLING);
    assert_true(down.drift == -up.drift && down.error == up.error && down.since == up.since);
}

/* 50 values on a slope, then a level: the last values of the slope are near it already. */
static void the_beginning_of_the_level_is_found(void **unused)
{
    (void)unused;
    double x[200];
    gb_levelled l;
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 1);
    for (int i = 0; i < 200; i++)
        x[i] = (i < 50 ? i - 50 : 0) + gb_random_normal(&r);
    assert_int_equal(gb_levelled_of(200, x, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_LEVEL);
    assert_int_equal(l.n, 100);
    assert_true(l.since >= 45 && l.since <= 52);
}

static void equal_values_are_level(void **unused)
{
    (void)unused;
    double x[40];
    gb_levelled l;
    for (size_t i = 0; i < 40; i++)
        x[i] = 0.1;
    assert_int_equal(gb_levelled_of(40, x, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_LEVEL);
    assert_true(l.drift == 0 && l.sd == 0 && l.mean == 0.1 && l.since == 0);
}

static void a_straight_line_rises(void **unused)
{
    (void)unused;
    double x[40];
    gb_levelled l;
    for (int i = 0; i < 40; i++)
        x[i] = i;
    assert_int_equal(gb_levelled_of(40, x, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_RISING);
    assert_true(fabs(l.drift - 19) < 1e-12);
}

static void short_traces_and_numbers_that_are_none_are_unclear(void **unused)
{
    (void)unused;
    double x[40] = {0};
    gb_levelled l;
    assert_int_equal(gb_levelled_of(38, x, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_UNCLEAR);
    assert_int_equal(gb_levelled_of(0, NULL, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_UNCLEAR);
    x[39] = NAN;
    assert_int_equal(gb_levelled_of(40, x, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_UNCLEAR);
    x[0] = NAN; /* not looked at */
    x[39] = 0;
    assert_int_equal(gb_levelled_of(40, x, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_LEVEL);
    assert_int_equal(l.since, 1);
}

/* ---- steps ---- */

/* Of the values that are looked at, 70 lie before the step, 15 after it, and 15 between them come from elsewhere. */
enum { LONG = 200 };
static const gb_step STEP = {170, 185};

static void draw_with_step(const law *l, uint64_t number, double x[LONG])
{
    gb_random r = gb_random_open(gb_key_make(11, 0), 0, GB_DRAW_TEST, number);
    draw(l, LONG, &r, x);
    for (uint64_t i = STEP.first; i < LONG; i++)
        x[i] += i < STEP.end ? 1000 : 30;
}

static double share_with_step(const law *l, gb_step step, gb_trend trend)
{
    enum { TRACES = 400 };
    size_t n = 0;
    for (uint64_t i = 0; i < TRACES; i++) {
        double x[LONG];
        gb_levelled levelled;
        draw_with_step(l, i, x);
        assert_int_equal(gb_levelled_with_step(LONG, x, step, &levelled, NULL), GB_OK);
        n += levelled.trend == trend;
    }
    return (double)n / TRACES;
}

static void a_step_is_no_drift(void **unused)
{
    (void)unused;
    assert_true(share_with_step(&white, STEP, GB_TREND_LEVEL) > 0.98);
    assert_true(share_with_step(&white, (gb_step){0}, GB_TREND_LEVEL) < 0.05);
    assert_true(share_with_step(&walk, STEP, GB_TREND_LEVEL) < 0.05);
}

static void a_drift_is_seen_in_spite_of_a_step(void **unused)
{
    (void)unused;
    double x[LONG];
    gb_levelled l;
    for (int i = 0; i < LONG; i++)
        x[i] = 3 * i - (i >= 185 ? 500 : 0);
    assert_int_equal(gb_levelled_with_step(LONG, x, STEP, &l, NULL), GB_OK);
    assert_int_equal(l.trend, GB_TREND_RISING);
    assert_int_equal(l.n, 85);
    assert_true(fabs(l.drift - 3 * 99) < 1e-9);
    assert_true(share_with_step(&high_rise, STEP, GB_TREND_LEVEL) < 0.05);
}

/* The variance of a slope is 1 / sum t^2 by least squares, and 12 / (size distance^2) by the size of one level. */
static void two_levels_make_the_drift_less_certain(void **unused)
{
    (void)unused;
    double x[LONG];
    gb_levelled l;
    const double squares = 70 * (70.0 * 70 - 1) / 12 + 15 * (15.0 * 15 - 1) / 12, most = 12 * squares / (99 * 99);
    draw_with_step(&white, 0, x);
    assert_int_equal(gb_levelled_with_step(LONG, x, STEP, &l, NULL), GB_OK);
    assert_true(l.size < most && l.size > 0.6 * most);
    assert_true(fabs(l.error - l.sd * sqrt(12 / l.size)) < 1e-12);
}

static void what_is_long_after_a_step_counts_alone(void **unused)
{
    (void)unused;
    double x[LONG];
    gb_levelled one, two;
    draw_with_step(&white, 1, x);
    assert_int_equal(gb_levelled_with_step(LONG, x, (gb_step){120, 140}, &one, NULL), GB_OK);
    assert_int_equal(gb_levelled_of(120, x + 80, &two, NULL), GB_OK); /* its last half begins at 140 */
    assert_int_equal(one.n, 60);
    assert_true(one.trend == two.trend && one.drift == two.drift && one.error == two.error);
}

static void a_step_before_the_last_half_changes_nothing(void **unused)
{
    (void)unused;
    double x[LONG];
    gb_levelled one, two;
    draw_with_step(&white, 1, x);
    assert_int_equal(gb_levelled_of(LONG, x, &one, NULL), GB_OK);
    assert_int_equal(gb_levelled_with_step(LONG, x, (gb_step){80, 100}, &two, NULL), GB_OK);
    assert_true(one.trend == two.trend && one.drift == two.drift && one.error == two.error && one.since == two.since);
}

/* Two values after the step are no level; nothing is left of a trace that is all step. */
static void short_parts_are_not_looked_at(void **unused)
{
    (void)unused;
    double x[LONG];
    gb_levelled l;
    draw_with_step(&white, 2, x);
    x[198] = x[199] = NAN;
    assert_int_equal(gb_levelled_with_step(LONG, x, (gb_step){170, 198}, &l, NULL), GB_OK);
    assert_true(l.n == 70 && isfinite(l.drift));
    assert_int_equal(gb_levelled_with_step(LONG, x, (gb_step){100, 200}, &l, NULL), GB_OK);
    assert_true(l.n == 0 && l.trend == GB_TREND_UNCLEAR);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "table") == 0) {
        print_table();
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(level_traces_are_called_level),
                                       cmocka_unit_test(a_rise_is_seen),
                                       cmocka_unit_test(a_rise_that_has_ended_is_level),
                                       cmocka_unit_test(what_wanders_is_seldom_called_level),
                                       cmocka_unit_test(a_fall_mirrors_a_rise),
                                       cmocka_unit_test(the_beginning_of_the_level_is_found),
                                       cmocka_unit_test(equal_values_are_level),
                                       cmocka_unit_test(a_straight_line_rises),
                                       cmocka_unit_test(a_step_is_no_drift),
                                       cmocka_unit_test(a_drift_is_seen_in_spite_of_a_step),
                                       cmocka_unit_test(two_levels_make_the_drift_less_certain),
                                       cmocka_unit_test(what_is_long_after_a_step_counts_alone),
                                       cmocka_unit_test(a_step_before_the_last_half_changes_nothing),
                                       cmocka_unit_test(short_parts_are_not_looked_at),
                                       cmocka_unit_test(short_traces_and_numbers_that_are_none_are_unclear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
