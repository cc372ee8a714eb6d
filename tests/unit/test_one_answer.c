/* test_one_answer.c - what is said of a document follows from the document and the model: not from its place, from its neighbours, from the
 * order of its words, from the number of threads, or from a seed. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOCS = 24, WIDTH = 3, TEXT = 400, MOST = 2 * DOCS };

/* ---- documents ---- */

static struct document {
    char fields[TEXT], words[TEXT];
    int n_words;
    float embedding[WIDTH];
} all[DOCS];

/* Of three kinds, with 0 to 40 words, some of which occur more than once. */
static int draw_documents(void **state)
{
    static const char *const color[] = {"blue", "green", "red"};
    if (enter_folder(state) != 0)
        return -1;
    gb_random random = gb_random_open(gb_key_make(7, 0), 0, GB_DRAW_TEST, 0);
    for (int d = 0; d < DOCS; d++) {
        const unsigned about = (unsigned)gb_random_below(&random, 3);
        struct document *doc = &all[d];
        (void)snprintf(
            doc->fields, TEXT,
            "\"color\": \"%s\", \"tags\": [%s], \"level\": \"%u\", \"number\": %.3f, \"count\": %u, \"year\": %u",
            color[about],
            about == 0   ? ""
            : about == 1 ? "\"x\""
                         : "\"x\", \"y\"",
            about + 1, 7 + 3 * about + gb_random_normal(&random), about + (unsigned)gb_random_below(&random, 3),
            2000 + (unsigned)gb_random_below(&random, 9));
        doc->n_words = d % 12 == 11 ? 0 : 1 + (int)gb_random_below(&random, 40);
        for (int i = 0; i < doc->n_words; i++)
            (void)snprintf(doc->words + 3 * i, 4, "%c%c ", 'a' + (char)about,
                           'a' + (char)gb_random_below(&random, 6));
        for (int j = 0; j < WIDTH; j++)
            doc->embedding[j] = (float)gb_random_normal(&random);
    }
    return 0;
}

static void write_embeddings(const char *path, int n, const int *which)
{
    char header[128];
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    (void)snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", n, WIDTH);
    fprintf(f, "\x93NUMPY%c%c%c%c%-117s\n", 1, 0, 118, 0, header);
    for (int i = 0; i < n; i++)
        assert_int_equal(fwrite(all[which[i]].embedding, sizeof(float), WIDTH, f), WIDTH);
    assert_int_equal(fclose(f), 0);
}

static void write_documents(const char *name, int n, const int *which, bool backwards)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s.jsonl", name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < n; i++) {
        const struct document *doc = &all[which[i]];
        fprintf(f, "{%s, \"text\": \"", doc->fields);
        for (int j = 0; j < doc->n_words; j++)
            fprintf(f, "%.3s", doc->words + 3 * (backwards ? doc->n_words - 1 - j : j));
        fputs("\"}\n", f);
    }
    assert_int_equal(fclose(f), 0);
    (void)snprintf(path, sizeof path, "%s.npy", name);
    write_embeddings(path, n, which);
}

/* ---- what is said of them ---- */

typedef struct answers {
    gb_corpus *docs;
    gb_prediction *predicted;
    gb_held_out *likelihood;
    double share[MOST * 4]; /* of gb_infer() */
} answers;

/* Ten numbers at most of each response. */
static void ask(const gb_model *model, gb_settings *settings, const char *name, uint64_t first_row, answers *out)
{
    gb_error err = {0};
    gb_documents *from = NULL;
    uint64_t *n_unknown = NULL;
    char path[64], vectors[64];
    (void)snprintf(path, sizeof path, "%s.jsonl", name);
    (void)snprintf(vectors, sizeof vectors, "%s.npy", name);
    set(settings, "embeddings", vectors);
    if (gb_documents_open(model, path, settings, NULL, NULL, &from, &err) != GB_OK ||
        gb_documents_next(from, MOST, &out->docs, &n_unknown, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_documents_close(from);
    gb_free(n_unknown);
    assert_int_equal(gb_prediction_create(model, out->docs->n_docs, &out->predicted, NULL), GB_OK);
    assert_int_equal(gb_held_out_create(out->docs->n_docs, &out->likelihood, NULL), GB_OK);
    if (gb_predict(model, out->docs, first_row, settings, NULL, NULL, out->predicted, &err) != GB_OK ||
        gb_held_out_likelihood(model, out->docs, first_row, settings, NULL, NULL, out->likelihood, &err) != GB_OK ||
        gb_infer(model, out->docs, first_row, settings, NULL, NULL, out->share, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static void clear(answers *a)
{
    gb_prediction_free(a->predicted);
    gb_held_out_free(a->likelihood);
    gb_corpus_free(a->docs);
}

static void assert_same_rows(const double *a, uint64_t row_a, const double *b, uint64_t row_b, uint64_t n)
{
    if (a != NULL && n > 0)
        assert_memory_equal(a + row_a * n, b + row_b * n, n * sizeof *a);
}

static void assert_same_response(const gb_response_prediction *a, uint64_t i, const gb_response_prediction *b,
                                 uint64_t j)
{
    assert_same_rows(a->probability, i, b->probability, j, a->n_classes);
    assert_same_rows(a->mean, i, b->mean, j, 1);
    assert_same_rows(a->sd, i, b->sd, j, 1);
    assert_same_rows(a->q05, i, b->q05, j, 1);
    assert_same_rows(a->q95, i, b->q95, j, 1);
    if (a->predicted != NULL)
        assert_int_equal(a->predicted[i], b->predicted[j]);
}

/* Document i of `a` is document j of `b`, but for the likelihood. */
static void assert_same_prediction(const answers *a, uint64_t i, const answers *b, uint64_t j)
{
    const gb_prediction *p = a->predicted, *q = b->predicted;
    assert_same_rows(a->share, i, b->share, j, p->n_topics);
    assert_same_rows(p->share, i, q->share, j, p->n_topics);
    assert_same_rows(p->score, i, q->score, j, p->n_outputs);
    for (uint64_t r = 0; r < p->n_responses; r++)
        assert_same_response(&p->response[r], i, &q->response[r], j);
}

static void assert_same(const answers *a, uint64_t i, const answers *b, uint64_t j)
{
    assert_same_prediction(a, i, b, j);
    assert_same_rows(a->likelihood->log_likelihood, i, b->likelihood->log_likelihood, j, 1);
}

/* ---- the cases ---- */

static void check_batches(const gb_model *model, gb_settings *settings, const answers *as_given)
{
    int twice[MOST];
    answers other = {0};
    for (int i = 0; i < MOST; i++)
        twice[i] = (MOST - 1 - i) % DOCS; /* backwards, and again */
    write_documents("twice", MOST, twice, true);
    set(settings, "threads", "1");
    ask(model, settings, "twice", 100, &other);
    for (uint64_t i = 0; i < MOST; i++)
        assert_same(as_given, (uint64_t)twice[i], &other, i);
    clear(&other);
    for (int d = 0; d < DOCS; d += 5) {
        write_documents("one", 1, &d, false);
        ask(model, settings, "one", 0, &other);
        assert_same(as_given, (uint64_t)d, &other, 0);
        clear(&other);
    }
}

static void check_seed(const gb_model *model, gb_settings *settings, const answers *as_given)
{
    answers other = {0};
    set(settings, "seed", "1234");
    ask(model, settings, "all", 0, &other);
    for (uint64_t d = 0; d < DOCS; d++)
        assert_same_prediction(as_given, d, &other, d);
    clear(&other);
}

static void check(const char *role, const char *field, const char *response, const char *prior, bool has_more)
{
    int which[DOCS];
    gb_error err = {0};
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    answers as_given = {0};
    gb_settings *settings =
        settings_of(role, field, "response", response, "prior", prior, "topics", "4", "sweeps", "20", "burn-in", "10",
                    "chains", "2", "snapshots", "4", "seed", "3", "threads", "2", NULL);
    if (strcmp(prior, "graph") == 0) { /* some new documents are of years between those of the training */
        set(settings, "graph", "chain");
        set(settings, "group", "year");
    }
    if (has_more) {
        set(settings, "word-effects", "tfidf");
        set(settings, "embeddings", "all.npy");
        set(settings, "covariates", strcmp(prior, "graph") == 0 ? "count" : "year");
    }
    for (int d = 0; d < DOCS; d++)
        which[d] = d;
    write_documents("all", DOCS, which, false);
    if (gb_corpus_read("all.jsonl", settings, NULL, NULL, &corpus, &err) != GB_OK ||
        gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s, %s: %s", response, prior, err.message);
    gb_settings *asked = settings_of("threads", "2", NULL);
    ask(model, asked, "all", 0, &as_given);
    check_batches(model, asked, &as_given);
    if (strcmp(prior, "uniform") != 0)
        check_seed(model, asked, &as_given);
    clear(&as_given);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    gb_settings_free(asked);
}

static void every_response(void **state)
{
    static const char *const cases[][3] = {
        {"label", "color", "hinge"},         {"label", "color", "logistic"},
        {"label", "color", "probit"},        {"labels", "tags", "hinge"},
        {"labels", "tags", "probit"},        {"labels", "tags", "logistic"},
        {"label", "level", "ordinal"},       {"target", "number", "gaussian"},
        {"target", "number", "insensitive"}, {"target", "count", "negative-binomial"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(cases[i][0], cases[i][1], cases[i][2], "dirichlet", false);
        check(cases[i][0], cases[i][1], cases[i][2], "dirichlet", true);
    }
}

static void every_prior(void **state)
{
    static const char *const priors[] = {"uniform", "logistic-normal", "graph"};
    (void)state;
    for (size_t i = 0; i < sizeof priors / sizeof priors[0]; i++) {
        check("label", "color", "hinge", priors[i], false);
        check("target", "number", "gaussian", priors[i], true);
    }
}

/* A third of the labels are held out, and a third of these are red, as of all. */
static void a_text_without_words_has_the_shares_of_the_classes(void **state)
{
    (void)state;
    gb_settings *settings = settings_of("topics", "4", "sweeps", "60", "burn-in", "40", "seed", "3", NULL);
    gb_error err = {0};
    gb_model *model = NULL;
    gb_prediction *p = NULL;
    gb_corpus *corpus = simulated_with(
        settings_of("documents", "900", "length", "8", "topics", "4", "classes", "3", "seed", "5", NULL));
    uint64_t start[2] = {0, 0}, n_first = 0;
    gb_corpus empty = *corpus;
    empty.n_docs = 1;
    empty.n_tokens = 0;
    empty.doc_start = start;
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    for (uint64_t d = 0; d < 900; d++)
        n_first += corpus->labels[0].class_of[d] == 0 ? 1 : 0;
    assert_int_equal(gb_prediction_create(model, 1, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, &empty, 0, settings, NULL, NULL, p, NULL), GB_OK);
    assert_true(fabs(p->response[0].probability[0] - (double)n_first / 900) < 0.08); /* four standard errors of 300 */
    gb_prediction_free(p);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_response),
        cmocka_unit_test(every_prior),
        cmocka_unit_test(a_text_without_words_has_the_shares_of_the_classes),
    };
    return cmocka_run_group_tests(tests, draw_documents, leave_folder);
}
