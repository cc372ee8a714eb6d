/* What callers make or change themselves, given to functions that read documents with a model: each member wrong in turn is GB_EARGUMENT with a
 * message that says which, before anything is computed; right again, the same structure is taken. */
#include "helper_documents.h"

#include "apply/nearest.h"
#include "apply/topic_documents.h"
#include "evaluation/topic_quality.h"
#include "gibbous/gibbous.h"

#include <math.h>
#include <string.h>

typedef struct world {
    gb_settings *settings;
    gb_corpus *corpus, *docs;
    gb_model *model;
    uint64_t *n_unknown;
} world;

static int make_world(void **state)
{
    static world w;
    gb_error err = {.message = ""};
    w = (world){.settings =
                    settings_of("topics", "3", "documents", "20", "vocabulary-size", "12", "length", "8", "classes",
                                "2", "sweeps", "4", "burn-in", "2", "seed", "5", "threads", "1", NULL)};
    assert_int_equal(gb_simulate(NULL, w.settings, NULL, NULL, &w.corpus, NULL), GB_OK);
    set(w.settings, "infer-sweeps", "2");
    set(w.settings, "infer-burn-in", "1");
    set(w.settings, "response", "logistic");
    if (gb_train(w.corpus, w.settings, NULL, NULL, &w.model, &err) != GB_OK ||
        gb_documents_from_corpus(w.model, w.corpus, &w.docs, &w.n_unknown, &err) != GB_OK)
        fail_msg("%s", err.message);
    *state = &w;
    return 0;
}

static int free_world(void **state)
{
    world *w = *state;
    gb_settings_free(w->settings);
    gb_corpus_free(w->corpus);
    gb_corpus_free(w->docs);
    gb_model_free(w->model);
    gb_free(w->n_unknown);
    return 0;
}

/* With `member` another number, the call says what is expected. */
#define REFUSED(member, wrong, expected, call)                                                                       \
    do {                                                                                                             \
        gb_error err = {.message = ""};                                                                              \
        const __typeof__(member) was = (member);                                                                     \
        (member) = (wrong);                                                                                          \
        assert_int_equal((call), GB_EARGUMENT);                                                                      \
        if (strstr(err.message, expected) == NULL)                                                                   \
            fail_msg("%s: %s", #member, err.message);                                                                \
        (member) = was;                                                                                              \
    } while (0)

/* The same with no array where there should be one. */
#define MISSING(array, expected, call)                                                                               \
    do {                                                                                                             \
        gb_error err = {.message = ""};                                                                              \
        void *was = (array);                                                                                         \
        (array) = NULL;                                                                                              \
        assert_int_equal((call), GB_EARGUMENT);                                                                      \
        if (strstr(err.message, expected) == NULL)                                                                   \
            fail_msg("%s: %s", #array, err.message);                                                                 \
        (array) = was;                                                                                               \
    } while (0)

static void predictions(void **state)
{
    const world *w = *state;
    gb_prediction *p = NULL;
    assert_int_equal(gb_prediction_create(w->model, gb_corpus_n_docs(w->docs), &p, NULL), GB_OK);
#define PREDICT gb_predict(w->model, w->docs, 0, w->settings, NULL, NULL, p, &err)
    REFUSED(p->size, sizeof *p - 8, "the size of the prediction is", PREDICT);
    REFUSED(p->n_docs, p->n_docs + 1, "not of the sizes of documents and model", PREDICT);
    REFUSED(p->n_topics, 2, "not of the sizes of documents and model", PREDICT);
    REFUSED(p->n_outputs, 7, "not of the sizes of documents and model", PREDICT);
    REFUSED(p->n_responses, 2, "not of the sizes of documents and model", PREDICT);
    assert_int_equal(gb_predict(w->model, w->docs, 0, w->settings, NULL, NULL, p, NULL), GB_OK);
    gb_prediction_free(p);
}

static void likelihoods(void **state)
{
    const world *w = *state;
    gb_held_out *h = NULL;
    assert_int_equal(gb_held_out_create(gb_corpus_n_docs(w->docs), &h, NULL), GB_OK);
#define ESTIMATE gb_held_out_likelihood(w->model, w->docs, 0, w->settings, NULL, NULL, h, &err)
    REFUSED(h->size, 0, "the size of the answer is 0", ESTIMATE);
    REFUSED(h->n_docs, 1, "the answer has room for 1 documents, there are 20", ESTIMATE);
    MISSING(h->n_scored, "an array of the answer is missing", ESTIMATE);
    MISSING(h->log_likelihood, "an array of the answer is missing", ESTIMATE);
    MISSING(h->standard_error, "an array of the answer is missing", ESTIMATE);
    assert_int_equal(gb_held_out_likelihood(w->model, w->docs, 0, w->settings, NULL, NULL, h, NULL), GB_OK);
    gb_held_out_free(h);
}

static void explanations(void **state)
{
    const world *w = *state;
    gb_error fault = {.message = ""};
    gb_explanation *e = NULL;
    assert_int_equal(gb_explanation_create(w->model, w->docs, 0, 0, &e, &fault), GB_EARGUMENT);
    assert_int_equal(gb_explanation_create(w->model, w->docs, 1 + gb_model_n_outputs(w->model), 0, &e, &fault),
                     GB_EARGUMENT);
    assert_non_null(strstr(fault.message, "scores are to be explained; expected 1 to"));
    assert_null(e);
    assert_int_equal(gb_explanation_create(w->model, w->docs, 1, 1, &e, NULL), GB_OK);
#define EXPLAIN gb_explain(w->model, w->docs, 0, w->settings, NULL, NULL, e, &err)
    REFUSED(e->size, 1, "the size of the explanation is 1", EXPLAIN);
    REFUSED(e->n_docs, 19, "not of the sizes of documents and model", EXPLAIN);
    REFUSED(e->n_topics, 4, "not of the sizes of documents and model", EXPLAIN);
    REFUSED(e->output[19], 5, "score 5 is to be explained", EXPLAIN);
    REFUSED(e->n_explained, 0, "0 scores are to be explained; expected 1 to", EXPLAIN);
    REFUSED(e->n_fields, 3, "not of the sizes of documents and model", EXPLAIN);
    static const char other_words[] = "the explanation has other words than the documents";
    REFUSED(e->word_start[0], 1, other_words, EXPLAIN);
    REFUSED(e->word_start[1], (uint64_t)1 << 40, other_words, EXPLAIN);
    REFUSED(e->word_start[20], e->word_start[20] + 1, other_words, EXPLAIN);
    uint32_t *const word = e->word, *const count = e->word_count;
    REFUSED(word[0], UINT32_MAX, other_words, EXPLAIN);
    REFUSED(count[0], count[0] + 1, other_words, EXPLAIN);
    MISSING(e->topic, "an array of the explanation is missing", EXPLAIN);
    MISSING(e->without, "an array of the explanation is missing", EXPLAIN);
    MISSING(e->score, "an array of the explanation is missing", EXPLAIN);
    MISSING(e->output, "an array of the explanation is missing", EXPLAIN);
    MISSING(e->word_start, "an array of the explanation is missing", EXPLAIN);
    MISSING(e->word, "an array of the explanation is missing", EXPLAIN);
    set(w->settings, "topics-alone", "yes");
    assert_int_equal(gb_explain(w->model, w->docs, 0, w->settings, NULL, NULL, e, NULL), GB_EARGUMENT);
    set(w->settings, "topics-alone", "no");
    assert_int_equal(gb_explain(w->model, w->docs, 0, w->settings, NULL, NULL, e, NULL), GB_OK);
    gb_explanation_free(e);
}

static void predicted_draws(void **state)
{
    const world *w = *state;
    gb_error fault = {.message = ""};
    gb_predicted_draws *d = NULL;
    assert_int_not_equal(gb_predicted_draws_create(w->model, UINT64_MAX / 2, UINT64_MAX, &d, &fault), GB_OK);
    assert_int_not_equal(gb_predicted_draws_create(w->model, 20, 100, &d, &fault), GB_OK); /* bytes */
    assert_null(d);
    assert_int_equal(gb_predicted_draws_create(w->model, 20, 1 << 20, &d, NULL), GB_OK);
#define DRAW gb_predict_draws(w->model, w->docs, 0, w->settings, NULL, NULL, d, &err)
    REFUSED(d->size, 16, "the size of the predicted draws is 16", DRAW);
    REFUSED(d->n_docs, 21, "not of the sizes of documents and model", DRAW);
    REFUSED(d->n_snapshots, 1, "not of the sizes of documents and model", DRAW);
    REFUSED(d->n_outputs, 9, "not of the sizes of documents and model", DRAW);
    REFUSED(d->n_responses, 0, "not of the sizes of documents and model", DRAW);
    REFUSED(d->response[0].n_values, 5, "of response 0 are not of the sizes of the model", DRAW);
    REFUSED(d->response[0].n_expected, 5, "of response 0 are not of the sizes of the model", DRAW);
    assert_int_equal(gb_predict_draws(w->model, w->docs, 0, w->settings, NULL, NULL, d, NULL), GB_OK);
    gb_predicted_draws_free(d);
}

static void evaluations(void **state)
{
    const world *w = *state;
    gb_prediction *p = NULL;
    gb_held_out *h = NULL;
    gb_evaluation *e = NULL;
    set(w->settings, "held-out", "empirical");
    assert_int_equal(gb_prediction_create(w->model, 20, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(w->model, w->docs, 0, w->settings, NULL, NULL, p, NULL), GB_OK);
    assert_int_equal(gb_held_out_create(20, &h, NULL), GB_OK);
    assert_int_equal(gb_held_out_likelihood(w->model, w->docs, 0, w->settings, NULL, NULL, h, NULL), GB_OK);
    assert_int_equal(gb_evaluation_create(w->model, w->settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, w->docs, NULL, h, NULL, NULL), GB_EARGUMENT);
    assert_int_equal(gb_evaluation_add(e, w->docs, p, NULL, NULL, NULL), GB_EARGUMENT);
#define EVALUATE gb_evaluation_add(e, w->docs, p, h, NULL, &err)
    REFUSED(p->n_docs, 19, "needs a prediction of the same documents", EVALUATE);
    REFUSED(p->size, 8, "the size of the prediction is 8", EVALUATE);
    REFUSED(p->n_responses, 0, "not of the responses of the model", EVALUATE);
    REFUSED(p->n_outputs, 0, "not of the responses of the model", EVALUATE);
    REFUSED(h->n_docs, 21, "needs the likelihood of the same documents", EVALUATE);
    REFUSED(h->size, 8, "the size of the likelihood is 8", EVALUATE);
    double *const error = h->standard_error, *const value = h->log_likelihood;
    uint64_t *const n_scored = h->n_scored;
    h->standard_error = NULL;
    assert_int_equal(gb_evaluation_add(e, w->docs, p, h, NULL, NULL), GB_EARGUMENT);
    h->standard_error = error;
    h->log_likelihood = NULL;
    assert_int_equal(gb_evaluation_add(e, w->docs, p, h, NULL, NULL), GB_EARGUMENT);
    h->log_likelihood = value;
    h->n_scored = NULL;
    assert_int_equal(gb_evaluation_add(e, w->docs, p, h, NULL, NULL), GB_EARGUMENT);
    h->n_scored = n_scored;
    assert_int_equal(gb_evaluation_add(e, w->docs, p, h, w->n_unknown, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    gb_evaluation_free(e);
    gb_prediction_free(p);
    gb_held_out_free(h);
    set(w->settings, "held-out", "auto");
}

static void numbers_of_documents_asked_for(void **state)
{
    const world *w = *state;
    const double share[6] = {0.5, 0.3, 0.2, 0.1, 0.1, 0.8};
    double affinity[6], most[6];
    uint64_t document[6], passage[6];
    assert_int_equal(gb_nearest_documents(3, 1, share, 2, share, 0, document, affinity, NULL), GB_EARGUMENT);
    assert_int_equal(gb_nearest_documents(3, 1, share, 2, share, 3, document, affinity, NULL), GB_EARGUMENT);
    assert_int_equal(gb_nearest_documents(3, 1, share, 2, share, 2, document, affinity, NULL), GB_OK);
    assert_int_equal(document[0], 0);
    assert_int_equal(document[1], 1);
#define DOCUMENTS(n_best, n_passage)                                                                                 \
    gb_topic_documents(w->model, w->docs, w->settings, NULL, NULL, n_best, n_passage, document, most, passage, NULL)
    assert_int_equal(DOCUMENTS(0, 3), GB_EARGUMENT);
    assert_int_equal(DOCUMENTS(2, 0), GB_EARGUMENT);
    assert_int_equal(DOCUMENTS(2, 3), GB_OK);
    for (size_t k = 0; k < 3; k++)
        assert_true(document[2 * k] < 20 && most[2 * k] >= most[2 * k + 1]);
}

/* Documents with other words than the model's, which a corpus has that was not made for it. */
static void documents_of_other_words(void **state)
{
    const world *w = *state;
    gb_settings *settings = settings_of("topics", "3", "documents", "20", "vocabulary-size", "9", "length", "8",
                                        "classes", "2", "seed", "3", NULL);
    gb_error err = {.message = ""};
    gb_corpus *others;
    gb_prediction *p = NULL;
    gb_explanation *e = NULL;
    assert_int_equal(gb_simulate(NULL, settings, NULL, NULL, &others, NULL), GB_OK);
    assert_int_equal(gb_prediction_create(w->model, 20, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(w->model, others, 0, w->settings, NULL, NULL, p, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "the documents have 9 words, the model 12"));
    assert_int_equal(gb_explanation_create(w->model, others, 1, 0, &e, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "the documents have 9 words, the model 12"));
    gb_prediction_free(p);
    gb_corpus_free(others);
    gb_settings_free(settings);
}

/* As many words as the model has, but others: their numbers mean something else. */
static void documents_of_as_many_other_words(void **state)
{
    static const char *const name[] = {"k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v"};
    const uint64_t start[] = {0, 11, 12};
    const uint32_t word[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, count[] = {1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 2};
    const world *w = *state;
    gb_error err = {.message = ""};
    gb_corpus_arrays *arrays;
    gb_corpus *others;
    gb_prediction *p = NULL;
    gb_explanation *e = NULL;
    gb_held_out *h = NULL;
    gb_linear *l = NULL;
    assert_int_equal(gb_corpus_arrays_create(&arrays, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(arrays, 2, start, word, count, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(arrays, 12, name, NULL), GB_OK);
    assert_int_equal(gb_corpus_from_arrays(arrays, w->settings, &others, NULL), GB_OK);
    assert_int_equal(gb_corpus_n_words(others), gb_model_n_words(w->model));
    assert_int_equal(gb_prediction_create(w->model, 2, &p, NULL), GB_OK);
    assert_int_equal(gb_held_out_create(2, &h, NULL), GB_OK);
    assert_int_equal(gb_predict(w->model, others, 0, w->settings, NULL, NULL, p, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "the documents have other words than the model"));
    assert_int_equal(gb_held_out_likelihood(w->model, others, 0, w->settings, NULL, NULL, h, NULL), GB_EARGUMENT);
    assert_int_equal(gb_explanation_create(w->model, others, 1, 0, &e, NULL), GB_EARGUMENT);
    assert_int_equal(gb_linear_fit(w->model, others, w->settings, NULL, NULL, &l, NULL), GB_EARGUMENT);
    gb_held_out_free(h);
    gb_prediction_free(p);
    gb_corpus_free(others);
    gb_corpus_arrays_free(arrays);
}

/* One explanation for batches of as many documents, but with other words. */
static void an_explanation_is_of_its_documents(void **state)
{
    const world *w = *state;
    gb_settings *settings = settings_of("documents", "20", "length", "30", "seed", "9", NULL);
    gb_error err = {.message = ""};
    gb_corpus *others;
    gb_explanation *e = NULL;
    assert_int_equal(gb_simulate(w->model, settings, NULL, NULL, &others, NULL), GB_OK);
    assert_int_equal(gb_explanation_create(w->model, w->docs, 1, 1, &e, NULL), GB_OK);
    assert_int_equal(gb_explain(w->model, others, 0, w->settings, NULL, NULL, e, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "the explanation has other words than the documents"));
    gb_explanation_free(e);
    gb_corpus_free(others);
    gb_settings_free(settings);
}

static void numbers_out_of_range(void **state)
{
    const world *w = *state;
    const uint64_t far = (uint64_t)1 << 40, word[] = {0, 1, 2, 12, 1, 0};
    const double probability[6] = {0.5};
    double values[3];
    bool classes[1] = {true};
    gb_prediction *p = NULL;
    gb_coherence *c = NULL;
    assert_int_equal(gb_prediction_create(w->model, 20, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(w->model, w->docs, 0, w->settings, NULL, NULL, p, NULL), GB_OK);
    gb_prediction_classes(w->model, p, 1, 0, classes);
    gb_prediction_classes(w->model, p, 0, 20, classes);
    gb_prediction_classes(w->model, p, 0, far, classes);
    assert_true(classes[0]);
    assert_int_equal(gb_coherence_create(12, 3, 2, word, 0, &c, NULL), GB_EARGUMENT);
    assert_int_equal(gb_coherence_create(12, far, far, word, 0, &c, NULL), GB_EARGUMENT);
    assert_int_equal(gb_topic_diversity(12, 3, 2, word, values, NULL), GB_EARGUMENT);
    assert_int_equal(gb_topic_exclusivity(w->model, 2, word, probability, values, NULL), GB_EARGUMENT);
    assert_int_equal(gb_coherence_create(13, 3, 2, word, 0, &c, NULL), GB_OK);
    assert_int_equal(gb_coherence_add(c, w->docs, 1, NULL), GB_EARGUMENT); /* 12 words */
    assert_true(isnan(gb_coherence_umass(c, 3)) && isnan(gb_coherence_npmi(c, far)));
    gb_coherence_free(c);
    gb_prediction_free(p);
}

static void no_documents_asked_for(void **state)
{
    const world *w = *state;
    gb_settings *settings = settings_of("label", "label", NULL);
    gb_documents *documents;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    void *folder = NULL;
    assert_int_equal(enter_folder(&folder), 0);
    assert_int_equal(gb_corpus_write(w->docs, "few.gbc", false, NULL), GB_OK);
    assert_int_equal(gb_documents_open(w->model, "few.gbc", settings, NULL, NULL, &documents, NULL), GB_OK);
    assert_int_equal(gb_documents_next(documents, 0, &docs, &n_unknown, NULL), GB_EARGUMENT);
    assert_int_equal(gb_documents_next(documents, 3, &docs, &n_unknown, NULL), GB_OK);
    assert_int_equal(gb_corpus_n_docs(docs), 3);
    gb_documents_close(documents);
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_settings_free(settings);
    assert_int_equal(leave_folder(&folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions),
        cmocka_unit_test(likelihoods),
        cmocka_unit_test(explanations),
        cmocka_unit_test(predicted_draws),
        cmocka_unit_test(evaluations),
        cmocka_unit_test(numbers_of_documents_asked_for),
        cmocka_unit_test(documents_of_other_words),
        cmocka_unit_test(documents_of_as_many_other_words),
        cmocka_unit_test(an_explanation_is_of_its_documents),
        cmocka_unit_test(numbers_out_of_range),
        cmocka_unit_test(no_documents_asked_for),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}
