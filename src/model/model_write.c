/* model/model_write.c - a model to its file (docs/format.md). */
#include "base/memory.h"
#include "model/cross_fitted.h"
#include "model/file_caller.h"
#include "model/model.h"
#include "plan/prior_json.h"
#include "store/json_text.h"
#include "store/store.h"

#include <inttypes.h>
#include <string.h>

/* The object takes the value over; NULL fails. */
static bool add(json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0;
}

/* The same of what only some models have, and keep. */
static bool add_kept(json_t *object, const char *name, json_t *value)
{
    return value == NULL || json_object_set(object, name, value) == 0;
}

static json_t *describe_responses(const gb_model *m)
{
    json_t *responses = json_array();
    for (size_t r = 0; r < m->n_responses && responses != NULL; r++)
        if (json_array_append_new(responses, gb_target_to_json(&m->target[r])) != 0) {
            json_decref(responses);
            return NULL;
        }
    return responses;
}

static bool add_prior(json_t *object, const gb_prior_setup *setup)
{
    json_t *prior = gb_prior_setup_to_json(setup);
    const bool is_none = json_is_null(prior);
    if (!is_none)
        return add(object, "document_prior", prior);
    json_decref(prior);
    return true;
}

static json_t *describe(const gb_model *m)
{
    json_t *d = json_object();
    const bool is_good =
        add(d, "topics", json_integer((json_int_t)m->n_topics)) && add(d, "prior", json_string(m->prior.ops->name)) &&
        add(d, "beta", json_real(m->beta)) && add(d, "responses", describe_responses(m)) &&
        add(d, "covariates", m->coding == NULL ? json_null() : gb_coding_describe(m->coding)) &&
        add(d, "exposure", json_string(m->exposure)) && add(d, "intercept", json_boolean(m->intercept)) &&
        add(d, "seed", json_sprintf("%" PRIu64, m->seed)) && /* 64 bits as text */
        add(d, "documents", json_integer((json_int_t)m->n_training_docs)) &&
        add(d, "tokens", json_integer((json_int_t)m->n_training_tokens)) &&
        add(d, "draws", json_integer((json_int_t)m->n_kept)) &&
        add(d, "snapshots", json_integer((json_int_t)m->n_draws)) &&
        add(d, "fingerprints",
            json_pack("{s:s, s:s, s:s}", "words", m->words_digits, "corpus", m->corpus_digits, "decisions",
                      m->spec_digits)) &&
        add_prior(d, &m->prior) &&
        (m->wording.shape == NULL || add(d, "wordings", gb_wording_to_json(&m->wording))) &&
        add_kept(d, "acceptance", m->acceptance) && add_kept(d, "burn_in", m->burn_in) &&
        add_kept(d, "pooled", m->pooled) && add_kept(d, "agreement", m->agreement) &&
        add_kept(d, "topic_names", m->topic_names) && add_kept(d, "topic_unions", m->topic_unions) &&
        add_kept(d, "seeds", m->seeds) && (!m->samples_beta || add(d, "beta_is_sampled", json_true())) &&
        (!m->has_common_start || add(d, "has_common_start", json_true())) &&
        (m->cross_fitted == NULL || add(d, "cross_fit", gb_cross_fitted_to_json(m->cross_fitted)));
    if (is_good)
        return d;
    json_decref(d);
    return NULL;
}

/* @param n_bytes  that descriptions will take in memory, so far */
static gb_status put_json_text(gb_store_writer *w, const char *name, const char *text, uint64_t *n_bytes,
                               gb_error *err)
{
    const gb_status st = gb_store_text(w, name, text, err);
    *n_bytes += gb_json_memory(text, strlen(text));
    gb_store_make_room(w, *n_bytes, GB_DESCRIPTION_SHARE);
    return st;
}

static gb_status put_json(gb_store_writer *w, const char *name, const json_t *value, uint64_t *n_bytes, gb_error *err)
{
    char *text = NULL;
    if (value == NULL)
        return gb_fail(err, GB_ENOMEM, "out of memory for the model file");
    gb_status st = gb_json_text(value, 0, &text, NULL, err);
    if (st == GB_OK)
        st = put_json_text(w, name, text, n_bytes, err);
    gb_free(text);
    return st;
}

/* All but the arrays. */
static gb_status put_description(gb_store_writer *w, const gb_model *m, gb_error *err)
{
    gb_status st;
    uint64_t n_bytes = 0;
    json_t *description = describe(m);
    GB_TRY(put_json(w, "description", description, &n_bytes, err));
    GB_TRY(put_json_text(w, "settings", m->settings, &n_bytes, err));
    GB_TRY(put_json(w, "preparation", m->preparation, &n_bytes, err));
    GB_TRY(gb_store_list(w, gb_model_list, m, err));
done:
    json_decref(description);
    return st;
}

gb_status gb_model_check_format(const gb_model *m, gb_error *err)
{
    gb_store_writer *w = NULL;
    gb_status st;
    GB_TRY(gb_store_create(&w, "model", err));
    GB_TRY(put_description(w, m, err));
    GB_TRY(gb_store_check(w, err));
done:
    gb_store_writer_free(w);
    return st;
}

/* @param name  of the file, for messages */
static gb_status put_model(gb_store_writer **w, const gb_model *m, const char *name, gb_error *err)
{
    gb_status st;
    if (m->n_kept == 0 || m->n_draws == 0)
        return gb_fail(err, GB_EARGUMENT, "%s: a model without draws cannot be written", name);
    GB_TRY(gb_store_create(w, "model", err));
    GB_TRY(put_description(*w, m, err));
    gb_store_make_room(*w, gb_model_draw_bytes(m), GB_DRAWS_SHARE);
done:
    return st;
}

gb_status gb_model_to_bytes(const gb_model *m, void **bytes, size_t *n_bytes, gb_error *err)
{
    gb_store_writer *w = NULL;
    gb_status st = put_model(&w, m, "the bytes", err);
    if (st == GB_OK)
        st = gb_store_to_bytes(w, bytes, n_bytes, err);
    gb_store_writer_free(w);
    return st;
}

gb_status gb_model_write(const gb_model *m, const char *path, bool force, gb_on_file *on_file, void *user,
                         gb_error *err)
{
    return gb_model_write_with(m, path, force, NULL, on_file, user, err);
}

gb_status gb_model_write_with(const gb_model *m, const char *path, bool force, gb_out_file **draws,
                              gb_on_file *on_file, void *user, gb_error *err)
{
    gb_watch watch;
    gb_file_caller caller = {.on_file = on_file, .user = user};
    gb_store_writer *w = NULL;
    gb_status st = put_model(&w, m, path, err);
    if (st == GB_OK) {
        gb_file_caller_watch(&watch, &caller);
        st = gb_store_save_with(w, path, force, draws, &watch, err);
    }
    gb_store_writer_free(w);
    return st;
}
