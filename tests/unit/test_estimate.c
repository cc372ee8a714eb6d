/* test_estimate.c - effects on documents that the training did not see: the law of the coefficients, and what noise looks like. */
#include "helper_documents.h"
#include "helper_stream.h"

#include "gibbous/gibbous.h"

#include "estimate/estimate.h"
#include "model/training_documents.h"
#include "run/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gb_corpus *documents_of(const gb_model *model, const char *path, gb_settings *settings)
{
    gb_error err;
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    assert_int_equal(gb_estimate_request_fields(model, settings, NULL), GB_OK);
    if (gb_documents_open(model, path, settings, NULL, NULL, &documents, &err) != GB_OK ||
        gb_documents_next(documents, UINT64_MAX, &docs, &n_unknown, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_documents_close(documents);
    gb_free(n_unknown);
    return docs;
}

static gb_estimate *estimate_on(const gb_model *model, const char *path, gb_settings *settings)
{
    gb_error err;
    gb_estimate *estimate = NULL;
    gb_corpus *docs = documents_of(model, path, settings);
    if (gb_estimate_create(model, docs, settings, NULL, NULL, &estimate, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(docs);
    gb_settings_free(settings);
    return estimate;
}

/* With `snapshots` draws of the field that the option names; a response of NULL is the default. */
static gb_model *trained(const char *path, const char *option, const char *field, const char *response,
                         const char *topics, uint64_t snapshots)
{
    gb_error err;
    gb_model *model = NULL;
    char sweeps[24], kept[24];
    (void)snprintf(sweeps, sizeof sweeps, "%llu", 60 + (unsigned long long)snapshots);
    (void)snprintf(kept, sizeof kept, "%llu", (unsigned long long)snapshots);
    gb_settings *settings = settings_of("topics", topics, "alpha", "0.1", "beta", "0.01", "sweeps", sweeps, "burn-in",
                                        "60", "thin", "1", "snapshots", kept, "seed", "5", "threads", "1", NULL);
    gb_corpus *corpus = corpus_of(path, option, field, NULL);
    if (response != NULL)
        assert_int_equal(gb_settings_set(settings, "response", response, NULL), GB_OK);
    if (strcmp(option, "target") == 0)
        assert_int_equal(gb_settings_set(settings, "standardise", "no", NULL), GB_OK);
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return model;
}

/* ---- the law of the coefficients when the words leave no doubt about the topics ---- */

enum { N_DOCS = 24, LENGTH = 20, N_PARAMETERS = 3 };

/* Each document has n_first of its words from the first topic. */
typedef struct regression {
    double share[N_DOCS], y[N_DOCS];
    double (*log_likelihood)(const struct regression *r, const double *score);
} regression;

static const char *const words[2][4] = {{"ape", "ant", "asp", "auk"}, {"bat", "bee", "boa", "bug"}};

static void put_text(FILE *f, size_t n_first, size_t n)
{
    (void)fprintf(f, "{\"text\":\"");
    for (size_t i = 0; i < n; i++)
        (void)fprintf(f, "%s ", words[i >= n_first][i % 4]);
    (void)fprintf(f, "\"");
}

/* Documents of one topic each, so that the topics are learnt as they are. */
static void write_training(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t d = 0; d < 60; d++) {
        put_text(f, d % 2 == 0 ? 40 : 0, 40);
        (void)fprintf(f, ",\"y\":\"%s\"}\n", d % 3 == 0 ? "p" : "n");
    }
    (void)fclose(f);
}

static void write_estimation(const char *path, regression *r, bool is_class)
{
    static const size_t n_first[8] = {0, 3, 5, 9, 12, 14, 18, 20};
    uint64_t state = 7;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t d = 0; d < N_DOCS; d++) {
        r->share[d] = (double)n_first[d % 8] / LENGTH;
        const double value = 2 * r->share[d] - 0.7 + normal(&state);
        r->y[d] = is_class ? value > 0 : round(1000 * value) / 1000;
        put_text(f, n_first[d % 8], LENGTH);
        if (is_class)
            (void)fprintf(f, ",\"y\":\"%s\"}\n", r->y[d] > 0 ? "p" : "n");
        else
            (void)fprintf(f, ",\"y\":%.3f}\n", r->y[d]);
    }
    (void)fclose(f);
}

static double gaussian(const regression *r, const double *score)
{
    double squares = 0; /* noise variance ~ InvGamma(1, 1/2), integrated out */
    for (size_t d = 0; d < N_DOCS; d++)
        squares += (r->y[d] - score[d]) * (r->y[d] - score[d]);
    return -(1 + N_DOCS / 2.0) * log(0.5 + squares / 2);
}

static double logistic(const regression *r, const double *score)
{
    double sum = 0;
    for (size_t d = 0; d < N_DOCS; d++)
        sum -= log1p(exp(r->y[d] > 0 ? -score[d] : score[d]));
    return sum;
}

static double probit(const regression *r, const double *score)
{
    double sum = 0;
    for (size_t d = 0; d < N_DOCS; d++)
        sum += log(erfc((r->y[d] > 0 ? -score[d] : score[d]) / sqrt(2.0)) / 2);
    return sum;
}

/* Coefficients of the topics and the intercept; their variance ~ InvGamma(a, b), integrated out. */
static double log_density(const regression *r, const double *theta)
{
    double score[N_DOCS];
    for (size_t d = 0; d < N_DOCS; d++)
        score[d] = theta[0] * r->share[d] + theta[1] * (1 - r->share[d]) + theta[2];
    return r->log_likelihood(r, score) - theta[2] * theta[2] / 200 -
           (GB_ESTIMATE_VARIANCE_SHAPE + 1) *
               log(GB_ESTIMATE_VARIANCE_SCALE + (theta[0] * theta[0] + theta[1] * theta[1]) / 2);
}

typedef struct moments {
    double mean, sd, q05, q95;
} moments;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static moments moments_of(double *value, size_t n)
{
    moments m = {0};
    for (size_t i = 0; i < n; i++)
        m.mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        m.sd += (value[i] - m.mean) * (value[i] - m.mean) / (double)n;
    m.sd = sqrt(m.sd);
    qsort(value, n, sizeof *value, ascending);
    m.q05 = value[n / 20];
    m.q95 = value[n - n / 20];
    return m;
}

/* Random-walk Metropolis: the effect of the first topic, and the value of the average document. */
static void sample(const regression *r, moments *effect, moments *average)
{
    enum { BURN_IN = 20000, N = 150000, THIN = 4 };
    double theta[N_PARAMETERS] = {0}, mean_share = 0, at = log_density(r, theta);
    double *of_effect = malloc(N * sizeof(double)), *of_average = malloc(N * sizeof(double));
    uint64_t state = 99;
    assert_true(of_effect != NULL && of_average != NULL);
    for (size_t d = 0; d < N_DOCS; d++)
        mean_share += r->share[d] / N_DOCS;
    for (size_t i = 0; i < BURN_IN + N * THIN; i++) {
        double next[N_PARAMETERS];
        const double both = 0.9 * normal(&state),
                     along = 0.9 * normal(&state); /* the intercept is nearly the topics' mean */
        next[0] = theta[0] + both + along;
        next[1] = theta[1] + both - along;
        next[2] = theta[2] - both + 0.4 * normal(&state);
        const double there = log_density(r, next);
        if (log(uniform(&state)) < there - at) {
            memcpy(theta, next, sizeof theta);
            at = there;
        }
        if (i < BURN_IN || (i - BURN_IN) % THIN != 0)
            continue;
        const size_t n = (i - BURN_IN) / THIN;
        of_effect[n] = (1 - mean_share) * (theta[0] - theta[1]);
        of_average[n] = theta[2] + mean_share * theta[0] + (1 - mean_share) * theta[1];
    }
    *effect = moments_of(of_effect, N);
    *average = moments_of(of_average, N);
    free(of_effect);
    free(of_average);
}

static void assert_same_law(const gb_effect *e, const moments *m)
{
    if (fabs(e->mean - m->mean) > 0.1 * m->sd || fabs(e->sd / m->sd - 1) > 0.1 ||
        fabs(e->q05 - m->q05) > 0.2 * m->sd || fabs(e->q95 - m->q95) > 0.2 * m->sd)
        fail_msg("mean %g, sd %g, %g to %g; expected %g, %g, %g to %g", e->mean, e->sd, e->q05, e->q95, m->mean,
                 m->sd, m->q05, m->q95);
}

/* The number of the topic with the words of the first kind. */
static uint64_t first_topic(const gb_model *model)
{
    uint64_t word;
    double probability;
    assert_int_equal(top_words(model, 0, 1, &word, &probability), 1);
    return gb_model_word(model, word)[0] == 'a' ? 0 : 1;
}

static void add_effect(gb_effect *sum, const gb_effect *e, double weight)
{
    sum->mean += weight * e->mean;
    sum->sd += weight * e->sd;
    sum->q05 += weight * e->q05;
    sum->q95 += weight * e->q95;
}

/* The mean over some seeds: an estimate has 500 draws, and the tolerances are for thousands. */
static void check_effect(const gb_model *model, bool is_class, const char *response, uint64_t feature,
                         const moments *expected)
{
    enum { N_SEEDS = 8 };
    gb_effect sum = {0};
    for (int seed = 0; seed < N_SEEDS; seed++) {
        char text[24];
        gb_effect e;
        (void)snprintf(text, sizeof text, "%d", seed);
        gb_settings *settings = settings_of(is_class ? "label" : "target", "y", "seed", text, "threads", "1", NULL);
        gb_estimate *estimate = estimate_on(model, "e.jsonl", settings);
        const gb_model *estimated = gb_estimate_model(estimate);
        assert_string_equal(gb_model_response(estimated, 0), response);
        assert_int_equal(gb_model_effect(estimated, 0, feature, &e, NULL), GB_OK);
        assert_true(gb_estimate_reliability(estimate, 0) > 0.99);
        add_effect(&sum, &e, 1.0 / N_SEEDS);
        gb_estimate_free(estimate);
    }
    assert_same_law(&sum, expected);
}

static void check_law(const char *response, bool is_class,
                      double (*log_likelihood)(const regression *, const double *))
{
    regression r = {.log_likelihood = log_likelihood};
    moments effect, average;
    write_training("t.jsonl");
    write_estimation("e.jsonl", &r, is_class);
    gb_model *model = is_class ? trained("t.jsonl", "label", "y", response, "2", 10)
                               : trained("t.jsonl", "text", "text", NULL, "2", 10);
    sample(&r, &effect, &average);
    check_effect(model, is_class, response, first_topic(model), &effect);
    check_effect(model, is_class, response, 2, &average);
    gb_model_free(model);
}

static void coefficients_given_topics_have_the_law_of_a_gaussian_regression(void **state)
{
    (void)state;
    check_law("gaussian", false, gaussian);
}

static void coefficients_given_topics_have_the_law_of_a_logistic_regression(void **state)
{
    (void)state;
    check_law("logistic", true, logistic);
}

static void coefficients_given_topics_have_the_law_of_a_probit_regression(void **state)
{
    (void)state;
    check_law("probit", true, probit);
}

/* ---- noise ---- */

enum { N_TOPICS = 5, WORDS_OF_TOPIC = 12, NOISE_DOCS = 200, NOISE_LENGTH = 25 };

/* Documents of two topics each, with a label and a number that have nothing to do with them. */
static void write_noise(const char *path, uint64_t seed)
{
    uint64_t state = seed;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t d = 0; d < NOISE_DOCS; d++) {
        const size_t a = (size_t)(N_TOPICS * uniform(&state)), b = (size_t)(N_TOPICS * uniform(&state));
        const double share = uniform(&state);
        (void)fprintf(f, "{\"text\":\"");
        for (size_t i = 0; i < NOISE_LENGTH; i++) {
            const size_t k = uniform(&state) < share ? a : b, w = (size_t)(WORDS_OF_TOPIC * uniform(&state));
            (void)fprintf(f, "%c%c ", (int)('a' + k), (int)('a' + w));
        }
        (void)fprintf(f, "\",\"l\":\"%s\",\"n\":%.3f}\n", uniform(&state) < 0.5 ? "x" : "y", normal(&state));
    }
    (void)fclose(f);
}

/* Topics whose 90 % interval has not 0 in it. */
static unsigned count_clear(const gb_model *model)
{
    unsigned n = 0;
    for (uint64_t k = 0; k < N_TOPICS; k++) {
        gb_effect e;
        assert_int_equal(gb_model_effect(model, 0, k, &e, NULL), GB_OK);
        n += e.q05 > 0 || e.q95 < 0;
    }
    return n;
}

/* Of 60 intervals: about 6 if they hold.  17 or more has probability 1e-4 if they are independent. */
static void labels_that_are_noise_have_no_effects(void **state)
{
    enum { N_CORPORA = 6 };
    unsigned n_clear = 0, n_clear_in_training = 0;
    (void)state;
    for (uint64_t i = 0; i < 2 * N_CORPORA; i++) {
        const bool is_class = i < N_CORPORA;
        write_noise("t.jsonl", 100 + i);
        write_noise("e.jsonl", 200 + i);
        gb_model *model = trained("t.jsonl", is_class ? "label" : "target", is_class ? "l" : "n", NULL, "5", 10);
        gb_estimate *estimate = estimate_on(model, "e.jsonl", settings_of("infer-sweeps", "4", "threads", "1", NULL));
        n_clear += count_clear(gb_estimate_model(estimate));
        n_clear_in_training += is_class ? count_clear(model) : 0;
        gb_estimate_free(estimate);
        gb_model_free(model);
    }
    assert_true(n_clear < 17);
    assert_true(n_clear_in_training > 15); /* of 30: the topics were bent towards these very labels */
}

/* ---- reliability ---- */

static void shares_that_words_do_not_tell_are_not_reliable(void **state)
{
    FILE *f = fopen("same.jsonl", "w");
    (void)state;
    assert_non_null(f);
    for (size_t d = 0; d < 300; d++)
        (void)fprintf(f, "{\"text\":\"ape ant ape ant ape ant\",\"y\":%zu}\n", d % 7);
    (void)fclose(f);
    gb_model *model = trained("same.jsonl", "text", "text", NULL, "5", 10);
    gb_estimate *estimate =
        estimate_on(model, "same.jsonl", settings_of("target", "y", "infer-sweeps", "30", "threads", "1", NULL));
    double largest = 0;
    for (uint64_t k = 0; k < 5; k++) {
        const double reliability = gb_estimate_reliability(estimate, k);
        largest = !isnan(reliability) && reliability > largest ? reliability : largest;
    }
    assert_true(largest < 0.3);
    gb_estimate_free(estimate);
    gb_model_free(model);
}

/* ---- stopped, refused ---- */

static bool stop_at_once(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    ++*(unsigned *)user;
    return false;
}

static void a_stop_leaves_nothing_and_asks_no_more(void **state)
{
    (void)state;
    unsigned n_calls = 0;
    write_noise("t.jsonl", 1);
    write_noise("e.jsonl", 2);
    gb_model *model = trained("t.jsonl", "label", "l", NULL, "5", 10);
    gb_settings *settings = settings_of("infer-sweeps", "400", "threads", "2", NULL);
    gb_corpus *docs = documents_of(model, "e.jsonl", settings);
    gb_estimate *estimate = NULL;
    assert_int_equal(gb_estimate_create(model, docs, settings, stop_at_once, &n_calls, &estimate, NULL), GB_ESTOP);
    assert_null(estimate);
    assert_int_equal(n_calls, 1);
    gb_corpus_free(docs);
    gb_settings_free(settings);
    gb_model_free(model);
}

/* 100 draws of 20,000 tokens are kept for the labels, of 2 bytes each: 4 MB.  All else but the program is below 1 MiB. */
static void the_draws_that_labels_choose_from_count_against_the_limit_of_memory(void **state)
{
    (void)state;
    gb_error err;
    gb_estimate *estimate = NULL;
    char limit[24];
    FILE *f = fopen("long.jsonl", "w");
    assert_non_null(f);
    for (size_t d = 0; d < 100; d++) {
        put_text(f, d % 3 == 0 ? 200 : 0, 200);
        (void)fprintf(f, ",\"y\":\"%s\"}\n", d % 2 == 0 ? "p" : "n");
    }
    (void)fclose(f);
    write_training("t.jsonl");
    gb_model *model = trained("t.jsonl", "label", "y", NULL, "2", 1);
    (void)snprintf(limit, sizeof limit, "%llu", (unsigned long long)GB_PROGRAM_BYTES + (3 << 20));
    gb_settings *settings = settings_of("threads", "1", "memory-limit", limit, NULL);
    gb_corpus *docs = documents_of(model, "long.jsonl", settings);
    assert_int_equal(gb_estimate_create(model, docs, settings, NULL, NULL, &estimate, &err), GB_EARGUMENT);
    assert_null(estimate);
    assert_non_null(strstr(err.message, ": the estimate needs about "));
    set(settings, "use-labels", "no");
    assert_int_equal(gb_estimate_create(model, docs, settings, NULL, NULL, &estimate, NULL), GB_OK);
    gb_estimate_free(estimate);
    gb_corpus_free(docs);
    gb_settings_free(settings);
    gb_model_free(model);
}

/* Write lines of a file in the opposite order, with the words of each in the opposite order too. */
static void write_turned(const char *from, const char *to)
{
    char line[40][1000];
    size_t n = 0;
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    assert_non_null(in);
    assert_non_null(out);
    while (n < 40 && fgets(line[n], sizeof line[n], in) != NULL)
        n++;
    assert_true(n > 10);
    while (n-- > 0) {
        char *text = strstr(line[n], "\"text\":\"") + strlen("\"text\":\""), *end = strchr(text, '"');
        (void)fprintf(out, "%.*s", (int)(text - line[n]), line[n]);
        for (char *word = end; word > text;) {
            const char *word_end = word;
            while (word > text && word[-1] != ' ')
                word--;
            (void)fprintf(out, "%.*s ", (int)(word_end - word), word);
            word -= word > text;
        }
        (void)fputs(end, out);
    }
    (void)fclose(in);
    (void)fclose(out);
}

/* As text: the command and Python show it. */
static void documents_of_the_training_are_told_from_others(void **state)
{
    (void)state;
    gb_error err;
    gb_estimate *estimate = NULL;
    gb_corpus *unseen = NULL;
    write_noise("t.jsonl", 1);
    write_noise("e.jsonl", 2);
    write_turned("t.jsonl", "turned.jsonl");
    gb_model *model = trained("t.jsonl", "label", "l", NULL, "5", 10);
    gb_settings *settings = settings_of("threads", "1", NULL);
    gb_corpus *seen = documents_of(model, "t.jsonl", settings), *others = documents_of(model, "e.jsonl", settings),
              *turned = documents_of(model, "turned.jsonl", settings);
    assert_true(gb_model_knows_training_docs(model));
    assert_int_equal(gb_estimate_create(model, seen, settings, NULL, NULL, &estimate, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "the model was trained on these documents"));
    assert_int_equal(gb_estimate_create(model, turned, settings, NULL, NULL, &estimate, NULL), GB_EARGUMENT);
    assert_int_equal(gb_estimate_leave_out_seen(model, others, &unseen, NULL), GB_OK);
    assert_null(unseen);
    gb_corpus_free(seen);
    gb_corpus_free(turned);
    gb_corpus_free(others);
    gb_settings_free(settings);
    gb_model_free(model);
}

static void only_a_likelihood_of_cost_1_has_a_posterior(void **state)
{
    static const struct {
        const char *response, *cost;
        bool is_pseudo;
    } cases[] = {{"hinge", "1", true}, {"logistic", "1", false}, {"logistic", "8", true}, {"probit", NULL, false}};
    (void)state;
    write_noise("t.jsonl", 1);
    gb_corpus *corpus = corpus_of("t.jsonl", "label", "l", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_model *model = NULL;
        gb_settings *settings = settings_of("topics", "3", "sweeps", "4", "burn-in", "2", "seed", "1", "threads", "1",
                                            "response", cases[i].response, NULL);
        if (cases[i].cost != NULL)
            assert_int_equal(gb_settings_set(settings, "cost", cases[i].cost, NULL), GB_OK);
        assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
        assert_int_equal(gb_model_has_pseudo_posterior(model), cases[i].is_pseudo);
        gb_model_free(model);
        gb_settings_free(settings);
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_given_topics_have_the_law_of_a_gaussian_regression),
        cmocka_unit_test(coefficients_given_topics_have_the_law_of_a_logistic_regression),
        cmocka_unit_test(coefficients_given_topics_have_the_law_of_a_probit_regression),
        cmocka_unit_test(labels_that_are_noise_have_no_effects),
        cmocka_unit_test(shares_that_words_do_not_tell_are_not_reliable),
        cmocka_unit_test(a_stop_leaves_nothing_and_asks_no_more),
        cmocka_unit_test(the_draws_that_labels_choose_from_count_against_the_limit_of_memory),
        cmocka_unit_test(documents_of_the_training_are_told_from_others),
        cmocka_unit_test(only_a_likelihood_of_cost_1_has_a_posterior),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
