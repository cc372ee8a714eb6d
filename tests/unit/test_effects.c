/* Effects of topics and covariates: statistics of the draws, in the units of the fields. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "coefficient/shrinkage.h"
#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"
#include "helper_models.h"
#include "model/effects.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { K = 2, P = 3, F = K + P + 1 };

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1, fmax(fabs(a), fabs(b)))))
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- a model with given draws ---- */

/* A number, coded as (y - 10) / 2; covariates: a number coded as (x - 3) / 4, and a factor of two levels. */
static gb_model *describe_model(bool is_number)
{
    gb_model *m;
    static const char *const coding =
        "{\"impute\":\"none\",\"fields\":[{\"name\":\"x\",\"kind\":\"number\",\"mean\":3,"
        "\"centre\":3,\"scale\":4},{\"name\":\"f\",\"kind\":\"factor\","
        "\"levels\":[\"a\",\"b\"],\"rare\":[]}],\"means\":[0,0.25,0.75]}";
    json_t *object = json_loads(coding, 0, NULL);
    assert_int_equal(gb_alloc(&m, 1, sizeof *m, "", NULL), GB_OK);
    m->n_topics = K;
    m->prior = (gb_prior_setup){.ops = gb_prior_find("uniform"), .n_topics = K};
    m->n_columns = P;
    m->n_outputs = m->n_responses = 1;
    m->intercept = true;
    assert_int_equal(gb_coding_from_json(object, &m->coding, NULL), GB_OK);
    json_decref(object);
    assert_int_equal(gb_alloc(&m->target, 1, sizeof *m->target, "", NULL), GB_OK);
    m->target[0].response.n_outputs = 1;
    m->target[0].task = is_number ? GB_TASK_REGRESSION : GB_TASK_BINARY;
    m->target[0].centre = is_number ? 10 : 0;
    m->target[0].scale = is_number ? 2 : 1;
    return m;
}

/* Draws with these coefficients, the first n_first of them of the first chain.  All documents are about topic 1. */
static gb_model *make_model(size_t n_draws, size_t n_first, bool is_number, const double (*eta)[F])
{
    gb_model *m = describe_model(is_number);
    gb_draw draw[20] = {{0}};
    const uint64_t word_start[1] = {0}; /* there are no words */
    const double score[2] = {0, 1}, share[K] = {1, 0};
    for (size_t i = 0; i < n_draws; i++)
        draw[i] = (gb_draw){.chain = i >= n_first,
                            .sweep = i + 1,
                            .word_start = word_start,
                            .n_outputs = 1,
                            .eta = eta[i],
                            .score = score,
                            .share = share};
    give_draws(m, 2, n_draws, draw);
    return m;
}

static gb_effect effect_of(const gb_model *m, uint64_t feature)
{
    gb_effect e;
    assert_int_equal(gb_model_effect(m, 0, feature, &e, NULL), GB_OK);
    return e;
}

/* Topic 2 has 3, -1, 5, 2, 4 in the first chain and 100 in two draws of the second, as has the level a of a quarter of the
 * documents.  All else is 0. */
static gb_model *make_two_chains(void)
{
    static const double eta[] = {3, -1, 5, 2, 4, 100, 100};
    double all[7][F] = {{0}};
    for (size_t i = 0; i < 7; i++)
        all[i][1] = all[i][K + 1] = eta[i];
    return make_model(7, 5, false, (const double(*)[F])all);
}

static void statistics_are_those_of_the_draws(void **state)
{
    (void)state;
    gb_model *m = make_two_chains();
    const gb_effect e = effect_of(m, 1);
    assert_int_equal(e.n_draws, 5);
    assert_int_equal(e.n_unused, 2);
    assert_near(e.mean, 13.0 / 5);
    assert_near(e.sd, sqrt((0.16 + 12.96 + 5.76 + 0.36 + 1.96) / 4));
    assert_near(e.q05, -1 + 0.2 * 3); /* 0.05 of four steps: 0.2 of the way from -1 to 2 */
    assert_near(e.median, 3);
    assert_near(e.q95, 4 + 0.8);
    assert_near(e.p_positive, 0.8);
    assert_true(isnan(e.shrinkage));
    gb_model_free(m);
}

static void covariates_take_the_draws_of_all_chains(void **state)
{
    (void)state;
    gb_model *m = make_two_chains();
    const gb_effect e = effect_of(m, K + 1);
    assert_int_equal(e.n_draws, 7);
    assert_int_equal(e.n_unused, 0);
    assert_near(e.mean, 0.75 * 213.0 / 7); /* less the mean over all documents */
    assert_near(e.median, 0.75 * 4);
    gb_model_free(m);
}

static void one_draw_has_no_sd_and_equal_draws_have_none_left(void **state)
{
    (void)state;
    double eta[10][F] = {{0}};
    for (size_t i = 0; i < 10; i++)
        eta[i][1] = 0.1;
    gb_model *m = make_model(1, 1, true, (const double(*)[F])eta);
    assert_true(isnan(effect_of(m, 1).sd));
    assert_near(effect_of(m, 1).q05, 0.2);
    gb_model_free(m);
    m = make_model(10, 10, true, (const double(*)[F])eta);
    assert_true(effect_of(m, 1).sd == 0);
    gb_model_free(m);
}

/* The score computed inside, brought back to the units of the field, is the constant plus the sum of effects, a number's
 * times its distance from the mean. */
static void effects_add_up_to_the_number(void **state)
{
    (void)state;
    for (int is_number = 0; is_number <= 1; is_number++) {
        static const double eta[1][F] = {{0.5, -1.25, 0.75, 2, -3, 0.3}};
        gb_model *m = make_model(1, 1, is_number, eta);
        const double share[K] = {0.3, 0.7}, x = 8;
        const double inside = 0.5 * 0.3 - 1.25 * 0.7 + 0.75 * (x - 3) / 4 + 2 * 0 - 3 * 1 + 0.3; /* level b */
        double outside = effect_of(m, K + P).mean + effect_of(m, K).mean * (x - 3) + effect_of(m, K + 2).mean;
        for (size_t k = 0; k < K; k++)
            outside += effect_of(m, k).mean * share[k];
        assert_near(outside, is_number ? 10 + 2 * inside : inside);
        gb_model_free(m);
    }
}

/* x is used as it is, with a mean of 3. */
static void an_expected_number_has_numeric_covariates_at_their_means(void **state)
{
    (void)state;
    static const double eta[1][F] = {{0.5, -1.25, 0.75, 2, -3, 0.3}}, share[K] = {0.3, 0.7};
    static const char coding[] = "{\"impute\":\"none\",\"fields\":[{\"name\":\"x\",\"kind\":\"number\",\"mean\":3,"
                                 "\"centre\":0,\"scale\":1},{\"name\":\"f\",\"kind\":\"factor\","
                                 "\"levels\":[\"a\",\"b\"],\"rare\":[]}],\"means\":[3,0.25,0.75]}";
    gb_model *m = make_model(1, 1, true, eta);
    const gb_draw draw = gb_model_kept(m, 0);
    const double topics = 0.5 * 0.3 - 1.25 * 0.7;
    assert_near(gb_model_expected(m, &draw, 0, share), 10 + 2 * (topics + 0.3));
    json_t *object = json_loads(coding, 0, NULL);
    gb_coding_free(m->coding);
    m->coding = NULL;
    assert_int_equal(gb_coding_from_json(object, &m->coding, NULL), GB_OK);
    json_decref(object);
    assert_near(gb_model_expected(m, &draw, 0, share), 10 + 2 * (topics + 0.75 * 3 + 0.3));
    gb_model_free(m);
}

static void features_have_names_and_the_average_document_a_value(void **state)
{
    (void)state;
    static const double eta[1][F] = {{1.5}};
    gb_model *m = make_model(1, 1, true, eta);
    assert_int_equal(gb_model_n_columns(m), P);
    assert_string_equal(gb_model_column(m, 0), "x");
    assert_string_equal(gb_model_column(m, 2), "f=b");
    assert_int_equal(gb_model_n_effects(m, 0), F);
    assert_int_equal(gb_model_n_effects(m, 1), 0);
    assert_near(effect_of(m, K + P).mean, 10 + 2 * 1.5);
    m->intercept = false;
    assert_int_equal(gb_model_n_effects(m, 0), F);
    assert_near(effect_of(m, K + P).mean, 10 + 2 * 1.5);
    gb_model_free(m);
}

static void all_effects_at_once_are_the_same(void **state)
{
    (void)state;
    static const double eta[3][F] = {
        {0.5, -1.25, 0.75, 2, -3, 0.3}, {1, 2, -0.5, 0.25, 3, -1}, {0, -1, 0.125, 7, 0.5, 0.75}};
    gb_model *m = make_model(3, 2, true, eta);
    gb_effect all[F];
    assert_int_equal(gb_model_effects(m, 0, all, NULL), GB_OK);
    for (uint64_t j = 0; j < F; j++) {
        const gb_effect one = effect_of(m, j);
        assert_memory_equal(&all[j], &one, sizeof one);
    }
    gb_model_free(m);
}

static void what_does_not_exist_is_refused(void **state)
{
    (void)state;
    static const double eta[1][F] = {{1.5}};
    static const uint64_t topic[1] = {0}, number[1] = {K}, levels[2] = {K + 1, K + 2}, mixed[2] = {0, K + 1},
                          beyond[1] = {F - 1};
    gb_model *m = make_model(1, 1, true, eta);
    gb_effect e;
    assert_int_equal(gb_model_effect(m, 1, 0, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_effect(m, 0, F, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_effects(m, 1, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_contrast(m, 0, 1, topic, 0, NULL, &e, NULL), GB_OK);
    assert_int_equal(gb_model_contrast(m, 0, 2, levels, 1, levels, &e, NULL), GB_OK);
    assert_int_equal(gb_model_contrast(m, 1, 1, topic, 0, NULL, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_contrast(m, 0, 0, NULL, 1, topic, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_contrast(m, 0, 2, mixed, 0, NULL, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_contrast(m, 0, 1, topic, 2, levels, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_contrast(m, 0, 1, number, 0, NULL, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_contrast(m, 0, 1, beyond, 0, NULL, &e, NULL), GB_EARGUMENT);
    gb_model_free(m);
}

/* Three chains of one draw.  Topic A has the words 0 and 1, topic B 2 and 3: these are topics 0 and 1 of the first chain and
 * 1 and 0 of the second; the third has A and a topic of all words.  All documents are about A. */
static gb_model *make_chains_of_other_numbers(void)
{
    static const uint64_t start[5] = {0, 1, 2, 3, 4}, start_3[5] = {0, 2, 4, 5, 6};
    static const uint16_t topic[2][4] = {{0, 0, 1, 1}, {1, 1, 0, 0}}, topic_3[6] = {0, 1, 0, 1, 1, 1};
    static const uint32_t count[6] = {9, 9, 9, 9, 9, 9};
    static const double share[3][K] = {{1, 0}, {0, 1}, {1, 0}}, score[2] = {0, 1};
    static const double eta[3][F] = {{1, 5}, {7, 2}, {3, 100}};
    gb_model *m = describe_model(false);
    gb_draw draw[3];
    m->n_words = 4;
    m->beta = 0.01;
    for (size_t i = 0; i < 3; i++)
        draw[i] = (gb_draw){.chain = i,
                            .sweep = 1,
                            .word_start = i < 2 ? start : start_3,
                            .topic = i < 2 ? topic[i] : topic_3,
                            .count = count,
                            .n_outputs = 1,
                            .eta = eta[i],
                            .score = score,
                            .share = share[i]};
    give_draws(m, 3, 3, draw);
    return m;
}

static void draws_of_all_chains_count_where_topics_are_the_same(void **state)
{
    (void)state;
    static const uint64_t a[1] = {0}, b[1] = {1};
    gb_model *m = make_chains_of_other_numbers();
    gb_effect e = effect_of(m, 0);
    assert_int_equal(e.n_draws, 3);
    assert_int_equal(e.n_unused, 0);
    assert_near(e.mean, 0);
    e = effect_of(m, 1);
    assert_int_equal(e.n_draws, 2);
    assert_int_equal(e.n_unused, 1);
    assert_near(e.mean, ((5 - 1) + (7 - 2)) / 2.);
    assert_near(e.sd, sqrt(0.5)); /* between chains */
    assert_int_equal(gb_model_contrast(m, 0, 1, a, 1, b, &e, NULL), GB_OK);
    assert_int_equal(e.n_unused, 1);
    assert_near(e.mean, ((1 - 5) + (2 - 7)) / 2.);
    e = effect_of(m, K + P);
    assert_int_equal(e.n_draws, 3);
    assert_near(e.mean, (1 + 2 + 3) / 3.);
    gb_model_free(m);
}

/* The third chain has topic 1, but none that is topic 2. */
static void draws_one_by_one_are_those_of_the_effects(void **state)
{
    (void)state;
    gb_model *m = make_chains_of_other_numbers();
    double value[3][F];
    uint64_t topic[K];
    gb_draw_place place;
    assert_int_equal(gb_model_effect_draws(m, 0, 0, F, *value, NULL), GB_OK);
    assert_near(value[0][0], 0);
    assert_near(value[0][1], 5 - 1);
    assert_near(value[1][1], 7 - 2);
    assert_true(isnan(value[2][1]));
    assert_near(value[2][F - 1], 3);
    assert_int_equal(gb_model_effect_draws(m, 0, 1, 1, *value, NULL), GB_OK);
    assert_near(value[0][1], 7 - 2); /* n = 1: draw after draw */
    assert_int_equal(gb_model_topics_of_chain(m, 0, 1, topic, NULL), GB_OK);
    assert_int_equal(topic[0], 1);
    assert_int_equal(topic[1], 0);
    assert_int_equal(gb_model_topics_of_chain(m, 0, 2, topic, NULL), GB_OK);
    assert_int_equal(topic[1], UINT64_MAX);
    assert_true(gb_model_draw(m, 1, &place));
    assert_int_equal(place.chain, 1);
    assert_int_equal(place.sweep, 1);
    assert_int_equal(place.snapshot, 1);
    assert_int_equal(place.n_outputs, 1);
    assert_false(gb_model_draw(m, 3, &place));
    assert_int_equal(gb_model_effect_draws(m, 0, F, 1, *value, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_effect_draws(m, 1, 0, 1, *value, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_topics_of_chain(m, 0, 3, topic, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_topics_of_chain(m, 1, 0, topic, NULL), GB_EARGUMENT);
    gb_model_free(m);
}

static void parameters_of_draws_have_names_and_shapes(void **state)
{
    (void)state;
    gb_model *m = make_chains_of_other_numbers();
    gb_draw_parameter p;
    size_t n_found = 0;
    for (uint64_t i = 0; i < gb_model_n_draw_parameters(m); i++) {
        assert_true(gb_model_draw_parameter(m, i, &p));
        if (strcmp(p.name, "eta") == 0) {
            assert_int_equal(p.n_rows, 1);
            assert_int_equal(p.n_columns, F);
            assert_near(gb_model_draw_value(m, 1, i)[0], 7);
            n_found++;
        }
        if (strcmp(p.name, "shrinkage") == 0) {
            assert_int_equal(p.n_columns, 0);
            assert_null(gb_model_draw_value(m, 0, i));
            n_found++;
        }
    }
    assert_int_equal(n_found, 2);
    assert_false(gb_model_draw_parameter(m, gb_model_n_draw_parameters(m), &p));
    assert_null(gb_model_draw_value(m, 3, 0));
    gb_model_free(m);
}

/* ---- trained models ---- */

static gb_model *train(const char *const extra[][2], size_t n_extra)
{
    static const char *const option[][2] = {
        {"topics", "4"},  {"documents", "60"}, {"vocabulary-size", "25"}, {"length", "12"}, {"classes", "3"},
        {"sweeps", "30"}, {"thin", "1"},       {"chains", "2"},           {"seed", "9"},    {"snapshots", "15"}};
    gb_settings *s;
    gb_corpus *corpus;
    gb_model *model;
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        assert_int_equal(gb_settings_set(s, option[i][0], option[i][1], NULL), GB_OK);
    for (size_t i = 0; i < n_extra; i++)
        assert_int_equal(gb_settings_set(s, extra[i][0], extra[i][1], NULL), GB_OK);
    if (strcmp(gb_settings_get(s, "response", 0), "gaussian") == 0)
        assert_int_equal(gb_settings_unset(s, "classes", NULL), GB_OK);
    assert_int_equal(gb_simulate(NULL, s, NULL, NULL, &corpus, NULL), GB_OK);
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    gb_corpus_free(corpus);
    gb_settings_free(s);
    return model;
}

/* Add the draw's distribution of a topic over the 25 words. */
static void add_shares(const gb_model *m, const gb_draw *draw, uint64_t topic, double *sum)
{
    double n[25] = {0}, total = 0;
    for (uint64_t w = 0; w < 25; w++) {
        for (uint64_t at = draw->word_start[w]; at < draw->word_start[w + 1]; at++)
            n[w] += draw->topic[at] == topic ? draw->count[at] : 0;
        total += n[w];
    }
    for (uint64_t w = 0; w < 25; w++)
        sum[w] += (n[w] + m->beta) / (total + 25 * m->beta);
}

/* Of a trained model, with a gaussian response: an own parameter too. */
static void means_of_draws_one_by_one_are_the_effects(void **state)
{
    (void)state;
    static const char *const extra[][2] = {{"response", "gaussian"}, {"coefficient-prior", "horseshoe"}};
    gb_model *m = train(extra, 2);
    const uint64_t n = gb_model_n_draws(m), n_effects = gb_model_n_effects(m, 0);
    double *value = malloc(n * n_effects * sizeof *value);
    gb_effect e;
    const char *name;
    uint64_t place;
    assert_int_equal(gb_model_effect_draws(m, 0, 0, n_effects, value, NULL), GB_OK);
    for (uint64_t f = 0; f < n_effects; f++) {
        double sum = 0;
        uint64_t n_known = 0;
        for (uint64_t i = 0; i < n; i++) {
            n_known += isnan(value[i * n_effects + f]) ? 0 : 1;
            sum += isnan(value[i * n_effects + f]) ? 0 : value[i * n_effects + f];
        }
        assert_int_equal(gb_model_effect(m, 0, f, &e, NULL), GB_OK);
        assert_int_equal(e.n_draws, n_known);
        assert_near(e.mean, sum / (double)n_known);
    }
    double sum = 0;
    assert_int_equal(gb_model_own_parameter_draws(m, 0, 0, value, NULL), GB_OK);
    assert_int_equal(gb_model_own_parameter(m, 0, 0, &name, &place, &e, NULL), GB_OK);
    for (uint64_t i = 0; i < n; i++)
        sum += value[i];
    assert_near(e.mean, sum / (double)n);
    assert_int_equal(gb_model_own_parameter_draws(m, 0, 1, value, NULL), GB_EARGUMENT);
    free(value);
    gb_model_free(m);
}

static void topics_are_distributions_over_all_words(void **state)
{
    (void)state;
    gb_model *m = train(NULL, 0);
    double all[4 * 25], p[4 * 25];
    uint64_t word[4 * 25], n;
    assert_int_equal(gb_model_topic_distributions(m, 0, all, NULL), GB_OK);
    assert_int_equal(gb_model_words_of_topics(m, 0, 25, word, p, &n, NULL), GB_OK);
    for (size_t k = 0; k < 4; k++) {
        double sum = 0;
        for (size_t i = 0; i < 25; i++) {
            sum += all[k * 25 + i];
            assert_true(all[k * 25 + word[k * 25 + i]] == p[k * 25 + i]);
        }
        assert_near(sum, 1);
    }
    assert_int_equal(gb_model_topic_distributions(m, 3, all, NULL), GB_EARGUMENT);
    gb_model_free(m);
}

static void with_one_chain_per_class_each_has_its_own_topics(void **state)
{
    (void)state;
    static const char *const extra[][2] = {{"strategy", "one-vs-rest"}, {"chains", "1"}};
    gb_model *m = train(extra, 2);
    assert_true(gb_model_is_one_vs_rest(m));
    for (uint64_t l = 0; l < 3; l++) {
        double constant[45];
        assert_int_equal(gb_model_effect_draws(m, l, 4, 1, constant, NULL), GB_OK);
        for (uint64_t i = 0; i < 45; i++)
            assert_true(isnan(constant[i]) == (i / 15 != l));
        const gb_draw *first = m->draw;
        uint64_t word[4 * 25], n;
        double p[4 * 25];
        while (first->first_output != l)
            first++;
        assert_int_equal(gb_model_words_of_topics(m, l, 25, word, p, &n, NULL), GB_OK);
        assert_int_equal(n, 25);
        for (uint64_t k = 0; k < 4; k++) {
            double sum = 0, average = 0, expected[25] = {0};
            gb_effect e;
            for (size_t i = 0; i < 15; i++) { /* the kept draws of its first chain follow each other */
                assert_int_equal(first[i].first_output, l);
                sum += first[i].eta[k];
                for (size_t j = 0; j < 4; j++)
                    average += first[i].share[j] * first[i].eta[j];
                add_shares(m, &first[i], k, expected);
            }
            assert_int_equal(gb_model_effect(m, l, k, &e, NULL), GB_OK);
            assert_int_equal(e.n_draws, 15);
            assert_int_equal(e.n_unused, 0);
            assert_near(e.mean, (sum - average) / 15);
            for (size_t i = 0; i < 25; i++)
                assert_near(p[k * 25 + i], expected[word[k * 25 + i]] / 15);
            for (size_t i = 1; i < 25; i++)
                assert_true(p[k * 25 + i] <= p[k * 25 + i - 1]);
        }
    }
    gb_model_free(m);
}

static void words_of_topics_are_the_most_probable_ones(void **state)
{
    (void)state;
    gb_model *m = train(NULL, 0);
    const uint64_t n_words = gb_model_n_words(m);
    uint64_t words[4 * 6], n;
    double probabilities[4 * 6], *phi = test_calloc(4 * n_words, sizeof *phi);
    assert_int_equal(gb_model_words_of_topics(m, 1, 6, words, probabilities, &n, NULL), GB_OK);
    assert_int_equal(gb_model_topic_distributions(m, 1, phi, NULL), GB_OK);
    assert_int_equal(n, 6);
    for (uint64_t i = 0; i < 4 * 6; i++) {
        double *of = phi + i / 6 * n_words;
        uint64_t best = 0;
        for (uint64_t w = 1; w < n_words; w++)
            best = of[w] > of[best] ? w : best;
        assert_int_equal(words[i], best);
        assert_near(probabilities[i], of[best]);
        of[best] = -1;
    }
    test_free(phi);
    gb_model_free(m);
}

/* Topic k has k + 1 tokens, all of word 1000 k; the other words are equally likely, so that the first ones follow. */
static void words_that_a_topic_does_not_have_follow_in_their_order(void **state)
{
    (void)state;
    enum { TOPICS = 100, WORDS = 100000, N = 3 };
    gb_model *m;
    static uint64_t word[TOPICS * N];
    static double probability[TOPICS * N];
    uint64_t n;
    assert_int_equal(gb_alloc(&m, 1, sizeof *m, "", NULL), GB_OK);
    m->n_topics = TOPICS;
    m->prior = (gb_prior_setup){.ops = gb_prior_find("uniform"), .n_topics = TOPICS};
    m->n_words = WORDS;
    m->beta = 0.01;
    static uint64_t word_start[WORDS + 1];
    static uint16_t topic[TOPICS];
    static uint32_t count[TOPICS];
    for (uint64_t w = 0; w < WORDS; w++)
        word_start[w + 1] = w / 1000 + 1;
    for (uint32_t k = 0; k < TOPICS; k++) {
        topic[k] = (uint16_t)k;
        count[k] = k + 1;
    }
    give_draws(m, 1, 1, &(gb_draw){.word_start = word_start, .topic = topic, .count = count});
    assert_int_equal(gb_model_words_of_topics(m, 0, N, word, probability, &n, NULL), GB_OK);
    assert_int_equal(n, N);
    for (uint64_t k = 0; k < TOPICS; k++) {
        assert_int_equal(word[N * k], 1000 * k);
        assert_int_equal(word[N * k + 1], k == 0 ? 1 : 0);
        assert_int_equal(word[N * k + 2], k == 0 ? 2 : 1);
        assert_near(probability[N * k], ((double)k + 1.01) / ((double)k + 1 + 0.01 * WORDS));
        assert_near(probability[N * k + 2], 0.01 / ((double)k + 1 + 0.01 * WORDS));
    }
    gb_model_free(m);
}

static void only_the_horseshoe_has_shares_of_shrinkage(void **state)
{
    (void)state;
    static const char *const extra[][2] = {{"coefficient-prior", "horseshoe"}, {"chains", "1"}};
    gb_model *m = train(NULL, 0);
    gb_effect e;
    assert_null(m->draw[0].shrinkage);
    assert_int_equal(gb_model_effect(m, 0, 0, &e, NULL), GB_OK);
    assert_true(isnan(e.shrinkage));
    assert_false(gb_model_is_one_vs_rest(m));
    gb_model_free(m);
    m = train(extra, 2);
    for (uint64_t l = 0; l < 3; l++)
        for (uint64_t k = 0; k < 4; k++) {
            double sum = 0;
            for (size_t i = 0; i < 15; i++) {
                assert_true(m->draw[i].shrinkage[l * 4 + k] >= 0 && m->draw[i].shrinkage[l * 4 + k] <= 1);
                sum += m->draw[i].shrinkage[l * 4 + k];
            }
            assert_int_equal(gb_model_effect(m, l, k, &e, NULL), GB_OK);
            assert_near(e.shrinkage, sum / 15);
            assert_true(e.shrinkage > 0 && e.shrinkage < 1);
        }
    gb_model_free(m);
}

/* ---- shares in a model file ---- */

static char path[] = "/tmp/gibbous-effects-XXXXXX";

static void refuse_share(const gb_model *m, double share)
{
    gb_model *again = NULL;
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_model_write(m, path, true, NULL, NULL, NULL), GB_OK);
    change_array(path, "shrinkage", (3 * 12 + 5) * sizeof share, &share, sizeof share);
    assert_int_equal(gb_model_read(path, NULL, NULL, &again, &err), GB_EFORMAT);
    assert_null(again);
    assert_non_null(strstr(err.message, "a share of shrinkage is not between 0 and 1"));
}

static void shares_are_written_and_those_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const extra[][2] = {{"coefficient-prior", "horseshoe"}};
    gb_model *m = train(extra, 1), *again;
    assert_int_equal(gb_model_write(m, path, true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read(path, NULL, NULL, &again, NULL), GB_OK);
    for (size_t i = 0; i < m->n_draws; i++)
        assert_memory_equal(m->draw[i].shrinkage, again->draw[i].shrinkage, 12 * sizeof(double));
    gb_model_free(again);
    refuse_share(m, 1.01);
    refuse_share(m, NAN);
    gb_model_free(m);
}

/* ---- shrinkage itself ---- */

enum { D = 4, L = 2 };

/* Two outputs, four documents (the third is empty), two topics, two columns: against the definition by whole matrices. */
static void shrinkage_is_the_weight_of_the_prior(void **state)
{
    (void)state;
    static const uint64_t doc_start[D + 1] = {0, 4, 7, 7, 8};
    static const uint16_t topic[8] = {0, 0, 0, 1, 1, 1, 0, 1};
    static const double zbar[D][2] = {{3. / 4, 1. / 4}, {1. / 3, 2. / 3}, {0, 0}, {0, 1}};
    static const gb_sparse_entry entry[] = {{0, 0, -1.5}, {2, 0, 0.5}, {3, 0, 2}, {1, 1, 1}};
    static const double x[D][2] = {{-1.5, 0}, {0, 1}, {0.5, 0}, {2, 0}};
    static const double omega[D][L] = {{0.3, 1}, {2, 0}, {1, 5}, {0.25, 7}}; /* no target: 0 */
    double square[L * 5] = {0.25, 4, 1, 1e-6, 9, 1, 2, 3, 4, 5}, out[L * 4];
    const gb_coefficient_prior prior = {.ops = &gb_coefficient_horseshoe,
                                        .intercept_variance = (const double[L]){100, 100}};
    const gb_coefficient_scales scales = {
        .prior = &prior, .n_outputs = L, .layout = gb_layout_make(2, 2, 0, true), .n = 5, .square = square};
    gb_score_term term[D * L] = {0};
    gb_proportions z;
    gb_sparse_columns covariates;
    for (size_t d = 0; d < D; d++)
        for (size_t l = 0; l < L; l++)
            term[d * L + l] = (gb_score_term){.slope = 1, .omega = omega[d][l], .centre = -2};
    assert_int_equal(gb_proportions_create(&z, D, 2, doc_start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_count(&z, topic, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_create(&covariates, D, 2, 4, entry, NULL), GB_OK);
    const gb_design design = gb_design_make(&z, &covariates, NULL, true);
    assert_int_equal(gb_coefficient_shrinkage(NULL, &scales, &design, term, out, NULL), GB_OK);
    for (size_t l = 0; l < L; l++)
        for (size_t j = 0; j < 4; j++) {
            double information = 0;
            for (size_t d = 0; d < D; d++) {
                const double f = j < 2 ? zbar[d][j] : x[d][j - 2];
                information += omega[d][l] * f * f;
            }
            const double variance = square[l * 5] * square[l * 5 + 1 + j];
            assert_near(out[l * 4 + j], 1 / (1 + information * variance));
        }
    assert_true(out[2] > 0.999); /* lambda^2 is 1e-6 */
    assert_true(out[7] == 1);    /* its only document has no target */
    gb_sparse_columns_clear(&covariates);
    gb_proportions_clear(&z);
}

static int make_file(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 || close(file) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_those_of_the_draws),
        cmocka_unit_test(covariates_take_the_draws_of_all_chains),
        cmocka_unit_test(one_draw_has_no_sd_and_equal_draws_have_none_left),
        cmocka_unit_test(effects_add_up_to_the_number),
        cmocka_unit_test(an_expected_number_has_numeric_covariates_at_their_means),
        cmocka_unit_test(features_have_names_and_the_average_document_a_value),
        cmocka_unit_test(all_effects_at_once_are_the_same),
        cmocka_unit_test(draws_of_all_chains_count_where_topics_are_the_same),
        cmocka_unit_test(what_does_not_exist_is_refused),
        cmocka_unit_test(draws_one_by_one_are_those_of_the_effects),
        cmocka_unit_test(parameters_of_draws_have_names_and_shapes),
        cmocka_unit_test(means_of_draws_one_by_one_are_the_effects),
        cmocka_unit_test(topics_are_distributions_over_all_words),
        cmocka_unit_test(with_one_chain_per_class_each_has_its_own_topics),
        cmocka_unit_test(words_of_topics_are_the_most_probable_ones),
        cmocka_unit_test(words_that_a_topic_does_not_have_follow_in_their_order),
        cmocka_unit_test(only_the_horseshoe_has_shares_of_shrinkage),
        cmocka_unit_test(shares_are_written_and_those_that_cannot_be_are_refused),
        cmocka_unit_test(shrinkage_is_the_weight_of_the_prior),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
