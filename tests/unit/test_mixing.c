/* R-hat, effective sample sizes and the error of the mean: against the numbers that ArviZ gives for recorded draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "diagnose/series.h"
#include "gibbous/gibbous.h"

#include <math.h>
#include <stdbool.h>

#include "mixing_cases.h"

static const char *const figure[] = {
    "mean", "sd", "R-hat", "R-hat within chains", "bulk size", "tail size", "error of the mean"};

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-8 * fmax(1, fabs(b)) || (isnan(a) && isnan(b));
}

static void figures_are_those_of_arviz(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_mixing m;
        assert_int_equal(gb_mixing_of(cases[i].n_chains, cases[i].n_draws, cases[i].draws, &m, NULL), GB_OK);
        assert_int_equal(m.n_chains, cases[i].n_chains);
        assert_int_equal(m.n_draws, cases[i].n_draws);
        const double found[] = {m.mean, m.sd, m.r_hat, m.r_hat_within, m.ess_bulk, m.ess_tail, m.mcse};
        for (size_t j = 0; j < sizeof found / sizeof *found; j++)
            if (!is_near(found[j], cases[i].expected[j]))
                fail_msg("%s, %s: %.17g, ArviZ has %.17g", cases[i].name, figure[j], found[j], cases[i].expected[j]);
    }
}

static void r_hat_does_not_depend_on_scale_or_order_of_chains(void **unused)
{
    (void)unused;
    double x[2][40], y[2][40];
    for (size_t i = 0; i < 80; i++) {
        x[i / 40][i % 40] = cases[1].draws[i];
        y[1 - i / 40][i % 40] = 8 * cases[1].draws[i]; /* exact: no rank changes */
    }
    gb_mixing a, b;
    assert_int_equal(gb_mixing_of(2, 40, &x[0][0], &a, NULL), GB_OK);
    assert_int_equal(gb_mixing_of(2, 40, &y[0][0], &b, NULL), GB_OK);
    assert_true(fabs(a.r_hat - b.r_hat) < 1e-9);
    assert_true(fabs(a.ess_bulk - b.ess_bulk) < 1e-9 * a.ess_bulk);
    assert_true(fabs(a.ess_tail - b.ess_tail) < 1e-9 * a.ess_tail);
}

static void where_a_chain_is_does_not_matter_within_chains(void **unused)
{
    (void)unused;
    double x[4][40];
    gb_mixing here, apart;
    for (size_t i = 0; i < 160; i++)
        x[i / 40][i % 40] = cases[0].draws[i];
    assert_int_equal(gb_mixing_of(4, 40, &x[0][0], &here, NULL), GB_OK);
    for (size_t i = 0; i < 160; i++)
        x[i / 40][i % 40] += 1024 * (double)(i / 40);
    assert_int_equal(gb_mixing_of(4, 40, &x[0][0], &apart, NULL), GB_OK);
    assert_true(here.r_hat < 1.1 && apart.r_hat > 1.5);
    assert_true(fabs(here.r_hat_within - apart.r_hat_within) < 0.01); /* rounding breaks the ties of folded draws */
    for (size_t i = 0; i < 160; i++)
        x[i / 40][i % 40] += i % 40 < 20 ? 0 : 3; /* each chain is elsewhere in its second half */
    assert_int_equal(gb_mixing_of(4, 40, &x[0][0], &apart, NULL), GB_OK);
    assert_true(apart.r_hat_within > 1.5);
}

/* The last digits of sums are no draws: without a rule for them R-hat is about 1, as if chains had converged. */
static void draws_that_are_equal_but_for_rounding_have_no_r_hat(void **unused)
{
    (void)unused;
    double x[30];
    gb_mixing m;
    for (size_t i = 0; i < 30; i++)
        x[i] = 0.1;
    assert_int_equal(gb_mixing_of(3, 10, x, &m, NULL), GB_OK);
    assert_true(m.sd == 0 && m.mean == 0.1);
    assert_true(isnan(m.r_hat) && isnan(m.r_hat_within) && isnan(m.ess_bulk) && isnan(m.ess_tail) && isnan(m.mcse));
    for (size_t i = 0; i < 30; i++)
        x[i] = i % 3 == 0 ? 0.1 : i % 7 == 0 ? nextafter(0.1, 0) : nextafter(0.1, 1);
    assert_int_equal(gb_mixing_of(3, 10, x, &m, NULL), GB_OK);
    assert_true(isnan(m.r_hat) && isnan(m.r_hat_within) && isnan(m.ess_bulk));
    for (size_t i = 0; i < 30; i++)
        x[i] = 1e12 + (double)(i * 7 % 10); /* little, but no rounding */
    assert_int_equal(gb_mixing_of(3, 10, x, &m, NULL), GB_OK);
    assert_true(m.r_hat > 0.8 && m.r_hat < 1.2);
}

static void chains_that_stand_still_in_different_places_never_agree(void **unused)
{
    (void)unused;
    double x[30];
    for (size_t i = 0; i < 30; i++)
        x[i] = i < 10 ? 1 : 2;
    gb_mixing m;
    assert_int_equal(gb_mixing_of(3, 10, x, &m, NULL), GB_OK);
    assert_true(isinf(m.r_hat) && m.r_hat > 0);
}

static void draws_that_are_no_numbers_give_none(void **unused)
{
    (void)unused;
    static const double wrong[] = {NAN, INFINITY};
    for (size_t i = 0; i < 2; i++) {
        double x[20] = {1, 2, 3, 4};
        gb_mixing m;
        x[17] = wrong[i];
        assert_int_equal(gb_mixing_of(2, 10, x, &m, NULL), GB_OK);
        assert_true(isnan(m.mean) && isnan(m.sd) && isnan(m.r_hat) && isnan(m.r_hat_within) && isnan(m.ess_bulk) &&
                    isnan(m.ess_tail) && isnan(m.mcse));
    }
}

static void fewer_than_four_draws_have_a_mean_only(void **unused)
{
    (void)unused;
    const double x[] = {1, 2, 3, 4, 5, 6};
    gb_mixing m;
    assert_int_equal(gb_mixing_of(2, 3, x, &m, NULL), GB_OK);
    assert_true(m.mean == 3.5 && fabs(m.sd - sqrt(3.5)) < 1e-15);
    assert_true(isnan(m.r_hat) && isnan(m.r_hat_within) && isnan(m.ess_bulk) && isnan(m.ess_tail) && isnan(m.mcse));
    assert_int_equal(gb_mixing_of(1, 1, x, &m, NULL), GB_OK);
    assert_true(m.mean == 1 && isnan(m.sd));
    assert_int_equal(gb_mixing_of(0, 3, x, &m, NULL), GB_EARGUMENT);
    assert_int_equal(gb_mixing_of(3, 0, x, &m, NULL), GB_EARGUMENT);
    assert_int_equal(gb_mixing_of(UINT64_MAX / 2, 4, x, &m, NULL), GB_ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_are_those_of_arviz),
                                       cmocka_unit_test(r_hat_does_not_depend_on_scale_or_order_of_chains),
                                       cmocka_unit_test(where_a_chain_is_does_not_matter_within_chains),
                                       cmocka_unit_test(draws_that_are_equal_but_for_rounding_have_no_r_hat),
                                       cmocka_unit_test(chains_that_stand_still_in_different_places_never_agree),
                                       cmocka_unit_test(draws_that_are_no_numbers_give_none),
                                       cmocka_unit_test(fewer_than_four_draws_have_a_mean_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
