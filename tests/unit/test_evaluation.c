/* Evaluation and cross-validation as a program uses them: scores by name, batches, labels that are unknown, a stop. */
#include "helper_tables.h"

#include "evaluation/evaluation.h"
#include "folds/cross_validation.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N_DOCS = 60 };

/* A corpus of three classes, and a model of it. */
typedef struct fixture {
    gb_settings *settings;
    gb_corpus *corpus;
    gb_model *model;
} fixture;

static void begin(fixture *f, const char *n_classes)
{
    const char *const option[][2] = {{"topics", "3"},          {"documents", "60"},    {"vocabulary-size", "40"},
                                     {"length", "20"},         {"classes", n_classes}, {"sweeps", "10"},
                                     {"response", "logistic"}, {"cost", "1"},          {"seed", "5"},
                                     {"threads", "2"}};
    assert_int_equal(gb_settings_create(&f->settings, NULL), GB_OK);
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        assert_int_equal(gb_settings_set(f->settings, option[i][0], option[i][1], NULL), GB_OK);
    assert_int_equal(gb_simulate(NULL, f->settings, NULL, NULL, &f->corpus, NULL), GB_OK);
    assert_int_equal(gb_train(f->corpus, f->settings, NULL, NULL, &f->model, NULL), GB_OK);
}

static void end(fixture *f)
{
    gb_model_free(f->model);
    gb_corpus_free(f->corpus);
    gb_settings_free(f->settings);
}

static int set_up(void **state)
{
    static fixture f;
    begin(&f, "3");
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    end(*state);
    return 0;
}

static gb_prediction *predict(const fixture *f)
{
    gb_prediction *p = NULL;
    assert_int_equal(gb_prediction_create(f->model, N_DOCS, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(f->model, f->corpus, 0, f->settings, NULL, NULL, p, NULL), GB_OK);
    return p;
}

static double score(const gb_score_table *table, uint64_t section, const char *name)
{
    const gb_score *s = gb_score_table_find(table, section, name);
    if (s == NULL)
        fail_msg("no score %s", name);
    return s->value;
}

static void scores_agree_with_the_predictions_that_they_are_of(void **state)
{
    const fixture *f = *state;
    gb_prediction *p = predict(f);
    gb_evaluation *e = NULL;
    uint64_t n_right = 0, field = 0;
    assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_n_responses(e), 1);
    assert_false(gb_evaluation_has_likelihood(e));
    assert_null(gb_evaluation_scores(e));
    assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    assert_true(gb_corpus_find_field(f->corpus, gb_evaluation_field(e, 0), &field));
    for (uint64_t d = 0; d < N_DOCS; d++) {
        const uint32_t *class;
        uint64_t n;
        assert_true(gb_corpus_classes_of(f->corpus, field, d, &class, &n) && n == 1);
        n_right += p->response[0].predicted[d] == *class; /* a corpus and its model sort classes alike */
    }
    const gb_score_table *scores = gb_evaluation_scores(e);
    assert_int_equal(gb_score_table_n_sections(scores), 1);
    assert_string_equal(gb_score_table_section(scores, 0), gb_evaluation_field(e, 0));
    assert_true(score(scores, 0, "n") == N_DOCS);
    assert_true(gb_score_table_find(scores, 0, "n")->is_count);
    assert_true(fabs(score(scores, 0, "accuracy") - (double)n_right / N_DOCS) < 1e-12);
    assert_null(gb_score_table_find(scores, 0, "r2"));
    gb_evaluation_free(e);
    gb_prediction_free(p);
}

static void are_the_same(const gb_score_table *a, const gb_score_table *b)
{
    assert_int_equal(gb_score_table_n_scores(a, 0), gb_score_table_n_scores(b, 0));
    for (uint64_t i = 0; i < gb_score_table_n_scores(a, 0); i++) {
        const double x = gb_score_table_at(a, 0, i)->value, y = gb_score_table_at(b, 0, i)->value;
        assert_true(x == y || (isnan(x) && isnan(y)));
    }
}

/* The scores of what a model predicts with some settings. */
static gb_evaluation *evaluated(const fixture *f, const gb_model *model, const gb_settings *settings)
{
    gb_prediction *p = NULL;
    gb_evaluation *e = NULL;
    assert_int_equal(gb_prediction_create(model, N_DOCS, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, f->corpus, 0, settings, NULL, NULL, p, NULL), GB_OK);
    assert_int_equal(gb_evaluation_create(model, settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    assert_null(gb_evaluation_scores_alone(e));
    gb_prediction_free(p);
    return e;
}

static void words_and_topics_alone_are_evaluated_beside_each_other(void **state)
{
    const fixture *f = *state;
    gb_model *model = NULL;
    gb_settings *settings = NULL;
    gb_evaluation *both = NULL;
    gb_held_out *likelihood = NULL;
    assert_int_equal(gb_settings_copy(f->settings, &settings, NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "word-effects", "counts", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "variance", "words=1", NULL), GB_OK);
    assert_int_equal(gb_train(f->corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "held-out", "completion", NULL), GB_OK);
    assert_int_equal(gb_evaluation_create(model, settings, &both, NULL), GB_OK);
    assert_int_equal(gb_evaluate(both, f->corpus, NULL, 0, settings, NULL, NULL, NULL, &likelihood, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(both, NULL), GB_OK);
    assert_int_equal(likelihood->n_docs, N_DOCS);
    assert_int_equal(gb_settings_set(settings, "held-out", "none", NULL), GB_OK);
    gb_evaluation *whole = evaluated(f, model, settings);
    assert_int_equal(gb_settings_set(settings, "topics-alone", "yes", NULL), GB_OK);
    gb_evaluation *topics = evaluated(f, model, settings);
    are_the_same(gb_evaluation_scores(both), gb_evaluation_scores(whole));
    are_the_same(gb_evaluation_scores_alone(both), gb_evaluation_scores(topics));
    assert_int_equal(gb_score_table_n_sections(gb_evaluation_scores_alone(both)), 1); /* no second likelihood */
    assert_true(score(gb_evaluation_scores(whole), 0, "log_loss") !=
                score(gb_evaluation_scores(topics), 0, "log_loss"));
    gb_held_out_free(likelihood);
    gb_evaluation_free(both);
    gb_evaluation_free(whole);
    gb_evaluation_free(topics);
    gb_model_free(model);
    gb_settings_free(settings);
}

static uint64_t count_pairs(const fixture *f, const gb_prediction *p, const char *truth, const char *guess)
{
    uint64_t n = 0, field = 0;
    assert_true(gb_corpus_find_field(f->corpus, gb_model_field(f->model, 0), &field));
    for (uint64_t d = 0; d < N_DOCS; d++) {
        const uint32_t *class;
        uint64_t n_classes;
        assert_true(gb_corpus_classes_of(f->corpus, field, d, &class, &n_classes) && n_classes == 1);
        n += (truth == NULL || strcmp(gb_model_class(f->model, 0, *class), truth) == 0) &&
             (guess == NULL || strcmp(gb_model_class(f->model, 0, p->response[0].predicted[d]), guess) == 0);
    }
    return n;
}

static void the_tables_of_classes_count_the_documents_that_predictions_hit(void **state)
{
    const fixture *f = *state;
    gb_prediction *p = predict(f);
    gb_evaluation *e = NULL;
    gb_subject subject = {.size = sizeof subject};
    gb_table *table = NULL;
    assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, NULL), GB_OK);
    subject.evaluation = e;
    assert_int_equal(gb_answer("classes", &subject, NULL, &table, NULL), GB_EARGUMENT); /* not finished */
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    table = answer_to("classes", &subject);
    assert_int_equal(gb_table_n_rows(table), 3);
    for (uint64_t c = 0; c < 3; c++) {
        const char *class = text_at(table, c, "class");
        const double hits = (double)count_pairs(f, p, class, class), n = (double)count_pairs(f, p, class, NULL),
                     guesses = (double)count_pairs(f, p, NULL, class);
        assert_true(count_at(table, c, "n") == (uint64_t)n);
        assert_true(fabs(real_at(table, c, "recall") - hits / n) < 1e-12);
        assert_true(fabs(real_at(table, c, "precision") - (guesses > 0 ? hits / guesses : 0)) < 1e-12);
        assert_true(fabs(real_at(table, c, "f1") - 2 * hits / (n + guesses)) < 1e-12);
    }
    gb_table_free(table);
    table = answer_to("confusion", &subject);
    assert_int_equal(gb_table_n_rows(table), 9);
    for (uint64_t i = 0; i < 9; i++)
        assert_int_equal(count_at(table, i, "n"),
                         count_pairs(f, p, text_at(table, i, "true"), text_at(table, i, "predicted")));
    gb_table_free(table);
    gb_evaluation_free(e);
    gb_prediction_free(p);
}

static void each_prediction_is_in_the_bin_of_its_probability(void **state)
{
    const fixture *f = *state;
    gb_prediction *p = predict(f);
    gb_evaluation *e = NULL;
    assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .evaluation = e};
    gb_table *table = answer_to("calibration", &subject);
    assert_int_equal(gb_table_n_rows(table), 10);
    for (uint64_t b = 0; b < 10; b++) {
        uint64_t n = 0;
        double sum = 0;
        for (uint64_t d = 0; d < N_DOCS; d++) {
            const double probability = p->response[0].probability[3 * d + p->response[0].predicted[d]];
            if (probability < real_at(table, b, "low") || (probability >= real_at(table, b, "high") && b < 9))
                continue;
            n++;
            sum += probability;
        }
        assert_int_equal(count_at(table, b, "n"), n);
        assert_true(n == 0 ? isnan(real_at(table, b, "mean_probability"))
                           : fabs(real_at(table, b, "mean_probability") - sum / (double)n) < 1e-12);
    }
    gb_table_free(table);
    gb_evaluation_free(e);
    gb_prediction_free(p);
}

static void what_is_out_of_range_is_answered_with_nothing(void **state)
{
    const fixture *f = *state;
    gb_prediction *p = predict(f);
    gb_evaluation *e = NULL;
    assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_evaluation_finish(e, NULL), GB_OK);
    const gb_score_table *scores = gb_evaluation_scores(e);
    assert_null(gb_score_table_section(scores, 1));
    assert_int_equal(gb_score_table_n_scores(scores, 1), 0);
    assert_null(gb_score_table_at(scores, 0, gb_score_table_n_scores(scores, 0)));
    assert_null(gb_score_table_find(scores, 7, "n"));
    assert_null(gb_evaluation_field(e, 1));
    assert_true(gb_evaluation_response(e, 1) == UINT64_MAX);
    gb_evaluation_free(e);
    gb_evaluation_free(NULL);
    gb_prediction_free(p);
}

static void a_prediction_or_likelihood_that_is_missing_is_an_error(void **state)
{
    const fixture *f = *state;
    gb_settings *s = NULL;
    gb_evaluation *e = NULL;
    gb_prediction *p = predict(f);
    gb_error err = {0};
    assert_int_equal(gb_settings_copy(f->settings, &s, NULL), GB_OK);
    assert_int_equal(gb_settings_set(s, "held-out", "empirical", NULL), GB_OK);
    assert_int_equal(gb_evaluation_create(f->model, s, &e, NULL), GB_OK);
    assert_string_equal(gb_evaluation_held_out_method(e), "empirical");
    assert_int_equal(gb_evaluation_add(e, f->corpus, NULL, NULL, NULL, &err), GB_EARGUMENT);
    assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, &err), GB_EARGUMENT);
    gb_evaluation_free(e);
    gb_prediction_free(p);
    gb_settings_free(s);
}

/* One change to a prediction that does not fit the model any more; what the answer must say. */
typedef struct misfit {
    const char *message;
    void (*make)(gb_prediction *p);
} misfit;

static void of_a_smaller_struct(gb_prediction *p)
{
    p->size--;
}
static void of_other_documents(gb_prediction *p)
{
    p->n_docs--;
}
static void of_fewer_outputs(gb_prediction *p)
{
    p->n_outputs--;
}
static void of_more_responses(gb_prediction *p)
{
    p->n_responses++;
}
static void without_responses(gb_prediction *p)
{
    p->response = NULL;
}
static void of_fewer_classes(gb_prediction *p)
{
    p->response[0].n_classes--;
}
static void without_classes(gb_prediction *p)
{
    p->response[0].predicted = NULL;
}
static void without_probabilities(gb_prediction *p)
{
    p->response[0].probability = NULL;
}
static void of_a_class_that_there_is_not(gb_prediction *p)
{
    p->response[0].predicted[1] = UINT64_MAX;
}

static void a_prediction_that_does_not_fit_the_model_is_an_error(void **state)
{
    const fixture *f = *state;
    static const misfit misfits[] = {{"the size of the prediction", of_a_smaller_struct},
                                     {"a prediction of the same documents", of_other_documents},
                                     {"not of the responses of the model", of_fewer_outputs},
                                     {"not of the responses of the model", of_more_responses},
                                     {"not of the responses of the model", without_responses},
                                     {"has 2 classes", of_fewer_classes},
                                     {"no array \"predicted\"", without_classes},
                                     {"no array \"probability\"", without_probabilities},
                                     {"of 3", of_a_class_that_there_is_not}};
    gb_prediction *good = predict(f);
    for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++) {
        gb_evaluation *e = NULL;
        gb_error err = {0};
        uint64_t predicted[N_DOCS];
        gb_response_prediction response = good->response[0];
        gb_prediction p = *good;
        memcpy(predicted, response.predicted, sizeof predicted);
        response.predicted = predicted;
        p.response = &response;
        misfits[i].make(&p);
        assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
        assert_int_equal(gb_evaluation_add(e, f->corpus, &p, NULL, NULL, &err), GB_EARGUMENT);
        if (strstr(err.message, misfits[i].message) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", err.message, misfits[i].message);
        gb_evaluation_free(e);
    }
    gb_prediction_free(good);
}

/* As of a model file with coefficients that are absurd. */
static void a_score_that_is_no_number_is_an_error(void **state)
{
    fixture f;
    gb_evaluation *e = NULL;
    gb_error err = {0};
    (void)state;
    begin(&f, "2");
    gb_prediction *p = predict(&f);
    p->score[7] = NAN;
    assert_int_equal(gb_evaluation_create(f.model, f.settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f.corpus, p, NULL, NULL, &err), GB_ENUMERIC);
    assert_non_null(strstr(err.message, "a score of document 7 of the batch is not a number"));
    gb_evaluation_free(e);
    gb_prediction_free(p);
    end(&f);
}

static void a_probability_outside_of_0_and_1_is_an_error(void **state)
{
    const fixture *f = *state;
    static const double wrong[] = {-0.25, 1.5, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gb_evaluation *e = NULL;
        gb_error err = {0};
        gb_prediction *p = predict(f);
        p->response[0].probability[4] = wrong[i]; /* class 1 of document 1 */
        assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
        assert_int_equal(gb_evaluation_add(e, f->corpus, p, NULL, NULL, &err), GB_ENUMERIC);
        assert_non_null(strstr(err.message, "a probability of document 1 of the batch is not between 0 and 1"));
        gb_evaluation_free(e);
        gb_prediction_free(p);
    }
}

static void a_mean_that_is_no_number_is_an_error(void **state)
{
    fixture f;
    gb_evaluation *e = NULL;
    gb_error err = {0};
    (void)state;
    f.settings = settings_of("topics", "3", "documents", "60", "vocabulary-size", "40", "length", "20", "response",
                             "gaussian", "sweeps", "10", "seed", "5", "threads", "2", NULL);
    assert_int_equal(gb_simulate(NULL, f.settings, NULL, NULL, &f.corpus, NULL), GB_OK);
    assert_int_equal(gb_train(f.corpus, f.settings, NULL, NULL, &f.model, NULL), GB_OK);
    gb_prediction *p = predict(&f);
    p->response[0].mean[7] = NAN;
    assert_int_equal(gb_evaluation_create(f.model, f.settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f.corpus, p, NULL, NULL, &err), GB_ENUMERIC);
    assert_non_null(strstr(err.message, "the mean of document 7 of the batch is not a number"));
    gb_evaluation_free(e);
    gb_prediction_free(p);
    end(&f);
}

static void three_classes_are_evaluated_without_their_scores(void **state)
{
    const fixture *f = *state;
    gb_evaluation *e = NULL;
    gb_prediction *good = predict(f), p = *good;
    p.score = NULL;
    assert_int_equal(gb_evaluation_create(f->model, f->settings, &e, NULL), GB_OK);
    assert_int_equal(gb_evaluation_add(e, f->corpus, &p, NULL, NULL, NULL), GB_OK);
    gb_evaluation_free(e);
    gb_prediction_free(good);
}

static void a_likelihood_without_its_arrays_is_an_error(void **state)
{
    const fixture *f = *state;
    gb_settings *s = NULL;
    gb_prediction *p = predict(f);
    uint64_t n_scored[N_DOCS] = {0};
    double number[N_DOCS] = {0};
    const gb_held_out wrong[] = {{0, N_DOCS, n_scored, number, number},
                                 {sizeof wrong[0], N_DOCS, NULL, number, number},
                                 {sizeof wrong[0], N_DOCS, n_scored, NULL, number},
                                 {sizeof wrong[0], N_DOCS, n_scored, number, NULL}};
    assert_int_equal(gb_settings_copy(f->settings, &s, NULL), GB_OK);
    assert_int_equal(gb_settings_set(s, "held-out", "empirical", NULL), GB_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gb_evaluation *e = NULL;
        assert_int_equal(gb_evaluation_create(f->model, s, &e, NULL), GB_OK);
        assert_int_equal(gb_evaluation_add(e, f->corpus, p, &wrong[i], NULL, NULL), GB_EARGUMENT);
        gb_evaluation_free(e);
    }
    gb_prediction_free(p);
    gb_settings_free(s);
}

/* ---- cross-validation ------------------------------------------------------------------------------ */

static gb_cross_validation *folds_of(const fixture *f, const char *n, const char *threads)
{
    gb_settings *s = NULL;
    gb_cross_validation *v = NULL;
    assert_int_equal(gb_settings_copy(f->settings, &s, NULL), GB_OK);
    assert_int_equal(gb_settings_set(s, "folds", n, NULL), GB_OK);
    assert_int_equal(gb_settings_set(s, "held-out", "completion", NULL), GB_OK);
    assert_int_equal(gb_settings_set(s, "threads", threads, NULL), GB_OK);
    assert_int_equal(gb_cross_validation_create(f->corpus, s, &v, NULL), GB_OK);
    gb_settings_free(s);
    return v;
}

static void each_document_is_held_out_once_on_any_number_of_threads(void **state)
{
    const fixture *f = *state;
    gb_cross_validation *one = folds_of(f, "4", "1"), *three = folds_of(f, "4", "3");
    uint64_t n_docs = 0;
    assert_null(gb_cross_validation_scores(one));
    assert_int_equal(gb_cross_validation_run(one, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_cross_validation_run(three, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_cross_validation_n_parts(one), 4);
    for (uint64_t i = 0; i < 4; i++) {
        const gb_held_out *h = gb_cross_validation_likelihood(one, i);
        n_docs += gb_corpus_n_docs(gb_cross_validation_docs(one, i));
        assert_int_equal(h->n_docs, gb_corpus_n_docs(gb_cross_validation_docs(one, i)));
        assert_memory_equal(h->log_likelihood, gb_cross_validation_likelihood(three, i)->log_likelihood,
                            h->n_docs * sizeof(double));
    }
    assert_int_equal(n_docs, N_DOCS);
    const gb_score_table *scores = gb_cross_validation_scores(one);
    double sum = 0;
    for (uint64_t i = 0; i < 4; i++)
        sum += score(gb_cross_validation_part_scores(one, i), 0, "accuracy") / 4;
    const double binomial =
        sqrt(sum * (1 - sum) / N_DOCS); /* of a share of documents; 200 samples are known to 5 % */
    assert_true(fabs(score(scores, 0, "accuracy") - sum) < 1e-12);
    assert_true(fabs(gb_score_table_find(scores, 0, "accuracy")->standard_error - binomial) <= 0.25 * binomial);
    assert_true(score(scores, 0, "n") == N_DOCS);
    assert_string_equal(gb_score_table_section(scores, 1), "held_out");
    assert_null(gb_score_table_find(scores, 1, "mc_se"));
    const gb_subject subject = {.size = sizeof subject, .validation = one};
    gb_table *means = answer_to("evaluation", &subject), *parts = answer_to("parts", &subject),
             *rows = answer_to("likelihood", &subject);
    const uint64_t row = row_with(means, 0, "score", "accuracy");
    assert_true(fabs(real_at(means, row, "value") - sum) < 1e-12);
    assert_true(fabs(real_at(means, row, "se") - binomial) <= 0.25 * binomial);
    assert_int_equal(count_at(means, row, "is_count"), 0);
    assert_string_equal(text_at(means, row_with(means, 0, "field", "held_out"), "method"), "completion");
    for (uint64_t i = 0, at = 0; i < 4; i++, at++) {
        at = row_with(parts, at, "score", "accuracy");
        assert_string_equal(text_at(parts, at, "part"), gb_cross_validation_part(one, i));
        assert_true(real_at(parts, at, "value") == score(gb_cross_validation_part_scores(one, i), 0, "accuracy"));
    }
    assert_int_equal(gb_table_n_rows(rows), N_DOCS);
    gb_table_free(means);
    gb_table_free(parts);
    gb_table_free(rows);
    assert_int_equal(gb_cross_validation_run(one, NULL, NULL, NULL), GB_EARGUMENT);
    gb_cross_validation_free(one);
    gb_cross_validation_free(three);
}

/* Several trainings would write one file, and what a checkpoint holds is one training. */
static void the_files_and_the_clock_of_one_training_are_refused(void **state)
{
    const fixture *f = *state;
    static const char *const setting[][2] = {
        {"draws", "draws.jsonl"}, {"draws-include", "eta"}, {"checkpoint", "c.gbc"}, {"checkpoint-every", "5"},
        {"resume", "c.gbc"},      {"init-from", "m.gbm"},   {"time-limit", "10m"}};
    for (size_t i = 0; i < sizeof setting / sizeof *setting; i++) {
        gb_settings *s = NULL;
        gb_cross_validation *v = NULL;
        gb_error err = {0};
        assert_int_equal(gb_settings_copy(f->settings, &s, NULL), GB_OK);
        assert_int_equal(gb_settings_set(s, "folds", "3", NULL), GB_OK);
        assert_int_equal(gb_settings_set(s, setting[i][0], setting[i][1], NULL), GB_OK);
        assert_int_equal(gb_cross_validation_create(f->corpus, s, &v, &err), GB_EARGUMENT);
        assert_non_null(strstr(err.message, setting[i][0]));
        gb_settings_free(s);
    }
}

typedef struct listener {
    pthread_t thread;
    int n_calls, n_until_stop;
} listener;

static bool listen(const gb_progress *progress, void *user)
{
    listener *l = user;
    (void)progress;
    assert_true(pthread_equal(pthread_self(), l->thread));
    assert_true(l->n_calls < l->n_until_stop); /* never again after a stop */
    return ++l->n_calls < l->n_until_stop;
}

static gb_status run_with(const fixture *f, const char *threads, listener *l)
{
    gb_cross_validation *v = folds_of(f, "4", threads);
    const gb_status st = gb_cross_validation_run(v, listen, l, NULL);
    assert_true((gb_cross_validation_scores(v) != NULL) == (st == GB_OK));
    gb_cross_validation_free(v);
    return st;
}

/* On several threads the other ones may have done it all before the caller is asked so often. */
static void the_caller_alone_is_asked_and_can_stop_all_parts(void **state)
{
    const fixture *f = *state;
    for (int n = 1; n < 40; n += 13) {
        listener l = {pthread_self(), 0, n};
        assert_int_equal(run_with(f, "1", &l), GB_ESTOP);
        assert_int_equal(l.n_calls, n);
        l.n_calls = 0;
        const gb_status st = run_with(f, "3", &l);
        assert_true(st == GB_OK ? l.n_calls < n : st == GB_ESTOP && l.n_calls == n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_agree_with_the_predictions_that_they_are_of),
        cmocka_unit_test(words_and_topics_alone_are_evaluated_beside_each_other),
        cmocka_unit_test(the_tables_of_classes_count_the_documents_that_predictions_hit),
        cmocka_unit_test(each_prediction_is_in_the_bin_of_its_probability),
        cmocka_unit_test(what_is_out_of_range_is_answered_with_nothing),
        cmocka_unit_test(a_prediction_or_likelihood_that_is_missing_is_an_error),
        cmocka_unit_test(a_prediction_that_does_not_fit_the_model_is_an_error),
        cmocka_unit_test(a_score_that_is_no_number_is_an_error),
        cmocka_unit_test(a_probability_outside_of_0_and_1_is_an_error),
        cmocka_unit_test(a_mean_that_is_no_number_is_an_error),
        cmocka_unit_test(three_classes_are_evaluated_without_their_scores),
        cmocka_unit_test(a_likelihood_without_its_arrays_is_an_error),
        cmocka_unit_test(the_files_and_the_clock_of_one_training_are_refused),
        cmocka_unit_test(each_document_is_held_out_once_on_any_number_of_threads),
        cmocka_unit_test(the_caller_alone_is_asked_and_can_stop_all_parts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
