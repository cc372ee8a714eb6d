/* Correlations of topics: over documents with known shares, and by a covariance whatever topic it is relative to. */
#include "helper_documents.h"

#include "apply/topic_correlations.h"
#include "gibbous/draws.h"
#include "model/model.h"
#include "model/topic_covariance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCS = 60 };

/* Three topics without a common word.  Documents have apples and zebras in equal number, or lemons alone, or some of all. */
static int write_documents(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    FILE *f = fopen("all.jsonl", "w");
    if (f == NULL)
        return -1;
    for (int d = 0; d < DOCS; d++) {
        const int n = d % 3 == 0 ? 12 : d % 3 == 1 ? 0 : 4;
        fprintf(f, "{\"text\": \"");
        for (int i = 0; i < n; i++)
            fprintf(f, "apple%c zebra%c ", "xyz"[i % 3], "xy"[i % 2]);
        for (int i = 2 * n; i < 24; i++)
            fprintf(f, "lemon%c ", "xyz"[i % 3]);
        fputs("\"}\n", f);
    }
    fputs("{\"text\": \"\"}\n", f);
    return fclose(f);
}

static uint64_t topic_of(const gb_model *model, char letter)
{
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        uint64_t word;
        double p;
        (void)top_words(model, k, 1, &word, &p);
        if (gb_model_word(model, word)[0] == letter)
            return k;
    }
    fail_msg("no topic of %c", letter);
    return 0;
}

/* Apples and zebras are seeds, for they come together. */
static gb_model *fit(const gb_corpus *docs, gb_settings **settings)
{
    gb_model *model = NULL;
    *settings = settings_of("response", "none", "topics", "3", "sweeps", "60", "burn-in", "40", "alpha", "0.1",
                            "seed", "1", "seeds",
                            "{\"a\":[\"applex\",\"appley\",\"applez\"],\"z\":[\"zebrax\",\"zebray\"],"
                            "\"l\":[\"lemonx\",\"lemony\",\"lemonz\"]}",
                            "seed-strength", "1", "infer-sweeps", "4", NULL);
    gb_error err = {0};
    const gb_status st = gb_train(docs, *settings, NULL, NULL, &model, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(st, GB_OK);
    return model;
}

/* Tokens of a word that the topic has, of 24: the truth of correlations over the documents. */
static void topics_of_documents_correlate_as_their_words_do(void **state)
{
    (void)state;
    gb_settings *settings;
    gb_corpus *docs = corpus_of("all.jsonl", NULL);
    gb_model *model = fit(docs, &settings);
    gb_effect e[9], again[9];
    assert_int_equal(gb_topic_correlations(model, docs, settings, NULL, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_topic_correlations(model, docs, settings, NULL, NULL, e, NULL), GB_OK);
    const uint64_t a = topic_of(model, 'a'), z = topic_of(model, 'z'), l = topic_of(model, 'l');
    for (size_t i = 0; i < 3; i++) {
        assert_true(e[4 * i].mean == 1 && e[4 * i].sd == 0);
        for (size_t j = 0; j < 3; j++)
            assert_memory_equal(&e[3 * i + j], &e[3 * j + i], sizeof *e);
    }
    assert_int_equal(e[1].n_draws, 4 * gb_model_n_snapshots(model));
    assert_true(e[3 * a + z].mean > 0.9);
    assert_true(e[3 * a + l].mean < -0.95 && e[3 * z + l].q95 < -0.95);
    assert_true(e[3 * a + z].q05 <= e[3 * a + z].median && e[3 * a + z].median <= e[3 * a + z].q95);
    set(settings, "threads", "3");
    assert_int_equal(gb_topic_correlations(model, docs, settings, NULL, NULL, again, NULL), GB_OK);
    assert_memory_equal(e, again, sizeof e);
    gb_model_free(model);
    gb_corpus_free(docs);
    gb_settings_free(settings);
}

static void one_document_has_no_correlations(void **state)
{
    (void)state;
    gb_settings *settings;
    gb_corpus *docs = corpus_of("all.jsonl", NULL), *one = NULL;
    gb_model *model = fit(docs, &settings);
    gb_effect e[9];
    assert_int_equal(gb_corpus_view_create(docs, 0, 1, &one, NULL), GB_OK);
    assert_int_equal(gb_topic_correlations(model, one, settings, NULL, NULL, e, NULL), GB_OK);
    for (size_t i = 0; i < 9; i++)
        assert_true(isnan(e[i].mean) && e[i].n_draws == 0 && e[i].n_unused == 4 * gb_model_n_snapshots(model));
    gb_corpus_free(one);
    gb_model_free(model);
    gb_corpus_free(docs);
    gb_settings_free(settings);
}

static bool stop(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

static void a_caller_can_stop_it(void **state)
{
    (void)state;
    gb_settings *settings;
    gb_corpus *docs = corpus_of("all.jsonl", NULL);
    gb_model *model = fit(docs, &settings);
    gb_effect e[9];
    int n_calls = 0;
    const gb_status st = gb_topic_correlations(model, docs, settings, stop, &n_calls, e, NULL);
    assert_true(n_calls == 0 || (n_calls == 1 && st == GB_ESTOP)); /* it may be done before the first call */
    gb_model_free(model);
    gb_corpus_free(docs);
    gb_settings_free(settings);
}

/* By matrix products: padded covariance S, C = G S G with G = I - 11'/K. */
static void centre(size_t n, const double *sigma, double *out)
{
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            out[j * n + k] = 0;
            for (size_t a = 0; a + 1 < n; a++)
                for (size_t b = 0; b + 1 < n; b++)
                    out[j * n + k] +=
                        ((j == a) - 1.0 / (double)n) * sigma[a * (n - 1) + b] * ((k == b) - 1.0 / (double)n);
        }
}

static void a_covariance_gives_correlations_of_log_shares(void **state)
{
    (void)state;
    gb_settings *settings = settings_of("response", "none", "topics", "4", "sweeps", "30", "burn-in", "10", "seed",
                                        "1", "prior", "logistic-normal", "covariance", "full", "chains", "2", NULL);
    gb_corpus *docs = corpus_of("all.jsonl", NULL);
    gb_model *model = NULL, *plain = NULL;
    gb_effect e[16];
    double c[16], sum[16] = {0};
    gb_error err = {0};
    const gb_status trained = gb_train(docs, settings, NULL, NULL, &model, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(trained, GB_OK);
    assert_true(gb_model_has_topic_covariance(model));
    assert_int_equal(gb_model_topic_correlations(model, e, NULL), GB_OK);
    const uint64_t n = gb_model_n_topic_draws(model);
    for (uint64_t i = 0; i < n; i++) {
        const gb_draw draw = gb_model_kept(model, i);
        centre(4, gb_prior_values_of(&draw.prior, "covariance"), c);
        for (size_t j = 0; j < 16; j++)
            sum[j] += c[j] / sqrt(c[j / 4 * 5] * c[j % 4 * 5]);
    }
    for (size_t j = 0; j < 16; j++) {
        assert_true(fabs(e[j].mean - sum[j] / (double)n) < 1e-9);
        assert_int_equal(e[j].n_draws, n);
        assert_int_equal(e[j].n_unused, gb_model_n_draws(model) - n);
    }
    gb_settings_free(settings);
    settings = settings_of("response", "none", "topics", "4", "sweeps", "10", "burn-in", "5", "seed", "1", NULL);
    assert_int_equal(gb_train(docs, settings, NULL, NULL, &plain, NULL), GB_OK);
    assert_false(gb_model_has_topic_covariance(plain));
    assert_int_equal(gb_model_topic_correlations(plain, e, &err), GB_EARGUMENT);
    gb_model_free(plain);
    gb_model_free(model);
    gb_corpus_free(docs);
    gb_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topics_of_documents_correlate_as_their_words_do),
        cmocka_unit_test(one_document_has_no_correlations),
        cmocka_unit_test(a_caller_can_stop_it),
        cmocka_unit_test(a_covariance_gives_correlations_of_log_shares),
    };
    return cmocka_run_group_tests(tests, write_documents, leave_folder);
}
