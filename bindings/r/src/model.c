/* model.c - files of models, and what a model contains. */
#include "calls.h"

#include <string.h>

SEXP gbr_model_read(SEXP path)
{
    gb_error err;
    gb_model *model = NULL;
    gbr_watch watch = {.shows = false};
    SEXP handle = PROTECT(gbr_model_handle());
    const gb_status st = gb_model_read_copy(gbr_text(path), gbr_on_file, &watch, &model, &err);
    gbr_put(handle, model);
    gbr_finish(&watch, st, &err);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_model_write(SEXP model, SEXP path, SEXP force)
{
    gb_error err;
    gbr_watch watch = {.shows = false};
    gbr_finish(&watch,
               gb_model_write(gbr_get(model, "model"), gbr_text(path), gbr_flag(force), gbr_on_file, &watch, &err),
               &err);
    return R_NilValue;
}

static void free_bytes(void *bytes)
{
    gb_free(bytes);
}

SEXP gbr_model_bytes(SEXP model)
{
    gb_error err;
    void *bytes = NULL;
    size_t n = 0;
    SEXP handle = PROTECT(gbr_handle("bytes", free_bytes, R_NilValue));
    gbr_check(gb_model_to_bytes(gbr_get(model, "model"), &bytes, &n, &err), &err);
    gbr_put(handle, bytes);
    SEXP out = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)n));
    memcpy(RAW(out), bytes, n);
    UNPROTECT(2);
    return out;
}

SEXP gbr_model_of_bytes(SEXP bytes)
{
    gb_error err;
    gb_model *model = NULL;
    SEXP handle = PROTECT(gbr_model_handle());
    gbr_check(gb_model_from_bytes(RAW(bytes), (size_t)XLENGTH(bytes), &model, &err), &err);
    gbr_put(handle, model);
    UNPROTECT(1);
    return handle;
}

SEXP gbr_file_kind(SEXP path)
{
    static const char *const kind[] = {"other", "corpus", "model", "checkpoint"};
    return gbr_string(kind[gb_file_kind_of(gbr_text(path))]);
}

/* n names that a function gives by their number. */
static SEXP names_of(const gb_model *model, uint64_t n, const char *(*name)(const gb_model *, uint64_t))
{
    SEXP out = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        SET_STRING_ELT(out, (R_xlen_t)i, gbr_utf8(name(model, i), -1));
    UNPROTECT(1);
    return out;
}

static SEXP response_of(const gb_model *m, uint64_t r)
{
    static const char *const names[] = {"field",         "law", "task", "classes", "first", "n", "has_probabilities",
                                        "is_likelihood", NULL};
    SEXP out = PROTECT(gbr_list(names));
    const uint64_t n_classes = gb_model_n_classes(m, r);
    SET_VECTOR_ELT(out, 0, gbr_string(gb_model_field(m, r)));
    SET_VECTOR_ELT(out, 1, gbr_string(gb_model_response(m, r)));
    SET_VECTOR_ELT(out, 2, gbr_string(gb_task_name(gb_model_task(m, r))));
    SEXP classes = Rf_allocVector(STRSXP, (R_xlen_t)n_classes);
    SET_VECTOR_ELT(out, 3, classes);
    for (uint64_t c = 0; c < n_classes; c++)
        SET_STRING_ELT(classes, (R_xlen_t)c, gbr_utf8(gb_model_class(m, r, c), -1));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal((double)gb_model_first_output(m, r)));
    SET_VECTOR_ELT(out, 5, Rf_ScalarReal((double)gb_model_n_outputs_of(m, r)));
    SET_VECTOR_ELT(out, 6, Rf_ScalarLogical(gb_model_has_probabilities(m, r)));
    SET_VECTOR_ELT(out, 7, Rf_ScalarLogical(gb_model_is_likelihood(m, r)));
    UNPROTECT(1);
    return out;
}

static SEXP needed_fields(const gb_model *m)
{
    static const char *const names[] = {"name", "role", "kind", NULL};
    const char *name;
    gb_role role;
    gb_field_kind kind;
    R_xlen_t n = 0;
    while (gb_model_needed_field(m, (uint64_t)n, NULL, NULL, NULL))
        n++;
    SEXP out = PROTECT(gbr_list(names));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(STRSXP, n));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, n));
    SET_VECTOR_ELT(out, 2, Rf_allocVector(INTSXP, n));
    for (R_xlen_t i = 0; i < n; i++) {
        (void)gb_model_needed_field(m, (uint64_t)i, &name, &role, &kind);
        SET_STRING_ELT(VECTOR_ELT(out, 0), i, gbr_utf8(name, -1));
        INTEGER(VECTOR_ELT(out, 1))[i] = (int)role;
        INTEGER(VECTOR_ELT(out, 2))[i] = (int)kind;
    }
    UNPROTECT(1);
    return out;
}

SEXP gbr_model_facts(SEXP model)
{
    static const char *const names[] = {
        "n_topics",  "n_words",       "n_draws", "n_snapshots", "seed",        "n_docs",    "n_tokens",
        "n_outputs", "n_topic_draws", "n_folds", "outputs",     "topic_names", "responses", "needed",
        "settings",  "one_vs_rest",   "pseudo",  "n_chains",    NULL};
    const gb_model *m = gbr_get(model, "model");
    const double number[] = {(double)gb_model_n_topics(m),
                             (double)gb_model_n_words(m),
                             (double)gb_model_n_draws(m),
                             (double)gb_model_n_snapshots(m),
                             (double)gb_model_seed(m),
                             (double)gb_model_n_training_docs(m),
                             (double)gb_model_n_training_tokens(m),
                             (double)gb_model_n_outputs(m),
                             (double)gb_model_n_topic_draws(m),
                             (double)gb_model_n_folds(m)};
    SEXP out = PROTECT(gbr_list(names));
    int at = 0;
    for (; at < 10; at++)
        SET_VECTOR_ELT(out, at, Rf_ScalarReal(number[at]));
    SET_VECTOR_ELT(out, at++, names_of(m, gb_model_n_outputs(m), gb_model_output));
    SET_VECTOR_ELT(out, at++, names_of(m, gb_model_n_topics(m), gb_model_topic_name));
    SEXP responses = Rf_allocVector(VECSXP, (R_xlen_t)gb_model_n_responses(m));
    SET_VECTOR_ELT(out, at++, responses);
    for (R_xlen_t r = 0; r < XLENGTH(responses); r++)
        SET_VECTOR_ELT(responses, r, response_of(m, (uint64_t)r));
    SET_VECTOR_ELT(out, at++, needed_fields(m));
    SET_VECTOR_ELT(out, at++, gbr_string(gb_model_settings(m)));
    SET_VECTOR_ELT(out, at++, Rf_ScalarLogical(gb_model_is_one_vs_rest(m)));
    SET_VECTOR_ELT(out, at++, Rf_ScalarLogical(gb_model_has_pseudo_posterior(m)));
    gb_draw_place place = {.chain = 0};
    uint64_t n_chains = 0;
    for (uint64_t d = 0; gb_model_draw(m, d, &place); d++)
        n_chains = place.chain + 1 > n_chains ? place.chain + 1 : n_chains;
    SET_VECTOR_ELT(out, at, Rf_ScalarReal((double)n_chains));
    UNPROTECT(1);
    return out;
}

SEXP gbr_model_words(SEXP model)
{
    const gb_model *m = gbr_get(model, "model");
    return names_of(m, gb_model_n_words(m), gb_model_word);
}

SEXP gbr_topic_distributions(SEXP model)
{
    gb_error err;
    const gb_model *m = gbr_get(model, "model");
    const uint64_t n_topics = gb_model_n_topics(m), n_words = gb_model_n_words(m);
    double *value = (double *)R_alloc((size_t)(n_topics * n_words), sizeof *value);
    gbr_check(gb_model_topic_distributions(m, 0, value, &err), &err);
    return gbr_matrix(value, n_topics, n_words);
}

SEXP gbr_rank_words(SEXP model, SEXP by, SEXP weight, SEXP n)
{
    gb_error err;
    const gb_model *m = gbr_get(model, "model");
    const uint64_t n_topics = gb_model_n_topics(m), wanted = gbr_count(n);
    uint64_t n_found = 0, *word = (uint64_t *)R_alloc((size_t)(n_topics * wanted) + 1, sizeof *word);
    double *probability = (double *)R_alloc((size_t)(n_topics * wanted) + 1, sizeof *probability);
    gbr_check(gb_model_rank_words(m, 0, gbr_text(by), Rf_asReal(weight), wanted, word, probability, &n_found, &err),
              &err);
    SEXP out = PROTECT(Rf_allocMatrix(STRSXP, (int)n_topics, (int)n_found));
    for (uint64_t k = 0; k < n_topics; k++)
        for (uint64_t i = 0; i < n_found; i++)
            SET_STRING_ELT(out, (R_xlen_t)(i * n_topics + k), gbr_utf8(gb_model_word(m, word[k * n_found + i]), -1));
    UNPROTECT(1);
    return out;
}

SEXP gbr_topic_shares(SEXP model)
{
    const gb_model *m = gbr_get(model, "model");
    const R_xlen_t n = (R_xlen_t)gb_model_n_topics(m);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, n));
    for (R_xlen_t k = 0; k < n; k++)
        REAL(out)[k] = gb_model_topic_share(m, (uint64_t)k);
    UNPROTECT(1);
    return out;
}

SEXP gbr_name_topics(SEXP model, SEXP names)
{
    gb_error err;
    gb_model *out = NULL;
    const gb_model *m = gbr_get(model, "model");
    if ((uint64_t)XLENGTH(names) != gb_model_n_topics(m))
        Rf_error("expected a name for each of %d topics", (int)gb_model_n_topics(m));
    SEXP handle = PROTECT(gbr_model_handle());
    gbr_check(gb_model_name_topics(m, gbr_texts(names), &out, &err), &err);
    gbr_put(handle, out);
    UNPROTECT(1);
    return handle;
}

/* ---- draws ---- */

SEXP gbr_draw_places(SEXP model)
{
    static const char *const names[] = {"chain", "sweep", NULL};
    const gb_model *m = gbr_get(model, "model");
    const R_xlen_t n = (R_xlen_t)gb_model_n_draws(m);
    SEXP out = PROTECT(gbr_list(names));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, n));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, n));
    for (R_xlen_t d = 0; d < n; d++) {
        gb_draw_place place = {.chain = 0};
        (void)gb_model_draw(m, (uint64_t)d, &place);
        INTEGER(VECTOR_ELT(out, 0))[d] = (int)place.chain + 1;
        INTEGER(VECTOR_ELT(out, 1))[d] = (int)place.sweep;
    }
    UNPROTECT(1);
    return out;
}

/* Topics, covariates and the constant of an output in every draw; of words beside topics a model keeps no draws. */
SEXP gbr_effect_draws(SEXP model, SEXP output)
{
    gb_error err;
    const gb_model *m = gbr_get(model, "model");
    const uint64_t o = gbr_count(output), n_topics = gb_model_n_topics(m),
                   n_columns = gb_model_n_columns(m) - gb_model_n_word_columns(m), all = gb_model_n_effects(m, o),
                   constant = n_topics + gb_model_n_columns(m), n_draws = gb_model_n_draws(m);
    const bool has_constant = all > constant;
    const uint64_t first_part = n_topics + n_columns, n = first_part + has_constant;
    double *value = (double *)R_alloc((size_t)(n_draws * n) + 1, sizeof *value),
           *part = (double *)R_alloc((size_t)(n_draws * first_part) + 1, sizeof *part),
           *last = (double *)R_alloc((size_t)n_draws + 1, sizeof *last);
    gbr_check(gb_model_effect_draws(m, o, 0, first_part, part, &err), &err);
    if (has_constant)
        gbr_check(gb_model_effect_draws(m, o, constant, 1, last, &err), &err);
    for (uint64_t d = 0; d < n_draws; d++) {
        memcpy(value + d * n, part + d * first_part, (size_t)first_part * sizeof *value);
        if (has_constant)
            value[d * n + n - 1] = last[d];
    }
    SEXP out = PROTECT(gbr_matrix(value, n_draws, n)), dim = PROTECT(Rf_allocVector(VECSXP, 2)),
         names = Rf_allocVector(STRSXP, (R_xlen_t)n);
    SET_VECTOR_ELT(dim, 1, names);
    for (uint64_t k = 0; k < n_topics; k++) {
        char text[40];
        snprintf(text, sizeof text, "topic %d", (int)k + 1);
        SET_STRING_ELT(names, (R_xlen_t)k, gbr_utf8(text, -1));
    }
    for (uint64_t j = 0; j < n_columns; j++)
        SET_STRING_ELT(names, (R_xlen_t)(n_topics + j), gbr_utf8(gb_model_column(m, j), -1));
    if (has_constant)
        SET_STRING_ELT(names, (R_xlen_t)(n - 1), gbr_utf8("(Intercept)", -1));
    Rf_setAttrib(out, R_DimNamesSymbol, dim);
    UNPROTECT(2);
    return out;
}

/* The values of a named parameter in all draws, as they are in the file: draws x numbers. */
SEXP gbr_parameter_draws(SEXP model, SEXP name)
{
    const gb_model *m = gbr_get(model, "model");
    const char *wanted = gbr_text(name);
    const uint64_t n_draws = gb_model_n_draws(m);
    gb_draw_parameter of = {.name = NULL};
    for (uint64_t i = 0; gb_model_draw_parameter(m, i, &of); i++) {
        if (strcmp(of.name, wanted) != 0)
            continue;
        const uint64_t n = of.n_columns * (of.n_rows > 0 ? of.n_rows : 1);
        SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n_draws, (int)n));
        for (uint64_t d = 0; d < n_draws && n > 0; d++) {
            const double *value = gb_model_draw_value(m, d, i);
            for (uint64_t j = 0; j < n; j++)
                REAL(out)[j * n_draws + d] = value == NULL ? NA_REAL : gbr_real(value[j]);
        }
        UNPROTECT(1);
        return out;
    }
    return R_NilValue;
}
