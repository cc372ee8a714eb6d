/* Effects relative to the average document: by hand, and whatever number is added to all topics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/contrast.h"

#include <math.h>

enum { K = 3, P = 4, F = K + P + 1, N = 2 };

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fmax(fabs(a), fabs(b)))))
        fail_msg("%.17g is not %.17g", a, b);
}

/* Topics, a number, a factor of two levels, a list of one item, and the intercept. */
static const double eta_1[F] = {1, 2, 4, 0.5, 3, -1, 0.25, 10}, eta_2[F] = {0, 1, -2, 0.25, 1, 2, 0.5, -3};
static const double share_1[K] = {0.5, 0.3, 0.2}, share_2[K] = {0.25, 0.75, 0};
static const double *const eta[N] = {eta_1, eta_2}, *const share[N] = {share_1, share_2};

static gb_coding *make_coding(const char *means)
{
    gb_coding *coding;
    json_t *object = json_pack(
        "{s:s, s:[{s:s, s:s, s:f, s:f, s:f}, {s:s, s:s, s:[s, s], s:[]}, {s:s, s:s, s:[s], s:[]}]}", "impute", "none",
        "fields", "name", "x", "kind", "number", "mean", 7., "centre", 7., "scale", 4., "name", "party", "kind",
        "factor", "levels", "Tory", "Whig", "rare", "name", "company", "kind", "list", "levels", "A", "rare");
    assert_non_null(object);
    assert_int_equal(json_object_set_new(object, "means", json_loads(means, 0, NULL)), 0);
    assert_int_equal(gb_coding_from_json(object, &coding, NULL), GB_OK);
    json_decref(object);
    return coding;
}

/* The target is 100 + 2 x score. */
static gb_effect_draws make_draws(const gb_coding *coding)
{
    return (gb_effect_draws){.n_draws = N,
                             .n_topics = K,
                             .n_columns = P,
                             .intercept = true,
                             .eta = eta,
                             .share = share,
                             .coding = coding,
                             .centre = 100,
                             .scale = 2};
}

static gb_effect contrast_of(const gb_effect_draws *d, gb_feature_set a, gb_feature_set b)
{
    gb_effect e;
    assert_int_equal(gb_contrast_of_draws(d, a, b, &e, NULL), GB_OK);
    return e;
}

static gb_feature_set set_of(size_t n, const uint64_t *feature)
{
    return (gb_feature_set){n, feature};
}

static const gb_feature_set nothing = {0, NULL};
static const uint64_t first[1] = {0}, second[1] = {1}, third[1] = {2}, first_and_third[2] = {0, 2};
static const uint64_t tory[1] = {K + 1}, whig[1] = {K + 2}, item[1] = {K + 3};

static void effects_are_relative_to_the_average_document(void **state)
{
    (void)state;
    gb_coding *coding = make_coding("[0, 0.2, 0.6, 0.1]"); /* a fifth has no party */
    const gb_effect_draws d = make_draws(coding);
    /* of topics 1.9 and 0.75; of parties (0.2 x 3 - 0.6) / 0.8 = 0 and (0.2 + 1.2) / 0.8 = 1.75 */
    const double expected[F] = {2 * ((1 - 1.9) + (0 - 0.75)) / 2,
                                2 * ((2 - 1.9) + (1 - 0.75)) / 2,
                                2 * ((4 - 1.9) + (-2 - 0.75)) / 2,
                                2 * (0.5 + 0.25) / 4 / 2,
                                2 * ((3 - 0) + (1 - 1.75)) / 2,
                                2 * ((-1 - 0) + (2 - 1.75)) / 2,
                                2 * (0.25 + 0.5) / 2,
                                100 + 2 * ((10 + 1.9 + 0 + 0.025) + (-3 + 0.75 + 1.4 + 0.05)) / 2};
    gb_effect e[F];
    assert_int_equal(gb_effects_of_draws(&d, 0, F, e, NULL), GB_OK);
    for (size_t j = 0; j < F; j++) {
        gb_effect one;
        assert_near(e[j].mean, expected[j]);
        assert_int_equal(e[j].n_draws, N);
        assert_int_equal(e[j].n_unused, 0);
        assert_true(isnan(e[j].shrinkage));
        assert_int_equal(gb_effects_of_draws(&d, j, 1, &one, NULL), GB_OK);
        assert_memory_equal(&one, &e[j], sizeof one);
    }
    gb_coding_free(coding);
}

static void sets_are_weighted_by_their_shares(void **state)
{
    (void)state;
    gb_coding *coding = make_coding("[0, 0.2, 0.6, 0.1]");
    const gb_effect_draws d = make_draws(coding);
    /* topics 1 and 3: (0.5 x 1 + 0.2 x 4) / 0.7 and, since topic 3 is empty there, 0 */
    const double both_1 = 1.3 / 0.7, both_2 = 0;
    gb_effect e = contrast_of(&d, set_of(2, first_and_third), set_of(1, second));
    assert_near(e.mean, 2 * ((both_1 - 2) + (both_2 - 1)) / 2);
    assert_near(e.sd, 2 * fabs((both_1 - 2) - (both_2 - 1)) / sqrt(2));
    e = contrast_of(&d, set_of(2, first_and_third), nothing);
    assert_near(e.mean, 2 * ((both_1 - 1.9) + (both_2 - 0.75)) / 2);
    e = contrast_of(&d, set_of(1, third), set_of(1, first)); /* an empty topic alone has its coefficient */
    assert_near(e.mean, 2 * ((4 - 1) + (-2 - 0)) / 2);
    e = contrast_of(&d, set_of(1, whig), set_of(1, tory));
    assert_near(e.mean, 2 * ((-1 - 3) + (2 - 1)) / 2);
    e = contrast_of(&d, set_of(1, item), nothing);
    assert_near(e.mean, 2 * (0.25 + 0.5) / 2);
    gb_coding_free(coding);
}

static void a_number_added_to_all_topics_or_levels_changes_nothing(void **state)
{
    (void)state;
    static const double added[N] = {2.5, -40}, to_levels[N] = {-3, 16};
    double other_eta[N][F];
    gb_coding *coding = make_coding("[0, 0.25, 0.75, 0.1]");
    const gb_effect_draws d = make_draws(coding);
    gb_effect_draws other = d;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < F; j++)
            other_eta[i][j] = eta[i][j] + (j < K                      ? added[i]
                                           : j == K + 1 || j == K + 2 ? to_levels[i]
                                           : j == F - 1               ? -added[i] - to_levels[i]
                                                                      : 0);
    other.eta = (const double *const[N]){other_eta[0], other_eta[1]};
    gb_effect a[F], b[F];
    assert_int_equal(gb_effects_of_draws(&d, 0, F, a, NULL), GB_OK);
    assert_int_equal(gb_effects_of_draws(&other, 0, F, b, NULL), GB_OK);
    for (size_t j = 0; j < F; j++) {
        assert_near(a[j].mean, b[j].mean);
        assert_near(a[j].q05, b[j].q05);
    }
    assert_near(contrast_of(&d, set_of(2, first_and_third), set_of(1, second)).mean,
                contrast_of(&other, set_of(2, first_and_third), set_of(1, second)).mean);
    assert_near(contrast_of(&d, set_of(1, whig), nothing).mean, contrast_of(&other, set_of(1, whig), nothing).mean);
    gb_coding_free(coding);
}

/* In the second draw topics 1 and 2 have changed places, and topic 3 is not there. */
static void topics_of_another_chain_count_where_they_match(void **state)
{
    (void)state;
    static const uint32_t matched[K] = {1, 0, GB_UNMATCHED_TOPIC};
    static const uint32_t *const topic[N] = {NULL, matched};
    gb_coding *coding = make_coding("[0, 0.5, 0.5, 1]");
    gb_effect_draws d = make_draws(coding);
    gb_effect e[K];
    d.topic = topic;
    assert_int_equal(gb_effects_of_draws(&d, 0, K, e, NULL), GB_OK);
    assert_near(e[0].mean, 2 * ((1 - 1.9) + (1 - 0.75)) / 2);
    assert_near(e[1].mean, 2 * ((2 - 1.9) + (0 - 0.75)) / 2);
    assert_near(e[2].mean, 2 * (4 - 1.9));
    assert_int_equal(e[0].n_draws, 2);
    assert_int_equal(e[2].n_draws, 1);
    assert_int_equal(e[2].n_unused, 1);
    const gb_effect c = contrast_of(&d, set_of(1, first), set_of(1, third));
    assert_int_equal(c.n_unused, 1);
    assert_near(c.mean, 2 * (1 - 4));
    d.n_draws = 1;
    d.topic = topic + 1;
    d.eta = eta + 1;
    d.share = share + 1;
    assert_int_equal(gb_effects_of_draws(&d, 2, 1, e, NULL), GB_OK);
    assert_int_equal(e[0].n_draws, 0);
    assert_true(isnan(e[0].mean) && isnan(e[0].q95) && isnan(e[0].p_positive));
    gb_coding_free(coding);
}

static void means_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"[0, 0.5, 0.5]", "[0, 0.5, 0.5, \"1\"]", "{\"x\": 0}"};
    gb_coding *coding = make_coding("[0, 0.25, 0.75, 0.1]"), *again;
    json_t *object = gb_coding_to_json(coding);
    assert_int_equal(gb_coding_from_json(object, &again, NULL), GB_OK);
    assert_near(gb_coding_column_mean(again, 2), 0.75);
    gb_coding_free(again);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(json_object_set_new(object, "means", json_loads(wrong[i], 0, NULL)), 0);
        assert_int_equal(gb_coding_from_json(object, &again, NULL), GB_EFORMAT);
    }
    json_decref(object);
    gb_coding_free(coding);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_are_relative_to_the_average_document),
        cmocka_unit_test(sets_are_weighted_by_their_shares),
        cmocka_unit_test(a_number_added_to_all_topics_or_levels_changes_nothing),
        cmocka_unit_test(topics_of_another_chain_count_where_they_match),
        cmocka_unit_test(means_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
