/* model/model_file.c - a model to and from its file (docs/format.md). */
#include "base/memory.h"
#include "corpus/texts.h"
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
    json_t *classes = json_array();
    for (size_t i = 0; i < m->n_classes; i++)
        if (json_array_append_new(classes, json_string(m->class_name[i])) != 0)
            goto failed;
    json_t *description = json_pack(
        "{s:I, s:s, s:f, s:s, s:s, s:o, s:s, s:f, s:f, s:b, s:s, s:I, s:I, s:I}", "topics", (json_int_t)m->n_topics,
        "prior", m->prior->name, "beta", m->beta, "task", gb_task_name(m->task), "label", m->label_field, "classes",
        classes, "response", gb_model_response(m), "cost", m->response.cost, "margin", m->response.margin,
        "intercept", m->intercept, "seed", "", "documents", (json_int_t)m->n_training_docs, "tokens",
        (json_int_t)m->n_training_tokens, "draws", (json_int_t)m->n_draws);
    if (description != NULL &&
        json_object_set_new(description, "seed", json_sprintf("%" PRIu64, m->seed)) != 0) { /* 64 bits as text */
        json_decref(description);
        return NULL;
    }
    return description;
failed:
    json_decref(classes);
    return NULL;
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
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "alpha"), GB_F64, 1, &(uint64_t){m->n_topics}, d->alpha,
                          err));
    GB_TRY(gb_store_array(w, array_name(name, sizeof name, i, "eta"), GB_F64, 2,
                          (uint64_t[]){m->n_outputs, gb_model_n_features(m)}, d->eta, err));
done:
    return st;
}

gb_status gb_model_write(const gb_model *m, const char *path, bool force, gb_error *err)
{
    gb_status st;
    gb_store_writer *w = NULL;
    json_t *description = describe(m);
    uint64_t *chain = NULL, *sweep = NULL;
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
    for (size_t i = 0; i < m->n_draws; i++) {
        chain[i] = m->draw[i].chain;
        sweep[i] = m->draw[i].sweep;
        log_joint[i] = m->draw[i].log_joint;
    }
    const uint64_t n_draws = m->n_draws;
    GB_TRY(gb_store_array(w, "chain", GB_U64, 1, &n_draws, chain, err));
    GB_TRY(gb_store_array(w, "sweep", GB_U64, 1, &n_draws, sweep, err));
    GB_TRY(gb_store_array(w, "log_joint", GB_F64, 1, &n_draws, log_joint, err));
    for (size_t i = 0; i < m->n_draws; i++)
        GB_TRY(put_draw(w, m, i, err));
    GB_TRY(gb_store_save(w, path, force, err));
done:
    gb_store_writer_free(w);
    json_decref(description);
    gb_free(chain);
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

static gb_status read_classes(gb_model *m, const gb_store *s, const json_t *classes, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(gb_alloc(&m->class_name, json_array_size(classes), sizeof *m->class_name, "the classes", err));
    m->n_classes = json_array_size(classes);
    for (size_t i = 0; i < m->n_classes; i++) {
        const char *name = json_string_value(json_array_get(classes, i));
        if (name == NULL || gb_text_fault(name, strlen(name)) != NULL)
            return damaged(s, "a class has no name", err);
        GB_TRY(gb_copy_text(&m->class_name[i], name, strlen(name), err));
    }
done:
    return st;
}

static gb_status read_description(gb_model *m, const gb_store *s, json_t *description, gb_error *err)
{
    gb_status st;
    json_int_t topics, documents, tokens, draws;
    const char *prior, *task, *label, *response, *seed;
    json_t *classes;
    int intercept;
    if (json_unpack(description, "{s:I, s:s, s:F, s:s, s:s, s:o, s:s, s:F, s:F, s:b, s:s, s:I, s:I, s:I}", "topics",
                    &topics, "prior", &prior, "beta", &m->beta, "task", &task, "label", &label, "classes", &classes,
                    "response", &response, "cost", &m->response.cost, "margin", &m->response.margin, "intercept",
                    &intercept, "seed", &seed, "documents", &documents, "tokens", &tokens, "draws", &draws) != 0)
        return damaged(s, "an entry of the description is missing or of another type", err);
    if (topics < 1 || topics > 65535 || documents < 0 || tokens < 0 || draws < 1 || draws > 10000000 ||
        !(m->beta > 0) || !isfinite(m->beta) || !json_is_array(classes))
        return damaged(s, "a number of the description is out of range", err);
    m->n_topics = (size_t)topics;
    m->n_training_docs = (uint64_t)documents;
    m->n_training_tokens = (uint64_t)tokens;
    m->intercept = intercept != 0;
    m->seed = strtoull(seed, NULL, 10);
    m->prior = gb_prior_find(prior);
    m->response.ops = gb_response_find(response);
    if (m->prior == NULL || !gb_task_find(task, &m->task))
        return damaged(s, "an unknown document prior or task", err);
    if ((m->task == GB_TASK_NONE) != (strcmp(response, "none") == 0) ||
        (m->task != GB_TASK_NONE && m->response.ops == NULL))
        return damaged(s, "an unknown response, or one that does not suit the task", err);
    GB_TRY(read_classes(m, s, classes, err));
    if (m->task == GB_TASK_BINARY ? m->n_classes != 2 : (m->task == GB_TASK_NONE) != (m->n_classes == 0))
        return damaged(s, "the classes do not suit the task", err);
    m->n_outputs = m->task == GB_TASK_BINARY ? 1 : m->n_classes;
    m->response.n_outputs = m->n_outputs;
    m->n_draws = (size_t)draws;
    GB_TRY(gb_copy_text(&m->label_field, label, strlen(label), err));
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

static gb_status read_draw(gb_model *m, const gb_store *s, size_t i, gb_error *err)
{
    gb_status st;
    char name[64];
    uint64_t n_starts, n_topic, n_count, n_alpha, eta_shape[2];
    const void *start, *topic, *count, *alpha, *eta;
    gb_draw *d;
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "word_start"), GB_U64, 1, &n_starts, &start, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "topic"), GB_U16, 1, &n_topic, &topic, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "count"), GB_U32, 1, &n_count, &count, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "alpha"), GB_F64, 1, &n_alpha, &alpha, err));
    GB_TRY(gb_store_get_array(s, array_name(name, sizeof name, i, "eta"), GB_F64, 2, eta_shape, &eta, err));
    if (n_starts != m->n_words + 1 || n_topic != n_count || n_alpha != m->n_topics || eta_shape[0] != m->n_outputs ||
        eta_shape[1] != gb_model_n_features(m) || !counts_are_valid(start, m->n_words, n_count, topic, m->n_topics))
        return damaged(s, "the arrays of a draw do not fit together", err);
    GB_TRY(gb_model_add_draw(m, n_count, &d, err));
    memcpy(d->word_start, start, n_starts * sizeof *d->word_start);
    if (n_count > 0) {
        memcpy(d->topic, topic, n_topic * sizeof *d->topic);
        memcpy(d->count, count, n_count * sizeof *d->count);
    }
    memcpy(d->alpha, alpha, n_alpha * sizeof *d->alpha);
    if (m->n_outputs > 0)
        memcpy(d->eta, eta, m->n_outputs * gb_model_n_features(m) * sizeof *d->eta);
    for (size_t k = 0; k < m->n_topics; k++)
        if (!(d->alpha[k] > 0) || !isfinite(d->alpha[k]))
            return damaged(s, "an alpha is not a positive number", err);
    for (size_t k = 0; k < m->n_outputs * gb_model_n_features(m); k++)
        if (!isfinite(d->eta[k]))
            return damaged(s, "a coefficient is not a number", err);
    gb_draw_count_topics(d, m->n_words, m->n_topics);
done:
    return st;
}

static gb_status read_draws(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_draws = m->n_draws;
    uint64_t n_chain, n_sweep, n_joint;
    const void *chain, *sweep, *log_joint;
    m->n_draws = 0;
    GB_TRY(gb_store_get_array(s, "chain", GB_U64, 1, &n_chain, &chain, err));
    GB_TRY(gb_store_get_array(s, "sweep", GB_U64, 1, &n_sweep, &sweep, err));
    GB_TRY(gb_store_get_array(s, "log_joint", GB_F64, 1, &n_joint, &log_joint, err));
    if (n_chain != n_draws || n_sweep != n_draws || n_joint != n_draws)
        return damaged(s, "the number of draws differs between arrays", err);
    for (size_t i = 0; i < n_draws; i++) {
        GB_TRY(read_draw(m, s, i, err));
        m->draw[i].chain = ((const uint64_t *)chain)[i];
        m->draw[i].sweep = ((const uint64_t *)sweep)[i];
        m->draw[i].log_joint = ((const double *)log_joint)[i];
    }
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
