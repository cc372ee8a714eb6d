/* test_count_law.c - the law of new counts: what it is fitted to, and that its intervals hold whatever the counts' own law. */
#include "helper_documents.h"

#include "random/random.h"
#include "response/count_law.h"

#include <math.h>

enum { MOST = 20000, HELD_OUT = 400, NEW = 4000 };

static double y[MOST], log_mean[MOST], offset[MOST];

static gb_random open_stream(uint64_t item)
{
    return gb_random_open(gb_key_make(29, 0), 0, GB_DRAW_TEST, item);
}

static double clumped(gb_random *random, double mean, double dispersion)
{
    return (double)gb_random_poisson(random, mean * gb_random_gamma(random, dispersion) / dispersion);
}

/* Poisson around a mean that is off by a factor with a log normal law: a heavier tail than any negative binomial has. */
static double heavy_tailed(gb_random *random, double mean, double sd)
{
    return (double)gb_random_poisson(random, mean * exp(sd * gb_random_normal(random)));
}

typedef double count_law(gb_random *random, double mean, double parameter);

/* The true log mean is shift + slope log_mean + offset, with log_mean from N(level, 1). */
static gb_new_counts simulate(uint64_t item, size_t n, double level, double shift, double slope, count_law *law,
                              double parameter)
{
    gb_random random = open_stream(item);
    for (size_t d = 0; d < n; d++) {
        log_mean[d] = level + gb_random_normal(&random);
        offset[d] = d % 2 == 0 ? 0 : log(3);
        y[d] = law(&random, exp(shift + slope * log_mean[d] + offset[d]), parameter);
    }
    return (gb_new_counts){.n = n, .y = y, .log_mean = log_mean, .offset = offset};
}

static gb_count_law fitted(const gb_new_counts *counts)
{
    const double own = 7;
    gb_count_law law;
    const gb_response response = {
        .ops = gb_response_find("negative-binomial"), .cost = 2, .own = &own, .n_own = 1, .n_outputs = 1};
    assert_int_equal(gb_count_law_fit(&response, counts, &law, NULL), GB_OK);
    return law;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

/* Standard errors are near 0.01 of shift, slope and log dispersion; the shift is that far from the middle of the log means. */
static void recovers_the_parameters(void **state)
{
    (void)state;
    static const double truth[][3] = {/* shift, slope, dispersion */ {0, 1, 2}, {2, 0.4, 0.5}, {2, 1.3, 20}};
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const gb_new_counts counts = simulate(i, MOST, 3, truth[i][0], truth[i][1], clumped, truth[i][2]);
        const gb_count_law law = fitted(&counts);
        assert_near(law.slope, truth[i][1], 0.05);
        assert_near(law.shift + 3 * law.slope, truth[i][0] + 3 * truth[i][1], 0.05);
        assert_near(log(law.own), log(truth[i][2]), 0.1);
        assert_true(law.low > 0.04 &&
                    law.low < 0.12); /* where a tenth of the counts are 0, no F(y) is less than that */
        assert_near(law.high, 0.95, 0.015);
    }
}

static bool is_inside(const gb_count_law *law, double count, double at, double known)
{
    const gb_response any = {.ops = gb_response_find("negative-binomial"), .n_own = 1, .n_outputs = 1},
                      response = gb_count_law_response(&any, law);
    const double score = gb_count_law_score(&response, law, at, known);
    return response.ops->number->distribution(&response, count, score) >= law->low &&
           response.ops->number->distribution(&response, count - 1, score) < law->high;
}

static double share_inside(const gb_count_law *law, const gb_new_counts *counts)
{
    double n = 0;
    for (size_t d = 0; d < counts->n; d++)
        n += is_inside(law, counts->y[d], counts->log_mean[d], counts->offset[d]) ? 1 : 0;
    return n / (double)counts->n;
}

/* 400 counts held out and 4000 new ones: chance alone moves a share of 0.9 by a standard deviation of 0.016. */
static void intervals_hold_for_counts_of_another_law(void **state)
{
    (void)state;
    static const double level[] = {5, 2}, sd[] = {0.2, 0.8, 2};
    for (size_t i = 0; i < 6; i++) {
        const gb_new_counts held_out = simulate(10 + i, HELD_OUT, level[i % 2], 0, 0.5, heavy_tailed, sd[i / 2]);
        const gb_count_law law = fitted(&held_out);
        const gb_new_counts new = simulate(20 + i, NEW, level[i % 2], 0, 0.5, heavy_tailed, sd[i / 2]);
        const double share = share_inside(&law, &new);
        assert_true(share > 0.86 && share < 0.95);
    }
}

/* Mostly zeros: more than nine of ten have to be inside, and no interval ends before it begins. */
static void many_zeros_have_intervals_too(void **state)
{
    (void)state;
    const gb_new_counts held_out = simulate(30, HELD_OUT, -3, 0, 1, clumped, 0.3);
    const gb_count_law law = fitted(&held_out);
    assert_true(gb_count_law_is_sound(&law));
    const gb_new_counts new = simulate(31, NEW, -3, 0, 1, clumped, 0.3);
    assert_true(share_inside(&law, &new) > 0.88);
}

/* Log means that say nothing, or the contrary: the slope ends at 0, not below. */
static void a_slope_is_never_negative(void **state)
{
    (void)state;
    const gb_new_counts counts = simulate(40, HELD_OUT, 3, 6, -1, clumped, 2);
    const gb_count_law law = fitted(&counts);
    assert_true(law.slope == 0);
    assert_true(gb_count_law_is_sound(&law));
}

/* The mean follows the first words too far, by sqrt(3) of what they say, and the counts vary more than those of whole texts. */
static void short_texts_have_means_and_ends_of_their_own(void **state)
{
    (void)state;
    static uint64_t n_tokens[2][HELD_OUT];
    static double cut_mean[HELD_OUT];
    gb_new_counts whole = simulate(50, HELD_OUT, 3, 0, 1, clumped, 2), cut = whole;
    for (size_t d = 0; d < HELD_OUT; d++) {
        gb_random random = open_stream(1000 + d);
        n_tokens[0][d] = 200;
        n_tokens[1][d] = 7;
        cut_mean[d] = whole.log_mean[d] + sqrt(2) * gb_random_normal(&random); /* a third of its variance is right */
    }
    whole.n_tokens = n_tokens[0];
    cut.n_tokens = n_tokens[1];
    cut.log_mean = cut_mean;
    const gb_response response = {.ops = gb_response_find("negative-binomial"), .n_own = 1, .n_outputs = 1};
    const gb_count_law before = fitted(&whole);
    gb_count_law law = before;
    double low, high, share = 0;
    assert_int_equal(gb_count_law_fit_short(&response, &whole, &cut, &law, NULL), GB_OK);
    assert_true(law.length == 16); /* 8 / (8 + 16) of it count */
    assert_near(law.log_short, log(8), 1e-12);
    assert_near(law.log_whole, log(201), 1e-12);
    gb_count_law_ends(&law, 200, &low, &high);
    assert_true(low == before.low && high == before.high);
    assert_near(gb_count_law_log_mean(&law, 5, 200), 5, 0);
    gb_count_law_ends(&law, 7, &low, &high);
    assert_true(low < before.low && high > before.high);
    law.low = low;
    law.high = high;
    for (size_t d = 0; d < HELD_OUT; d++)
        share += is_inside(&law, cut.y[d], gb_count_law_log_mean(&law, cut_mean[d], 7), cut.offset[d]) ? 1 : 0;
    assert_true(share / HELD_OUT >= 0.9 && share / HELD_OUT < 0.92);
    gb_count_law_ends(&law, 0, &low, &high); /* not beyond */
    assert_true(low == law.low_short && high == law.high_short);
    law.low = law.low_none;
    law.high = law.high_none;
    share = 0;
    for (size_t d = 0; d < HELD_OUT; d++)
        share += is_inside(&law, whole.y[d], law.centre, whole.offset[d]) ? 1 : 0;
    assert_true(share / HELD_OUT >= 0.9 && share / HELD_OUT < 0.92);
}

static void few_counts_make_no_law(void **state)
{
    (void)state;
    gb_new_counts counts = simulate(50, 40, 3, 0, 1, clumped, 2);
    for (size_t d = 0; d < 20; d++)
        y[2 * d] = NAN;
    assert_true(fitted(&counts).own > 0);
    y[1] = NAN;
    assert_true(fitted(&counts).own == 0);
}

/* A dispersion without end fits counts that vary less than Poisson ones; its prior has one. */
static void counts_that_never_vary_make_a_sound_law(void **state)
{
    (void)state;
    static const double all[] = {0, 1, 1e9};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const gb_new_counts counts = simulate(60, HELD_OUT, 1, 0, 1, clumped, 2);
        for (size_t d = 0; d < HELD_OUT; d++)
            y[d] = all[i];
        const gb_count_law law = fitted(&counts);
        assert_true(gb_count_law_is_sound(&law) && law.own > 0);
        assert_true(share_inside(&law, &counts) >= 0.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_the_parameters),
        cmocka_unit_test(intervals_hold_for_counts_of_another_law),
        cmocka_unit_test(many_zeros_have_intervals_too),
        cmocka_unit_test(a_slope_is_never_negative),
        cmocka_unit_test(short_texts_have_means_and_ends_of_their_own),
        cmocka_unit_test(few_counts_make_no_law),
        cmocka_unit_test(counts_that_never_vary_make_a_sound_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
