/* train.c - from a corpus to a model; simulation, cross-validation and selection. */
#include "calls.h"

static void free_model(void *model)
{
    gb_model_free(model);
}

SEXP gbr_model_handle(void)
{
    return gbr_handle("model", free_model, R_NilValue);
}

/* The topics that a model with cross-fitted effects and its folds have in common at their start. */
static gb_status begin(const gb_corpus *corpus, const gb_settings *settings, gbr_watch *watch, gb_model **out,
                       gb_error *err)
{
    const gb_status st = gb_cross_fit_check(corpus, settings, err);
    return st == GB_OK ? gb_cross_fit_begin(corpus, settings, gbr_on_sweep, watch, out, err) : st;
}

/* Returns the model, NULL without draws, and how the training ended. */
SEXP gbr_train(SEXP corpus, SEXP settings, SEXP begin_with, SEXP has_folds, SEXP shows)
{
    static const char *const names[] = {"model", "outcome", NULL};
    gb_error err;
    gb_model *model = NULL, *begun = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    const gb_corpus *c = gbr_get(corpus, "corpus");
    const gb_settings *s = gbr_get(settings, "settings");
    const gb_model *start = gbr_get_or_null(begin_with, "model");
    SEXP out = PROTECT(gbr_list(names)), handle = PROTECT(gbr_model_handle()), common = PROTECT(gbr_model_handle());
    gb_status st = GB_OK;
    if (gbr_flag(has_folds)) {
        st = begin(c, s, &watch, &begun, &err);
        gbr_put(common, begun);
        start = begun;
    }
    if (st == GB_OK)
        st = gb_train_from(c, s, start, gbr_on_sweep, &watch, &model, NULL, &err);
    gbr_put(handle, model);
    if (st == GB_OK && gbr_flag(has_folds)) {
        const gb_cross_fit_calls calls = {.on_sweep = gbr_on_sweep, .on_apply = gbr_on_apply, .user = &watch};
        st = gb_cross_fit(c, s, start, model, &calls, &err);
    }
    gbr_end_line(&watch);
    SET_VECTOR_ELT(out, 0, model == NULL ? R_NilValue : handle);
    SET_VECTOR_ELT(out, 1, gbr_outcome(&watch, st, &err));
    UNPROTECT(3);
    return out;
}

SEXP gbr_train_describe(SEXP corpus, SEXP settings)
{
    gb_error err;
    char *out = NULL;
    gbr_check(gb_train_describe(gbr_get(corpus, "corpus"), gbr_get(settings, "settings"), &out, &err), &err);
    return gbr_take(out);
}

SEXP gbr_hold_out(SEXP corpus, SEXP settings)
{
    gb_error err;
    gb_corpus *training = NULL;
    SEXP handle = PROTECT(gbr_corpus_handle(R_NilValue));
    gbr_check(gb_estimate_hold_out(gbr_get(corpus, "corpus"), gbr_get(settings, "settings"), &training, &err), &err);
    gbr_put(handle, training);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_simulate(SEXP model, SEXP settings)
{
    gb_error err;
    gb_corpus *made = NULL;
    gbr_watch watch = {.shows = false};
    SEXP handle = PROTECT(gbr_corpus_handle(R_NilValue));
    const gb_status st = gb_simulate(gbr_get_or_null(model, "model"), gbr_get(settings, "settings"), gbr_on_apply,
                                     &watch, &made, &err);
    gbr_put(handle, made);
    gbr_finish(&watch, st, &err);
    UNPROTECT(1);
    return handle;
}

static void free_validation(void *validation)
{
    gb_cross_validation_free(validation);
}

SEXP gbr_validation(SEXP corpus, SEXP settings, SEXP shows)
{
    gb_error err;
    gb_cross_validation *made = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    SEXP handle = PROTECT(gbr_handle("validation", free_validation, corpus));
    gbr_check(gb_cross_validation_create(gbr_get(corpus, "corpus"), gbr_get(settings, "settings"), &made, &err),
              &err);
    gbr_put(handle, made);
    gbr_finish(&watch, gb_cross_validation_run(made, gbr_on_sweep, &watch, &err), &err);
    UNPROTECT(1);
    return handle;
}

static void free_selection(void *selection)
{
    gb_selection_free(selection);
}

SEXP gbr_selection(SEXP corpus, SEXP settings, SEXP shows)
{
    gb_error err;
    gb_selection *made = NULL;
    gbr_watch watch = {.shows = gbr_flag(shows)};
    SEXP handle = PROTECT(gbr_handle("selection", free_selection, corpus));
    gbr_check(gb_selection_create(gbr_get(corpus, "corpus"), gbr_get(settings, "settings"), &made, &err), &err);
    gbr_put(handle, made);
    gbr_finish(&watch, gb_selection_run(made, gbr_on_selection, &watch, &err), &err);
    UNPROTECT(1);
    return handle;
}
