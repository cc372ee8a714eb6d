/* Held-out likelihood per token, from that of documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "evaluation/held_out_scores.h"

#include <math.h>

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-12))
        fail_msg("%.15g, expected %.15g", found, expected);
}

static void tokens_weigh_alike_and_errors_add_in_squares(void **unused)
{
    (void)unused;
    gb_held_out_scores s = {0};
    gb_held_out_scores_add(&s, 2, -10, 0.3, 1);
    gb_held_out_scores_add(&s, 0, 0, 0, 1);
    gb_held_out_scores_add(&s, 6, -18, 0.4, 1);
    assert_int_equal(s.n_rough, 0);
    const gb_held_out_summary r = gb_held_out_scores_summary(&s);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.n_empty, 1);
    assert_int_equal(s.n_tokens, 8);
    assert_near(r.log_likelihood, -28.0 / 8);
    assert_near(r.perplexity, exp(3.5));
    assert_near(r.mc_se, 0.5 / 8);
    assert_near(r.se, sqrt(2.0 / 1 * (9.0 + 9.0)) / 8); /* -10 + 7 = -3, -18 + 21 = 3 */
}

static void rough_documents_are_counted(void **unused)
{
    (void)unused;
    gb_held_out_scores s = {0};
    gb_held_out_scores_add(&s, 2, -10, 0.9, 1);
    gb_held_out_scores_add(&s, 2, -10, 0.4, 1);
    gb_held_out_scores_add(&s, 2, -10, NAN, 1);
    assert_int_equal(s.n_rough, 1);
}

static void what_cannot_be_known_is_nan(void **unused)
{
    (void)unused;
    gb_held_out_scores s = {0};
    gb_held_out_scores_add(&s, 0, 0, 0, 1);
    assert_true(isnan(gb_held_out_scores_summary(&s).log_likelihood));
    gb_held_out_scores_add(&s, 3, -6, NAN, 1);
    const gb_held_out_summary r = gb_held_out_scores_summary(&s);
    assert_near(r.log_likelihood, -2);
    assert_true(isnan(r.se) && isnan(r.mc_se));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_weigh_alike_and_errors_add_in_squares),
        cmocka_unit_test(rough_documents_are_counted),
        cmocka_unit_test(what_cannot_be_known_is_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
