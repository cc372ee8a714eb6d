/* What each draw says of documents: its scores have the mean that predict gives, log factors are the formulas of the responses, and
 * simulated values follow their laws. */
#include "helper_documents.h"

#include "base/memory.h"
#include "model/model.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOCS = 60 };

/* ---- documents with everything that a response can predict ---- */

static void write_document(FILE *f, gb_random *random, int d)
{
    static const char *const color[] = {"blue", "green", "red"};
    const unsigned about = (unsigned)gb_random_below(random, 3);
    fprintf(f, "{\"kind\": \"%s\", \"color\": \"%s\", \"tags\": [", about == 0 ? "no" : "yes", color[about]);
    fprintf(f, "%s], ", about == 0 ? "" : about == 1 ? "\"x\"" : "\"x\", \"y\"");
    fprintf(f, "\"level\": \"%u\", \"number\": %.3f, \"count\": %u, \"size\": %.1f, \"text\": \"", about + 1,
            7 + 3 * about + gb_random_normal(random), about + (unsigned)gb_random_below(random, 3), 1 + 0.5 * about);
    for (int i = 0; d % 20 != 19 && i < 15; i++) /* a few documents have no words */
        fprintf(f, " %c%c", 'a' + (int)about, 'a' + (int)gb_random_below(random, 6));
    fputs("\"}\n", f);
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
    return fclose(f);
}

/* ---- a model and its predictions ---- */

typedef struct fitted {
    gb_model *model;
    gb_corpus *docs;
    gb_settings *settings;
    gb_predicted_draws *draws;
} fitted;

static fitted fit(const char *field, const char *name, const char *response, const char *cost, const char *sweeps)
{
    fitted f = {0};
    const bool is_count = strcmp(response, "negative-binomial") == 0;
    f.settings = settings_of(field, name, "response", response, "topics", "4", "sweeps", "30", "burn-in", "10",
                             "chains", "2", "snapshots", "5", "seed", "3", "threads", "1", "calibrate", "0",
                             "infer-sweeps", sweeps, is_count ? "exposure" : "min-df", is_count ? "size" : "1",
                             cost == NULL ? NULL : "cost", cost, NULL);
    assert_int_equal(gb_corpus_read("all.jsonl", f.settings, NULL, NULL, &f.docs, NULL), GB_OK);
    assert_int_equal(gb_train(f.docs, f.settings, NULL, NULL, &f.model, NULL), GB_OK);
    assert_int_equal(gb_predicted_draws_create(f.model, DOCS, 0, &f.draws, NULL), GB_OK);
    assert_int_equal(f.draws->n_snapshots, 10);
    assert_int_equal(gb_predict_draws(f.model, f.docs, 0, f.settings, NULL, NULL, f.draws, NULL), GB_OK);
    return f;
}

static void clear(fitted *f)
{
    gb_predicted_draws_free(f->draws);
    gb_model_free(f->model);
    gb_corpus_free(f->docs);
    gb_settings_free(f->settings);
}

static gb_prediction *predicted(const fitted *f)
{
    gb_prediction *p = NULL;
    assert_int_equal(gb_prediction_create(f->model, DOCS, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(f->model, f->docs, 0, f->settings, NULL, NULL, p, NULL), GB_OK);
    return p;
}

/* Sums of the same numbers in another order differ by rounding only. */
static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-11 * (1 + fabs(b)));
}

static double mean_over_draws(const gb_predicted_draws *p, const double *value, size_t n, uint64_t at)
{
    double sum = 0;
    for (uint64_t i = 0; i < p->n_snapshots; i++)
        sum += value[i * p->n_docs * n + at];
    return sum / (double)p->n_snapshots;
}

/* ---- against predict ---- */

static void check_scores(const char *field, const char *name, const char *response, const char *cost)
{
    fitted f = fit(field, name, response, cost, "3");
    gb_prediction *p = predicted(&f);
    const size_t n = f.draws->n_outputs;
    for (uint64_t i = 0; i < DOCS * n; i++)
        assert_near(mean_over_draws(f.draws, f.draws->score, n, i), p->score[i]);
    for (uint64_t i = 0; i < DOCS * n; i++) {
        const double n_draws = (double)f.draws->n_snapshots;
        double squares = 0;
        for (uint64_t s = 0; s < f.draws->n_snapshots; s++)
            squares += pow(f.draws->score[s * DOCS * n + i] - p->score[i], 2);
        assert_true(fabs(sqrt(squares / (n_draws * (n_draws - 1))) - p->score_error[i]) < 1e-6);
    }
    gb_prediction_free(p);
    clear(&f);
}

static void scores_have_the_mean_and_the_error_that_predict_gives(void **state)
{
    (void)state;
    check_scores("label", "kind", "logistic", "1");
    check_scores("label", "color", "hinge", NULL);
    check_scores("labels", "tags", "probit", NULL);
    check_scores("label", "level", "ordinal", NULL);
    check_scores("target", "number", "gaussian", "1");
    check_scores("target", "count", "negative-binomial", NULL);
}

static void expected_numbers_have_the_mean_that_predict_gives(void **state)
{
    (void)state;
    fitted f = fit("target", "number", "gaussian", "1", "3");
    gb_prediction *p = predicted(&f);
    for (uint64_t d = 0; d < DOCS; d++)
        assert_near(mean_over_draws(f.draws, f.draws->response[0].expected, 1, d), p->response[0].mean[d]);
    gb_prediction_free(p);
    clear(&f);
}

/* Both move the same samples, each in its own way: what differs is of second order in what they move by.  A document without words has 200
 * draws of the prior's shares, nearly all of one topic, so that what they move by has a standard error of 0.035. */
static void expected_probabilities_have_nearly_the_mean_that_predict_gives(void **state)
{
    (void)state;
    fitted f = fit("label", "color", "probit", NULL, "20");
    gb_prediction *p = predicted(&f);
    for (uint64_t i = 0; i < DOCS * 3; i++)
        assert_true(fabs(mean_over_draws(f.draws, f.draws->response[0].expected, 3, i) -
                         p->response[0].probability[i]) < (p->n_known[i / 3] > 0 ? 0.04 : 3 * 0.035));
    gb_prediction_free(p);
    clear(&f);
}

static void assert_certain(size_t n, const double *probability)
{
    size_t n_certain = 0;
    for (size_t i = 0; i < n; i++) {
        n_certain += probability[i] > 1 - 1e-12;
        if (!(probability[i] >= 0 && probability[i] <= 1))
            fail_msg("a probability is 1 %+g", probability[i] - 1);
    }
    assert_true(n_certain > 0);
}

/* Eleven times the rounded 1/11 is more than 1, and so it is with 18; with a covariate far out, each draw is certain. */
static void a_mean_of_certain_classes_is_a_probability(void **state)
{
    (void)state;
    gb_settings *s =
        settings_of("labels", "tags", "covariates", "number", "response", "probit", "topics", "4", "sweeps", "21",
                    "burn-in", "10", "snapshots", "11", "seed", "3", "threads", "1", "infer-sweeps", "18", NULL);
    gb_corpus *docs = NULL, *far = NULL;
    gb_model *model = NULL;
    gb_documents *reader = NULL;
    gb_prediction *p = NULL;
    gb_predicted_draws *draws = NULL;
    uint64_t *n_unknown = NULL;
    write_file("far.jsonl", "{\"text\": \"aa ab\", \"number\": 1e6, \"tags\": []}\n{\"text\": \"aa ab\", \"number\": "
                            "-1e6, \"tags\": []}\n");
    assert_int_equal(gb_corpus_read("all.jsonl", s, NULL, NULL, &docs, NULL), GB_OK);
    assert_int_equal(gb_train(docs, s, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_documents_open(model, "far.jsonl", s, NULL, NULL, &reader, NULL), GB_OK);
    assert_int_equal(gb_documents_next(reader, 2, &far, &n_unknown, NULL), GB_OK);
    assert_int_equal(gb_prediction_create(model, 2, &p, NULL), GB_OK);
    assert_int_equal(gb_predict(model, far, 0, s, NULL, NULL, p, NULL), GB_OK);
    assert_int_equal(gb_predicted_draws_create(model, 2, 0, &draws, NULL), GB_OK);
    assert_int_equal(gb_predict_draws(model, far, 0, s, NULL, NULL, draws, NULL), GB_OK);
    assert_certain(4, p->response[0].probability);
    assert_certain(draws->n_snapshots * 4, draws->response[0].expected);
    gb_predicted_draws_free(draws);
    gb_prediction_free(p);
    gb_documents_close(reader);
    gb_free(n_unknown);
    gb_model_free(model);
    gb_corpus_free(far);
    gb_corpus_free(docs);
    gb_settings_free(s);
}

/* ---- by hand: with one sweep the scores of a row are those of its sample ---- */

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double phi(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

typedef double formula(const fitted *f, const double *own, const double *score, double y, uint64_t d);

static void check_formula(fitted f, formula *by_hand, bool is_likelihood)
{
    const gb_predicted_draws *p = f.draws;
    assert_int_equal(gb_model_is_likelihood(f.model, 0), is_likelihood);
    for (uint64_t i = 0; i < p->n_snapshots; i++)
        for (uint64_t d = 0; d < DOCS; d++)
            assert_near(p->response[0].log_factor[i * DOCS + d],
                        by_hand(&f, f.model->draw[i].own, p->score + (i * DOCS + d) * p->n_outputs,
                                p->response[0].observed[d * p->response[0].n_values], d));
    clear(&f);
}

static double logistic(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)f, (void)own, (void)d;
    return y > 0 ? log(sigmoid(score[0])) : log(1 - sigmoid(score[0]));
}

static double logistic_squared(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    return 2 * logistic(f, own, score, y, d);
}

static double logistic_of_three(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)f, (void)own, (void)d;
    double sum = 0;
    for (size_t l = 0; l < 3; l++)
        sum += log(sigmoid(l == (size_t)y ? score[l] : -score[l]));
    return sum;
}

static double probit_of_tags(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)own, (void)y;
    const double *has = f->draws->response[0].observed + 2 * d;
    return log(phi(has[0] > 0 ? score[0] : -score[0])) + log(phi(has[1] > 0 ? score[1] : -score[1]));
}

static double ordinal(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)f, (void)d;
    const double above = y > 1 ? 1 : phi(own[(size_t)y] - score[0]),
                 below = y < 1 ? 0 : phi(own[(size_t)y - 1] - score[0]);
    return log(above - below);
}

static double gaussian(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)d;
    const gb_target *t = &f->model->target[0];
    const double sd = t->scale * sqrt(own[0]), residual = (y - t->centre - t->scale * score[0]) / sd;
    return -0.5 * residual * residual - log(sd) - 0.5 * log(2 * acos(-1));
}

static double negative_binomial(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    const double s = score[0] + log(f->docs->numbers[1].value[d]), r = own[0];
    return lgamma(y + r) - lgamma(r) - lgamma(y + 1) + y * log(sigmoid(s)) + r * log(1 - sigmoid(s));
}

static double hinge(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)own, (void)d;
    const gb_response *r = &f->model->target[0].response;
    return -2 * r->cost * fmax(0, r->margin - (y > 0 ? 1 : -1) * score[0]);
}

static double insensitive(const fitted *f, const double *own, const double *score, double y, uint64_t d)
{
    (void)own, (void)d;
    const gb_target *t = &f->model->target[0];
    return -2 * t->response.cost * fmax(0, fabs((y - t->centre) / t->scale - score[0]) - t->response.epsilon);
}

static void log_factors_are_the_likelihoods_of_the_responses(void **state)
{
    (void)state;
    check_formula(fit("label", "kind", "logistic", "1", "1"), logistic, true);
    check_formula(fit("label", "color", "logistic", "1", "1"), logistic_of_three, true);
    check_formula(fit("labels", "tags", "probit", NULL, "1"), probit_of_tags, true);
    check_formula(fit("label", "level", "ordinal", NULL, "1"), ordinal, true);
    check_formula(fit("target", "number", "gaussian", "1", "1"), gaussian, true);
    check_formula(fit("target", "count", "negative-binomial", NULL, "1"), negative_binomial, true);
}

static void losses_and_powers_are_not_called_likelihoods(void **state)
{
    (void)state;
    check_formula(fit("label", "kind", "logistic", "2", "1"), logistic_squared, false);
    check_formula(fit("label", "kind", "hinge", "2", "1"), hinge, false);
    check_formula(fit("target", "number", "insensitive", "2", "1"), insensitive, false);
}

static void probabilities_are_those_of_the_law(void **state)
{
    (void)state;
    fitted f = fit("label", "kind", "logistic", "1", "1");
    const gb_response_draws *r = &f.draws->response[0];
    for (uint64_t i = 0; i < f.draws->n_snapshots * DOCS; i++) {
        assert_near(r->expected[2 * i + 1], sigmoid(f.draws->score[i]));
        assert_near(r->expected[2 * i] + r->expected[2 * i + 1], 1);
    }
    clear(&f);
}

/* ---- simulated values ---- */

/* With one sweep and few tokens the drawn topics' scores are spread around the expected ones, so only means are compared: of 600
 * independent indicators less their probabilities. */
static void simulated_labels_have_their_probabilities(void **state)
{
    (void)state;
    fitted f = fit("label", "color", "probit", NULL, "40");
    const gb_response_draws *r = &f.draws->response[0];
    for (size_t c = 0; c < 3; c++) {
        double sum = 0, variance = 0;
        for (uint64_t i = 0; i < f.draws->n_snapshots * DOCS; i++) {
            const double p = r->expected[3 * i + c];
            assert_true(r->simulated[i] == 0 || r->simulated[i] == 1 || r->simulated[i] == 2);
            sum += (r->simulated[i] == (double)c) - p;
            variance += p * (1 - p);
        }
        assert_true(fabs(sum) < 5 * sqrt(variance));
    }
    clear(&f);
}

/* Residuals of documents without words have exactly the noise's variance, the others a little more. */
static void simulated_numbers_are_spread_by_the_noise(void **state)
{
    (void)state;
    fitted f = fit("target", "number", "gaussian", "1", "40");
    const gb_response_draws *r = &f.draws->response[0];
    const double scale = f.model->target[0].scale;
    double sum = 0, squares = 0, n = 0;
    for (uint64_t i = 0; i < f.draws->n_snapshots; i++)
        for (uint64_t d = 0; d < DOCS; d++, n++) {
            const double sd = scale * sqrt(f.model->draw[i].own[0]);
            const double z = (r->simulated[i * DOCS + d] - r->expected[i * DOCS + d]) / sd;
            sum += z;
            squares += z * z;
        }
    assert_true(fabs(sum) < 6 * sqrt(n)); /* 5 standard errors, and the spread of drawn topics */
    assert_true(squares / n > 1 - 5 * sqrt(2 / n) && squares / n < 1.6);
    clear(&f);
}

/* ---- reproducible, missing, refused ---- */

static void neither_threads_nor_batches_change_a_bit(void **state)
{
    (void)state;
    fitted f = fit("label", "color", "logistic", "1", "2");
    gb_predicted_draws *again = NULL;
    const size_t n = f.draws->n_snapshots * DOCS;
    assert_int_equal(gb_predicted_draws_create(f.model, DOCS, 0, &again, NULL), GB_OK);
    set(f.settings, "threads", "3");
    assert_int_equal(gb_predict_draws(f.model, f.docs, 0, f.settings, NULL, NULL, again, NULL), GB_OK);
    assert_memory_equal(again->score, f.draws->score, n * 3 * sizeof(double));
    const gb_response_draws *a = &again->response[0], *b = &f.draws->response[0];
    assert_memory_equal(a->simulated, b->simulated, n * sizeof(double));
    assert_memory_equal(a->expected, b->expected, n * 3 * sizeof(double));
    assert_memory_equal(a->log_factor, b->log_factor, n * sizeof(double));
    gb_predicted_draws_free(again);
    clear(&f);
}

static void a_later_row_of_the_input_is_the_same_document(void **state)
{
    (void)state;
    fitted f = fit("target", "number", "gaussian", "1", "2");
    gb_predicted_draws *one = NULL;
    gb_corpus *docs = NULL;
    gb_documents *reader = NULL;
    uint64_t *n_unknown = NULL;
    assert_int_equal(gb_documents_open(f.model, "all.jsonl", f.settings, NULL, NULL, &reader, NULL), GB_OK);
    for (uint64_t d = 0; d <= 4; d++) {
        gb_corpus_free(docs);
        gb_free(n_unknown);
        assert_int_equal(gb_documents_next(reader, 1, &docs, &n_unknown, NULL), GB_OK);
    }
    assert_int_equal(gb_predicted_draws_create(f.model, 1, 0, &one, NULL), GB_OK);
    assert_int_equal(gb_predict_draws(f.model, docs, 4, f.settings, NULL, NULL, one, NULL), GB_OK);
    for (uint64_t i = 0; i < f.draws->n_snapshots; i++) {
        assert_true(one->score[i] == f.draws->score[i * DOCS + 4]);
        assert_true(one->response[0].simulated[i] == f.draws->response[0].simulated[i * DOCS + 4]);
    }
    gb_free(n_unknown);
    gb_documents_close(reader);
    gb_corpus_free(docs);
    gb_predicted_draws_free(one);
    clear(&f);
}

static void batches_of_a_corpus_give_its_predictions(void **state)
{
    (void)state;
    fitted f = fit("target", "number", "gaussian", "1", "2");
    gb_predicted_draws *some = NULL;
    gb_corpus *batch = NULL;
    assert_int_equal(gb_corpus_view_create(f.docs, 15, 25, &batch, NULL), GB_OK);
    assert_int_equal(gb_corpus_n_docs(batch), 10);
    assert_int_equal(gb_predicted_draws_create(f.model, 10, 0, &some, NULL), GB_OK);
    assert_int_equal(gb_predict_draws(f.model, batch, 15, f.settings, NULL, NULL, some, NULL), GB_OK);
    for (uint64_t i = 0; i < f.draws->n_snapshots; i++)
        assert_memory_equal(some->response[0].log_factor + i * 10, f.draws->response[0].log_factor + i * DOCS + 15,
                            10 * sizeof(double));
    assert_int_equal(gb_corpus_view_create(f.docs, 15, DOCS + 1, &batch, NULL), GB_EARGUMENT);
    gb_corpus_free(batch);
    gb_corpus_free(NULL);
    gb_predicted_draws_free(some);
    clear(&f);
}

static gb_status predict_file(const fitted *f, const char *text, gb_predicted_draws **out, gb_error *err)
{
    gb_corpus *read = NULL, *docs = NULL;
    uint64_t *n_unknown = NULL;
    write_file("new.jsonl", text);
    assert_int_equal(gb_corpus_read("new.jsonl", f->settings, NULL, NULL, &read, err), GB_OK);
    assert_int_equal(gb_documents_from_corpus(f->model, read, &docs, &n_unknown, err), GB_OK);
    assert_int_equal(gb_predicted_draws_create(f->model, gb_corpus_n_docs(docs), 0, out, err), GB_OK);
    const gb_status st = gb_predict_draws(f->model, docs, 0, f->settings, NULL, NULL, *out, err);
    gb_free(n_unknown);
    gb_corpus_free(read);
    gb_corpus_free(docs);
    return st;
}

static void a_missing_value_has_no_factor_but_a_simulated_value(void **state)
{
    (void)state;
    fitted f = fit("label", "color", "logistic", "1", "1");
    gb_predicted_draws *p = NULL;
    assert_int_equal(predict_file(&f,
                                  "{\"text\": \"aa ab\", \"color\": null}\n{\"text\": \"ba\", \"color\": \"red\"}\n",
                                  &p, NULL),
                     GB_OK);
    assert_true(isnan(p->response[0].observed[0]) && p->response[0].observed[1] == 2);
    assert_true(isnan(p->response[0].log_factor[0]) && p->response[0].log_factor[1] < 0);
    assert_true(p->response[0].simulated[0] >= 0);
    gb_predicted_draws_free(p);
    clear(&f);
}

static void an_unknown_label_is_an_error_or_missing(void **state)
{
    (void)state;
    fitted f = fit("label", "color", "logistic", "1", "1");
    gb_predicted_draws *p = NULL;
    gb_error err;
    const char *text = "{\"text\": \"aa\", \"color\": \"pink\"}\n{\"text\": \"ba\", \"color\": \"red\"}\n";
    assert_int_equal(predict_file(&f, text, &p, &err), GB_EFORMAT);
    assert_string_equal(err.message, "the documents: document \"1\": label \"pink\" is not a class of the model");
    gb_predicted_draws_free(p);
    set(f.settings, "unknown-label", "skip");
    assert_int_equal(predict_file(&f, text, &p, NULL), GB_OK);
    assert_true(isnan(p->response[0].observed[0]) && p->response[0].observed[1] == 2);
    gb_predicted_draws_free(p);
    clear(&f);
}

static void a_hinge_has_scores_but_no_law_of_labels(void **state)
{
    (void)state;
    double numbers[10 * DOCS];
    gb_error err;
    fitted f = fit("label", "kind", "hinge", NULL, "1");
    assert_null(f.draws->response[0].expected);
    assert_null(f.draws->response[0].simulated);
    f.draws->response[0].simulated = numbers;
    assert_int_equal(gb_predict_draws(f.model, f.docs, 0, f.settings, NULL, NULL, f.draws, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "field \"kind\": a hinge has no law of labels to expect or simulate them by");
    f.draws->response[0].simulated = NULL;
    clear(&f);
}

static void what_would_be_too_large_is_refused_with_advice(void **state)
{
    (void)state;
    gb_error err;
    gb_predicted_draws *p = NULL;
    fitted f = fit("target", "number", "gaussian", "1", "1");
    /* 10 draws of a score, an expected and a simulated number and a log factor; and what was observed */
    assert_int_equal(gb_predicted_draws_create(f.model, 1000000, 100000000, &p, &err), GB_EARGUMENT);
    assert_string_equal(err.message,
                        "predictions of 1000000 documents by each of 10 draws take 0.3 GB, and 0.1 GB are allowed: "
                        "choose 304878 documents or fewer, allow more, or train with fewer `snapshots`");
    assert_null(p);
    f.draws->n_docs--;
    assert_int_equal(gb_predict_draws(f.model, f.docs, 0, f.settings, NULL, NULL, f.draws, &err), GB_EARGUMENT);
    f.draws->n_docs++;
    clear(&f);
    gb_predicted_draws_free(NULL);
}

static void models_without_shared_draws_are_refused(void **state)
{
    (void)state;
    gb_error err;
    gb_predicted_draws *p = NULL;
    gb_settings *s = settings_of("label", "color", "strategy", "one-vs-rest", "topics", "2", "sweeps", "4", "burn-in",
                                 "2", "seed", "1", "calibrate", "0", NULL);
    gb_corpus *docs = corpus_of("all.jsonl", "label", "color", NULL);
    gb_model *model = NULL;
    assert_int_equal(gb_train(docs, s, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_predicted_draws_create(model, 1, 0, &p, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "one-vs-rest"));
    gb_model_free(model);
    set(s, "response", "none");
    set(s, "strategy", "shared");
    assert_int_equal(gb_train(docs, s, NULL, NULL, &model, NULL), GB_OK);
    assert_int_equal(gb_predicted_draws_create(model, 1, 0, &p, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "no response"));
    assert_false(gb_model_is_likelihood(model, 0));
    gb_model_free(model);
    gb_settings_free(s);
    gb_corpus_free(docs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_have_the_mean_and_the_error_that_predict_gives),
        cmocka_unit_test(expected_numbers_have_the_mean_that_predict_gives),
        cmocka_unit_test(expected_probabilities_have_nearly_the_mean_that_predict_gives),
        cmocka_unit_test(a_mean_of_certain_classes_is_a_probability),
        cmocka_unit_test(log_factors_are_the_likelihoods_of_the_responses),
        cmocka_unit_test(losses_and_powers_are_not_called_likelihoods),
        cmocka_unit_test(probabilities_are_those_of_the_law),
        cmocka_unit_test(simulated_labels_have_their_probabilities),
        cmocka_unit_test(simulated_numbers_are_spread_by_the_noise),
        cmocka_unit_test(neither_threads_nor_batches_change_a_bit),
        cmocka_unit_test(a_later_row_of_the_input_is_the_same_document),
        cmocka_unit_test(batches_of_a_corpus_give_its_predictions),
        cmocka_unit_test(a_missing_value_has_no_factor_but_a_simulated_value),
        cmocka_unit_test(an_unknown_label_is_an_error_or_missing),
        cmocka_unit_test(a_hinge_has_scores_but_no_law_of_labels),
        cmocka_unit_test(what_would_be_too_large_is_refused_with_advice),
        cmocka_unit_test(models_without_shared_draws_are_refused),
    };
    return cmocka_run_group_tests(tests, write_documents, leave_folder);
}
