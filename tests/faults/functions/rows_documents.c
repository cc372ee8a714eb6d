/* rows_documents.c - functions that apply a model to documents: apply.h, predicted_draws.h, explain.h, export.h. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_DOCS = 24, MANY = 1024 };

/* ---- new documents ---- */

static void documents(void)
{
    gb_documents *reader = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    TRY(gb_documents_open(ground.model, "train.csv", ground.reading, NULL, NULL, &reader, ERR));
    see_made(reader);
    if (trial_is_fine() && TRY(gb_documents_next(reader, 10, &docs, &n_unknown, ERR)) == GB_OK) {
        see_corpus(docs);
        see_words(n_unknown, 10);
    } else if (reader != NULL) { /* some documents may be lost */
        expect(gb_documents_next(reader, 10, &docs, &n_unknown, NULL) == GB_EARGUMENT,
               "the reader can only be closed");
    }
    gb_corpus_free(docs);
    gb_free(n_unknown);
    docs = NULL;
    n_unknown = NULL;
    if (trial_is_fine() && TRY(gb_documents_next(reader, 100, &docs, &n_unknown, ERR)) == GB_OK)
        see_corpus(docs);
    gb_corpus_free(docs);
    gb_free(n_unknown);
    QUIET((gb_documents_close(reader), 0));
}

static void model_check_settings(void)
{
    const char *note = "";
    TRY(gb_model_check_settings(ground.model, ground.reading, GB_USE_PREDICT, &note, ERR));
    see_text(note);
}

static void see_documents(gb_corpus *docs, uint64_t *n_unknown)
{
    see_made(docs);
    see_made(n_unknown);
    see_corpus(docs);
    if (docs != NULL)
        see_words(n_unknown, gb_corpus_n_docs(docs));
    gb_corpus_free(docs);
    gb_free(n_unknown);
}

static void documents_from_arrays(void)
{
    static const char *const text[] = {"apple pear unknown", "dog"};
    static const double size[] = {1, 3};
    gb_corpus_arrays *arrays = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    must(gb_corpus_arrays_create(&arrays, ERR));
    must(gb_corpus_arrays_texts(arrays, 2, text, ERR));
    must(gb_corpus_arrays_numbers(arrays, "size", GB_ROLE_COVARIATE, size, ERR));
    TRY(gb_documents_from_arrays(ground.model, arrays, &docs, &n_unknown, ERR));
    see_documents(docs, n_unknown);
    gb_corpus_arrays_free(arrays);
}

static void documents_from_corpus(void)
{
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    TRY(gb_documents_from_corpus(ground.model, ground.corpus, &docs, &n_unknown, ERR));
    see_documents(docs, n_unknown);
}

/* ---- prediction ---- */

static void see_prediction(const gb_prediction *p)
{
    see_numbers(p->share, p->n_docs * p->n_topics);
    see_numbers(p->score, p->n_docs * p->n_outputs);
    for (uint64_t i = 0; i < p->n_responses; i++) {
        see_numbers(p->response[i].probability, p->n_docs * p->response[i].n_classes);
        see_numbers(p->response[i].mean, p->n_docs);
        see_numbers(p->response[i].q95, p->n_docs);
    }
}

static void predict_with(const gb_model *model, const gb_corpus *docs)
{
    gb_prediction *p = NULL;
    TRY(gb_prediction_create(model, N_DOCS, &p, ERR));
    see_made(p);
    if (p != NULL) {
        RETRY(gb_predict(model, docs, 0, ground.applying, NULL, NULL, p, ERR));
        see_prediction(p);
    }
    QUIET((gb_prediction_free(p), 0));
}

static void predict_classes(void)
{
    predict_with(ground.model, ground.docs);
}

static void predict_numbers(void)
{
    predict_with(ground.grouped, ground.grouped_docs);
}

static void prediction_classes(void)
{
    gb_prediction *p = NULL;
    bool has[3] = {false};
    must(gb_prediction_create(ground.model, N_DOCS, &p, ERR));
    must(gb_predict(ground.model, ground.docs, 0, ground.applying, NULL, NULL, p, ERR));
    QUIET((gb_prediction_classes(ground.model, p, 0, 1, has), 0));
    see_bytes(has, sizeof has);
    gb_prediction_free(p);
}

static void infer(void)
{
    double share[N_DOCS * 2];
    RETRY(gb_infer(ground.model, ground.docs, 0, ground.applying, NULL, NULL, share, ERR));
    see_numbers(share, N_DOCS * 2);
}

static void held_out_by(const char *method)
{
    gb_settings *settings =
        settings_of("held-out", method, "held-out-samples", "2", "threads", "1", "seed", "1", NULL);
    gb_held_out *out = NULL;
    TRY(gb_held_out_create(N_DOCS, &out, ERR));
    see_made(out);
    if (out != NULL) {
        RETRY(gb_held_out_likelihood(ground.model, ground.docs, 0, settings, NULL, NULL, out, ERR));
        see_numbers(out->log_likelihood, N_DOCS);
    }
    QUIET((gb_held_out_free(out), 0));
    gb_settings_free(settings);
}

static void held_out_empirical(void)
{
    held_out_by("empirical");
}

static void held_out_left_to_right(void)
{
    held_out_by("left-to-right");
}

static void held_out_completion(void)
{
    held_out_by("completion");
}

static void simulate_from(const gb_model *model, gb_settings *settings)
{
    gb_corpus *corpus = NULL;
    TRY(gb_simulate(model, settings, NULL, NULL, &corpus, ERR));
    see_made(corpus);
    see_corpus(corpus);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void simulate(void)
{
    simulate_from(NULL, settings_of("topics", "2", "documents", "9", "length", "5", "vocabulary-size", "12", "seed",
                                    "1", NULL));
}

static void simulate_model(void)
{
    simulate_from(ground.model, settings_of("documents", "9", "length", "5", "seed", "1", NULL));
}

/* ---- draws of predictions ---- */

static void predicted_draws(void)
{
    gb_predicted_draws *draws = NULL;
    TRY(gb_predicted_draws_create(ground.grouped, N_DOCS, 0, &draws, ERR));
    see_made(draws);
    if (draws != NULL) {
        RETRY(gb_predict_draws(ground.grouped, ground.grouped_docs, 0, ground.applying, NULL, NULL, draws, ERR));
        see_numbers(draws->score, draws->n_snapshots * N_DOCS);
        see_numbers(draws->response[0].log_factor, draws->n_snapshots * N_DOCS);
    }
    QUIET((gb_predicted_draws_free(draws), 0));
}

/* ---- explanations ---- */

static void explain(void)
{
    gb_explanation *why = NULL;
    gb_corpus *some = NULL;
    must(gb_corpus_view_create(ground.docs, 0, 4, &some, ERR));
    TRY(gb_explanation_create(ground.model, some, 2, 1, &why, ERR));
    see_made(why);
    if (why != NULL) {
        RETRY(gb_explain(ground.model, some, 0, ground.applying, NULL, NULL, why, ERR));
        see_numbers(why->score, 4 * 2);
        see_numbers(why->topic, 4 * 2 * 3);
        see_numbers(why->without, why->word_start[4] * 2);
    }
    QUIET((gb_explanation_free(why), 0));
    gb_corpus_free(some);
}

static void explain_predicted(void)
{
    gb_prediction *prediction = NULL;
    gb_explanation *why = NULL;
    TRY(gb_prediction_create(ground.model, N_DOCS, &prediction, ERR));
    if (trial_is_fine() &&
        TRY(gb_predict(ground.model, ground.docs, 0, ground.applying, NULL, NULL, prediction, ERR)) == GB_OK &&
        TRY(gb_explanation_make(ground.model, ground.docs, ground.applying, prediction, 0, &why, ERR)) == GB_OK) {
        see_words(why->output, N_DOCS);
        see_words(why->predicted, N_DOCS);
    }
    gb_explanation_free(why);
    gb_prediction_free(prediction);
}

/* ---- files of other programs ---- */

static void export_ldavis(void)
{
    TRY(gb_model_export(ground.model, ground.docs, "out.json", NULL, ground.applying, false, NULL, NULL, ERR));
    see_file("out.json");
}

static void export_state(void)
{
    TRY(gb_model_export(ground.model, ground.docs, "out.gz", NULL, ground.applying, true, NULL, NULL, ERR));
    see_file("out.gz");
}

const fault_row rows_of_documents[] = {{"documents", documents, NULL},
                                       {"model_check_settings", model_check_settings, NULL},
                                       {"documents_from_arrays", documents_from_arrays, NULL},
                                       {"documents_from_corpus", documents_from_corpus, NULL},
                                       {"predict_classes", predict_classes, NULL},
                                       {"predict_numbers", predict_numbers, NULL},
                                       {"prediction_classes", prediction_classes, NULL},
                                       {"infer", infer, NULL},
                                       {"held_out_empirical", held_out_empirical, NULL},
                                       {"held_out_left_to_right", held_out_left_to_right, NULL},
                                       {"held_out_completion", held_out_completion, NULL},
                                       {"simulate", simulate, NULL},
                                       {"simulate_model", simulate_model, NULL},
                                       {"predicted_draws", predicted_draws, NULL},
                                       {"explain", explain, NULL},
                                       {"explain_predicted", explain_predicted, NULL},
                                       {"export_ldavis", export_ldavis, NULL},
                                       {"export_state", export_state, NULL},
                                       {NULL, NULL, NULL}};
