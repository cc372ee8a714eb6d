/* test_level_law.c - levels of short texts: what their scores count, and how often levels of a probability come true. */
#include "helper_documents.h"

#include "math/special.h"
#include "model/model.h"
#include "random/random.h"
#include "response/level_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_OUT = 2000, LEVELS = 4, WHOLE = 200, SHORT = 7 };

static const double cut_point[LEVELS - 1] = {-2, 0, 1};

static double y[HELD_OUT], score[2][HELD_OUT];
static uint64_t n_tokens[2][HELD_OUT];

static gb_response ordinal(void)
{
    return (gb_response){.ops = gb_response_find("ordinal"), .n_levels = LEVELS, .own = cut_point, .n_outputs = 1};
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", value, expected);
}

/* Scores of whole texts have the variance 4 around 0.5; those of short ones that and the variance `noise`. */
static void simulate(double noise)
{
    gb_random random = gb_random_open(gb_key_make(31, 0), 0, GB_DRAW_TEST, 1);
    const gb_response response = ordinal();
    for (size_t d = 0; d < HELD_OUT; d++) {
        score[0][d] = 0.5 + 2 * gb_random_normal(&random);
        score[1][d] = score[0][d] + sqrt(noise) * gb_random_normal(&random);
        y[d] = response.ops->simulate(&response, score[0][d], &random);
        n_tokens[0][d] = WHOLE;
        n_tokens[1][d] = SHORT;
    }
}

static gb_level_law fitted(size_t n)
{
    gb_level_law law;
    const gb_new_levels whole = {n, y, score[0], n_tokens[0]}, cut = {n, y, score[1], n_tokens[1]};
    assert_int_equal(gb_level_law_fit(LEVELS, &whole, &cut, &law, NULL), GB_OK);
    return law;
}

/* Of the levels that `law` gives short texts: the mean probability of the likeliest, less how often it is right. */
static double over_confidence(const gb_level_law *law)
{
    const gb_response response = ordinal();
    double sum = 0;
    for (size_t d = 0; d < HELD_OUT; d++) {
        double variance, most = 0;
        const double mean = gb_level_law_score(law, &response, score[1][d], SHORT, &variance);
        size_t likeliest = 0;
        for (size_t level = 1; level <= LEVELS; level++) {
            const double p = response.ops->level_probability(&response, level, mean, variance);
            likeliest = p > most ? level : likeliest;
            most = fmax(p, most);
        }
        sum += most - (y[d] == (double)likeliest ? 1 : 0);
    }
    return sum / HELD_OUT;
}

/* Half of the variance of short texts is that of whole ones: half of a score counts, and half of the variance stays open. */
static void scores_of_short_texts_count_less(void **state)
{
    (void)state;
    simulate(4);
    const gb_response response = ordinal();
    const gb_level_law none = {.share = NULL};
    gb_level_law law = fitted(HELD_OUT);
    double variance;
    assert_near(law.centre, 0.5, 0.1);
    assert_near(law.variance, 4, 0.3);
    assert_near(law.log_whole, log(WHOLE + 1), 1e-9);
    assert_true(law.length == 8 && law.open == 8); /* 8 / (8 + 8) */
    assert_near(gb_level_law_score(&law, &response, 2.5, SHORT, &variance), 0.5 + 0.5 * 2, 0.1);
    assert_near(variance, 2, 0.2);
    assert_near(gb_level_law_score(&law, &response, 2.5, WHOLE, &variance), 2.5, 1e-9);
    assert_near(variance, 0, 1e-9);
    assert_near(gb_level_law_score(&law, &response, 2.5, 10 * WHOLE, &variance), 2.5, 1e-9);
    assert_near(variance, 0, 1e-9);
    assert_true(gb_level_law_score(&none, &response, 2.5, SHORT, &variance) == 2.5 && variance == 0);
    assert_true(over_confidence(&none) > 0.1); /* three standard errors are 0.033 */
    assert_near(over_confidence(&law), 0, 0.033);
    gb_level_law_clear(&law);
}

/* First words that say all are as good as whole texts. */
static void scores_that_say_as_much_count_as_much(void **state)
{
    (void)state;
    simulate(0);
    gb_level_law law = fitted(HELD_OUT);
    assert_true(law.length == 0 && law.open == 0);
    gb_level_law_clear(&law);
}

/* Scores are from the middle cut point, wherever cut points and scores have gone together. */
static void scores_are_from_the_middle_cut_point(void **state)
{
    (void)state;
    simulate(4);
    gb_response response = ordinal();
    gb_level_law law = fitted(HELD_OUT);
    double moved[LEVELS - 1], variance;
    for (size_t j = 0; j < LEVELS - 1; j++)
        moved[j] = cut_point[j] + 100;
    const double before = gb_level_law_score(&law, &response, 2.5, SHORT, &variance);
    response.own = moved;
    assert_near(gb_level_law_score(&law, &response, 102.5, SHORT, &variance), before + 100, 1e-9);
    gb_level_law_clear(&law);
}

/* Few labels make none; a level without any has a share above 0. */
static void what_is_missing_is_left_out(void **state)
{
    (void)state;
    simulate(4);
    for (size_t d = 0; d < HELD_OUT; d++)
        if (d % 2 == 1 || y[d] == 3)
            y[d] = d % 2 == 1 ? NAN : 2;
    gb_level_law law = fitted(38);
    assert_null(law.share);
    law = fitted(HELD_OUT);
    assert_non_null(law.share);
    assert_true(law.share[2] > 0 && law.share[2] < 0.001);
    assert_near(law.share[0] + law.share[1] + law.share[2] + law.share[3], 1, 1e-12);
    assert_true(isfinite(law.length) && isfinite(law.open));
    gb_level_law_clear(&law);
}

/* A normal score and the noise are one normal number. */
static void a_score_may_be_uncertain(void **state)
{
    (void)state;
    enum { POINTS = 2000 };
    const gb_response response = ordinal();
    for (size_t level = 1; level <= LEVELS; level++) {
        double mean = 0;
        for (size_t i = 0; i < POINTS; i++)
            mean += response.ops->level_probability(&response, level,
                                                    0.3 + 1.5 * gb_normal_quantile(((double)i + 0.5) / POINTS), 0) /
                    POINTS;
        assert_near(response.ops->level_probability(&response, level, 0.3, 1.5 * 1.5), mean, 1e-4);
    }
}

/* ---- models ---- */

static gb_prediction *predict(const gb_model *model, const gb_corpus *corpus)
{
    gb_prediction *p = NULL;
    gb_settings *s = settings_of("threads", "1", NULL);
    assert_int_equal(gb_prediction_create(model, gb_corpus_n_docs(corpus), &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, corpus, 0, s, NULL, NULL, p, NULL), GB_OK);
    gb_settings_free(s);
    return p;
}

/* In the model, its copies and its file: of short texts the probabilities change, of others they do not. */
static void models_keep_the_law(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated_with(settings_of("documents", "300", "length", "30", "vocabulary-size", "200",
                                                   "topics", "5", "response", "ordinal", "seed", "3", NULL));
    gb_settings *s =
        settings_of("topics", "5", "response", "ordinal", "sweeps", "40", "burn-in", "30", "seed", "2", NULL);
    gb_model *model = NULL, *read = NULL;
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    gb_level_law *law = &model->target[0].level_law;
    assert_non_null(law->share);
    assert_near(law->log_whole, log(31), 0.5);
    gb_prediction *as_whole, *as_short, *again;
    law->length = law->open = 16;
    law->log_whole = log(3);
    as_whole = predict(model, corpus);
    law->log_whole = log(300);
    as_short = predict(model, corpus);
    assert_int_equal(gb_model_write(model, "levels.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("levels.gibbous", NULL, NULL, &read, NULL), GB_OK);
    again = predict(read, corpus);
    const uint64_t n = corpus->n_docs * model->target[0].n_classes;
    const double *p = as_whole->response[0].probability, *q = as_short->response[0].probability;
    assert_memory_equal(q, again->response[0].probability, n * sizeof *q);
    assert_memory_equal(as_whole->score, as_short->score, corpus->n_docs * sizeof *as_whole->score);
    double sure[2] = {0};
    for (uint64_t i = 0; i < n; i++) {
        sure[0] += p[i] * p[i];
        sure[1] += q[i] * q[i];
    }
    assert_true(sure[1] < 0.99 * sure[0]);
    assert_int_equal(remove("levels.gibbous"), 0);
    gb_prediction_free(as_whole);
    gb_prediction_free(as_short);
    gb_prediction_free(again);
    gb_model_free(model);
    gb_model_free(read);
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_of_short_texts_count_less),
        cmocka_unit_test(scores_that_say_as_much_count_as_much),
        cmocka_unit_test(scores_are_from_the_middle_cut_point),
        cmocka_unit_test(what_is_missing_is_left_out),
        cmocka_unit_test(a_score_may_be_uncertain),
        cmocka_unit_test(models_keep_the_law),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
