/* apply.c - what a model says of documents: predictions, shares, likelihoods, evaluations, explanations. */
#include "calls.h"

SEXP gbr_check_use(SEXP model, SEXP settings, SEXP use)
{
    gb_error err;
    const char *note = "";
    gbr_check(gb_model_check_settings(gbr_get(model, "model"), gbr_get(settings, "settings"),
                                      (gb_use)Rf_asInteger(use), &note, &err),
              &err);
    return gbr_string(note);
}

static void free_prediction(void *prediction)
{
    gb_prediction_free(prediction);
}

SEXP gbr_predict(SEXP model, SEXP documents, SEXP settings, SEXP shows)
{
    gb_error err;
    gb_prediction *made = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    const gb_model *m = gbr_get(model, "model");
    const gb_corpus *docs = gbr_get(VECTOR_ELT(documents, 0), "corpus");
    SEXP handle = PROTECT(gbr_handle("prediction", free_prediction, model));
    gbr_check(gb_prediction_create(m, gb_corpus_n_docs(docs), &made, &err), &err);
    gbr_put(handle, made);
    gbr_finish(&watch, gb_predict(m, docs, 0, gbr_get(settings, "settings"), gbr_on_apply, &watch, made, &err), &err);
    UNPROTECT(1);
    return handle;
}

static SEXP numbers(const double *value, uint64_t n)
{
    if (value == NULL)
        return R_NilValue;
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        REAL(out)[i] = gbr_real(value[i]);
    UNPROTECT(1);
    return out;
}

/* The classes of documents that may have several. */
static SEXP several(const gb_model *model, const gb_prediction *p, uint64_t r)
{
    const uint64_t n = p->response[r].n_classes;
    bool *row = (bool *)R_alloc((size_t)n + 1, sizeof *row);
    SEXP out = PROTECT(Rf_allocMatrix(LGLSXP, (int)p->n_docs, (int)n));
    for (uint64_t d = 0; d < p->n_docs; d++) {
        gb_prediction_classes(model, p, r, d, row);
        for (uint64_t c = 0; c < n; c++)
            LOGICAL(out)[c * p->n_docs + d] = row[c];
    }
    UNPROTECT(1);
    return out;
}

static SEXP response_of(const gb_model *model, const gb_prediction *p, uint64_t r)
{
    static const char *const names[] = {"probability", "predicted", "several", "mean", "sd", "q05", "q95", NULL};
    const gb_response_prediction *of = &p->response[r];
    const uint64_t n = p->n_docs;
    SEXP out = PROTECT(gbr_list(names));
    if (of->probability != NULL)
        SET_VECTOR_ELT(out, 0, gbr_matrix(of->probability, n, of->n_classes));
    if (of->predicted != NULL && gb_model_task(model, r) != GB_TASK_MULTILABEL)
        SET_VECTOR_ELT(out, 1, gbr_counts(of->predicted, n));
    if (gb_model_task(model, r) == GB_TASK_MULTILABEL)
        SET_VECTOR_ELT(out, 2, several(model, p, r));
    SET_VECTOR_ELT(out, 3, numbers(of->mean, n));
    SET_VECTOR_ELT(out, 4, numbers(of->sd, n));
    SET_VECTOR_ELT(out, 5, numbers(of->q05, n));
    SET_VECTOR_ELT(out, 6, numbers(of->q95, n));
    UNPROTECT(1);
    return out;
}

SEXP gbr_prediction_values(SEXP model, SEXP prediction)
{
    static const char *const names[] = {"share", "score", "n_known", "responses", NULL};
    const gb_model *m = gbr_get(model, "model");
    const gb_prediction *p = gbr_get(prediction, "prediction");
    SEXP out = PROTECT(gbr_list(names));
    SET_VECTOR_ELT(out, 0, gbr_matrix(p->share, p->n_docs, p->n_topics));
    if (p->score != NULL)
        SET_VECTOR_ELT(out, 1, gbr_matrix(p->score, p->n_docs, p->n_outputs));
    SET_VECTOR_ELT(out, 2, gbr_counts(p->n_known, p->n_docs));
    SEXP responses = Rf_allocVector(VECSXP, p->response == NULL ? 0 : (R_xlen_t)p->n_responses);
    SET_VECTOR_ELT(out, 3, responses);
    for (R_xlen_t r = 0; r < XLENGTH(responses); r++)
        SET_VECTOR_ELT(responses, r, response_of(m, p, (uint64_t)r));
    UNPROTECT(1);
    return out;
}

SEXP gbr_infer(SEXP model, SEXP documents, SEXP settings, SEXP shows)
{
    gb_error err;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    const gb_model *m = gbr_get(model, "model");
    const gb_corpus *docs = gbr_get(VECTOR_ELT(documents, 0), "corpus");
    const uint64_t n_docs = gb_corpus_n_docs(docs), n_topics = gb_model_n_topics(m);
    double *share = (double *)R_alloc((size_t)(n_docs * n_topics) + 1, sizeof *share);
    gbr_finish(&watch, gb_infer(m, docs, 0, gbr_get(settings, "settings"), gbr_on_apply, &watch, share, &err), &err);
    return gbr_matrix(share, n_docs, n_topics);
}

static void free_likelihood(void *held_out)
{
    gb_held_out_free(held_out);
}

SEXP gbr_likelihood(SEXP model, SEXP documents, SEXP settings, SEXP shows)
{
    gb_error err;
    gb_held_out *made = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    const gb_corpus *docs = gbr_get(VECTOR_ELT(documents, 0), "corpus");
    SEXP handle = PROTECT(gbr_handle("likelihood", free_likelihood, R_NilValue));
    gbr_check(gb_held_out_create(gb_corpus_n_docs(docs), &made, &err), &err);
    gbr_put(handle, made);
    gbr_finish(&watch,
               gb_held_out_likelihood(gbr_get(model, "model"), docs, 0, gbr_get(settings, "settings"), gbr_on_apply,
                                      &watch, made, &err),
               &err);
    UNPROTECT(1);
    return handle;
}

static void free_evaluation(void *evaluation)
{
    gb_evaluation_free(evaluation);
}

/* Begin an evaluation, and ask for the fields with the true values. */
SEXP gbr_evaluation(SEXP model, SEXP settings)
{
    gb_error err;
    gb_evaluation *made = NULL;
    SEXP keeps = PROTECT(Rf_list2(model, settings)),
         handle = PROTECT(gbr_handle("evaluation", free_evaluation, keeps));
    gbr_check(gb_evaluation_create(gbr_get(model, "model"), gbr_get(settings, "settings"), &made, &err), &err);
    gbr_put(handle, made);
    gbr_check(gb_evaluation_request_fields(made, gbr_get(settings, "settings"), &err), &err);
    UNPROTECT(2);
    return handle;
}

SEXP gbr_evaluate(SEXP evaluation, SEXP documents, SEXP settings, SEXP shows)
{
    gb_error err;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    gb_evaluation *e = gbr_get(evaluation, "evaluation");
    gbr_finish(&watch,
               gb_evaluate(e, gbr_get(VECTOR_ELT(documents, 0), "corpus"),
                           gbr_get(VECTOR_ELT(documents, 1), "n_unknown"), 0, gbr_get(settings, "settings"),
                           gbr_on_apply, &watch, NULL, NULL, &err),
               &err);
    gbr_check(gb_evaluation_finish(e, &err), &err);
    return evaluation;
}

static void free_explanation(void *explanation)
{
    gb_explanation_free(explanation);
}

SEXP gbr_explanation(SEXP model, SEXP documents, SEXP settings, SEXP prediction, SEXP shows)
{
    gb_error err;
    gb_explanation *made = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    const gb_model *m = gbr_get(model, "model");
    const gb_corpus *docs = gbr_get(VECTOR_ELT(documents, 0), "corpus");
    const gb_settings *s = gbr_get(settings, "settings");
    SEXP handle = PROTECT(gbr_handle("explanation", free_explanation, model));
    gbr_check(gb_explanation_make(m, docs, s, gbr_get(prediction, "prediction"), 0, &made, &err), &err);
    gbr_put(handle, made);
    gbr_finish(&watch, gb_explain(m, docs, 0, s, gbr_on_apply, &watch, made, &err), &err);
    UNPROTECT(1);
    return handle;
}

static void free_diagnosis(void *diagnosis)
{
    gb_diagnosis_free(diagnosis);
}

SEXP gbr_diagnosis(SEXP model)
{
    gb_error err;
    gb_diagnosis *made = NULL;
    SEXP handle = PROTECT(gbr_handle("diagnosis", free_diagnosis, R_NilValue));
    gbr_check(gb_diagnosis_create(gbr_get(model, "model"), GB_DIAGNOSE_ALL, &made, &err), &err);
    gbr_put(handle, made);
    UNPROTECT(1);
    return handle;
}

static void free_estimate(void *estimate)
{
    gb_estimate_free(estimate);
}

SEXP gbr_request_fields(SEXP model, SEXP settings)
{
    gb_error err;
    gbr_check(gb_estimate_request_fields(gbr_get(model, "model"), gbr_get(settings, "settings"), &err), &err);
    return R_NilValue;
}

SEXP gbr_estimate(SEXP model, SEXP documents, SEXP settings, SEXP shows)
{
    gb_error err;
    gb_estimate *made = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    SEXP handle = PROTECT(gbr_handle("estimate", free_estimate, model));
    const gb_status st = gb_estimate_create(gbr_get(model, "model"), gbr_get(VECTOR_ELT(documents, 0), "corpus"),
                                            gbr_get(settings, "settings"), gbr_on_apply, &watch, &made, &err);
    gbr_put(handle, made);
    gbr_finish(&watch, st, &err);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_export(SEXP model, SEXP documents, SEXP path, SEXP format, SEXP settings, SEXP force)
{
    gb_error err;
    gbr_watch watch = {.shows = false};
    gbr_finish(&watch,
               gb_model_export(gbr_get(model, "model"), gbr_get(VECTOR_ELT(documents, 0), "corpus"), gbr_text(path),
                               gbr_text(format), gbr_get(settings, "settings"), gbr_flag(force), gbr_on_apply, &watch,
                               &err),
               &err);
    return R_NilValue;
}
