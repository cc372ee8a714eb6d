/* Effects of covariates without topics, beside those given topics that say the same. */
#include "helper_documents.h"
#include "helper_stream.h"
#include "helper_tables.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_DOCS = 300, LENGTH = 25 };

/* Words tell the kind of a document nearly, and y follows the words; its mean of each kind is known when they are written. */
static double write_documents(const char *path, uint64_t seed)
{
    uint64_t state = seed;
    double sum[2] = {0, 0}, n[2] = {0, 0};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t d = 0; d < N_DOCS; d++) {
        const bool is_lit = uniform(&state) < 0.5;
        double share = 0;
        (void)fprintf(f, "{\"text\": \"");
        for (size_t i = 0; i < LENGTH; i++) {
            const bool lit = uniform(&state) < (is_lit ? 0.85 : 0.15);
            share += lit ? 1.0 / LENGTH : 0;
            (void)fprintf(f, "%s%c ", lit ? "li" : "no", (int)('a' + (size_t)(8 * uniform(&state))));
        }
        const double y = 2 * share - (is_lit ? 0.3 : 0) + 0.5 * normal(&state);
        sum[is_lit] += y;
        n[is_lit]++;
        (void)fprintf(f, "\", \"kind\": \"%s\", \"y\": %.6f, \"c\": \"%s\"}\n", is_lit ? "Lit" : "Info", y,
                      uniform(&state) < 1 / (1 + exp(-3 * (y - 1))) ? "p" : "n");
    }
    assert_int_equal(fclose(f), 0);
    return sum[1] / n[1] - sum[0] / n[0];
}

static gb_model *train(const gb_corpus *corpus, const char *response)
{
    gb_settings *s = settings_of("topics", "3", "sweeps", "80", "burn-in", "40", "seed", "2", "threads", "1",
                                 "response", response, "cost", "1", NULL);
    gb_model *m = NULL;
    gb_error err = {0};
    if (gb_train(corpus, s, NULL, NULL, &m, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(s);
    return m;
}

/* A column of the effects, of the level Lit minus that of the level Info. */
static double difference(const gb_table *t, const char *column)
{
    return real_at(t, row_with(t, 0, "feature", "kind=Lit"), column) -
           real_at(t, row_with(t, 0, "feature", "kind=Info"), column);
}

static void a_covariate_is_shown_without_topics_that_take_its_effect(void **unused)
{
    (void)unused;
    const double raw = write_documents("d.jsonl", 4);
    gb_corpus *corpus = corpus_of("d.jsonl", "target", "y", "covariates", "kind", NULL);
    gb_model *m = train(corpus, "gaussian"), *read = NULL;
    gb_table *t = answer_to("effects", &(gb_subject){.model = m});
    assert_true(raw > 0.8);
    assert_true(fabs(difference(t, "alone") - raw) < 0.1 * raw);
    assert_true(difference(t, "mean") < 0.6 * raw);
    assert_true(real_at(t, row_with(t, 0, "feature", "kind=Lit"), "alone_q05") > 0);
    assert_true(isnan(real_at(t, row_with(t, 0, "kind", "topic"), "alone")));
    assert_true(says(t, "given topics"));
    assert_int_equal(gb_model_write(m, "m.gibbous", true, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("m.gibbous", NULL, NULL, &read, NULL), GB_OK);
    gb_table *again = answer_to("effects", &(gb_subject){.model = read});
    assert_true(difference(again, "alone") == difference(t, "alone"));
    gb_table_free(again);
    gb_table_free(t);
    gb_model_free(read);
    gb_model_free(m);
    gb_corpus_free(corpus);
    (void)remove("m.gibbous");
}

/* The regression that the estimate has, on the documents of the estimate: logistic in place of hinge. */
static void an_estimate_has_them_by_its_own_response(void **unused)
{
    (void)unused;
    (void)write_documents("d.jsonl", 4);
    gb_corpus *corpus = corpus_of("d.jsonl", "label", "c", "covariates", "kind", NULL);
    gb_model *m = train(corpus, "hinge");
    gb_estimate *estimate = NULL;
    gb_settings *s = settings_of("seed", "1", NULL);
    gb_corpus_free(corpus);
    (void)write_documents("e.jsonl", 5);
    gb_documents *documents = NULL;
    uint64_t *n_unknown = NULL;
    set(s, "label", "c");
    assert_int_equal(gb_documents_open(m, "e.jsonl", s, NULL, NULL, &documents, NULL), GB_OK);
    assert_int_equal(gb_documents_next(documents, UINT64_MAX, &corpus, &n_unknown, NULL), GB_OK);
    gb_documents_close(documents);
    gb_free(n_unknown);
    assert_int_equal(gb_estimate_create(m, corpus, s, NULL, NULL, &estimate, NULL), GB_OK);
    gb_table *t = answer_to("effects", &(gb_subject){.model = m, .estimate = estimate});
    double n[2][2] = {{0}};
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const gb_labels *c = &corpus->labels[0], *kind = &corpus->labels[1];
        n[kind->class_of[kind->doc_start[d]]][c->class_of[c->doc_start[d]]]++;
    }
    const double log_odds = log(n[1][1] / n[1][0]) - log(n[0][1] / n[0][0]);
    assert_true(log_odds > 0.5);
    assert_true(fabs(difference(t, "alone") - log_odds) < 0.15 * log_odds + 0.1);
    gb_table_free(t);
    gb_estimate_free(estimate);
    gb_settings_free(s);
    gb_model_free(m);
    gb_corpus_free(corpus);
}

static void models_without_covariates_have_no_such_column(void **unused)
{
    (void)unused;
    (void)write_documents("d.jsonl", 4);
    gb_corpus *corpus = corpus_of("d.jsonl", "target", "y", NULL);
    gb_model *m = train(corpus, "gaussian");
    gb_table *t = answer_to("effects", &(gb_subject){.model = m});
    assert_false(has_column(t, "alone"));
    gb_table_free(t);
    gb_model_free(m);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_covariate_is_shown_without_topics_that_take_its_effect),
        cmocka_unit_test(an_estimate_has_them_by_its_own_response),
        cmocka_unit_test(models_without_covariates_have_no_such_column),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
