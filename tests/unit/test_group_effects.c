/* Topic shares of groups: expected shares against integration, statistics of draws, contrasts, predictions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gibbous/gibbous.h"
#include "helper_tables.h"
#include "model/group_effects.h"
#include "model/model.h"
#include "options/settings.h"
#include "plan/prior_json.h"
#include "prior/mean_shares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void assert_within(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

/* ---- expected shares ---- */

/* E softmax(mean + L e) for two free weights, by sums over a grid of e. */
static void integrate(const double *mean, const double *root, double *share)
{
    const double step = 0.03;
    double total = 0;
    share[0] = share[1] = share[2] = 0;
    for (int i = -280; i <= 280; i++)
        for (int j = -280; j <= 280; j++) {
            const double e = step * i, f = step * j, density = exp(-(e * e + f * f) / 2);
            const double a = exp(mean[0] + root[0] * e), b = exp(mean[1] + root[2] * e + root[3] * f);
            const double sum = density / (1 + a + b);
            share[0] += a * sum;
            share[1] += b * sum;
            share[2] += sum;
            total += density;
        }
    for (int k = 0; k < 3; k++)
        share[k] /= total;
}

static const double means[][2] = {{0, 0}, {-3.5, 1.25}, {2, 4}, {-9, -11}, {12, -1}};
enum { N_MEANS = sizeof means / sizeof *means };

static void expected_shares_are_those_of_integration(void **state)
{
    (void)state;
    static const double sds[][2] = {{1, 1}, {0.1, 0.1}, {3, 3}, {0.5, 2}, {1.5, 1e-3}};
    for (size_t i = 0; i < sizeof sds / sizeof *sds; i++) {
        const double precision[2] = {1 / (sds[i][0] * sds[i][0]), 1 / (sds[i][1] * sds[i][1])};
        const double root[4] = {sds[i][0], 0, 0, sds[i][1]};
        gb_mean_shares *m;
        assert_int_equal(gb_mean_shares_create(&m, 2, i < 3 ? 1 : 2, precision, NULL), GB_OK);
        for (size_t j = 0; j < N_MEANS; j++) {
            double expected[3], room[3], share[3];
            integrate(means[j], root, expected);
            gb_mean_shares_at(m, means[j], room, share);
            for (int k = 0; k < 3; k++)
                assert_within(share[k], expected[k], 2e-7 + 1e-5 * expected[k]);
        }
        gb_mean_shares_free(m);
    }
}

static void rare_topics_keep_their_digits(void **state)
{
    (void)state;
    const double precision = 0.25, mean[3] = {-25, -30, 1};
    gb_mean_shares *m;
    double room[4], share[4], total = 0, expected = 0;
    assert_int_equal(gb_mean_shares_create(&m, 3, 1, &precision, NULL), GB_OK);
    gb_mean_shares_at(m, mean, room, share);
    for (int i = -900; i <= 900;
         i++) { /* E exp(psi_1) E[1 / (1 + exp(psi_3))], as psi_1 is hardly ever of any size */
        const double e = 0.01 * i, density = exp(-e * e / 2);
        expected += density / (1 + exp(1 + 2 * e));
        total += density;
    }
    expected *= exp(-25 + 2) / total;
    assert_within(share[0] / expected, 1, 1e-4);
    assert_within(share[1] / share[0], exp(-5), 1e-4);
    gb_mean_shares_free(m);
}

static void extreme_parameters_give_shares_all_the_same(void **state)
{
    (void)state;
    static const double precisions[] = {1e9, 1, 1e-4, 1e-9, 1e-100};
    static const double extreme[][2] = {{800, -800}, {-1e5, -1e5}, {1e5, 1e5}, {0, 0}};
    for (size_t i = 0; i < 5; i++) {
        gb_mean_shares *m;
        assert_int_equal(gb_mean_shares_create(&m, 2, 1, &precisions[i], NULL), GB_OK);
        for (size_t j = 0; j < 4; j++) {
            double room[3], share[3];
            gb_mean_shares_at(m, extreme[j], room, share);
            assert_within(share[0] + share[1] + share[2], 1, 1e-12);
            for (int k = 0; k < 3; k++)
                assert_true(share[k] >= 0);
            if (j > 0)
                assert_within(share[0], share[1], 1e-9);
        }
        gb_mean_shares_free(m);
    }
}

static void a_mean_that_is_no_number_gives_none(void **state)
{
    (void)state;
    const double precision = 1, mean[2] = {0, NAN};
    double room[3], share[3];
    gb_mean_shares *m;
    assert_int_equal(gb_mean_shares_create(&m, 2, 1, &precision, NULL), GB_OK);
    gb_mean_shares_at(m, mean, room, share);
    assert_true(isnan(share[0]));
    gb_mean_shares_free(m);
}

/* 4096 documents in pairs: the standard error of a share is below 0.5 / 64. */
static void correlated_weights_are_averaged_over_documents(void **state)
{
    (void)state;
    static const double roots[][4] = {{1, 0, 0.8, 0.6}, {2, 0, -1.9, 0.3}};
    for (size_t i = 0; i < 2; i++) {
        gb_mean_shares *m;
        assert_int_equal(gb_mean_shares_create_full(&m, 2, roots[i], NULL), GB_OK);
        for (size_t j = 0; j < N_MEANS; j++) {
            double expected[3], room[3], share[3];
            integrate(means[j], roots[i], expected);
            gb_mean_shares_at(m, means[j], room, share);
            assert_within(share[0] + share[1] + share[2], 1, 1e-12);
            for (int k = 0; k < 3; k++)
                assert_within(share[k], expected[k], 0.01);
        }
        gb_mean_shares_free(m);
    }
}

/* ---- a model of a chain ---- */

enum { FIRST_YEAR = 1990, N_YEARS = 12, EMPTY = 6, N_TOPICS = 3 };

/* Documents of the years but EMPTY and EMPTY + 1; with a trend later years have more of the words c and d. */
static void write_documents(const char *path, bool has_trend)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    uint32_t state = 7;
    for (int year = 0; year < N_YEARS; year++)
        for (int d = 0; d < 25 && year != EMPTY && year != EMPTY + 1; d++) {
            (void)fprintf(f, "{\"year\":%d,\"y\":\"%s\",\"text\":\"", FIRST_YEAR + year, d % 2 ? "odd" : "even");
            state = state * 1664525 + 1013904223;
            const uint32_t late =
                15 + (uint32_t)(has_trend ? 4 * year : 2 * N_YEARS) + (state >> 8) % 30; /* per cent */
            for (int n = 0; n < 30; n++) {
                state = state * 1664525 + 1013904223;
                static const char *const word[] = {"aa", "bb", "cc", "dd", "ee", "ff"};
                const uint32_t kind = (state >> 16) % 5 == 0 ? 2 : (state >> 8) % 100 < late;
                (void)fprintf(f, "%s ", word[2 * kind + (state >> 24) % 2]);
            }
            (void)fprintf(f, "\"}\n");
        }
    assert_int_equal(fclose(f), 0);
}

static gb_model *train_on(bool has_trend, bool has_groups, const char *const extra[][2], size_t n_extra)
{
    static const char *const option[][2] = {{"graph", "chain"}, {"prior", "graph"}, {"group", "year"},
                                            {"topics", "3"},    {"sweeps", "200"},  {"burn-in", "50"},
                                            {"thin", "1"},      {"seed", "3"},      {"format", "jsonl"}};
    char path[] = "/tmp/gibbous-groups-XXXXXX";
    gb_settings *s;
    gb_corpus *corpus;
    gb_model *model;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    write_documents(path, has_trend);
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    for (size_t i = has_groups ? 0 : 3; i < sizeof option / sizeof *option; i++)
        assert_int_equal(gb_settings_set(s, option[i][0], option[i][1], NULL), GB_OK);
    for (size_t i = 0; i < n_extra; i++)
        assert_int_equal(gb_settings_set(s, extra[i][0], extra[i][1], NULL), GB_OK);
    assert_int_equal(gb_corpus_read(path, s, NULL, NULL, &corpus, NULL), GB_OK);
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &model, NULL), GB_OK);
    gb_corpus_free(corpus);
    gb_settings_free(s);
    assert_int_equal(unlink(path), 0);
    return model;
}

static gb_model *train(const char *const extra[][2], size_t n_extra)
{
    return train_on(true, true, extra, n_extra);
}

static void groups_have_names_and_documents(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"sweeps", "4"}, {"burn-in", "2"}};
    gb_model *m = train(few, 2), *again;
    char path[] = "/tmp/gibbous-groups-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    assert_int_equal(gb_model_write(m, path, true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read(path, NULL, NULL, &again, NULL), GB_OK);
    assert_int_equal(gb_model_n_groups(again), N_YEARS);
    assert_string_equal(gb_model_group_field(again), "year");
    for (uint64_t g = 0; g < N_YEARS; g++) {
        char name[16];
        uint64_t found = 99;
        (void)snprintf(name, sizeof name, "%d", FIRST_YEAR + (int)g);
        assert_string_equal(gb_model_group(again, g), name);
        assert_true(gb_model_find_group(again, name, &found));
        assert_int_equal(found, g);
        assert_int_equal(gb_model_group_n_docs(again, g), g == EMPTY || g == EMPTY + 1 ? 0 : 25);
    }
    assert_false(gb_model_find_group(again, "1989", &(uint64_t){0}));
    gb_model_free(again);
    gb_model_free(m);
    assert_int_equal(unlink(path), 0);
}

static void refuse(const gb_model *m, json_t *object)
{
    gb_prior_setup setup = {0};
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_prior_setup_from_json(m->prior.ops, N_TOPICS, object, &setup, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "damaged model file"));
}

static void numbers_of_documents_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"sweeps", "4"}, {"burn-in", "2"}};
    gb_model *m = train(few, 2);
    json_t *object = gb_prior_setup_to_json(&m->prior), *sizes = json_object_get(object, "group_documents");
    gb_prior_setup setup = {0};
    assert_int_equal(json_array_size(sizes), N_YEARS);
    assert_int_equal(gb_prior_setup_from_json(m->prior.ops, N_TOPICS, object, &setup, NULL), GB_OK);
    gb_prior_setup_clear(&setup);
    assert_int_equal(json_array_set_new(sizes, 3, json_integer(-1)), 0);
    refuse(m, object);
    assert_int_equal(json_array_set_new(sizes, 3, json_string("25")), 0);
    refuse(m, object);
    assert_int_equal(json_array_remove(sizes, 3), 0);
    refuse(m, object);
    assert_int_equal(json_object_del(object, "group_documents"), 0);
    refuse(m, object);
    json_decref(object);
    gb_model_free(m);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Every draw's share by integration over the plane. */
static void shares_are_the_draws_expectations(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"sweeps", "15"}, {"burn-in", "10"}, {"chains", "2"}};
    gb_model *m = train(few, 3);
    enum { N = 5 };
    assert_int_equal(m->n_draws, 2 * N);
    gb_effect out[4 * N_TOPICS];
    assert_int_equal(gb_model_group_shares(m, 4, 4, 2, out, NULL), GB_OK);
    for (size_t g = 0; g < 4; g++) {
        double value[N_TOPICS][N];
        for (size_t i = 0; i < N; i++) {
            const double sd = 1 / sqrt(gb_prior_values_of(&m->draw[i].prior, "observation_precision")[0]);
            double share[3];
            integrate(gb_prior_values_of(&m->draw[i].prior, "group_mean") + (4 + g) * 2, (double[]){sd, 0, 0, sd},
                      share);
            for (size_t k = 0; k < 3; k++)
                value[k][i] = share[k];
        }
        for (size_t k = 0; k < 3; k++) {
            const gb_effect *e = &out[g * 3 + k];
            double sum = 0, squares = 0;
            for (size_t i = 0; i < N; i++)
                sum += value[k][i];
            for (size_t i = 0; i < N; i++)
                squares += (value[k][i] - sum / N) * (value[k][i] - sum / N);
            qsort(value[k], N, sizeof(double), ascending);
            assert_int_equal(e->n_draws, N);
            assert_int_equal(e->n_unused, N);
            assert_within(e->mean, sum / N, 1e-6);
            assert_within(e->sd, sqrt(squares / (N - 1)), 1e-6);
            assert_within(e->median, value[k][2], 1e-6);
            assert_within(e->q05, value[k][0] + 0.2 * (value[k][1] - value[k][0]), 1e-6);
            assert_within(e->q95, value[k][4] - 0.2 * (value[k][4] - value[k][3]), 1e-6);
        }
    }
    gb_model_free(m);
}

static void the_number_of_threads_changes_no_bit(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"sweeps", "20"}, {"burn-in", "10"}, {"covariance", "full"}};
    for (size_t n_extra = 2; n_extra <= 3; n_extra++) {
        gb_model *m = train(few, n_extra);
        gb_effect one[N_YEARS * N_TOPICS], three[N_YEARS * N_TOPICS];
        assert_int_equal(gb_model_group_shares(m, 0, N_YEARS, 1, one, NULL), GB_OK);
        assert_int_equal(gb_model_group_shares(m, 0, N_YEARS, 3, three, NULL), GB_OK);
        for (size_t i = 0; i < N_YEARS * N_TOPICS; i++) {
            assert_true(one[i].mean == three[i].mean && one[i].q05 == three[i].q05);
            assert_true(one[i].q05 <= one[i].mean && one[i].mean <= one[i].q95);
        }
        gb_model_free(m);
    }
}

static void a_contrast_turned_round_has_the_opposite_sign(void **state)
{
    (void)state;
    gb_model *m = train(NULL, 0);
    gb_effect ab[N_TOPICS], ba[N_TOPICS], same[N_TOPICS], share[N_YEARS * N_TOPICS];
    assert_int_equal(gb_model_group_contrast(m, N_YEARS - 1, 0, ab, NULL), GB_OK);
    assert_int_equal(gb_model_group_contrast(m, 0, N_YEARS - 1, ba, NULL), GB_OK);
    assert_int_equal(gb_model_group_contrast(m, 3, 3, same, NULL), GB_OK);
    assert_int_equal(gb_model_group_shares(m, 0, N_YEARS, 1, share, NULL), GB_OK);
    double most = 0, sum = 0;
    for (size_t k = 0; k < N_TOPICS; k++) {
        assert_within(ab[k].mean, -ba[k].mean, 1e-12);
        assert_within(ab[k].sd, ba[k].sd, 1e-12);
        assert_within(ab[k].q05, -ba[k].q95, 1e-12);
        assert_within(ab[k].p_positive + ba[k].p_positive, 1, 1e-12);
        assert_within(ab[k].mean, share[(N_YEARS - 1) * N_TOPICS + k].mean - share[k].mean, 1e-12);
        assert_true(same[k].mean == 0 && same[k].sd == 0 && same[k].p_positive == 0);
        sum += ab[k].mean;
        most = fmax(most, ab[k].p_positive);
    }
    assert_within(sum, 0, 1e-12); /* shares add up to 1 in both */
    assert_true(most > 0.95);     /* some topic grew */
    gb_model_free(m);
}

/* Mean over topics of the standard deviation of a group's share. */
static double spread_of(const gb_effect *share)
{
    double sum = 0;
    for (size_t k = 0; k < N_TOPICS; k++)
        sum += share[k].sd / N_TOPICS;
    return sum;
}

/* All years alike, so that shares are about the same; the ends of the chain have one neighbour and are left out. */
static void groups_without_documents_are_less_sure(void **state)
{
    (void)state;
    gb_model *m = train_on(false, true, NULL, 0);
    gb_effect share[N_YEARS * N_TOPICS];
    assert_int_equal(gb_model_group_shares(m, 0, N_YEARS, 1, share, NULL), GB_OK);
    for (size_t empty = EMPTY; empty <= EMPTY + 1; empty++)
        for (size_t full = 1; full < N_YEARS - 1; full++)
            if (full != EMPTY && full != EMPTY + 1)
                assert_true(spread_of(share + empty * N_TOPICS) > 1.1 * spread_of(share + full * N_TOPICS));
    gb_model_free(m);
}

/* ---- a document of a group ---- */

static void a_prediction_is_of_one_document(void **state)
{
    (void)state;
    static const char *const one[][2] = {
        {"topics", "2"},          {"sweeps", "30"}, {"burn-in", "29"},         {"label", "y"},
        {"response", "logistic"}, {"cost", "1"},    {"level-precision", "10"}, {"observation-precision", "1"}};
    gb_model *m = train(one, 8);
    assert_int_equal(m->n_draws, 1);
    const gb_draw *draw = m->draw;
    gb_group_prediction *p;
    gb_effect share[2];
    assert_int_equal(gb_model_predict_group(m, EMPTY, 100, &p, NULL), GB_OK);
    assert_int_equal(gb_model_group_shares(m, EMPTY, 1, 1, share, NULL), GB_OK);
    assert_int_equal(p->n_topics, 2);
    assert_int_equal(p->n_words, 6);
    assert_int_equal(p->n_outputs, 1);
    /* quantiles of one free weight go through the softmax as they are */
    const double mean = gb_prior_values_of(&draw->prior, "group_mean")[EMPTY];
    const double sd = 1 / sqrt(gb_prior_values_of(&draw->prior, "observation_precision")[0]), z = 1.6448536269514722;
    const double n = (double)p->share[0].n_draws,
                 error = 5 * sqrt(0.05 * 0.95 / n) / (exp(-z * z / 2) / sqrt(2 * M_PI));
    assert_true(n >= 20000);
    assert_within(log(p->share[0].q05 / (1 - p->share[0].q05)), mean - z * sd, error * sd);
    assert_within(log(p->share[0].q95 / (1 - p->share[0].q95)), mean + z * sd, error * sd);
    assert_within(log(p->share[0].median / (1 - p->share[0].median)), mean, 5 * sd * sqrt(M_PI / 2 / n));
    assert_within(p->share[0].mean, share[0].mean, 1e-12);
    assert_within(p->share[1].q95, 1 - p->share[0].q05, 1e-9);
    /* words */
    double total = 0;
    for (size_t i = 0; i < 6; i++) {
        double expected = 0;
        for (size_t k = 0; k < 2; k++) {
            double count = 0;
            for (uint64_t at = draw->word_start[p->word[i]]; at < draw->word_start[p->word[i] + 1]; at++)
                count += draw->topic[at] == k ? draw->count[at] : 0;
            expected += share[k].mean * (count + m->beta) / ((double)draw->n_k[k] + 6 * m->beta);
        }
        assert_within(p->probability[i], expected, 1e-12);
        assert_true(i == 0 || p->probability[i] <= p->probability[i - 1]);
        total += p->probability[i];
    }
    assert_within(total, 1, 1e-12);
    assert_within(p->score[0].mean, draw->eta[0] * share[0].mean + draw->eta[1] * share[1].mean + draw->eta[2],
                  1e-12);
    gb_group_prediction_free(p);
    gb_model_free(m);
}

/* ---- questions ---- */

static double cell(const gb_table *t, const char *group, const char *topic, const char *column)
{
    const uint64_t n = gb_table_n_rows(t);
    uint64_t row = row_with(t, 0, "group", group);
    while (row < n && strcmp(text_at(t, row, "topic"), topic) != 0)
        row++;
    assert_true(row < n && strcmp(text_at(t, row, "group"), group) == 0);
    return real_at(t, row, column);
}

/* The shares of a document add up to 1, so in every draw two of three topics have what the third has not. */
static void united_topics_have_the_sum_within_a_draw(void **state)
{
    (void)state;
    static const uint64_t label[] = {0, 1, 0};
    gb_model *m = train(NULL, 0), *united;
    assert_int_equal(gb_model_unite_topics(m, label, &united, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .model = united};
    gb_table *shares = answer_to("groups", &subject);
    gb_table *differences = answer_with("group-contrasts", &subject, "contrast", "2001,1990", NULL);
    assert_int_equal(gb_table_n_rows(shares), 2 * N_YEARS);
    assert_int_equal(gb_table_n_rows(differences), 2);
    for (uint64_t g = 0; g < N_YEARS; g++) {
        const char *name = gb_model_group(m, g);
        assert_within(cell(shares, name, "1+3", "mean"), 1 - cell(shares, name, "2", "mean"), 1e-9);
        assert_within(cell(shares, name, "1+3", "sd"), cell(shares, name, "2", "sd"), 1e-9);
        assert_within(cell(shares, name, "1+3", "q05"), 1 - cell(shares, name, "2", "q95"), 1e-9);
    }
    assert_within(cell(differences, "2001", "1+3", "mean"), -cell(differences, "2001", "2", "mean"), 1e-9);
    assert_within(cell(differences, "2001", "1+3", "q05"), -cell(differences, "2001", "2", "q95"), 1e-9);
    gb_table_free(shares);
    gb_table_free(differences);
    gb_model_free(united);
    gb_model_free(m);
}

static void a_topic_that_is_left_out_is_in_no_answer(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"sweeps", "4"}, {"burn-in", "2"}};
    static const uint64_t label[] = {0, GB_LEFT_OUT, 2};
    static const char *const question[][3] = {{"groups", "threads", "1"},
                                              {"groups", "trend", "all"},
                                              {"group-contrasts", "threads", "1"},
                                              {"group-contrasts", "contrast", "1990,1991"},
                                              {"group-prediction", "prior-predictive", "1996"}};
    gb_model *m = train(few, 2), *rest;
    assert_int_equal(gb_model_unite_topics(m, label, &rest, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .model = rest};
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        gb_table *t = answer_with(question[i][0], &subject, question[i][1], question[i][2], NULL);
        const char *column = has_column(t, "topic") ? "topic" : "feature";
        assert_true(row_with(t, 0, column, "3") < gb_table_n_rows(t));
        assert_int_equal(row_with(t, 0, column, "2"), gb_table_n_rows(t));
        assert_true(says(t, "1 topic is left out"));
        gb_table_free(t);
    }
    gb_model_free(rest);
    gb_model_free(m);
}

static void other_priors_have_no_groups(void **state)
{
    (void)state;
    static const char *const few[][2] = {{"prior", "logistic-normal"}, {"sweeps", "4"}, {"burn-in", "2"}};
    gb_model *m = train_on(true, false, few, 3);
    assert_int_equal(gb_model_n_groups(m), 0);
    assert_string_equal(gb_model_group_field(m), "");
    assert_false(gb_model_find_group(m, "1990", &(uint64_t){0}));
    gb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_shares_are_those_of_integration),
        cmocka_unit_test(rare_topics_keep_their_digits),
        cmocka_unit_test(extreme_parameters_give_shares_all_the_same),
        cmocka_unit_test(a_mean_that_is_no_number_gives_none),
        cmocka_unit_test(correlated_weights_are_averaged_over_documents),
        cmocka_unit_test(groups_have_names_and_documents),
        cmocka_unit_test(numbers_of_documents_that_cannot_be_are_refused),
        cmocka_unit_test(shares_are_the_draws_expectations),
        cmocka_unit_test(the_number_of_threads_changes_no_bit),
        cmocka_unit_test(a_contrast_turned_round_has_the_opposite_sign),
        cmocka_unit_test(groups_without_documents_are_less_sure),
        cmocka_unit_test(a_prediction_is_of_one_document),
        cmocka_unit_test(united_topics_have_the_sum_within_a_draw),
        cmocka_unit_test(a_topic_that_is_left_out_is_in_no_answer),
        cmocka_unit_test(other_priors_have_no_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
