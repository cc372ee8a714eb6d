/* rows_scores.c - functions of evaluate.h. */
#include "rows.h"

#include <string.h>

enum { N_DOCS = 24 };

/* ---- predictions against known labels ---- */

static gb_prediction *prediction_of(const gb_model *model, const gb_corpus *docs)
{
    gb_prediction *p = NULL;
    must(gb_prediction_create(model, N_DOCS, &p, ERR));
    must(gb_predict(model, docs, 0, ground.applying, NULL, NULL, p, ERR));
    return p;
}

static void class_questions(const gb_evaluation *e)
{
    const gb_subject subject = {.size = sizeof subject, .evaluation = e};
    NUMBER(gb_evaluation_n_responses(e));
    NUMBER(gb_evaluation_response(e, 0));
    TEXT(gb_evaluation_field(e, 0));
    NUMBER(gb_evaluation_has_likelihood(e));
    see_answer("classes", &subject);
    see_answer("calibration", &subject);
    see_answer("confusion", &subject);
    see_answer("subgroups", &subject);
}

static void evaluate(const gb_model *model, const gb_corpus *docs, bool has_classes)
{
    gb_settings *settings = settings_of("held-out", "empirical", "threads", "1", "seed", "1", NULL);
    gb_prediction *p = prediction_of(model, docs);
    gb_held_out *likelihood = NULL;
    gb_evaluation *e = NULL;
    if (has_classes)
        must(gb_settings_set(settings, "subgroups", "label", ERR));
    must(gb_held_out_create(N_DOCS, &likelihood, ERR));
    must(gb_held_out_likelihood(model, docs, 0, settings, NULL, NULL, likelihood, ERR));
    TRY(gb_evaluation_create(model, settings, &e, ERR));
    if (e != NULL)
        TRY(gb_evaluate(e, docs, NULL, 0, settings, NULL, NULL, NULL, NULL, ERR));
    QUIET((gb_evaluation_free(e), 0));
    e = NULL;
    TRY(gb_evaluation_create(model, settings, &e, ERR));
    see_made(e);
    if (e != NULL && TRY(gb_evaluation_add(e, docs, p, likelihood, NULL, ERR)) == GB_OK &&
        TRY(gb_evaluation_finish(e, ERR)) == GB_OK) {
        const gb_subject subject = {
            .size = sizeof subject, .evaluation = e, .likelihood = likelihood, .scored = docs};
        if (has_classes)
            class_questions(e);
        see_answer("evaluation", &subject);
        see_answer("likelihood", &subject);
    }
    QUIET((gb_evaluation_free(e), 0));
    gb_held_out_free(likelihood);
    gb_prediction_free(p);
    gb_settings_free(settings);
}

static void evaluate_classes(void)
{
    evaluate(ground.model, ground.docs, true);
}

static void evaluate_numbers(void)
{
    evaluate(ground.grouped, ground.grouped_docs, false);
}

static void evaluation_request(void)
{
    gb_settings *settings = settings_of("threads", "1", NULL);
    gb_evaluation *e = NULL;
    must(gb_evaluation_create(ground.model, ground.applying, &e, ERR));
    RETRY(gb_evaluation_request_fields(e, settings, ERR));
    see_number((double)gb_settings_n_values(settings, "label"));
    see_text(gb_settings_get(settings, "label", 0));
    gb_evaluation_free(e);
    gb_settings_free(settings);
}

/* ---- linear models ---- */

static void linear_with(const gb_model *model, const gb_corpus *docs)
{
    gb_linear *linear = NULL;
    gb_prediction *p = NULL;
    gb_evaluation *e = NULL;
    must(gb_prediction_create(model, N_DOCS, &p, ERR));
    TRY(gb_linear_fit(model, docs, ground.applying, NULL, NULL, &linear, ERR));
    see_made(linear);
    if (linear != NULL) {
        if (TRY(gb_linear_predict(linear, docs, p, ERR)) == GB_OK)
            see_numbers(p->score, N_DOCS * p->n_outputs);
        must(gb_evaluation_create(model, ground.applying, &e, ERR));
        QUIET((gb_evaluation_of_linear(e), 0));
        gb_evaluation_free(e);
    }
    QUIET((gb_linear_free(linear), 0));
    gb_prediction_free(p);
}

static void linear_classes(void)
{
    linear_with(ground.model, ground.docs);
}

static void linear_numbers(void)
{
    linear_with(ground.grouped, ground.grouped_docs);
}

const fault_row rows_of_scores[] = {
    {"evaluate_classes", evaluate_classes, NULL},     {"evaluate_numbers", evaluate_numbers, NULL},
    {"evaluation_request", evaluation_request, NULL}, {"linear_classes", linear_classes, NULL},
    {"linear_numbers", linear_numbers, NULL},         {NULL, NULL, NULL}};
