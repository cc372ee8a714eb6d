/* estimate/settings.c - the regressions of an estimate, as settings of a training whose topics are given. */
#include "base/memory.h"
#include "estimate/estimate.h"
#include "options/variance.h"
#include "plan/spec.h"
#include "store/json_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- which regression ---- */

static const gb_target *find_target(const gb_model *m, const char *field)
{
    for (size_t r = 0; r < m->n_responses; r++)
        if (strcmp(m->target[r].field, field) == 0)
            return &m->target[r];
    return NULL;
}

/* Its own likelihood, or the nearest response that has one. */
static const gb_response_ops *natural_response(const gb_response_ops *ops)
{
    return ops->natural == NULL ? ops : gb_response_find(ops->natural);
}

static const gb_response_ops *response_of(const gb_model *m, const char *field, bool is_number)
{
    const gb_target *target = find_target(m, field);
    if (target != NULL && (target->task == GB_TASK_REGRESSION) == is_number)
        return natural_response(target->response.ops);
    return natural_response(gb_response_default(is_number ? GB_TARGET_NUMBER : GB_TARGET_CLASS));
}

bool gb_model_has_pseudo_posterior(const gb_model *m)
{
    for (size_t r = 0; r < m->n_responses; r++)
        if (m->target[r].response.ops->natural != NULL || m->target[r].response.cost != 1)
            return true;
    return false;
}

/* ---- lists of FIELD=VALUE ---- */

/* Fields to explain, and what is set for them. */
typedef struct fields {
    const gb_model *model;
    const gb_corpus *docs;
    size_t n;
    char *response, *cost;
} fields;

/* Append "FIELD=VALUE"; a single field needs no name, and may have any. */
static gb_status append(char **list, size_t n_fields, const char *field, const char *value, gb_error *err)
{
    char *longer = NULL;
    const int length = n_fields == 1 ? asprintf(&longer, "%s", value)
                                     : asprintf(&longer, "%s%s%s=%s", *list == NULL ? "" : *list,
                                                *list == NULL ? "" : ",", field, value);
    if (length < 0)
        return gb_fail_memory(err, 0, "the settings");
    free(*list);
    *list = longer;
    return GB_OK;
}

static gb_status add_field(fields *f, const char *field, bool is_number, gb_error *err)
{
    gb_status st;
    const gb_response_ops *ops = response_of(f->model, field, is_number);
    GB_TRY(append(&f->response, f->n, field, ops->name, err));
    if (!ops->takes_no_cost)
        GB_TRY(append(&f->cost, f->n, field, "1", err));
done:
    return st;
}

static void count_fields(fields *f)
{
    for (size_t i = 0; i < f->docs->n_labels; i++)
        f->n += f->docs->labels[i].role == GB_ROLE_RESPONSE;
    for (size_t i = 0; i < f->docs->n_numbers; i++)
        f->n += f->docs->numbers[i].role == GB_ROLE_RESPONSE;
}

static gb_status list_fields(fields *f, gb_error *err)
{
    gb_status st = GB_OK;
    count_fields(f);
    if (f->n == 0)
        return gb_fail(err, GB_EARGUMENT, "the documents have no label and no number to explain: name a field");
    for (size_t i = 0; i < f->docs->n_labels; i++)
        if (f->docs->labels[i].role == GB_ROLE_RESPONSE)
            GB_TRY(add_field(f, f->docs->labels[i].name, false, err));
    for (size_t i = 0; i < f->docs->n_numbers; i++)
        if (f->docs->numbers[i].role == GB_ROLE_RESPONSE)
            GB_TRY(add_field(f, f->docs->numbers[i].name, true, err));
done:
    return st;
}

static gb_status set_fields(gb_settings *s, const gb_model *m, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    fields f = {.model = m, .docs = docs};
    GB_TRY(list_fields(&f, err));
    GB_TRY(gb_settings_set(s, "response", f.response, err));
    if (f.cost != NULL)
        GB_TRY(gb_settings_set(s, "cost", f.cost, err));
done:
    free(f.response);
    free(f.cost);
    return st;
}

/* ---- all settings ---- */

/* Whether the order of levels that an item gives, A,B,... or FIELD=A,B,..., may be that of a field to explain. */
static bool is_of_documents(const char *levels, const gb_corpus *docs)
{
    bool is = strchr(levels, '=') == NULL;
    for (size_t i = 0; i < docs->n_labels && !is; i++) {
        const size_t n = strlen(docs->labels[i].name);
        is = docs->labels[i].role == GB_ROLE_RESPONSE && strncmp(levels, docs->labels[i].name, n) == 0 &&
             levels[n] == '=';
    }
    return is;
}

static bool has_numbers(const gb_corpus *docs)
{
    for (size_t i = 0; i < docs->n_numbers; i++)
        if (docs->numbers[i].role == GB_ROLE_RESPONSE || docs->numbers[i].role == GB_ROLE_COVARIATE)
            return true;
    return false;
}

/* What says how fields are read, as the model has it. */
static gb_status copy_kept(gb_settings *s, const gb_model *m, const gb_corpus *docs, gb_error *err)
{
    static const char *const kept[] = {"standardise", "min-level-count", "variance", "impute", "word-effects"};
    size_t j;
    json_t *all, *levels;
    gb_status st = gb_json_parse(m->settings, strlen(m->settings), 0, &all, NULL, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const char *value = json_string_value(json_object_get(all, kept[i]));
        if (value != NULL && (strcmp(kept[i], "standardise") != 0 || has_numbers(docs)))
            GB_TRY(gb_settings_set(s, kept[i], value, err));
    }
    json_array_foreach(json_object_get(all, "levels"), j, levels)
    {
        const char *value = json_string_value(levels);
        if (value != NULL && is_of_documents(value, docs))
            GB_TRY(gb_settings_set(s, "levels", value, err));
    }
done:
    json_decref(all);
    return st;
}

/* Names of classes decide which is the positive one. */
static gb_status name_classes(gb_settings *s, const gb_model *m, const gb_corpus *docs, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < docs->n_labels; i++) {
        const gb_target *target = find_target(m, docs->labels[i].name);
        if (docs->labels[i].role != GB_ROLE_RESPONSE || target == NULL || target->task != GB_TASK_BINARY)
            continue;
        if (docs->labels[i].classes.count == 2)
            GB_TRY(gb_settings_set(s, "positive", target->class_name[1], err));
    }
done:
    return st;
}

/* Variances that the caller chooses, else of covariates and the intercept those of the model. */
static gb_status set_prior(gb_settings *s, const gb_settings *user, bool has_words, gb_error *err)
{
    gb_status st;
    char text[GB_VARIANCES_SIZE];
    gb_variances variances = gb_settings_variances(s);
    const gb_variances given = gb_settings_variances(user);
    const double topics = given.of[GB_VARIANCE_TOPICS], covariates = given.of[GB_VARIANCE_COVARIATES];
    variances.of[GB_VARIANCE_TOPICS] = topics == GB_VARIANCE_AUTO ? GB_VARIANCE_SAMPLED : topics;
    variances.of[GB_VARIANCE_WORDS] = has_words ? given.of[GB_VARIANCE_WORDS] : GB_VARIANCE_AUTO;
    variances.of[GB_VARIANCE_EMBEDDINGS] = GB_VARIANCE_AUTO;
    if (covariates != GB_VARIANCE_AUTO)
        variances.of[GB_VARIANCE_COVARIATES] = covariates;
    gb_variances_print(&variances, text);
    GB_TRY(gb_settings_set(s, "variance", text, err));
done:
    return st;
}

static gb_status set_regression(gb_settings *s, const gb_model *m, const gb_estimate_plan *plan, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_settings_set_int(s, "topics", (int64_t)m->n_topics, err));
    GB_TRY(gb_settings_set(s, "intercept", "yes", err));
    GB_TRY(gb_settings_set(s, "two-stage", "yes", err));
    GB_TRY(gb_settings_set(s, "sampler", "dense", err));
    GB_TRY(gb_settings_set(s, "blocks", "1", err));
    GB_TRY(gb_settings_set(s, "growth", "0", err));
    GB_TRY(gb_settings_set(s, "start", "grow", err));
    GB_TRY(gb_settings_set_int(s, "chains", (int64_t)plan->n_chains, err));
    GB_TRY(gb_settings_set_int(s, "sweeps", (int64_t)(1 + plan->n_draws), err));
    GB_TRY(gb_settings_set(s, "burn-in", "1", err)); /* topics are given in place of it */
    GB_TRY(gb_settings_set(s, "thin", "1", err));
    GB_TRY(gb_settings_set(s, "snapshots", "1", err));
done:
    return st;
}

gb_status gb_estimate_settings(const gb_model *m, const gb_corpus *docs, const gb_settings *user,
                               const gb_estimate_plan *plan, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *s = NULL;
    GB_TRY(gb_settings_create(&s, err));
    GB_TRY(copy_kept(s, m, docs, err));
    GB_TRY(set_prior(s, user, gb_model_n_word_columns(m) > 0, err));
    GB_TRY(set_regression(s, m, plan, err));
    GB_TRY(set_fields(s, m, docs, err));
    GB_TRY(name_classes(s, m, docs, err));
    GB_TRY(gb_settings_set_int(s, "seed", gb_settings_int_or(user, "seed", (int64_t)m->seed), err));
    GB_TRY(gb_settings_set(s, "threads", gb_settings_text(user, "threads"), err));
    *out = s;
    s = NULL;
done:
    gb_settings_free(s);
    return st;
}

gb_status gb_estimate_foresee(const gb_corpus *docs, const gb_settings *training, gb_error *err)
{
    static const char *const unused[] = {"class-weight", "positive", "exposure", "task"};
    gb_status st;
    gb_settings *s = NULL;
    gb_spec spec = {.n_responses = 0};
    GB_TRY(gb_settings_copy(training, &s, err));
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++)
        GB_TRY(gb_settings_unset(s, unused[i], err));
    if (docs->n_tokens == 0)
        st = gb_fail(err, GB_EFORMAT, "the documents have no word that the model knows");
    else
        st = gb_spec_resolve_responses(docs, s, &spec, err);
done:
    gb_spec_clear(&spec);
    gb_settings_free(s);
    return st;
}

gb_status gb_estimate_request_fields(const gb_model *m, gb_settings *s, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_settings_n_fields(s) > 0)
        return st;
    for (size_t r = 0; r < m->n_responses; r++)
        GB_TRY(gb_settings_set(s, gb_task_field_option(m->target[r].task), m->target[r].field, err));
done:
    return st;
}
