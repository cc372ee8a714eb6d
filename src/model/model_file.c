/* model/model_file.c - a model to and from its file (docs/format.md). */
#include "base/memory.h"
#include "corpus/data/texts.h"
#include "model/model.h"
#include "store/layout.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---- */

static json_t *describe(const gb_model *m)
{
    json_t *responses = json_array(), *coding = m->coding == NULL ? json_null() : gb_coding_to_json(m->coding);
    bool failed = responses == NULL || coding == NULL;
    for (size_t r = 0; r < m->n_responses && !failed; r++)
        failed = json_array_append_new(responses, gb_target_to_json(&m->target[r])) != 0;
    if (failed) {
        json_decref(responses);
        json_decref(coding);
        return NULL;
    }
    json_t *description = json_pack(
        "{s:I, s:s, s:f, s:o, s:o, s:s, s:b, s:s, s:I, s:I, s:I}", "topics", (json_int_t)m->n_topics, "prior",
        m->prior.ops->name, "beta", m->beta, "responses", responses, "covariates", coding, "exposure", m->exposure,
        "intercept", m->intercept, "seed", "", "documents", (json_int_t)m->n_training_docs, "tokens",
        (json_int_t)m->n_training_tokens, "draws", (json_int_t)m->n_draws);
    if (description != NULL &&
        json_object_set_new(description, "seed", json_sprintf("%" PRIu64, m->seed)) != 0) { /* 64 bits as text */
        json_decref(description);
        return NULL;
    }
    json_t *prior = gb_prior_setup_to_json(&m->prior);
    if (description != NULL && !json_is_null(prior) && /* NULL fails */
        json_object_set(description, "document_prior", prior) != 0) {
        json_decref(description);
        description = NULL;
    }
    json_decref(prior);
    if (description != NULL && m->acceptance != NULL &&
        json_object_set(description, "acceptance", m->acceptance) != 0) {
        json_decref(description);
        return NULL;
    }
    return description;
}

static gb_status put_json(gb_store_writer *w, const char *name, const json_t *value, gb_error *err)
{
    char *text = NULL;
    if (value == NULL)
        return gb_fail(err, GB_ENOMEM, "out of memory for the model file");
    gb_status st = gb_json_text(value, &text, NULL, err);
    if (st == GB_OK)
        st = gb_store_text(w, name, text, err);
    gb_free(text);
    return st;
}

/* Arrays of draw i are named "draw<i>_<what>". */
static const char *array_name(char *buffer, size_t size, size_t draw, const char *what)
{
    (void)snprintf(buffer, size, "draw%zu_%s", draw, what);
    return buffer;
}

static gb_status put_prior(gb_store_writer *w, size_t i, const gb_draw *d, gb_error *err)
{
    gb_status st = GB_OK;
    char name[64];
    for (size_t j = 0; j < d->prior.n_tables; j++) {
        const gb_prior_table *table = &d->prior.table[j];
        const uint64_t shape[2] = {table->n_rows, table->n_columns};
        const size_t n_axes = table->n_rows == 0 ? 1 : 2;
        GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, table->name), GB_F64, n_axes, shape + 2 - n_axes,
                              table->value, err));
    }
done:
    return st;
}

static gb_status put_draw(gb_store_writer *w, const gb_model *m, size_t i, gb_error *err)
{
    gb_status st;
    char name[64];
    const gb_draw *d = &m->draw[i];
    const uint64_t n_entries = d->word_start[m->n_words];
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "word_start"), GB_U64, 1, &(uint64_t){m->n_words + 1},
                          d->word_start, err));
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "topic"), GB_U16, 1, &n_entries, d->topic, err));
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "count"), GB_U32, 1, &n_entries, d->count, err));
    GB_TRY(put_prior(w, i, d, err));
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "eta"), GB_F64, 2,
                          (uint64_t[]){d->n_outputs, gb_model_n_features(m)}, d->eta, err));
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "own_parameters"), GB_F64, 1, &(uint64_t){m->n_own},
                          d->own, err));
    if (d->shrinkage != NULL)
        GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "shrinkage"), GB_F64, 2,
                              (uint64_t[]){d->n_outputs, m->n_topics + m->n_columns}, d->shrinkage, err));
done:
    return st;
}

gb_status gb_model_write(const gb_model *m, const char *path, bool force, gb_error *err)
{
    gb_status st;
    gb_store_writer *w = NULL;
    json_t *description = describe(m);
    uint64_t *chain = NULL, *sweep = NULL, *first_output = NULL;
    double *log_joint = NULL;
    GB_TRY(gb_store_create(&w, "model", err));
    GB_TRY(put_json(w, "description", description, err));
    GB_TRY(gb_store_text(w, "settings", m->settings, err));
    GB_TRY(put_json(w, "preparation", m->preparation, err));
    GB_TRY(gb_store_array(w, "word_start", GB_U64, 1, &(uint64_t){m->n_words + 1}, m->word_start, err));
    GB_TRY(gb_store_array(w, "word_bytes", GB_U8, 1, &m->word_start[m->n_words], m->word_bytes, err));
    GB_TRY(gb_alloc(&chain, m->n_draws, sizeof *chain, "the model file", err));
    GB_TRY(gb_alloc(&sweep, m->n_draws, sizeof *sweep, "the model file", err));
    GB_TRY(gb_alloc(&log_joint, m->n_draws, sizeof *log_joint, "the model file", err));
    GB_TRY(gb_alloc(&first_output, m->n_draws, sizeof *first_output, "the model file", err));
    for (size_t i = 0; i < m->n_draws; i++) {
        first_output[i] = m->draw[i].first_output;
        chain[i] = m->draw[i].chain;
        sweep[i] = m->draw[i].sweep;
        log_joint[i] = m->draw[i].log_joint;
    }
    const uint64_t n_draws = m->n_draws;
    GB_TRY(gb_store_array(w, "chain", GB_U64, 1, &n_draws, chain, err));
    GB_TRY(gb_store_array(w, "sweep", GB_U64, 1, &n_draws, sweep, err));
    GB_TRY(gb_store_array(w, "first_output", GB_U64, 1, &n_draws, first_output, err));
    GB_TRY(gb_store_array(w, "log_joint", GB_F64, 1, &n_draws, log_joint, err));
    for (size_t i = 0; i < m->n_draws; i++)
        GB_TRY(put_draw(w, m, i, err));
    GB_TRY(gb_store_save(w, path, force, err));
done:
    gb_store_writer_free(w);
    json_decref(description);
    gb_free(chain);
    gb_free(first_output);
    gb_free(sweep);
    gb_free(log_joint);
    return st;
}

/* ---- reading: nothing is trusted ---- */

static gb_status damaged(const gb_store *s, const char *what, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "%s: damaged model file: %s", gb_store_path(s), what);
}

static gb_status get_json(const gb_store *s, const char *name, json_t **out, gb_error *err)
{
    const char *text;
    gb_status st = gb_store_get_text(s, name, &text, err);
    if (st != GB_OK)
        return st;
    *out = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (*out == NULL || !json_is_object(*out))
        return damaged(s, "a description is not a JSON object", err);
    return GB_OK;
}

/* The same kind of failure with the file's name before its message. */
static gb_status placed(const gb_store *s, gb_status st, gb_error *err)
{
    char message[sizeof err->message];
    if (st != GB_EFORMAT || err == NULL)
        return st;
    memcpy(message, err->message, sizeof message);
    return gb_fail(err, st, "%s: %.*s", gb_store_path(s), (int)sizeof message - 1, message);
}

static gb_status read_responses(gb_model *m, const gb_store *s, const json_t *responses, gb_error *err)
{
    gb_status st;
    const size_t n = json_array_size(responses);
    GB_TRY(gb_alloc(&m->target, n, sizeof *m->target, "responses", err));
    for (; m->n_responses < n; m->n_responses++) {
        gb_target *target = &m->target[m->n_responses];
        GB_TRY(placed(s, gb_target_from_json(json_array_get(responses, m->n_responses), target, err), err));
        target->response.first_output = m->n_outputs;
        m->n_outputs += target->response.n_outputs;
        target->response.first_own = m->n_own;
        m->n_own += target->response.n_own;
    }
done:
    return st;
}

static gb_status read_description(gb_model *m, const gb_store *s, json_t *description, gb_error *err)
{
    gb_status st;
    json_int_t topics, documents, tokens, draws;
    const char *prior, *exposure, *seed;
    json_t *responses, *coding;
    int intercept;
    if (json_unpack(description, "{s:I, s:s, s:F, s:o, s:o, s:s, s:b, s:s, s:I, s:I, s:I}", "topics", &topics,
                    "prior", &prior, "beta", &m->beta, "responses", &responses, "covariates", &coding, "exposure",
                    &exposure, "intercept", &intercept, "seed", &seed, "documents", &documents, "tokens", &tokens,
                    "draws", &draws) != 0)
        return damaged(s, "an entry of the description is missing or of another type", err);
    if (topics < 1 || topics > 65535 || documents < 0 || tokens < 0 || draws < 1 || draws > 10000000 ||
        !(m->beta > 0) || !isfinite(m->beta) || !json_is_array(responses))
        return damaged(s, "a number of the description is out of range", err);
    m->n_topics = (size_t)topics;
    m->n_training_docs = (uint64_t)documents;
    m->n_training_tokens = (uint64_t)tokens;
    m->intercept = intercept != 0;
    m->seed = strtoull(seed, NULL, 10);
    const gb_prior_ops *prior_ops = gb_prior_find(prior);
    if (prior_ops == NULL)
        return damaged(s, "an unknown document prior", err);
    GB_TRY(placed(s,
                  gb_prior_setup_from_json(prior_ops, m->n_topics, json_object_get(description, "document_prior"),
                                           &m->prior, err),
                  err));
    GB_TRY(read_responses(m, s, responses, err));
    if (!json_is_null(coding)) {
        GB_TRY(placed(s, gb_coding_from_json(coding, &m->coding, err), err));
        m->n_columns = gb_coding_n_columns(m->coding);
    }
    m->n_draws = (size_t)draws;
    m->acceptance = json_incref(json_object_get(description, "acceptance"));
    if (m->acceptance != NULL && !json_is_object(m->acceptance))
        return damaged(s, "the acceptance of proposals is no object", err);
    GB_TRY(gb_copy_text(&m->exposure, exposure, strlen(exposure), err));
done:
    return st;
}

static gb_status read_vocabulary(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t n_starts, n_bytes;
    const void *starts, *bytes;
    GB_TRY(gb_store_get_array(s, "word_start", GB_U64, 1, &n_starts, &starts, err));
    GB_TRY(gb_store_get_array(s, "word_bytes", GB_U8, 1, &n_bytes, &bytes, err));
    const uint64_t *start = starts;
    if (n_starts < 2 || start[0] != 0 || start[n_starts - 1] != n_bytes)
        return damaged(s, "the vocabulary's bounds do not match its bytes", err);
    for (uint64_t w = 0; w + 1 < n_starts; w++) {
        if (start[w + 1] < start[w] || start[w + 1] > n_bytes)
            return damaged(s, "the vocabulary's bounds do not ascend", err);
        if (gb_text_fault((const char *)bytes + start[w], start[w + 1] - start[w]) != NULL)
            return damaged(s, "a word is not text", err);
    }
    m->n_words = n_starts - 1;
    GB_TRY(gb_alloc(&m->word_start, n_starts, sizeof *m->word_start, "the vocabulary", err));
    GB_TRY(gb_alloc(&m->word_bytes, n_bytes + 1, 1, "the vocabulary", err));
    memcpy(m->word_start, start, n_starts * sizeof *start);
    memcpy(m->word_bytes, bytes, n_bytes);
    m->vocabulary = (gb_texts){.count = m->n_words, .start = m->word_start, .bytes = m->word_bytes};
    GB_TRY(gb_model_index_words(m, err));
done:
    return st;
}

static bool counts_are_valid(const uint64_t *start, uint64_t n_words, uint64_t n_entries, const uint16_t *topic,
                             size_t n_topics)
{
    if (start[0] != 0 || start[n_words] != n_entries)
        return false;
    for (uint64_t w = 0; w < n_words; w++) {
        if (start[w + 1] < start[w] || start[w + 1] > n_entries)
            return false;
        for (uint64_t i = start[w]; i < start[w + 1]; i++)
            if (topic[i] >= n_topics || (i > start[w] && topic[i] <= topic[i - 1]))
                return false;
    }
    return true;
}

/* Only models with a prior that shrinks have it, and then in every draw. */
static gb_status read_shrinkage(gb_model *m, const gb_store *s, size_t i, gb_draw *d, gb_error *err)
{
    gb_status st;
    char name[64];
    uint64_t shape[2];
    const void *shrinkage;
    const bool has = gb_store_has_array(s, array_name(name, sizeof name, i, "shrinkage"));
    const uint64_t n = d->n_outputs * (m->n_topics + m->n_columns);
    if (i > 0 && has != (m->draw[0].shrinkage != NULL))
        return damaged(s, "some draws have shares of shrinkage and others not", err);
    if (!has)
        return GB_OK;
    GB_TRY(gb_store_get_array(s, name, GB_F64, 2, shape, &shrinkage, err));
    if (n == 0 || shape[0] != d->n_outputs || shape[1] != m->n_topics + m->n_columns)
        return damaged(s, "the arrays of a draw do not fit together", err);
    GB_TRY(gb_alloc(&d->shrinkage, n, sizeof *d->shrinkage, "a posterior draw", err));
    memcpy(d->shrinkage, shrinkage, n * sizeof *d->shrinkage);
    for (uint64_t j = 0; j < n; j++)
        if (!(d->shrinkage[j] >= 0 && d->shrinkage[j] <= 1))
            return damaged(s, "a share of shrinkage is not between 0 and 1", err);
done:
    return st;
}

static gb_status read_prior(gb_model *m, const gb_store *s, size_t i, gb_draw *d, gb_error *err)
{
    gb_status st = GB_OK;
    char name[64];
    for (size_t j = 0; j < d->prior.n_tables; j++) {
        const gb_prior_table *table = &d->prior.table[j];
        const size_t n_axes = table->n_rows == 0 ? 1 : 2;
        uint64_t shape[2] = {0};
        const void *value;
        GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, table->name), GB_F64, n_axes,
                                  shape + 2 - n_axes, &value, err));
        if (shape[0] != table->n_rows || shape[1] != table->n_columns)
            return damaged(s, "the arrays of a draw do not fit together", err);
        memcpy(table->value, value, gb_prior_table_size(table) * sizeof *table->value);
    }
    const char *fault = m->prior.ops->fault(&m->prior, &d->prior);
    if (fault != NULL)
        return damaged(s, fault, err);
done:
    return st;
}

static gb_status read_draw(gb_model *m, const gb_store *s, size_t i, gb_error *err)
{
    gb_status st;
    char name[64];
    uint64_t n_starts, n_topic, n_count, n_own, eta_shape[2];
    const void *start, *topic, *count, *eta, *own;
    gb_draw *d = &m->draw[i];
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "word_start"), GB_U64, 1, &n_starts, &start, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "topic"), GB_U16, 1, &n_topic, &topic, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "count"), GB_U32, 1, &n_count, &count, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "eta"), GB_F64, 2, eta_shape, &eta, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "own_parameters"), GB_F64, 1, &n_own, &own, err));
    if (n_starts != m->n_words + 1 || n_topic != n_count || d->first_output > m->n_outputs ||
        eta_shape[0] > m->n_outputs - d->first_output || n_own != m->n_own ||
        eta_shape[1] != gb_model_n_features(m) || !counts_are_valid(start, m->n_words, n_count, topic, m->n_topics))
        return damaged(s, "the arrays of a draw do not fit together", err);
    d->n_outputs = eta_shape[0];
    if (d->n_outputs < m->n_outputs && (d->n_outputs != 1 || m->n_responses != 1))
        return damaged(s, "a draw has neither all outputs nor one of a single response", err);
    GB_TRY(gb_model_make_draw(m, i, n_count, err));
    memcpy(d->word_start, start, n_starts * sizeof *d->word_start);
    if (n_count > 0) {
        memcpy(d->topic, topic, n_topic * sizeof *d->topic);
        memcpy(d->count, count, n_count * sizeof *d->count);
    }
    GB_TRY(read_prior(m, s, i, d, err));
    if (d->n_outputs > 0)
        memcpy(d->eta, eta, d->n_outputs * gb_model_n_features(m) * sizeof *d->eta);
    if (n_own > 0)
        memcpy(d->own, own, n_own * sizeof *d->own);
    for (size_t r = 0; r < m->n_responses; r++) {
        gb_response response = m->target[r].response;
        response.own = d->own + response.first_own;
        if (gb_response_own_fault(&response) != NULL)
            return damaged(s, "a parameter of a response is out of range", err);
    }
    for (size_t k = 0; k < d->n_outputs * gb_model_n_features(m); k++)
        if (!isfinite(d->eta[k]))
            return damaged(s, "a coefficient is not a number", err);
    GB_TRY(read_shrinkage(m, s, i, d, err));
    gb_draw_count_topics(d, m->n_words, m->n_topics);
done:
    return st;
}

/* Every output has a draw that speaks of it. */
static bool outputs_are_covered(const gb_model *m)
{
    for (size_t l = 0; l < m->n_outputs; l++) {
        bool found = false;
        for (size_t i = 0; i < m->n_draws && !found; i++)
            found = l >= m->draw[i].first_output && l < m->draw[i].first_output + m->draw[i].n_outputs;
        if (!found)
            return false;
    }
    return true;
}

static gb_status read_draws(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_draws = m->n_draws;
    uint64_t n_chain, n_sweep, n_joint, n_first;
    const void *chain, *sweep, *log_joint, *first_output;
    m->n_draws = 0;
    GB_TRY(gb_store_get_array(s, "chain", GB_U64, 1, &n_chain, &chain, err));
    GB_TRY(gb_store_get_array(s, "sweep", GB_U64, 1, &n_sweep, &sweep, err));
    GB_TRY(gb_store_get_array(s, "first_output", GB_U64, 1, &n_first, &first_output, err));
    GB_TRY(gb_store_get_array(s, "log_joint", GB_F64, 1, &n_joint, &log_joint, err));
    if (n_chain != n_draws || n_sweep != n_draws || n_joint != n_draws || n_first != n_draws)
        return damaged(s, "the number of draws differs between arrays", err);
    GB_TRY(gb_model_reserve_draws(m, n_draws, err));
    for (size_t i = 0; i < n_draws; i++) {
        m->draw[i].chain = ((const uint64_t *)chain)[i];
        m->draw[i].sweep = ((const uint64_t *)sweep)[i];
        m->draw[i].log_joint = ((const double *)log_joint)[i];
        m->draw[i].first_output = ((const uint64_t *)first_output)[i];
        GB_TRY(read_draw(m, s, i, err));
    }
    if (!outputs_are_covered(m))
        return damaged(s, "no draw has the coefficients of one of the outputs", err);
done:
    return st;
}

gb_status gb_model_read(const char *path, gb_model **out, gb_error *err)
{
    gb_status st;
    gb_store *s = NULL;
    gb_model *m = NULL;
    json_t *description = NULL;
    const char *settings;
    GB_TRY(gb_store_open(&s, path, "model", err));
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "the model", err));
    GB_TRY(get_json(s, "description", &description, err));
    GB_TRY(read_description(m, s, description, err));
    GB_TRY(get_json(s, "preparation", &m->preparation, err));
    GB_TRY(gb_store_get_text(s, "settings", &settings, err));
    GB_TRY(gb_copy_text(&m->settings, settings, strlen(settings), err));
    GB_TRY(read_vocabulary(m, s, err));
    GB_TRY(read_draws(m, s, err));
    *out = m;
    m = NULL;
done:
    if (m != NULL && m->draw == NULL)
        m->n_draws = 0;
    gb_model_free(m);
    json_decref(description);
    gb_store_close(s);
    return st;
}
