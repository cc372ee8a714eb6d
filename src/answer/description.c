/* answer/description.c - what is in a corpus, a model or a checkpoint: a row for each value, under the names that lead to it. */
#include "answer/questions.h"
#include "gibbous/train.h"
#include "model/lead.h"
#include "model/model.h"
#include "store/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH, KIND, IS_LIST, VALUE, IS_DEFAULT, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [PATH] = {"path", "", GB_CELL_LIST, GB_PLACE_COLUMN, NULL, "",
              "names that lead to the value, the outermost first"},
    [KIND] = {"kind", "", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "", "text, count, number or flag; empty for none"},
    [IS_LIST] = {"is_list", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "", "whether there may be any number of values"},
    [VALUE] = {"value", "", GB_CELL_LIST, GB_PLACE_END, NULL, "", "the values as text"},
    [IS_DEFAULT] = {"is_default", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
                    "of a model's settings: whether the option is as if it were not given"}};

enum { DEEPEST = 16 };

/* Where the next value belongs. */
typedef struct place {
    gb_table *table;
    const char *path[DEEPEST];
    size_t depth;
} place;

static void enter(place *p, const char *name)
{
    p->path[p->depth++] = name;
}

static void leave(place *p)
{
    p->depth--;
}

/* A row without values. */
static void put_row(place *p, const char *name, const char *kind, bool is_list)
{
    gb_table_begin_row(p->table, NAN);
    for (size_t i = 0; i < p->depth; i++)
        gb_put_item(p->table, PATH, p->path[i]);
    gb_put_item(p->table, PATH, name);
    gb_put_text(p->table, KIND, kind);
    gb_put_count(p->table, IS_LIST, is_list);
}

static void add_text(place *p, const char *text)
{
    gb_put_item(p->table, VALUE, text);
}

static void add_count(place *p, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    add_text(p, text);
}

static void add_number(place *p, double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.17g", value);
    add_text(p, text);
}

static void put_text(place *p, const char *name, const char *text)
{
    put_row(p, name, "text", false);
    add_text(p, text);
}

static void put_count(place *p, const char *name, uint64_t value)
{
    put_row(p, name, "count", false);
    add_count(p, (int64_t)value);
}

static void put_flag(place *p, const char *name, bool value)
{
    put_row(p, name, "flag", false);
    add_text(p, value ? "1" : "0");
}

static void put_number(place *p, const char *name, double value)
{
    put_row(p, name, isnan(value) ? "" : "number", false);
    if (!isnan(value))
        add_number(p, value);
}

/* ---- JSON that the library keeps ------------------------------------------------------------------- */

static const char *kind_of(const json_t *value)
{
    return json_is_string(value)    ? "text"
           : json_is_integer(value) ? "count"
           : json_is_real(value)    ? "number"
           : json_is_boolean(value) ? "flag"
                                    : "";
}

static void add_scalar(place *p, const json_t *value)
{
    if (json_is_string(value))
        add_text(p, json_string_value(value));
    else if (json_is_integer(value))
        add_count(p, json_integer_value(value));
    else if (json_is_real(value))
        add_number(p, json_real_value(value));
    else if (json_is_boolean(value))
        add_text(p, json_is_true(value) ? "1" : "0");
}

static void put_json(place *p, const char *name, json_t *value);

static void put_members(place *p, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        put_json(p, name, value);
    }
}

static void put_json(place *p, const char *name, json_t *value)
{
    if (json_is_object(value) && p->depth + 1 < DEEPEST) {
        if (json_object_size(value) == 0)
            put_row(p, name, "object", false);
        enter(p, name);
        put_members(p, value);
        leave(p);
    } else if (json_is_array(value)) {
        put_row(p, name, kind_of(json_array_get(value, 0)), true);
        for (size_t i = 0; i < json_array_size(value); i++)
            add_scalar(p, json_array_get(value, i));
    } else {
        put_row(p, name, kind_of(value), false);
        add_scalar(p, value);
    }
}

/* The members of a JSON text. */
static gb_status put_text_of_json(place *p, const char *text, gb_error *err)
{
    json_t *value = NULL;
    const gb_status st = gb_json_parse(text, strlen(text), 0, &value, NULL, err);
    put_members(p, value);
    json_decref(value);
    return st;
}

/* ---- a corpus -------------------------------------------------------------------------------------- */

/* How many documents have each class of a field. */
static gb_status put_classes(place *p, const gb_corpus *corpus, uint64_t field, const char *what, gb_error *err)
{
    uint64_t *count = NULL, n;
    char *name = NULL;
    const uint32_t *class;
    const uint64_t n_classes = gb_corpus_n_classes(corpus, field);
    gb_status st;
    GB_TRY(gb_alloc(&count, n_classes, sizeof *count, "class counts", err));
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++)
        if (gb_corpus_classes_of(corpus, field, d, &class, &n))
            for (uint64_t i = 0; i < n; i++)
                count[class[i]]++;
    if (n_classes == 0)
        put_row(p, what, "object", false);
    enter(p, what);
    for (uint64_t c = 0; c < n_classes; c++) {
        size_t length;
        const char *bytes = gb_corpus_class(corpus, field, c, &length);
        GB_TRY(gb_copy_text(&name, bytes, length, err));
        put_count(p, name, count[c]);
        gb_free(name);
        name = NULL;
    }
    leave(p);
done:
    gb_free(count);
    return st;
}

static uint64_t count_labelled(const gb_corpus *corpus, uint64_t field)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++)
        n += gb_corpus_classes_of(corpus, field, d, NULL, NULL);
    return n;
}

static gb_status put_field_of_classes(place *p, const gb_corpus *corpus, uint64_t field, gb_role role,
                                      gb_field_kind kind, gb_error *err)
{
    const bool has_several = kind == GB_KIND_SEVERAL, is_response = role == GB_ROLE_RESPONSE,
               is_covariate = role == GB_ROLE_COVARIATE || role == GB_ROLE_PREVALENCE;
    if (is_covariate)
        put_text(p, "kind", has_several ? "list" : "factor");
    if (is_response)
        put_flag(p, "several", has_several);
    put_count(p, is_response ? "labelled" : "present", count_labelled(corpus, field));
    return put_classes(p, corpus, field, is_response ? "classes" : is_covariate ? "levels" : "values", err);
}

/* Mean, and the standard deviation with n - 1: none where there are too few numbers for them. */
static void put_field_of_numbers(place *p, const gb_corpus *corpus, uint64_t field, gb_role role)
{
    const double *number = gb_corpus_numbers(corpus, field);
    uint64_t n = 0;
    double mean = 0, squares = 0, minimum = NAN, maximum = NAN;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++) {
        const double value = number[d];
        if (isnan(value))
            continue;
        minimum = fmin(minimum, value);
        maximum = fmax(maximum, value);
        const double before = value - mean; /* Welford's way: no difference of large sums */
        mean += before / (double)++n;
        squares += before * (value - mean);
    }
    if (role == GB_ROLE_COVARIATE || role == GB_ROLE_PREVALENCE)
        put_text(p, "kind", "number");
    put_count(p, "present", n);
    put_number(p, "mean", n > 0 ? mean : (double)NAN);
    put_number(p, "sd", n > 1 ? sqrt(squares / (double)(n - 1)) : (double)NAN);
    put_number(p, "minimum", minimum);
    put_number(p, "maximum", maximum);
}

/* All fields of a role by name: those with classes, those with numbers, or both.  @return how many */
static gb_status put_role(place *p, const gb_corpus *corpus, const char *what, gb_role wanted, bool classes,
                          bool numbers, uint64_t *n_found, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    gb_role role;
    gb_field_kind kind;
    *n_found = 0;
    enter(p, what);
    for (uint64_t f = 0; st == GB_OK && gb_corpus_field(corpus, f, &name, &role, &kind); f++) {
        if (role != wanted || !(kind == GB_KIND_NUMBER ? numbers : classes))
            continue;
        ++*n_found;
        enter(p, name);
        if (kind == GB_KIND_NUMBER)
            put_field_of_numbers(p, corpus, f, role);
        else
            st = put_field_of_classes(p, corpus, f, role, kind, err);
        leave(p);
    }
    leave(p);
    return st;
}

static uint64_t count_empty(const gb_corpus *corpus)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < gb_corpus_n_docs(corpus); d++) {
        uint64_t n_tokens;
        (void)gb_corpus_tokens(corpus, d, &n_tokens);
        n += n_tokens == 0;
    }
    return n;
}

static gb_status describe_corpus(place *p, const gb_corpus *corpus, gb_error *err)
{
    static const struct {
        const char *name;
        gb_role role;
        bool classes, numbers;
    } roles[] = {{"labels", GB_ROLE_RESPONSE, true, false},       {"targets", GB_ROLE_RESPONSE, false, true},
                 {"covariates", GB_ROLE_COVARIATE, true, true},   {"exposure", GB_ROLE_EXPOSURE, true, true},
                 {"document_weight", GB_ROLE_WEIGHT, true, true}, {"groups", GB_ROLE_GROUP, true, true},
                 {"clusters", GB_ROLE_CLUSTER, true, true},       {"prevalence", GB_ROLE_PREVALENCE, true, true}};
    char *notes = NULL;
    gb_status st;
    uint64_t n;
    put_text(p, "kind", "corpus");
    put_count(p, "documents", gb_corpus_n_docs(corpus));
    put_count(p, "empty_documents", count_empty(corpus));
    put_count(p, "tokens", gb_corpus_n_tokens(corpus));
    put_count(p, "words", gb_corpus_n_words(corpus));
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        GB_TRY(put_role(p, corpus, roles[i].name, roles[i].role, roles[i].classes, roles[i].numbers, &n, err));
        if (n == 0 && i == 0)
            put_row(p, "labels", "object", false);
    }
    if (gb_corpus_n_embedding_columns(corpus) > 0)
        put_count(p, "embedding_columns", gb_corpus_n_embedding_columns(corpus));
    GB_TRY(gb_corpus_notes(corpus, &notes, err));
    GB_TRY(put_text_of_json(p, notes, err));
done:
    gb_free(notes);
    return st;
}

/* ---- a model --------------------------------------------------------------------------------------- */

static const char *source_of_probabilities(const gb_model *model, uint64_t r)
{
    return gb_model_is_calibrated(model, r)           ? "by held-out labels"
           : model->target[r].level_law.share != NULL ? "by the model; of short texts by held-out labels"
           : gb_model_has_probabilities(model, r)     ? "by the model"
                                                      : "none, only scores";
}

static const char *source_of_intervals(const gb_model *model, uint64_t r)
{
    switch (gb_model_interval_source(model, r)) {
    case GB_INTERVAL_HELD_OUT:
        return "by held-out targets";
    case GB_INTERVAL_DOUBTFUL:
        return "by the model, not to be relied on: no targets were held out";
    default:
        return "by the model";
    }
}

static void put_response(place *p, const gb_model *model, uint64_t r)
{
    const uint64_t n_classes = gb_model_n_classes(model, r);
    enter(p, gb_model_field(model, r));
    put_text(p, "response", gb_model_response(model, r));
    if (*gb_model_score_scale(model, r) != '\0')
        put_text(p, "scale", gb_model_score_scale(model, r));
    put_text(p, "task", gb_task_name(gb_model_task(model, r)));
    if (n_classes == 0)
        put_text(p, "intervals", source_of_intervals(model, r));
    if (n_classes > 0) {
        put_row(p, "classes", "text", true);
        for (uint64_t c = 0; c < n_classes; c++)
            add_text(p, gb_model_class(model, r, c));
        put_text(p, "probabilities", source_of_probabilities(model, r));
    }
    enter(p, "cut_offs"); /* several labels alone */
    for (uint64_t c = 0; c < n_classes; c++)
        if (!isnan(gb_model_cut_off(model, r, c)))
            put_number(p, gb_model_class(model, r, c), gb_model_cut_off(model, r, c));
    leave(p);
    leave(p);
}

/* Groups that word topics differently, or the levels of a field in their order. */
static gb_status put_wording(place *p, const gb_wording *w, gb_error *err)
{
    gb_status st = GB_OK;
    if (w->shape == NULL)
        return GB_OK;
    enter(p, "wording");
    put_text(p, w->shape->option, w->field);
    put_row(p, w->shape->is_ordered ? "levels" : "groups", "text", true);
    for (uint32_t g = 0; g < w->n_groups && st == GB_OK; g++) {
        char *name = NULL;
        const gb_view text = gb_wording_group(w, g);
        st = gb_copy_text(&name, text.text, text.length, err);
        if (st == GB_OK)
            add_text(p, name);
        gb_free(name);
    }
    leave(p);
    return st;
}

/* Of chains that found it out themselves, by chain; no number for one that was stopped in it. */
static void put_burn_in(place *p, const gb_model *model)
{
    const uint64_t n = gb_model_n_burn_ins(model);
    if (n == 0)
        return;
    enter(p, "burn_in");
    put_row(p, "sweeps", "count", true);
    for (uint64_t c = 0; c < n; c++)
        add_number(p, gb_model_burn_in(model, c) == 0 ? (double)NAN : (double)gb_model_burn_in(model, c));
    put_row(p, "found", "flag", true);
    for (uint64_t c = 0; c < n; c++)
        add_text(p, gb_model_burn_in_is_found(model, c) ? "1" : "0");
    leave(p);
}

/* By kind of proposals: the share accepted in each chain. */
static void put_acceptance(place *p, const gb_model *model)
{
    enter(p, "acceptance");
    for (uint64_t i = 0; i < gb_model_n_proposals(model); i++) {
        put_row(p, gb_model_proposal(model, i), "number", true);
        for (uint64_t c = 0; c < gb_model_n_acceptances(model); c++)
            add_number(p, gb_model_acceptance(model, i, c));
    }
    leave(p);
}

static bool is_default(const gb_option *option, const json_t *value)
{
    const char *text = json_string_value(value);
    return text == NULL ? json_array_size(value) == 0 : strcmp(text, option->default_value) == 0;
}

static gb_status put_settings(place *p, const char *text, gb_error *err)
{
    json_t *settings = NULL, *value;
    const char *name;
    const gb_status st = gb_json_parse(text, strlen(text), 0, &settings, NULL, err);
    enter(p, "settings");
    json_object_foreach(settings, name, value)
    {
        const gb_option *option = gb_option_find(name);
        put_json(p, name, value);
        if (option != NULL)
            gb_put_count(p->table, IS_DEFAULT, is_default(option, value));
    }
    leave(p);
    json_decref(settings);
    return st;
}

static gb_status describe_model(place *p, const gb_model *model, gb_error *err)
{
    gb_status st;
    put_text(p, "kind", "model");
    if (gb_model_n_responses(model) == 0)
        put_row(p, "responses", "object", false);
    enter(p, "responses");
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        put_response(p, model, r);
    leave(p);
    put_count(p, "topics", gb_model_n_topics(model));
    put_count(p, "words", gb_model_n_words(model));
    GB_TRY(put_wording(p, &model->wording, err));
    put_count(p, "draws", gb_model_n_draws(model));
    put_count(p, "snapshots", gb_model_n_snapshots(model));
    if (gb_model_n_chains_of_topics(model) > 1)
        put_count(p, "topics_of_chain", gb_model_topic_chain(model) + 1);
    put_count(p, "seed", gb_model_seed(model));
    put_count(p, "training_documents", gb_model_n_training_docs(model));
    put_count(p, "training_tokens", gb_model_n_training_tokens(model));
    GB_TRY(put_settings(p, gb_model_settings(model), err));
    if (gb_model_n_embedding_columns(model) > 0)
        put_count(p, "embedding_columns", gb_model_n_embedding_columns(model));
    put_burn_in(p, model);
    put_acceptance(p, model);
done:
    return st;
}

/* ---- a checkpoint ---------------------------------------------------------------------------------- */

static gb_status describe_checkpoint(place *p, const char *path, gb_error *err)
{
    char *text = NULL;
    json_t *notes = NULL;
    gb_status st;
    GB_TRY(gb_checkpoint_notes(path, &text, err));
    GB_TRY(gb_json_parse(text, strlen(text), 0, &notes, NULL, err));
    put_text(p, "kind", "checkpoint");
    put_count(p, "chains", json_array_size(json_object_get(notes, "sweeps_done")));
    put_members(p, notes);
done:
    gb_free(text);
    json_decref(notes);
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_subject *s = asked->subject;
    place p = {.table = t};
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    return s->model != NULL       ? describe_model(&p, s->model, err)
           : s->documents != NULL ? describe_corpus(&p, s->documents, err)
                                  : describe_checkpoint(&p, s->checkpoint, err);
}

const gb_question_row gb_question_description = {
    {"description", "what is in a model, a corpus or a checkpoint", GB_NEEDS_CONTENT, ""}, answer};
