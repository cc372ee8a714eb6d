/* rows_estimates.c - functions of estimate.h and cross_fit.h. */
#include "model/cross_fitted.h"
#include "rows.h"

#include <string.h>

enum { MANY = 64 };

/* ---- estimate.h ---- */

static void hold_out(void)
{
    gb_settings *settings = settings_of("estimate-on", "0.3", "seed", "1", NULL);
    gb_corpus *training = NULL;
    TRY(gb_estimate_hold_out(ground.corpus, settings, &training, ERR));
    see_made(training);
    see_corpus(training);
    gb_corpus_free(training);
    gb_settings_free(settings);
}

/* Of documents of which the training has held some out. */
static void leave_out_seen(void)
{
    gb_settings *settings = training_of("estimate-on", "0.3", NULL);
    gb_corpus *training = NULL, *docs = NULL;
    gb_model *model = NULL;
    uint64_t *n_unknown = NULL;
    gb_estimate *estimate = NULL;
    must(gb_estimate_hold_out(ground.numbers, settings, &training, ERR));
    must(gb_train(training, settings, NULL, NULL, &model, ERR));
    must(gb_documents_from_corpus(model, ground.numbers, &docs, &n_unknown, ERR));
    TRY(gb_estimate_create(model, docs, ground.applying, NULL, NULL, &estimate, ERR));
    see_made(estimate);
    gb_estimate_free(estimate);
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_model_free(model);
    gb_corpus_free(training);
    gb_settings_free(settings);
}

static void request_fields(void)
{
    gb_settings *settings = settings_of("threads", "1", NULL);
    RETRY(gb_estimate_request_fields(ground.model, settings, ERR));
    see_number((double)gb_settings_n_values(settings, "label"));
    see_text(gb_settings_get(settings, "label", 0));
    gb_settings_free(settings);
}

static void estimate_with(const gb_model *model, const gb_corpus *docs)
{
    gb_estimate *estimate = NULL;
    gb_effect effect[MANY];
    TRY(gb_estimate_create(model, docs, ground.applying, NULL, NULL, &estimate, ERR));
    see_made(estimate);
    if (estimate != NULL) {
        const gb_model *estimated = NULL;
        QUIET(estimated = gb_estimate_model(estimate));
        NUMBER(gb_estimate_reliability(estimate, 0));
        must(gb_model_effects(estimated, 0, effect, ERR));
        for (uint64_t i = 0; i < gb_model_n_effects(estimated, 0); i++)
            see_number(effect[i].mean);
    }
    QUIET((gb_estimate_free(estimate), 0));
}

static void estimate_numbers(void)
{
    estimate_with(ground.grouped, ground.grouped_docs);
}

static void estimate_classes(void)
{
    estimate_with(ground.model, ground.docs);
}

/* ---- cross_fit.h ---- */

static gb_settings *folds(void)
{
    return training_of("cross-fit", "2", NULL);
}

static void cross_fit_check(void)
{
    gb_settings *settings = folds();
    TRY(gb_cross_fit_check(ground.corpus, settings, ERR));
    gb_settings_free(settings);
}

static void cross_fit_begin(void)
{
    gb_settings *settings = folds();
    gb_model *begin = NULL;
    TRY(gb_cross_fit_begin(ground.corpus, settings, NULL, NULL, &begin, ERR));
    see_made(begin);
    see_model(begin);
    gb_model_free(begin);
    gb_settings_free(settings);
}

static void cross_questions(const gb_model *model)
{
    uint64_t word[3], response = 0, place = 0;
    const char *name = NULL;
    gb_cross_effect effect[MANY];
    NUMBER(gb_model_n_folds(model));
    NUMBER(gb_model_fold_n_docs(model, 1));
    TEXT(gb_model_cross_response(model, 0));
    TRY(gb_model_cross_effects(model, 0, effect, ERR));
    TRY(gb_model_fold_effects(model, 1, 0, effect, ERR));
    NUMBER(gb_model_fold_topic(model, 0, 1));
    NUMBER(gb_model_fold_topic_words(model, 0, 1, 3, word));
    if (NUMBER(gb_model_n_cross_parameters(model)) > 0)
        TRY(gb_model_cross_parameter(model, 0, &response, &name, &place, effect, ERR));
    else
        must(GB_EARGUMENT);
}

static void cross_fit(void)
{
    gb_settings *settings = folds(), *reading = settings_of("target", "stars", NULL);
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    void *before = NULL, *after = NULL;
    size_t n_before = 0, n_after = 0;
    must(gb_corpus_read("train.jsonl", reading, NULL, NULL, &corpus, ERR));
    must(gb_train(corpus, settings, NULL, NULL, &model, ERR));
    must(gb_model_to_bytes(model, &before, &n_before, ERR));
    if (TRY(gb_cross_fit(corpus, settings, NULL, model, NULL, ERR)) == GB_OK) {
        see_model(model);
        cross_questions(model);
    } else {
        must(gb_model_to_bytes(model, &after, &n_after, ERR));
        expect(n_after == n_before && memcmp(before, after, n_before) == 0, "the model is unchanged");
    }
    gb_free(before);
    gb_free(after);
    gb_model_free(model);
    gb_corpus_free(corpus);
    gb_settings_free(reading);
    gb_settings_free(settings);
}

const fault_row rows_of_estimates[] = {{"hold_out", hold_out, NULL},
                                       {"leave_out_seen", leave_out_seen, NULL},
                                       {"request_fields", request_fields, NULL},
                                       {"estimate_numbers", estimate_numbers, NULL},
                                       {"estimate_classes", estimate_classes, NULL},
                                       {"cross_fit_check", cross_fit_check, NULL},
                                       {"cross_fit_begin", cross_fit_begin, NULL},
                                       {"cross_fit", cross_fit, NULL},
                                       {NULL, NULL, NULL}};
