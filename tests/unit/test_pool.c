/* test_pool.c - one posterior from those of several folds: against an independent sum, and how often its intervals cover. */
#include "helper_stream.h"

#include "estimate/pool.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%g, not %g", found, expected);
}

/* ---- numbers ---- */

static void one_fold_is_its_own_pool(void **state)
{
    const gb_fold_posterior fold = {2, 9};
    const gb_pooled p = gb_pool_folds(&fold, 1);
    (void)state;
    assert_near(p.mean, 2, 1e-12);
    assert_near(p.sd, 3, 1e-12);
    assert_near(p.q05, 2 - 3 * 1.6448536269514722, 1e-9);
    assert_near(p.median, 2, 1e-9);
    assert_near(p.q95, 2 + 3 * 1.6448536269514722, 1e-9);
    assert_near(p.p_positive, 0.7475074624530771, 1e-12); /* Phi(2 / 3) */
    assert_true(isnan(p.between));
}

/* The integral over tau by 200,000 points, from a program of a few lines of another language.  The pool has 64 points, the last of
 * which stands for a long tail: 1 % of the standard deviation in quantiles, more in what the tail weighs in. */
static void the_pool_of_several_folds_is_the_integral_over_what_folds_differ_by(void **state)
{
    static const struct {
        gb_fold_posterior fold[5];
        size_t n;
        gb_pooled expected;
    } cases[] = {{{{1, 1}, {2, 4}, {3, 1}}, 3, {2, 0.950136, 0.607290, 2, 3.392710, 0.984120, 0.695034}},
                 {{{0.5, 0.04}, {0.7, 0.09}, {-0.2, 0.04}, {0.4, 0.05}, {0.6, 0.06}},
                  5,
                  {0.361552, 0.158095, 0.122546, 0.357616, 0.615178, 0.987415, 0.207523}}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gb_pooled *e = &cases[i].expected, p = gb_pool_folds(cases[i].fold, cases[i].n);
        assert_near(p.mean, e->mean, 0.002 * e->sd);
        assert_near(p.sd, e->sd, 0.03 * e->sd);
        assert_near(p.q05, e->q05, 0.01 * e->sd);
        assert_near(p.median, e->median, 0.01 * e->sd);
        assert_near(p.q95, e->q95, 0.01 * e->sd);
        assert_near(p.p_positive, e->p_positive, 0.001);
        assert_near(p.between, e->between, 0.01 * e->between);
    }
}

static void a_mirror_a_unit_and_the_order_of_folds_change_nothing_else(void **state)
{
    static const gb_fold_posterior fold[3] = {{1, 1}, {2.5, 4}, {3, 0.5}};
    static const gb_fold_posterior other[3] = {{-30, 50}, {-25, 400}, {-10, 100}}; /* -10 times, the last first */
    const gb_pooled p = gb_pool_folds(fold, 3), q = gb_pool_folds(other, 3);
    (void)state;
    assert_near(q.mean, -10 * p.mean, 1e-9);
    assert_near(q.sd, 10 * p.sd, 1e-9);
    assert_near(q.q05, -10 * p.q95, 1e-9);
    assert_near(q.median, -10 * p.median, 1e-9);
    assert_near(q.p_positive, 1 - p.p_positive, 1e-9);
    assert_near(q.between, 10 * p.between, 1e-9);
}

static void draws_that_do_not_vary_have_a_mean_and_no_law(void **state)
{
    static const gb_fold_posterior fold[2] = {{1, 0}, {2, 1}};
    const gb_pooled p = gb_pool_folds(fold, 2);
    (void)state;
    assert_near(p.mean, 1.5, 1e-12);
    assert_true(isnan(p.sd) && isnan(p.q05) && isnan(p.median) && isnan(p.q95) && isnan(p.p_positive));
}

/* ---- coverage ---- */

enum { N_FOLDS = 5, N_REDRAWS = 1500 };

/* How often 90 % intervals hold the effect: of the pool, and of the plain mean of draws of folds that each have the whole prior. */
typedef struct coverage {
    double pool, plain;
} coverage;

/* A prior of precision `prior` for the effect, folds that differ by `between`, and data of a precision between 0.5 and 1.5. */
static coverage measure(double prior, double between, uint64_t *state)
{
    coverage c = {0, 0};
    for (size_t r = 0; r < N_REDRAWS; r++) {
        gb_fold_posterior fold[N_FOLDS];
        const double effect = prior > 0 ? normal(state) / sqrt(prior) : 1;
        double mean = 0, variance = 0;
        for (size_t f = 0; f < N_FOLDS; f++) {
            const double h = 0.5 + uniform(state), y = effect + between * normal(state) + normal(state) / sqrt(h);
            fold[f] = (gb_fold_posterior){y * h / (h + prior / N_FOLDS), 1 / (h + prior / N_FOLDS)};
            mean += y * h / (h + prior) / N_FOLDS;
            variance += 1 / (h + prior) / N_FOLDS / N_FOLDS;
        }
        const gb_pooled p = gb_pool_folds(fold, N_FOLDS);
        c.pool += p.q05 < effect && effect < p.q95;
        c.plain += fabs(effect - mean) < 1.6449 * sqrt(variance);
    }
    return (coverage){c.pool / N_REDRAWS, c.plain / N_REDRAWS};
}

/* Five folds tell little of how they differ: if it is as much as each is uncertain, the intervals hold 86 of 100.  The standard error of a
 * share of 1,500 is 0.009. */
static void about_nine_of_ten_intervals_hold_the_effect(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (int prior = 0; prior < 2; prior++)
        for (int between = 0; between <= 2; between++) {
            const coverage c = measure(prior, 0.5 * between, &random);
            if (c.pool < 0.84 || c.pool > 0.96)
                fail_msg("prior %d, between folds %g: %g", prior, 0.5 * between, c.pool);
        }
}

static void means_of_draws_would_not(void **state)
{
    uint64_t random = 1;
    (void)state;
    assert_true(measure(1, 0, &random).plain < 0.75); /* the prior counts five times */
    assert_true(measure(0, 1, &random).plain < 0.85); /* folds differ */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_fold_is_its_own_pool),
        cmocka_unit_test(the_pool_of_several_folds_is_the_integral_over_what_folds_differ_by),
        cmocka_unit_test(a_mirror_a_unit_and_the_order_of_folds_change_nothing_else),
        cmocka_unit_test(draws_that_do_not_vary_have_a_mean_and_no_law),
        cmocka_unit_test(about_nine_of_ten_intervals_hold_the_effect),
        cmocka_unit_test(means_of_draws_would_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
