/* Scores as sums: the parts add up to what predict gives, whatever the response and whatever stands beside the topics; topics' parts are
 * shares times effects; and a score without a word is that of the document without it. */
#include "helper_documents.h"

#include "apply/nearest.h"
#include "base/memory.h"
#include "model/model.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOCS = 48, WIDTH = 3 };

/* ---- documents with everything that a score can depend on ---- */

static void write_document(FILE *f, gb_random *random, int d)
{
    static const char *const color[] = {"blue", "green", "red"};
    const unsigned about = (unsigned)gb_random_below(random, 3);
    fprintf(f, "{\"kind\": \"%s\", \"color\": \"%s\", \"tags\": [", about == 0 ? "no" : "yes", color[about]);
    fprintf(f, "%s], ", about == 0 ? "" : about == 1 ? "\"x\"" : "\"x\", \"y\"");
    fprintf(f, "\"level\": \"%u\", \"number\": %.3f, \"count\": %u, \"size\": %.1f, ", about + 1,
            7 + 3 * about + gb_random_normal(random), about + (unsigned)gb_random_below(random, 3), 1 + 0.5 * about);
    fprintf(f, "\"year\": %u, \"who\": \"%c\", \"by\": [\"p%u\", \"q\"], \"text\": \"",
            2000 + (unsigned)gb_random_below(random, 9), 'A' + d % 4, (unsigned)d % 3);
    for (int i = 0; d % 20 != 19 && i < 15; i++) /* a few documents have no words */
        fprintf(f, " %c%c", 'a' + (int)about, 'a' + (int)gb_random_below(random, 6));
    fputs("\"}\n", f);
}

static int write_embeddings(gb_random *random)
{
    char header[128];
    FILE *f = fopen("e.npy", "wb");
    if (f == NULL)
        return -1;
    (void)snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", DOCS,
                   WIDTH);
    fprintf(f, "\x93NUMPY%c%c%c%c%-117s\n", 1, 0, 118, 0, header);
    for (int i = 0; i < DOCS * WIDTH; i++) {
        const float x = (float)gb_random_normal(random);
        (void)fwrite(&x, sizeof x, 1, f);
    }
    return fclose(f);
}

static int write_documents(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    gb_random random = gb_random_open(gb_key_make(7, 0), 0, GB_DRAW_TEST, 0);
    FILE *f = fopen("all.jsonl", "w");
    if (f == NULL)
        return -1;
    for (int d = 0; d < DOCS; d++)
        write_document(f, &random, d);
    return fclose(f) == 0 ? write_embeddings(&random) : -1;
}

/* ---- a model and its explanations ---- */

typedef struct fitted {
    gb_model *model;
    gb_corpus *docs;
    gb_settings *settings;
    gb_prediction *predicted;
    gb_explanation *explained;
} fitted;

static void read_and_train(fitted *f)
{
    gb_error err = {0};
    if (gb_corpus_read("all.jsonl", f->settings, NULL, NULL, &f->docs, &err) != GB_OK ||
        gb_train(f->docs, f->settings, NULL, NULL, &f->model, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static void explain(fitted *f, uint64_t n_explained, uint64_t n_without)
{
    assert_int_equal(gb_prediction_create(f->model, DOCS, &f->predicted, NULL), GB_OK);
    assert_int_equal(gb_predict(f->model, f->docs, 0, f->settings, NULL, NULL, f->predicted, NULL), GB_OK);
    if (n_explained == 0)
        n_explained = gb_model_n_outputs(f->model);
    assert_int_equal(gb_explanation_create(f->model, f->docs, n_explained, n_without, &f->explained, NULL), GB_OK);
    assert_int_equal(gb_explain(f->model, f->docs, 0, f->settings, NULL, NULL, f->explained, NULL), GB_OK);
}

/* Everything beside the topics. */
static fitted fit_all(const char *field, const char *name, const char *response, const char *prior)
{
    fitted f = {.settings = settings_of(field, name, "response", response, "prior", prior, "topics", "4", "sweeps",
                                        "20", "burn-in", "10", "chains", "2", "snapshots", "4", "seed", "3",
                                        "threads", "2", "calibrate", "0", "word-effects", "tfidf", "embeddings",
                                        "e.npy", "covariates", "year,who,by:list", NULL)};
    if (strcmp(response, "negative-binomial") == 0)
        set(f.settings, "exposure", "size");
    read_and_train(&f);
    return f;
}

static fitted fit_plain(const char *field, const char *name, const char *response, const char *strategy)
{
    fitted f = {.settings = settings_of(field, name, "response", response, "strategy", strategy, "topics", "4",
                                        "sweeps", "20", "burn-in", "10", "snapshots", "4", "seed", "3", "threads",
                                        "2", "calibrate", "0", "infer-sweeps", "3", NULL)};
    read_and_train(&f);
    return f;
}

static void clear(fitted *f)
{
    gb_explanation_free(f->explained);
    gb_prediction_free(f->predicted);
    gb_model_free(f->model);
    gb_corpus_free(f->docs);
    gb_settings_free(f->settings);
}

/* ---- sums ---- */

static double sum_of(const double *x, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static double sum_of_parts(const gb_explanation *e, uint64_t d, uint64_t o)
{
    const uint64_t at = d * e->n_explained + o;
    double sum = e->average[at] + e->embedding[at] + e->absent[at];
    sum += sum_of(e->topic + at * (e->n_topics + 1), e->n_topics + 1);
    if (e->n_fields > 0)
        sum += sum_of(e->covariate + at * e->n_fields, e->n_fields);
    for (uint64_t i = e->word_start[d]; i < e->word_start[d + 1]; i++)
        sum += e->word_effect[i * e->n_explained + o];
    return sum;
}

static void check_sums(const fitted *f)
{
    const gb_explanation *e = f->explained;
    for (uint64_t at = 0; at < DOCS * e->n_explained; at++) {
        const uint64_t d = at / e->n_explained, o = at % e->n_explained;
        assert_true(e->score[at] == f->predicted->score[d * f->predicted->n_outputs + e->output[at]]);
        assert_true(fabs(sum_of_parts(e, d, o) - e->score[at]) < 1e-9 * (1 + fabs(e->score[at])));
        assert_true(fabs(sum_of(e->share + at * (e->n_topics + 1), e->n_topics + 1) - 1) < 1e-9);
    }
}

/* The parts of a topic in the words of a document add up to its part in the document. */
static void check_words(const fitted *f)
{
    const gb_explanation *e = f->explained;
    const uint64_t n = e->n_topics + 1;
    for (uint64_t d = 0; d < DOCS; d++)
        for (uint64_t i = 0; i < e->n_explained * n && e->word_start[d] < e->word_start[d + 1]; i++) {
            double sum = 0;
            for (uint64_t w = e->word_start[d]; w < e->word_start[d + 1]; w++)
                sum += e->word_topic[w * e->n_explained * n + i];
            const double part = e->topic[d * e->n_explained * n + i];
            assert_true(fabs(sum - part) < 1e-9 * (1 + fabs(part)));
        }
}

static void check_all(const char *field, const char *name, const char *response, const char *prior)
{
    fitted f = fit_all(field, name, response, prior);
    explain(&f, 0, 0);
    assert_int_equal(f.explained->n_fields, 3);
    check_sums(&f);
    check_words(&f);
    clear(&f);
}

static void parts_add_up_to_the_score_for_every_response(void **state)
{
    (void)state;
    check_all("label", "kind", "hinge", "dirichlet");
    check_all("label", "color", "logistic", "dirichlet");
    check_all("labels", "tags", "probit", "dirichlet");
    check_all("label", "level", "ordinal", "dirichlet");
    check_all("target", "number", "gaussian", "dirichlet");
    check_all("target", "number", "insensitive", "dirichlet");
    check_all("target", "count", "negative-binomial", "dirichlet");
}

static void parts_add_up_for_priors_that_keep_something_of_a_document(void **state)
{
    (void)state;
    check_all("label", "color", "logistic", "logistic-normal");
    check_all("label", "kind", "probit", "uniform");
}

static void parts_add_up_where_each_class_has_topics_of_its_own(void **state)
{
    (void)state;
    fitted f = fit_plain("label", "color", "hinge", "one-vs-rest");
    explain(&f, 0, 0);
    check_sums(&f);
    check_words(&f);
    clear(&f);
}

/* ---- topics ---- */

/* With one draw a part is the product of what infer and effects say. */
static void a_topics_part_is_its_share_times_its_effect(void **state)
{
    (void)state;
    fitted f = {.settings = settings_of("target", "number", "response", "gaussian", "topics", "4", "sweeps", "11",
                                        "burn-in", "10", "snapshots", "1", "seed", "3", "threads", "1", NULL)};
    gb_effect effect;
    read_and_train(&f);
    assert_int_equal(gb_model_n_draws(f.model), 1);
    explain(&f, 0, 0);
    const gb_explanation *e = f.explained;
    for (uint64_t k = 0; k < e->n_topics; k++) {
        assert_int_equal(gb_model_effect(f.model, 0, k, &effect, NULL), GB_OK);
        for (uint64_t d = 0; d < DOCS; d++) {
            const double part = e->scale[d] * e->topic[d * (e->n_topics + 1) + k];
            assert_true(fabs(part - effect.mean * f.predicted->share[d * e->n_topics + k]) < 1e-9);
        }
    }
    assert_int_equal(gb_model_effect(f.model, 0, e->n_topics, &effect, NULL), GB_OK);
    assert_true(fabs(e->centre[0] + e->scale[0] * e->average[0] - effect.mean) < 1e-9);
    assert_true(fabs(e->centre[0] + e->scale[0] * e->score[0] - f.predicted->response[0].mean[0]) < 1e-9);
    clear(&f);
}

/* ---- without a word ---- */

static void without_a_word_the_score_is_that_of_the_shorter_document(void **state)
{
    (void)state;
    fitted f = fit_all("label", "color", "logistic", "dirichlet");
    double score[DOCS * 3];
    uint32_t word[64];
    uint64_t start[DOCS + 1], n = 0, n_checked = 0;
    explain(&f, 0, 1);
    const gb_explanation *e = f.explained;
    gb_corpus shorter = *f.docs;
    gb_prediction p = {.size = sizeof p, .n_docs = DOCS, .n_topics = 4, .n_outputs = 3, .score = score};
    uint32_t *all = NULL;
    assert_int_equal(gb_alloc(&all, f.docs->n_tokens, sizeof *all, "words", NULL), GB_OK);
    for (uint64_t d = 0; d < DOCS; d++) { /* the word that was taken out of each */
        uint64_t w = e->word_start[d], n_known = 0;
        for (uint64_t i = w; i < e->word_start[d + 1]; i++)
            n_known += isnan(e->without[i * 3]) ? 0 : 1;
        assert_int_equal(n_known, e->word_start[d] == e->word_start[d + 1] ? 0 : 1);
        while (w < e->word_start[d + 1] && isnan(e->without[w * 3]))
            w++;
        word[d] = w < e->word_start[d + 1] ? e->word[w] : UINT32_MAX;
        start[d] = n;
        for (uint64_t i = f.docs->doc_start[d]; i < f.docs->doc_start[d + 1]; i++)
            if (f.docs->word[i] != word[d])
                all[n++] = f.docs->word[i];
    }
    start[DOCS] = shorter.n_tokens = n;
    shorter.doc_start = start;
    shorter.word = all;
    assert_int_equal(gb_predict(f.model, &shorter, 0, f.settings, NULL, NULL, &p, NULL), GB_OK);
    for (uint64_t w = 0, d = 0; w < e->word_start[DOCS]; w++) {
        while (w >= e->word_start[d + 1])
            d++;
        for (uint64_t o = 0; e->word[w] == word[d] && o < 3; o++, n_checked++)
            assert_true(fabs(e->without[w * 3 + o] - score[d * 3 + o]) <
                        0.5); /* other words of the batch go with it */
    }
    assert_true(n_checked > 3 * (DOCS - 6));
    gb_free(all);
    clear(&f);
}

/* ---- calls ---- */

static void only_the_outputs_asked_for_are_explained(void **state)
{
    (void)state;
    fitted f = fit_plain("label", "color", "logistic", "shared");
    explain(&f, 0, 0);
    gb_explanation *one = NULL;
    assert_int_equal(gb_explanation_create(f.model, f.docs, 1, 0, &one, NULL), GB_OK);
    for (uint64_t d = 0; d < DOCS; d++)
        one->output[d] = d % 3;
    assert_int_equal(gb_explain(f.model, f.docs, 0, f.settings, NULL, NULL, one, NULL), GB_OK);
    for (uint64_t d = 0; d < DOCS; d++)
        for (uint64_t k = 0; k < 5; k++)
            assert_true(one->topic[d * 5 + k] == f.explained->topic[(d * 3 + d % 3) * 5 + k]);
    gb_explanation_free(one);
    clear(&f);
}

static void neither_threads_nor_batches_change_a_bit(void **state)
{
    (void)state;
    fitted f = fit_all("label", "color", "logistic", "dirichlet");
    gb_explanation *again = NULL;
    gb_corpus *last = NULL;
    explain(&f, 0, 1);
    const uint64_t n = 3 * 5, from = 20;
    set(f.settings, "threads", "1");
    assert_int_equal(gb_corpus_view_create(f.docs, from, DOCS, &last, NULL), GB_OK);
    assert_int_equal(gb_explanation_create(f.model, last, 3, 1, &again, NULL), GB_OK);
    assert_int_equal(gb_explain(f.model, last, from, f.settings, NULL, NULL, again, NULL), GB_OK);
    assert_memory_equal(again->topic, f.explained->topic + from * n, (DOCS - from) * n * sizeof *again->topic);
    const uint64_t word = f.explained->word_start[from];
    assert_memory_equal(again->without, f.explained->without + 3 * word,
                        3 * again->word_start[DOCS - from] * sizeof *again->without);
    gb_explanation_free(again);
    gb_corpus_free(last);
    clear(&f);
}

static bool stop(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

static void a_callback_that_says_stop_is_not_called_again(void **state)
{
    (void)state;
    int n_calls = 0;
    fitted f = fit_all("label", "color", "logistic", "logistic-normal"); /* topics are drawn */
    set(f.settings, "infer-sweeps", "1000000");
    assert_int_equal(gb_explanation_create(f.model, f.docs, 1, 3, &f.explained, NULL), GB_OK);
    assert_int_equal(gb_explain(f.model, f.docs, 0, f.settings, stop, &n_calls, f.explained, NULL), GB_ESTOP);
    assert_int_equal(n_calls, 1);
    clear(&f);
}

static void what_cannot_be_explained_is_refused(void **state)
{
    (void)state;
    gb_error err = {0};
    fitted f = fit_plain("label", "color", "logistic", "shared");
    assert_int_equal(gb_explanation_create(f.model, f.docs, 4, 0, &f.explained, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "4 scores are to be explained; expected 1 to 3");
    assert_int_equal(gb_explanation_create(f.model, f.docs, 1, 0, &f.explained, &err), GB_OK);
    f.explained->output[3] = 3;
    assert_int_equal(gb_explain(f.model, f.docs, 0, f.settings, NULL, NULL, f.explained, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "score 3 is to be explained, but the model has 3");
    set(f.settings, "topics-alone", "yes");
    assert_int_equal(gb_explain(f.model, f.docs, 0, f.settings, NULL, NULL, f.explained, &err), GB_EARGUMENT);
    clear(&f);
}

/* ---- nearest documents ---- */

static void the_nearest_documents_are_those_with_the_same_topics(void **state)
{
    (void)state;
    const double share[] = {0.64, 0.36}, other[] = {0, 1, 0.36, 0.64, 0.64, 0.36, 1, 0};
    uint64_t best[4];
    double affinity[4];
    gb_error err = {0};
    assert_int_equal(gb_nearest_documents(2, 1, share, 4, other, 4, best, affinity, NULL), GB_OK);
    const uint64_t order[] = {2, 1, 3, 0};
    const double expected[] = {1, 0.96, 0.8, 0.6};
    assert_memory_equal(best, order, sizeof order);
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(affinity[i] - expected[i]) < 1e-15);
    assert_int_equal(gb_nearest_documents(2, 1, share, 4, other, 5, best, affinity, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "the 5 nearest of 4 documents");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up_to_the_score_for_every_response),
        cmocka_unit_test(parts_add_up_for_priors_that_keep_something_of_a_document),
        cmocka_unit_test(parts_add_up_where_each_class_has_topics_of_its_own),
        cmocka_unit_test(a_topics_part_is_its_share_times_its_effect),
        cmocka_unit_test(without_a_word_the_score_is_that_of_the_shorter_document),
        cmocka_unit_test(only_the_outputs_asked_for_are_explained),
        cmocka_unit_test(neither_threads_nor_batches_change_a_bit),
        cmocka_unit_test(a_callback_that_says_stop_is_not_called_again),
        cmocka_unit_test(what_cannot_be_explained_is_refused),
        cmocka_unit_test(the_nearest_documents_are_those_with_the_same_topics),
    };
    return cmocka_run_group_tests(tests, write_documents, leave_folder);
}
