/* apply/documents.c - new documents in the vocabulary of a model. */
#include "base/memory.h"
#include "corpus/data/field.h"
#include "corpus/data/formula_text.h"
#include "corpus/readers/arrays.h"
#include "corpus/readers/other_words.h"
#include "corpus/readers/stream.h"
#include "corpus/text/prepare.h"
#include "design/formula.h"
#include "gibbous/apply.h"
#include "model/model.h"
#include "store/json_text.h"

#include <string.h>

struct gb_documents {
    gb_read_watch watch; /* borrowed by the stream */
    gb_stream *stream;
    gb_settings *settings; /* borrowed by the stream */
    bool has_failed;       /* documents of a batch that failed are lost */
};

static int merge_groups(const gb_groups *groups, json_t *merged)
{
    json_t *fields = json_array();
    int failed = fields == NULL;
    for (size_t i = 0; i < gb_groups_n_fields(groups) && !failed; i++)
        failed = json_array_append_new(fields, json_string(gb_groups_field(groups, i)));
    if (failed)
        json_decref(fields);
    return failed ? failed : json_object_set_new(merged, "group", fields);
}

static gb_field_kind kind_in_training(const gb_coding *coding, const char *name)
{
    for (size_t i = 0; i < gb_coding_n_fields(coding); i++)
        if (strcmp(gb_coding_field_name(coding, i), name) == 0)
            return gb_coding_field_kind(coding, i);
    return GB_KIND_AUTO;
}

/* A covariate that the user names without a kind is of the kind that it had in training. */
static int merge_covariates(const gb_coding *coding, size_t n_fields, const gb_field *field, json_t *merged)
{
    json_t *list = json_array();
    int failed = list == NULL;
    for (size_t i = 0; i < n_fields && !failed; i++) {
        const char *name = field[i].name;
        const gb_field_kind kind = field[i].kind == GB_KIND_AUTO ? kind_in_training(coding, name) : field[i].kind;
        if (field[i].role == GB_ROLE_COVARIATE)
            failed = json_array_append_new(list, kind == GB_KIND_AUTO
                                                     ? json_string(name)
                                                     : json_sprintf("%s:%s", name, gb_field_kind_name(kind)));
    }
    if (failed)
        json_decref(list);
    return failed ? failed : json_object_set_new(merged, "covariates", list);
}

static gb_status merge_coding(const gb_coding *coding, const gb_settings *user, json_t *merged, gb_error *err)
{
    gb_status st = GB_OK;
    gb_field *field = NULL;
    size_t n = 0;
    int failed;
    if (coding == NULL || *gb_coding_fields(coding) == '\0')
        return GB_OK;
    if (gb_settings_is_set(user, "covariates")) {
        GB_TRY(gb_fields_from_settings(&field, &n, user, err));
        failed = merge_covariates(coding, n, field, merged);
    } else {
        failed = json_object_set_new(merged, "covariates", json_pack("[s]", gb_coding_fields(coding)));
    }
    st = failed == 0 ? GB_OK : gb_fail_memory(err, 0, "the settings");
done:
    gb_fields_free(field, n);
    return st;
}

/* The fields of a regression on metadata are read because a formula names them. */
static int merge_formula(const gb_formula *formula, json_t *merged)
{
    char *text = NULL;
    if (gb_formula_fields(formula, &text, NULL) != GB_OK)
        return -1;
    const int failed = json_object_set_new(merged, "prevalence", json_string(text));
    gb_free(text);
    return failed;
}

/* Fields that are shuffled are read likewise, whatever the model knows: as in its formula, or as they are. */
static int merge_permuted(const gb_settings *user, json_t *merged)
{
    static const char *const options[] = {"permute", "within", "whole"};
    const char *formula = json_string_value(json_object_get(merged, "prevalence"));
    gb_formula_text parsed = {0};
    gb_bytes text = {0};
    int failed = gb_formula_text_read(formula == NULL ? "1" : formula, &parsed, NULL) != GB_OK;
    for (size_t i = 0; i < parsed.n_fields && failed == 0; i++)
        failed = gb_formula_text_add(&text, parsed.field[i].name, parsed.field[i].kind, NULL) != GB_OK;
    for (size_t o = 0; o < sizeof options / sizeof *options && failed == 0; o++) {
        const char *name = gb_settings_text(user, options[o]);
        bool is_known = *name == '\0';
        for (size_t i = 0; i < o; i++)
            is_known |= strcmp(gb_settings_text(user, options[i]), name) == 0;
        for (size_t i = 0; i < parsed.n_fields; i++)
            is_known |= strcmp(parsed.field[i].name, name) == 0;
        if (!is_known)
            failed = gb_formula_text_add(&text, name, GB_KIND_ONE, NULL) != GB_OK;
    }
    if (failed == 0 && text.data != NULL)
        failed = json_object_set_new(merged, "prevalence", json_string(text.data));
    gb_formula_text_clear(&parsed);
    gb_free(text.data);
    return failed;
}

/* Covariates, exposures, groups and metadata are needed again, and read as in training. */
static gb_status merge_fields(const gb_model *model, const gb_settings *user, json_t *merged, gb_error *err)
{
    int failed = 0;
    const gb_status st = merge_coding(model->coding, user, merged, err);
    if (st != GB_OK)
        return st;
    if (*model->exposure != '\0' && !gb_settings_is_set(user, "exposure"))
        failed |= json_object_set_new(merged, "exposure", json_string(model->exposure));
    if (gb_prior_groups(&model->prior) != NULL && !gb_settings_is_set(user, "group"))
        failed |= merge_groups(gb_prior_groups(&model->prior), merged);
    if (model->wording.shape != NULL)
        failed |= json_object_set_new(merged, model->wording.shape->option, json_string(model->wording.field));
    if (gb_prior_formula(&model->prior) != NULL)
        failed |= merge_formula(gb_prior_formula(&model->prior), merged);
    if (*gb_settings_text(user, "permute") != '\0')
        failed |= merge_permuted(user, merged);
    return failed == 0 ? GB_OK : gb_fail_memory(err, 0, "the settings");
}

/* An option that the object does not have is none to copy. */
static int copy_option(json_t *merged, const json_t *from, const char *name)
{
    json_t *value = json_object_get(from, name);
    return value == NULL ? 0 : json_object_set(merged, name, value);
}

/* Data options that the user did not give come from the model: the text and id fields need not be repeated.
 */
static gb_status settings_for(const gb_model *model, const gb_settings *user, gb_settings **out, gb_error *err)
{
    static const char *const kept[] = {"text", "id", "label-separator"};
    gb_status st;
    int failed = 0;
    gb_settings *s = NULL;
    const gb_option *option;
    json_t *from_model = NULL, *merged = json_object();
    GB_TRY(gb_json_parse(model->settings, strlen(model->settings), 0, &from_model, NULL, err));
    if (merged == NULL) {
        st = gb_fail_memory(err, 0, "the settings");
        goto done;
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        failed |= copy_option(merged, from_model, kept[i]);
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        if ((option->group == GB_GROUP_DATA || strcmp(option->name, "memory-limit") == 0) &&
            gb_settings_is_set(user, option->name))
            failed |= json_object_set_new(merged, option->name, gb_settings_value_to_json(user, option->name));
    if (failed != 0) {
        st = gb_fail_memory(err, 0, "the settings");
        goto done;
    }
    GB_TRY(merge_fields(model, user, merged, err));
    GB_TRY(gb_settings_create(&s, err));
    GB_TRY(gb_settings_from_json(s, merged, err));
    *out = s;
    s = NULL;
done:
    json_decref(from_model);
    json_decref(merged);
    gb_settings_free(s);
    return st;
}

/* What is wrong with how words are made is the model's fault, not the documents'. */
static gb_status check_preparation(const gb_model *model, gb_error *err)
{
    gb_prepare *prepare = NULL;
    gb_error fault = {.status = GB_OK};
    const gb_status st = gb_prepare_from_json(&prepare, model->preparation, &fault);
    gb_prepare_free(prepare);
    return st == GB_OK ? GB_OK
                       : gb_fail(err, st, "%s: %s", model->store == NULL ? "the model" : gb_store_path(model->store),
                                 fault.message);
}

gb_status gb_documents_open(const gb_model *model, const char *path, const gb_settings *settings, gb_on_read *on_read,
                            void *user, gb_documents **out, gb_error *err)
{
    gb_status st;
    gb_documents *d = NULL;
    GB_TRY(gb_alloc(&d, 1, sizeof *d, "documents", err));
    gb_read_watch_begin(&d->watch, on_read, user);
    GB_TRY(settings_for(model, settings, &d->settings, err));
    GB_TRY(check_preparation(model, err));
    GB_TRY(gb_stream_open(&d->stream, path, d->settings, &model->vocabulary, model->preparation, &d->watch, err));
    *out = d;
    d = NULL;
done:
    gb_documents_close(d);
    return st;
}

gb_status gb_documents_next(gb_documents *d, uint64_t max_docs, gb_corpus **out, uint64_t **n_unknown, gb_error *err)
{
    if (d->has_failed)
        return gb_fail(err, GB_EARGUMENT, "an earlier read failed: the reader can only be closed");
    if (max_docs == 0)
        return gb_fail(err, GB_EARGUMENT, "no documents are asked for; expected at least 1");
    const gb_status st = gb_stream_next(d->stream, max_docs, out, n_unknown, err);
    d->has_failed = st != GB_OK;
    return st;
}

void gb_documents_close(gb_documents *d)
{
    if (d == NULL)
        return;
    gb_stream_close(d->stream);
    gb_settings_free(d->settings);
    gb_free(d);
}

gb_status gb_documents_from_corpus(const gb_model *model, const gb_corpus *corpus, gb_corpus **out,
                                   uint64_t **n_unknown, gb_error *err)
{
    return gb_corpus_in(corpus, &model->vocabulary, model->preparation, out, n_unknown, err);
}

gb_status gb_documents_from_arrays(const gb_model *model, const gb_corpus_arrays *arrays, gb_corpus **out,
                                   uint64_t **n_unknown, gb_error *err)
{
    return gb_corpus_from_arrays_in(arrays, &model->vocabulary, model->preparation, out, n_unknown, err);
}
