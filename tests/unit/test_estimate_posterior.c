/* test_estimate_posterior.c - coefficients on documents whose words leave their topics open, against the posterior with the topics summed
 * out. */
#include "helper_documents.h"
#include "helper_stream.h"
#include "model/effects.h"

#include "estimate/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_DOCS = 300, N_COUNTS = 3, N_PARAMETERS = 3 };

/* Two words each, of which the third kind belongs to both topics. */
static const char *const words[3] = {"ape", "bat", "cow"};

typedef struct regression {
    size_t word[N_DOCS][2];
    bool is_positive[N_DOCS];
    double p[N_DOCS][N_COUNTS]; /* of so many tokens of the first topic, given the words */
} regression;

static void put_words(FILE *f, size_t n, size_t kind)
{
    for (size_t i = 0; i < n; i++)
        (void)fprintf(f, "%s ", words[kind]);
}

static gb_model *trained(void)
{
    gb_error err;
    gb_model *model = NULL;
    FILE *f = fopen("t.jsonl", "w");
    assert_non_null(f);
    for (size_t d = 0; d < 60; d++) {
        (void)fprintf(f, "{\"text\":\"");
        put_words(f, 20, d % 2);
        put_words(f, 20, 2);
        (void)fprintf(f, "\"}\n");
    }
    (void)fclose(f);
    gb_settings *settings =
        settings_of("topics", "2", "alpha", "1", "beta", "0.01", "response", "none", "sweeps", "60", "burn-in", "59",
                    "snapshots", "1", "growth", "0", "seed", "3", "threads", "1", NULL);
    gb_corpus *corpus = corpus_of("t.jsonl", NULL);
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return model;
}

/* phi[topic][kind of word], topic 0 being the one of the first kind; returns its number. */
static uint64_t find_topics(const gb_model *model, double phi[2][3])
{
    uint64_t word[3], first = 0;
    double p[3];
    for (uint64_t k = 0; k < 2; k++) {
        assert_int_equal(top_words(model, k, 3, word, p), 3);
        double of_kind[3];
        for (size_t i = 0; i < 3; i++)
            of_kind[gb_model_word(model, word[i])[0] - 'a'] = p[i];
        const bool is_first = of_kind[0] > of_kind[1];
        first = is_first ? k : first;
        memcpy(phi[is_first ? 0 : 1], of_kind, sizeof of_kind);
    }
    return first;
}

/* p(z1, z2 | words) is proportional to (1 + [z1 = z2]) phi_z1 phi_z2, with alpha 1 for each topic. */
static void find_probabilities(regression *r, double phi[2][3])
{
    for (size_t d = 0; d < N_DOCS; d++) {
        double total = 0;
        memset(r->p[d], 0, sizeof r->p[d]);
        for (size_t a = 0; a < 2; a++)
            for (size_t b = 0; b < 2; b++) {
                const double p = (a == b ? 2 : 1) * phi[a][r->word[d][0]] * phi[b][r->word[d][1]];
                r->p[d][(a == 0) + (b == 0)] += p;
                total += p;
            }
        for (size_t n = 0; n < N_COUNTS; n++)
            r->p[d][n] /= total;
    }
}

/* Classes that depend on the topics strongly, which the words of a third of the documents do not tell. */
static void write_documents(regression *r, double phi[2][3])
{
    uint64_t state = 11;
    FILE *f = fopen("e.jsonl", "w");
    assert_non_null(f);
    for (size_t d = 0; d < N_DOCS; d++) {
        r->word[d][0] = d % 3;
        r->word[d][1] = d % 2 == 0 ? 2 : d % 3;
    }
    find_probabilities(r, phi);
    for (size_t d = 0; d < N_DOCS; d++) {
        const double u = uniform(&state), n = u < r->p[d][0] ? 0 : u < r->p[d][0] + r->p[d][1] ? 1 : 2;
        r->is_positive[d] = uniform(&state) < 1 / (1 + exp(2 - 2 * n));
        (void)fprintf(f, "{\"text\":\"%s %s\",\"y\":\"%s\"}\n", words[r->word[d][0]], words[r->word[d][1]],
                      r->is_positive[d] ? "p" : "n");
    }
    (void)fclose(f);
}

/* Coefficients of the topics and the intercept; their variance is integrated out. */
static double log_density(const regression *r, const double *theta)
{
    double sum = -theta[2] * theta[2] / 200 -
                 (GB_ESTIMATE_VARIANCE_SHAPE + 1) *
                     log(GB_ESTIMATE_VARIANCE_SCALE + (theta[0] * theta[0] + theta[1] * theta[1]) / 2);
    for (size_t d = 0; d < N_DOCS; d++) {
        double p = 0;
        for (size_t n = 0; n < N_COUNTS; n++) {
            const double score = theta[0] * (double)n / 2 + theta[1] * (1 - (double)n / 2) + theta[2];
            p += r->p[d][n] / (1 + exp(r->is_positive[d] ? -score : score));
        }
        sum += log(p);
    }
    return sum;
}

typedef struct moments {
    double mean, sd;
} moments;

/* Random-walk Metropolis: the first topic minus the second. */
static moments sample(const regression *r)
{
    enum { BURN_IN = 2000, N = 60000 };
    double theta[N_PARAMETERS] = {0}, at = log_density(r, theta), sum = 0, squares = 0;
    uint64_t state = 99;
    for (size_t i = 0; i < BURN_IN + N; i++) {
        double next[N_PARAMETERS];
        const double both = normal(&state), along = 0.8 * normal(&state);
        next[0] = theta[0] + both + along;
        next[1] = theta[1] + both - along;
        next[2] = theta[2] - both + 0.3 * normal(&state);
        const double there = log_density(r, next);
        if (log(uniform(&state)) < there - at) {
            memcpy(theta, next, sizeof theta);
            at = there;
        }
        if (i < BURN_IN)
            continue;
        sum += theta[0] - theta[1];
        squares += (theta[0] - theta[1]) * (theta[0] - theta[1]);
    }
    return (moments){sum / N, sqrt(squares / N - sum / N * (sum / N))};
}

/* The mean over some seeds. */
static moments estimated(const gb_model *model, uint64_t first, const char *use_labels)
{
    enum { N_SEEDS = 8 };
    moments m = {0};
    for (int seed = 0; seed < N_SEEDS; seed++) {
        char text[24];
        gb_error err;
        gb_documents *documents = NULL;
        gb_corpus *docs = NULL;
        uint64_t *n_unknown = NULL;
        gb_estimate *estimate = NULL;
        gb_effect e;
        (void)snprintf(text, sizeof text, "%d", seed);
        gb_settings *settings =
            settings_of("label", "y", "seed", text, "threads", "1", "use-labels", use_labels, NULL);
        if (gb_documents_open(model, "e.jsonl", settings, NULL, NULL, &documents, &err) != GB_OK ||
            gb_documents_next(documents, UINT64_MAX, &docs, &n_unknown, &err) != GB_OK ||
            gb_estimate_create(model, docs, settings, NULL, NULL, &estimate, &err) != GB_OK ||
            gb_model_contrast(gb_estimate_model(estimate), 0, 1, &first, 1, &(uint64_t){1 - first}, &e, &err) !=
                GB_OK)
            fail_msg("%s", err.message);
        m.mean += e.mean / N_SEEDS;
        m.sd += e.sd / N_SEEDS;
        gb_estimate_free(estimate);
        gb_corpus_free(docs);
        gb_documents_close(documents);
        gb_free(n_unknown);
        gb_settings_free(settings);
    }
    return m;
}

/* Eight estimates of 500 draws, worth 100 or more independent ones each: a mean has a standard error of 0.035 standard deviations, and
 * a standard deviation of 0.025 of itself. */
static void with_labels_coefficients_have_the_posterior_with_topics_summed_out(void **state)
{
    (void)state;
    regression r;
    double phi[2][3];
    gb_model *model = trained();
    const uint64_t first = find_topics(model, phi);
    write_documents(&r, phi);
    const moments expected = sample(&r), m = estimated(model, first, "yes"), alone = estimated(model, first, "no");
    assert_true(fabs(m.mean - expected.mean) < 0.12 * expected.sd);
    assert_true(fabs(m.sd / expected.sd - 1) < 0.1);
    assert_true(alone.mean < expected.mean - 0.5 * expected.sd); /* means of shares draw a strong effect towards 0 */
    gb_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_labels_coefficients_have_the_posterior_with_topics_summed_out),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
