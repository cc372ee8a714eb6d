/* test_cross_fit.c - effects that use every document once: noise, real effects, files, stops. */
#include "helper_documents.h"
#include "helper_stream.h"
#include "model/cross_fitted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_TOPICS = 4, WORDS_OF_TOPIC = 10, N_DOCS = 200, LENGTH = 30 };

/* Documents of two topics each, in words of their own; y grows by `size` from a document without the first topic, whose words
 * begin with a, to one of nothing else, and by `slope` for each unit of the covariate x. */
static void write_documents(const char *path, uint64_t seed, double size, double slope)
{
    uint64_t state = seed;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t d = 0; d < N_DOCS; d++) {
        const size_t a = (size_t)(N_TOPICS * uniform(&state)), b = (size_t)(N_TOPICS * uniform(&state));
        const double share = uniform(&state), x = normal(&state);
        double of_first = 0;
        (void)fprintf(f, "{\"text\":\"");
        for (size_t i = 0; i < LENGTH; i++) {
            const size_t k = uniform(&state) < share ? a : b, w = (size_t)(WORDS_OF_TOPIC * uniform(&state));
            of_first += k == 0 ? 1.0 / LENGTH : 0;
            (void)fprintf(f, "%c%c ", (int)('a' + k), (int)('a' + w));
        }
        const double y = size * of_first + slope * x + normal(&state);
        (void)fprintf(f, "\",\"x\":%.4f,\"y\":%.4f,\"l\":\"%s\"}\n", x, y, uniform(&state) < 0.5 ? "p" : "n");
    }
    (void)fclose(f);
}

static gb_settings *settings_for(const char *folds, const char *threads)
{
    return settings_of("topics", "4", "sweeps", "60", "burn-in", "50", "alpha", "0.2", "seed", "3", "threads",
                       threads, "cross-fit", folds, NULL);
}

/* A model with its effects, which the settings are freed for. */
static gb_model *fitted(const gb_corpus *corpus, gb_settings *settings)
{
    gb_error err;
    gb_model *begin = NULL, *model = NULL;
    if (gb_cross_fit_begin(corpus, settings, NULL, NULL, &begin, &err) != GB_OK ||
        gb_train_from(corpus, settings, begin, NULL, NULL, &model, NULL, &err) != GB_OK ||
        gb_cross_fit(corpus, settings, begin, model, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_model_free(begin);
    gb_settings_free(settings);
    return model;
}

/* N_TOPICS: two topics of the documents have become one, with half of the tokens and not a quarter. */
static uint64_t topic_with_first_letter(const gb_model *model, char letter)
{
    uint64_t word, k = 0;
    double probability;
    while (k < N_TOPICS && top_words(model, k, 1, &word, &probability) == 1 &&
           gb_model_word(model, word)[0] != letter)
        k++;
    return k < N_TOPICS && gb_model_topic_share(model, k) < 0.4 ? k : N_TOPICS;
}

/* ---- what it finds ---- */

static void effects_that_are_real_are_covered_and_topics_are_in_every_fold(void **state)
{
    enum { N_CORPORA = 8 };
    gb_cross_effect e[N_TOPICS + 2];
    double sum = 0;
    unsigned n_covariate = 0, n_topic = 0, n_merged = 0;
    (void)state;
    for (uint64_t i = 0; i < N_CORPORA; i++) {
        write_documents("real.jsonl", 10 + i, 2, 0.5);
        gb_corpus *corpus = corpus_of("real.jsonl", "target", "y", "covariates", "x:number", NULL);
        gb_model *model = fitted(corpus, settings_for("4", "1"));
        assert_int_equal(gb_model_n_folds(model), 4);
        assert_int_equal(gb_model_cross_effects(model, 0, e, NULL), GB_OK);
        const uint64_t k = topic_with_first_letter(model, 'a');
        const gb_cross_effect *first = &e[k], *x = &e[N_TOPICS];
        n_merged += k == N_TOPICS;
        if (k < N_TOPICS) {
            assert_int_equal(first->n_folds, 4);
            assert_true(first->reliability > 0.9);
            sum += first->posterior.mean;
            n_topic +=
                first->posterior.q05 < 1.5 && first->posterior.q95 > 1.5; /* less the mean share of a quarter */
        }
        assert_int_equal(x->n_folds, 4);
        n_covariate += x->posterior.q05 < 0.5 && x->posterior.q95 > 0.5;
        gb_model_free(model);
        gb_corpus_free(corpus);
    }
    /* of intervals that hold, fewer than 5 of 8 would with probability 0.005 */
    assert_true(n_merged <= 3); /* one run in 10 is like that: four of 8 with probability 0.005 */
    assert_true(n_topic + n_merged >= 5 && n_covariate >= 5);
    assert_true(fabs(sum / (N_CORPORA - n_merged) - 1.5) < 0.2); /* one has a standard deviation of about 0.2 */
}

/* Of 24 intervals of 90 %, about 2; 8 or more has probability 0.002 if they are independent. */
static void labels_that_are_noise_have_no_effects(void **state)
{
    unsigned n_clear = 0;
    (void)state;
    for (uint64_t i = 0; i < 6; i++) {
        gb_cross_effect e[N_TOPICS + 1];
        write_documents("noise.jsonl", 100 + i, 0, 0);
        gb_corpus *corpus = corpus_of("noise.jsonl", "label", "l", NULL);
        gb_model *model = fitted(corpus, settings_for("4", "1"));
        assert_string_equal(gb_model_response(model, 0), "hinge");
        assert_string_equal(gb_model_cross_response(model, 0), "logistic");
        assert_int_equal(gb_model_cross_effects(model, 0, e, NULL), GB_OK);
        for (size_t k = 0; k < N_TOPICS; k++)
            n_clear += e[k].posterior.q05 > 0 || e[k].posterior.q95 < 0;
        gb_model_free(model);
        gb_corpus_free(corpus);
    }
    assert_true(n_clear < 8);
}

/* More topics than there are: those that most folds do not find again have a mean, and no interval that could exclude 0. */
static void topics_of_few_folds_have_no_interval(void **state)
{
    enum { N_MANY = 24 };
    unsigned n_few = 0, n_most = 0;
    gb_cross_effect e[N_MANY + 1];
    (void)state;
    write_documents("many.jsonl", 201, 0, 0);
    gb_corpus *corpus = corpus_of("many.jsonl", "label", "l", NULL);
    gb_settings *settings = settings_for("6", "1");
    set(settings, "topics", "24");
    gb_model *model = fitted(corpus, settings);
    assert_int_equal(gb_model_cross_effects(model, 0, e, NULL), GB_OK);
    for (size_t k = 0; k < N_MANY; k++) {
        const gb_effect *p = &e[k].posterior;
        assert_int_equal(isfinite(p->mean) != 0, e[k].n_folds > 0);
        assert_int_equal(isfinite(p->q05) != 0, e[k].n_folds >= 3);
        assert_int_equal(isfinite(p->sd) != 0 && isfinite(p->q95) && isfinite(p->p_positive), e[k].n_folds >= 3);
        n_few += e[k].n_folds > 0 && e[k].n_folds < 3;
        n_most += e[k].n_folds >= 3;
    }
    assert_true(n_few > 0 && n_most > 0);
    gb_model_free(model);
    gb_corpus_free(corpus);
}

/* ---- files ---- */

static void assert_same_number(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same_effects(const gb_model *a, const gb_model *b)
{
    gb_cross_effect x[N_TOPICS + 2], y[N_TOPICS + 2];
    assert_int_equal(gb_model_n_folds(a), gb_model_n_folds(b));
    for (uint64_t f = 0; f <= gb_model_n_folds(a); f++) {
        const bool is_pool = f == gb_model_n_folds(a);
        assert_int_equal(is_pool ? gb_model_cross_effects(a, 0, x, NULL) : gb_model_fold_effects(a, f, 0, x, NULL),
                         0);
        assert_int_equal(is_pool ? gb_model_cross_effects(b, 0, y, NULL) : gb_model_fold_effects(b, f, 0, y, NULL),
                         0);
        assert_int_equal(gb_model_fold_n_docs(a, f), gb_model_fold_n_docs(b, f));
        for (size_t j = 0; j < gb_model_n_effects(a, 0); j++) {
            assert_same_number(x[j].posterior.mean, y[j].posterior.mean);
            assert_same_number(x[j].posterior.q05, y[j].posterior.q05);
            assert_same_number(x[j].reliability, y[j].reliability);
            assert_int_equal(x[j].n_folds, y[j].n_folds);
            assert_int_equal(x[j].posterior.n_draws, y[j].posterior.n_draws);
        }
        for (uint64_t k = 0; k < N_TOPICS; k++)
            assert_int_equal(gb_model_fold_topic(a, f, k), gb_model_fold_topic(b, f, k));
    }
}

static void a_model_file_keeps_the_effects_and_threads_do_not_change_them(void **state)
{
    gb_model *read = NULL;
    gb_cross_effect own;
    uint64_t response, place, word[30];
    const char *name;
    (void)state;
    write_documents("file.jsonl", 1, 1, 0.5);
    gb_corpus *corpus = corpus_of("file.jsonl", "target", "y", "covariates", "x:number", NULL);
    gb_model *one = fitted(corpus, settings_for("3", "1")), *three = fitted(corpus, settings_for("3", "3"));
    assert_same_effects(one, three);
    assert_int_equal(gb_model_write(one, "m.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &read, NULL), GB_OK);
    assert_same_effects(one, read);
    assert_int_equal(gb_model_n_cross_parameters(read), 1);
    assert_int_equal(gb_model_cross_parameter(read, 0, &response, &name, &place, &own, NULL), GB_OK);
    assert_string_equal(name, "noise_variance");
    assert_true(own.posterior.q05 < 1 && own.posterior.q95 > 1);
    assert_int_equal(gb_model_fold_topic_words(read, 0, 0, 30, word), 20); /* no more are kept */
    assert_int_equal(gb_model_fold_n_docs(read, 0) + gb_model_fold_n_docs(read, 1) + gb_model_fold_n_docs(read, 2),
                     N_DOCS);
    gb_model_free(one);
    gb_model_free(three);
    gb_model_free(read);
    gb_corpus_free(corpus);
}

/* ---- stopped, refused ---- */

/* Who says stop: a fold or a sweep, by its number from 0.  Estimates ask by the clock, so none of them is meant to. */
typedef struct stopping {
    uint64_t fold, sweep; /* UINT64_MAX: never */
    uint64_t n_folds_seen, n_sweeps_seen, n_after;
    bool has_stopped;
} stopping;

static bool answer(stopping *s, bool is_stop)
{
    s->n_after += s->has_stopped;
    s->has_stopped = s->has_stopped || is_stop;
    return !is_stop;
}

static bool stop_in_fold(const gb_fold_progress *progress, void *user)
{
    stopping *s = user;
    s->n_folds_seen++;
    return answer(s, progress->fold == s->fold);
}

static bool stop_in_sweep(const gb_progress *progress, void *user)
{
    stopping *s = user;
    (void)progress;
    return answer(s, s->n_sweeps_seen++ == s->sweep);
}

static bool go_on(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    return answer(user, false);
}

static void a_stop_leaves_the_model_as_it_was_and_asks_no_more(void **state)
{
    static const struct {
        stopping asked;
        const char *message;
    } cases[] = {
        {{.fold = 1, .sweep = UINT64_MAX}, "stopped in fold 2 of 5, before effects were estimated"},
        {{.fold = UINT64_MAX, .sweep = 3}, "stopped in fold 1 of 5, before effects were estimated"},
    };
    gb_error err;
    gb_model *model = NULL;
    (void)state;
    write_documents("stop.jsonl", 1, 1, 0);
    gb_corpus *corpus = corpus_of("stop.jsonl", "target", "y", NULL);
    gb_settings *settings = settings_for("5", "2");
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stopping s = cases[i].asked;
        const gb_cross_fit_calls calls = {stop_in_fold, stop_in_sweep, go_on, &s};
        assert_int_equal(gb_cross_fit(corpus, settings, NULL, model, &calls, &err), GB_ESTOP);
        assert_string_equal(err.message, cases[i].message);
        assert_true(s.has_stopped);
        assert_int_equal(s.n_after, 0);
        assert_int_equal(s.n_folds_seen, i == 0 ? 2 : 1);
        assert_int_equal(gb_model_n_folds(model), 0);
    }
    assert_null(gb_model_cross_response(model, 0));
    assert_int_equal(gb_model_cross_effects(model, 0, NULL, NULL), GB_EARGUMENT);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void what_cannot_be_cross_fitted_is_refused_before_any_work(void **state)
{
    static const struct {
        const char *folds, *option, *value, *message;
    } cases[] = {
        {"0", NULL, NULL, "`cross-fit` must be between 2 and the number of documents, 200, not 0"},
        {"1", NULL, NULL, "`cross-fit` must be between 2 and the number of documents, 200, not 1"},
        {"201", NULL, NULL, "`cross-fit` must be between 2 and the number of documents, 200, not 201"},
        {"5", "draws", "d.jsonl", "`cross-fit` does not go with `draws`"},
        {"5", "estimate-on", "0.5", "`cross-fit` does not go with `estimate-on`"},
        {"5", "response", "none", "`cross-fit` does not go with `response` none"},
    };
    (void)state;
    write_documents("refused.jsonl", 1, 1, 0);
    gb_corpus *corpus = corpus_of("refused.jsonl", "target", "y", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_error err;
        gb_settings *settings = settings_for(cases[i].folds, "1");
        if (cases[i].option != NULL)
            set(settings, cases[i].option, cases[i].value);
        assert_int_equal(gb_cross_fit_check(corpus, settings, &err), GB_EARGUMENT);
        assert_string_equal(err.message, cases[i].message);
        gb_settings_free(settings);
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_that_are_real_are_covered_and_topics_are_in_every_fold),
        cmocka_unit_test(labels_that_are_noise_have_no_effects),
        cmocka_unit_test(topics_of_few_folds_have_no_interval),
        cmocka_unit_test(a_model_file_keeps_the_effects_and_threads_do_not_change_them),
        cmocka_unit_test(a_stop_leaves_the_model_as_it_was_and_asks_no_more),
        cmocka_unit_test(what_cannot_be_cross_fitted_is_refused_before_any_work),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
