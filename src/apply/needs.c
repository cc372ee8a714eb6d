/* apply/needs.c - whether options of a call go with the model that it applies. */
#include "apply/prediction.h"
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/field.h"
#include "gibbous/apply.h"
#include "model/model.h"
#include "options/settings.h"

#include <stdio.h>
#include <string.h>

/* ---- what the model has ---- */

typedef struct contents {
    bool covariates, metadata, levels, groups, exposure, classes;
} contents;

static contents contents_of(const gb_model *model)
{
    contents has = {.exposure = *model->exposure != '\0'};
    gb_role role;
    gb_field_kind kind;
    for (uint64_t i = 0; gb_model_needed_field(model, i, NULL, &role, &kind); i++) {
        has.covariates |= role == GB_ROLE_COVARIATE;
        has.metadata |= role == GB_ROLE_PREVALENCE;
        has.levels |= (role == GB_ROLE_COVARIATE || role == GB_ROLE_PREVALENCE) && kind != GB_KIND_NUMBER;
        has.groups |= role == GB_ROLE_GROUP;
    }
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        has.classes |= gb_model_n_classes(model, r) > 0;
    return has;
}

static const char *yes_if(bool is)
{
    return is ? "yes" : "no";
}

static gb_status check_needs(const gb_model *model, const gb_settings *settings, const char *scope, gb_error *err)
{
    const contents has = contents_of(model);
    const gb_fact facts[] = {
        {"DOCUMENTS", "yes", NULL},
        {"MODEL", "yes", NULL},
        {"covariates-in-the-model", yes_if(has.covariates), NULL},
        {"metadata-in-the-model", yes_if(has.metadata), NULL},
        {"covariates-with-levels-in-the-model", yes_if(has.levels), NULL},
        {"embeddings-in-the-model", yes_if(gb_model_n_embedding_columns(model) > 0), NULL},
        {"word-effects-in-the-model", yes_if(gb_model_n_word_columns(model) > 0), NULL},
        {"groups-in-the-model", yes_if(has.groups), NULL},
        {"an-exposure-in-the-model", yes_if(has.exposure), NULL},
        {"document-weights-in-the-model", yes_if(model->has_document_weights), NULL},
        {"a-field-with-classes", yes_if(has.classes), NULL},
    };
    const gb_option *option;
    gb_status st = GB_OK;
    for (uint64_t i = 0; st == GB_OK && (option = gb_option_at(i)) != NULL; i++)
        if (option->group == GB_GROUP_DATA || option->group == GB_GROUP_PREDICTION ||
            strcmp(option->name, "impute") == 0)
            st = gb_settings_check(settings, option->name, option->needs, scope, sizeof facts / sizeof *facts, facts,
                                   err);
    return st;
}

/* ---- fields that are named ---- */

static bool has_field(const gb_model *model, const char *name, gb_role role)
{
    const char *its_name;
    gb_role its_role;
    for (uint64_t i = 0; gb_model_needed_field(model, i, &its_name, &its_role, NULL); i++)
        if (its_role == role && strcmp(its_name, name) == 0)
            return true;
    return false;
}

static gb_status refuse_field(const gb_model *model, const gb_field *field, gb_error *err)
{
    enum { ROOM = 400 };
    char shown[GB_QUOTE_SIZE], others[ROOM] = "";
    const bool is_group = field->role == GB_ROLE_GROUP;
    const char *its_name;
    gb_role its_role;
    size_t length = 0;
    for (uint64_t i = 0; length < ROOM && gb_model_needed_field(model, i, &its_name, &its_role, NULL); i++)
        if (its_role == field->role)
            length += (size_t)snprintf(others + length, ROOM - length, "%s%s", length == 0 ? "" : ", ", its_name);
    gb_text_quote(field->name, strlen(field->name), shown);
    return gb_fail(err, GB_EARGUMENT, "`%s` %s: the model has no such %s; it has %s",
                   is_group ? "group" : "covariates", shown, is_group ? "field of groups" : "covariate", others);
}

/* An estimate of effects has covariates of its own. */
static gb_status check_fields(const gb_model *model, const gb_settings *settings, bool is_estimate, gb_error *err)
{
    gb_status st;
    gb_field *field = NULL;
    size_t n = 0;
    GB_TRY(gb_fields_from_settings(&field, &n, settings, err));
    for (size_t i = 0; i < n; i++) {
        const bool is_ours = field[i].role == GB_ROLE_GROUP || (field[i].role == GB_ROLE_COVARIATE && !is_estimate);
        if (is_ours && !has_field(model, field[i].name, field[i].role))
            GB_TRY(refuse_field(model, &field[i], err));
    }
done:
    gb_fields_free(field, n);
    return st;
}

/* ---- all ---- */

static bool are_for_draws(const gb_settings *settings)
{
    return gb_settings_is_set(settings, "infer-sweeps") || gb_settings_is_set(settings, "infer-burn-in") ||
           gb_settings_is_set(settings, "seed");
}

/* A command line of the training does no harm here. */
static const char *note_of(const gb_model *model, const gb_settings *settings, gb_use use)
{
    const bool has_labels = (use == GB_USE_PREDICT || use == GB_USE_SCORE) && gb_settings_n_fields(settings) > 0,
               has_weights = use != GB_USE_ESTIMATE && *gb_settings_text(settings, "document-weight") != '\0';
    return has_labels && has_weights
               ? "labels and `document-weight` are not looked at: evaluate compares predictions "
                 "with labels, and only trainings and effects weigh documents"
           : has_labels  ? "labels are not looked at: evaluate compares predictions with them"
           : has_weights ? "`document-weight` is not looked at: only trainings and effects weigh documents"
           : use == GB_USE_SCORE && !gb_prediction_depends_on_draws(model) && are_for_draws(settings)
               ? "`infer-sweeps`, `infer-burn-in` and `seed` change nothing: what this model says of a document "
                 "has no random numbers"
               : "";
}

gb_status gb_model_check_settings(const gb_model *model, const gb_settings *settings, gb_use use, const char **note,
                                  gb_error *err)
{
    const bool is_estimate = use == GB_USE_ESTIMATE;
    gb_status st = check_needs(model, settings, is_estimate ? "estimate" : "apply", err);
    if (st == GB_OK)
        st = check_fields(model, settings, is_estimate, err);
    if (st == GB_OK && note != NULL)
        *note = note_of(model, settings, use);
    return st;
}
