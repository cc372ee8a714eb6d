/* evaluation/evaluation.c - predictions against known labels, and how probable the words are: of one model. */
#include "evaluation/evaluation.h"

#include "apply/held_out.h"
#include "apply/prediction.h"
#include "base/memory.h"
#include "corpus/data/corpus.h"
#include "evaluation/evaluation_private.h"
#include "evaluation/score_table.h"
#include "evaluation/subgroups.h"
#include "model/training_documents.h"

#include <math.h>
#include <string.h>

/* ---- starting -------------------------------------------------------------------------------------- */

gb_status gb_wants_likelihood(const gb_settings *settings, bool has_response, bool *wants, gb_error *err)
{
    const char *held_out = gb_settings_text(settings, "held-out"), *samples = "held-out-samples";
    const gb_fact nothing = {.name = "held-out", .value = "none"};
    *wants = strcmp(held_out, "auto") == 0 ? !has_response : strcmp(held_out, "none") != 0;
    return *wants ? GB_OK
                  : gb_settings_check(settings, samples, gb_option_find(samples)->needs, NULL, 1, &nothing, err);
}

gb_status gb_nothing_to_evaluate(gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "`held-out` none: a model without a response has nothing else to evaluate");
}

static gb_unknown_label unknown_label_of(const gb_settings *settings)
{
    return gb_settings_are(settings, "unknown-label", "wrong")  ? GB_UNKNOWN_LABEL_WRONG
           : gb_settings_are(settings, "unknown-label", "skip") ? GB_UNKNOWN_LABEL_SKIP
                                                                : GB_UNKNOWN_LABEL_ERROR;
}

static gb_status start(const gb_model *model, const gb_settings *settings, gb_evaluation **out, gb_error *err)
{
    gb_status st;
    gb_evaluation *e = NULL;
    const bool has_response = gb_model_n_responses(model) > 0;
    GB_TRY(gb_alloc(&e, 1, sizeof *e, "an evaluation", err));
    e->model = model;
    GB_TRY(gb_wants_likelihood(settings, has_response, &e->has_likelihood, err));
    e->method = gb_held_out_method_of(settings)->name;
    if (!has_response && !e->has_likelihood)
        st = gb_nothing_to_evaluate(err);
    else
        st = gb_alloc(&e->truth, gb_model_n_responses(model), sizeof *e->truth, "an evaluation", err);
    if (st != GB_OK)
        goto done;
    *out = e;
    e = NULL;
done:
    gb_evaluation_free(e);
    return st;
}

static gb_status add_response(gb_evaluation *e, uint64_t response, const char *field, const gb_settings *settings,
                              gb_error *err)
{
    return gb_truth_start(&e->truth[e->n_truths++], e->model, response, field, unknown_label_of(settings), err);
}

/* Fields by whose values documents are scored, too. */
static gb_status add_subgroups(gb_evaluation *e, const gb_settings *settings, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_text_list *fields = gb_settings_list(settings, "subgroups");
    if (fields->count == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&e->subgroups, fields->count, sizeof *e->subgroups, "subgroups", err));
    for (size_t i = 0; i < fields->count; i++)
        GB_TRY(gb_subgroups_start(&e->subgroups[e->n_subgroups++], fields->item[i], err));
    e->seed = (uint64_t)gb_settings_int_or(settings, "seed", 0);
    gb_evaluation_keep(e);
done:
    return st;
}

gb_status gb_evaluation_create_all(const gb_model *model, const gb_settings *settings, gb_evaluation **out,
                                   gb_error *err)
{
    gb_evaluation *e = NULL;
    gb_status st = start(model, settings, &e, err);
    for (uint64_t r = 0; st == GB_OK && r < gb_model_n_responses(model); r++)
        st = add_response(e, r, gb_model_field(model, r), settings, err);
    if (st == GB_OK)
        st = add_subgroups(e, settings, err);
    if (st == GB_OK)
        *out = e;
    else
        gb_evaluation_free(e);
    return st;
}

/* ---- fields that are named ------------------------------------------------------------------------- */

static bool is_named(const gb_settings *s, const char *field)
{
    const gb_text_list *const lists[] = {gb_settings_list(s, "label"), gb_settings_list(s, "labels"),
                                         gb_settings_list(s, "target")};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (size_t j = 0; j < lists[i]->count; j++)
            if (strcmp(lists[i]->item[j], field) == 0)
                return true;
    return false;
}

static const char *only_field(const gb_settings *s)
{
    const gb_text_list *label = gb_settings_list(s, "label"), *labels = gb_settings_list(s, "labels");
    return label->count > 0    ? label->item[0]
           : labels->count > 0 ? labels->item[0]
                               : gb_settings_list(s, "target")->item[0];
}

/* The model's fields, or those that the user names; a model with one response may find its truth under another name. */
static gb_status choose_fields(gb_evaluation *e, const gb_settings *s, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = gb_model_n_responses(e->model);
    const size_t n_named = gb_settings_n_fields(s);
    if (n == 1 && n_named > 1)
        return gb_fail(err, GB_EARGUMENT, "evaluate needs one field for a model with one response, not %zu", n_named);
    if (n == 1 && n_named == 1)
        return add_response(e, 0, only_field(s), s, err);
    for (uint64_t r = 0; r < n && st == GB_OK; r++)
        if (n_named == 0 || is_named(s, gb_model_field(e->model, r)))
            st = add_response(e, r, gb_model_field(e->model, r), s, err);
    if (st == GB_OK && e->n_truths == 0 && n_named > 0)
        return gb_fail(err, GB_EARGUMENT, "%s: the model predicts none of these fields",
                       gb_settings_text(s, "model"));
    return st;
}

gb_status gb_evaluation_create(const gb_model *model, const gb_settings *settings, gb_evaluation **out, gb_error *err)
{
    gb_evaluation *e = NULL;
    gb_status st;
    GB_TRY(start(model, settings, &e, err));
    GB_TRY(choose_fields(e, settings, err));
    GB_TRY(add_subgroups(e, settings, err));
    e->has_alone = e->n_truths > 0 && gb_model_n_word_columns(model) + gb_model_n_embedding_columns(model) > 0;
    *out = e;
    e = NULL;
done:
    gb_evaluation_free(e);
    return st;
}

void gb_evaluation_of_linear(gb_evaluation *e)
{
    e->has_likelihood = e->has_alone = false;
    for (size_t i = 0; i < e->n_truths; i++)
        e->truth[i].has_probability = false;
}

void gb_evaluation_keep(gb_evaluation *e)
{
    e->keeps = true;
    for (size_t i = 0; i < e->n_truths; i++)
        e->truth[i].keeps = true;
}

gb_status gb_evaluation_take_baseline(gb_evaluation *e, const gb_corpus *training, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < e->n_truths && st == GB_OK; i++)
        st = gb_truth_take_baseline(&e->truth[i], training, err);
    return st;
}

gb_status gb_evaluation_request_fields(const gb_evaluation *e, gb_settings *settings, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_settings_n_fields(settings) > 0)
        return GB_OK;
    for (size_t i = 0; i < e->n_truths && st == GB_OK; i++)
        st = gb_settings_set(settings, gb_task_field_option(e->truth[i].task), e->truth[i].field, err);
    return st;
}

void gb_evaluation_free(gb_evaluation *e)
{
    if (e == NULL)
        return;
    for (size_t i = 0; i < e->n_truths; i++)
        gb_truth_clear(&e->truth[i]);
    for (size_t i = 0; i < e->n_subgroups; i++)
        gb_subgroups_clear(&e->subgroups[i]);
    gb_free(e->subgroups);
    gb_free(e->truth);
    gb_free(e->path);
    gb_records_clear(&e->kept);
    gb_score_table_free(e->scores);
    gb_evaluation_free(e->alone);
    gb_settings_free(e->alone_settings);
    gb_free(e);
}

/* ---- documents ------------------------------------------------------------------------------------- */

static gb_status check_prediction(const gb_evaluation *e, const gb_corpus *docs, const gb_prediction *p,
                                  gb_error *err)
{
    gb_status st = GB_OK;
    if (p == NULL || p->n_docs != docs->n_docs)
        return gb_fail(err, GB_EARGUMENT, "an evaluation of a response needs a prediction of the same documents");
    if (p->size < sizeof *p)
        return gb_fail(err, GB_EARGUMENT, "the size of the prediction is %zu, not sizeof(gb_prediction)", p->size);
    if (p->response == NULL || p->n_responses != gb_model_n_responses(e->model) ||
        p->n_outputs != gb_model_n_outputs(e->model))
        return gb_fail(err, GB_EARGUMENT, "the prediction is not of the responses of the model");
    for (size_t i = 0; st == GB_OK && i < e->n_truths; i++)
        st = gb_truth_check(&e->truth[i], p, err);
    return st;
}

static gb_status check_likelihood(const gb_corpus *docs, const gb_held_out *h, gb_error *err)
{
    if (h == NULL || h->n_docs != docs->n_docs)
        return gb_fail(err, GB_EARGUMENT,
                       "an evaluation with a likelihood needs the likelihood of the same documents");
    if (h->size < sizeof *h)
        return gb_fail(err, GB_EARGUMENT, "the size of the likelihood is %zu, not sizeof(gb_held_out)", h->size);
    if (h->n_scored == NULL || h->log_likelihood == NULL || h->standard_error == NULL)
        return gb_fail(err, GB_EARGUMENT, "an array of the likelihood is missing");
    return GB_OK;
}

static gb_status check_batch(gb_evaluation *e, const gb_corpus *docs, const gb_prediction *prediction,
                             const gb_held_out *likelihood, gb_error *err)
{
    gb_status st = GB_OK;
    const char *path = gb_corpus_path(docs);
    if (e->n_truths > 0)
        GB_TRY(check_prediction(e, docs, prediction, err));
    if (e->has_likelihood)
        GB_TRY(check_likelihood(docs, likelihood, err));
    if (e->path == NULL)
        GB_TRY(gb_copy_text(&e->path, path, strlen(path), err));
done:
    return st;
}

gb_status gb_evaluation_add(gb_evaluation *e, const gb_corpus *docs, const gb_prediction *prediction,
                            const gb_held_out *likelihood, const uint64_t *n_unknown, gb_error *err)
{
    gb_status st;
    bool *is_seen = NULL;
    uint64_t n_seen = 0;
    GB_TRY(check_batch(e, docs, prediction, likelihood, err));
    if (e->model != NULL)
        GB_TRY(gb_model_find_seen(e->model, docs, &n_seen, &is_seen, err));
    e->n_seen += n_seen;
    for (uint64_t d = 0; n_unknown != NULL && d < docs->n_docs; d++)
        e->n_unknown += n_unknown[d];
    for (size_t i = 0; i < e->n_truths; i++)
        GB_TRY(gb_truth_add(&e->truth[i], e->model, e->n_docs, docs, prediction, err));
    for (size_t i = 0; i < e->n_subgroups; i++)
        GB_TRY(gb_subgroups_add(&e->subgroups[i], e->n_docs, docs, err));
    for (uint64_t d = 0; e->has_likelihood && d < docs->n_docs; d++) {
        const double record[] = {(double)likelihood->n_scored[d], likelihood->log_likelihood[d],
                                 likelihood->standard_error[d]};
        gb_held_out_scores_add(&e->likelihood, likelihood->n_scored[d], likelihood->log_likelihood[d],
                               likelihood->standard_error[d], 1);
        if (e->keeps)
            GB_TRY(gb_records_add(&e->kept, e->n_docs + d, sizeof record / sizeof record[0], record, err));
    }
    e->n_docs += docs->n_docs;
done:
    gb_free(is_seen);
    return st;
}

static gb_status predict(const gb_evaluation *e, const gb_corpus *docs, uint64_t first_row,
                         const gb_settings *settings, gb_on_apply *on_apply, void *user, gb_prediction **out,
                         gb_error *err)
{
    gb_status st;
    GB_TRY(gb_prediction_make(e->model, docs->n_docs, false, out, err));
    st = gb_predict(e->model, docs, first_row, settings, on_apply, user, *out, err);
done:
    return st;
}

/* The likelihood is the same with and without words and embedding. */
static gb_status start_alone(gb_evaluation *e, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_settings_copy(settings, &e->alone_settings, err));
    GB_TRY(gb_settings_set(e->alone_settings, "topics-alone", "yes", err));
    GB_TRY(gb_settings_set(e->alone_settings, "held-out", "none", err));
    GB_TRY(gb_settings_unset(e->alone_settings, "held-out-samples", err));
    GB_TRY(gb_settings_unset(e->alone_settings, "subgroups", err));
    GB_TRY(gb_evaluation_create(e->model, e->alone_settings, &e->alone, err));
    e->alone->has_alone = false;
done:
    return st;
}

gb_status gb_evaluate(gb_evaluation *e, const gb_corpus *docs, const uint64_t *n_unknown, uint64_t first_row,
                      const gb_settings *settings, gb_on_apply *on_apply, void *user, const gb_prediction *given,
                      gb_held_out **likelihood, gb_error *err)
{
    gb_prediction *made = NULL, *alone = NULL;
    gb_held_out *own = NULL, **held_out = likelihood == NULL ? &own : likelihood;
    gb_status st;
    *held_out = NULL;
    if (given == NULL && e->n_truths > 0)
        GB_TRY(predict(e, docs, first_row, settings, on_apply, user, &made, err));
    if (e->has_likelihood) {
        GB_TRY(gb_held_out_create(docs->n_docs, held_out, err));
        GB_TRY(gb_held_out_likelihood(e->model, docs, first_row, settings, on_apply, user, *held_out, err));
    }
    GB_TRY(gb_evaluation_add(e, docs, given == NULL ? made : given, *held_out, n_unknown, err));
    if (!e->has_alone)
        goto done;
    if (e->alone == NULL)
        GB_TRY(start_alone(e, settings, err));
    GB_TRY(predict(e, docs, first_row, e->alone_settings, on_apply, user, &alone, err));
    st = gb_evaluation_add(e->alone, docs, alone, NULL, n_unknown, err);
done:
    gb_prediction_free(made);
    gb_prediction_free(alone);
    gb_held_out_free(own);
    return st;
}

/* ---- the end ----------------------------------------------------------------------------------------- */

static gb_status check_values(const gb_evaluation *e, gb_error *err)
{
    const char *path = e->path == NULL ? "the documents" : e->path;
    for (size_t i = 0; i < e->n_truths; i++) {
        const gb_truth *t = &e->truth[i];
        if (t->n_unlabelled == e->n_docs)
            return gb_fail(err, GB_EFORMAT, "%s: no document has a value in field \"%s\"", path, t->field);
        if (t->unknown_label == GB_UNKNOWN_LABEL_SKIP && t->n_unlabelled + t->n_unknown == e->n_docs)
            return gb_fail(err, GB_EFORMAT,
                           "%s: no document has a label in field \"%s\" that is a class of the model", path,
                           t->field);
    }
    for (size_t i = 0; i < e->n_subgroups; i++)
        if (e->subgroups[i].n == 0)
            return gb_fail(err, GB_EFORMAT, "%s: no document has a value in field \"%s\"", path,
                           e->subgroups[i].field);
    if (e->has_likelihood && e->likelihood.n_tokens == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no document has a word that the model knows", path);
    return GB_OK;
}

gb_status gb_evaluation_finish(gb_evaluation *e, gb_error *err)
{
    gb_status st;
    GB_TRY(check_values(e, err));
    if (e->alone != NULL)
        GB_TRY(gb_evaluation_finish(e->alone, err));
    st = gb_evaluation_list_scores(e, err);
done:
    return st;
}

/* ---- looking --------------------------------------------------------------------------------------- */

uint64_t gb_evaluation_n_seen(const gb_evaluation *e, uint64_t *n_docs)
{
    *n_docs = e->n_docs;
    return e->n_seen;
}

const gb_score_table *gb_evaluation_scores(const gb_evaluation *e)
{
    return e->scores;
}

const gb_score_table *gb_evaluation_scores_alone(const gb_evaluation *e)
{
    return e->alone == NULL ? NULL : e->alone->scores;
}

size_t gb_evaluation_n_subgroup_fields(const gb_evaluation *e)
{
    return e->n_subgroups;
}

const char *gb_evaluation_subgroup_field(const gb_evaluation *e, size_t index)
{
    return e->subgroups[index].field;
}

uint64_t gb_evaluation_n_responses(const gb_evaluation *e)
{
    return e->n_truths;
}

uint64_t gb_evaluation_response(const gb_evaluation *e, uint64_t index)
{
    return index < e->n_truths ? e->truth[index].response : UINT64_MAX;
}

const char *gb_evaluation_field(const gb_evaluation *e, uint64_t index)
{
    return index < e->n_truths ? e->truth[index].field : NULL;
}

bool gb_evaluation_has_likelihood(const gb_evaluation *e)
{
    return e->has_likelihood;
}

const char *gb_evaluation_held_out_method(const gb_evaluation *e)
{
    return e->has_likelihood ? e->method : NULL;
}

const gb_model *gb_evaluation_model(const gb_evaluation *e)
{
    return e->model;
}

const gb_truth *gb_evaluation_truth(const gb_evaluation *e, uint64_t index)
{
    return &e->truth[index];
}
