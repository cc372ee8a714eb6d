/* model/model_write.c - a model to its file (docs/format.md). */
#include "base/memory.h"
#include "model/cross_fitted.h"
#include "model/draw_file.h"
#include "model/file_caller.h"
#include "model/model.h"
#include "plan/prior_json.h"
#include "store/json_text.h"
#include "store/store.h"

#include <inttypes.h>
#include <string.h>

static json_t *describe(const gb_model *m)
{
    json_t *responses = json_array(), *coding = m->coding == NULL ? json_null() : gb_coding_describe(m->coding);
    bool failed = responses == NULL || coding == NULL;
    for (size_t r = 0; r < m->n_responses && !failed; r++)
        failed = json_array_append_new(responses, gb_target_to_json(&m->target[r])) != 0;
    if (failed) {
        json_decref(responses);
        json_decref(coding);
        return NULL;
    }
    json_t *description = json_pack(
        "{s:I, s:s, s:f, s:o, s:o, s:s, s:b, s:s, s:I, s:I, s:I, s:I}", "topics", (json_int_t)m->n_topics, "prior",
        m->prior.ops->name, "beta", m->beta, "responses", responses, "covariates", coding, "exposure", m->exposure,
        "intercept", m->intercept, "seed", "", "documents", (json_int_t)m->n_training_docs, "tokens",
        (json_int_t)m->n_training_tokens, "draws", (json_int_t)m->n_kept, "snapshots", (json_int_t)m->n_draws);
    if (description != NULL &&
        json_object_set_new(description, "seed", json_sprintf("%" PRIu64, m->seed)) != 0) { /* 64 bits as text */
        json_decref(description);
        return NULL;
    }
    if (description != NULL && json_object_set_new(description, "fingerprints",
                                                   json_pack("{s:s, s:s, s:s}", "words", m->words_digits, "corpus",
                                                             m->corpus_digits, "decisions", m->spec_digits)) != 0) {
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
    if (description != NULL &&
        ((m->acceptance != NULL && json_object_set(description, "acceptance", m->acceptance) != 0) ||
         (m->burn_in != NULL && json_object_set(description, "burn_in", m->burn_in) != 0) ||
         (m->topic_names != NULL && json_object_set(description, "topic_names", m->topic_names) != 0) ||
         (m->topic_unions != NULL && json_object_set(description, "topic_unions", m->topic_unions) != 0))) {
        json_decref(description);
        return NULL;
    }
    if (description != NULL && m->seeds != NULL && json_object_set(description, "seeds", m->seeds) != 0) {
        json_decref(description);
        return NULL;
    }
    if (description != NULL && m->cross_fitted != NULL &&
        json_object_set_new(description, "cross_fit", gb_cross_fitted_to_json(m->cross_fitted)) != 0) {
        json_decref(description);
        return NULL;
    }
    return description;
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

/* Pages of a file of draws that are read before they are given back. */
static const size_t MOST_PAGES = (size_t)16 << 20, PAGES_AT_A_TIME = (size_t)64 << 10;

/* Draws are read where they are, from a file that may be much larger than memory. */
static void read_pages(const gb_model *m, size_t n_bytes, size_t *n_read)
{
    *n_read += n_bytes + PAGES_AT_A_TIME;
    if (m->draw_file == NULL || *n_read < MOST_PAGES)
        return;
    gb_draw_file_forget_pages(m->draw_file);
    *n_read = 0;
}

/* One array of the draws. */
typedef struct source {
    const gb_model *model;
    const gb_parameter *parameter;
    size_t n_read;
} source;

static const void *parameter_of_draw(void *context, uint64_t i, size_t *n_bytes)
{
    source *s = context;
    const gb_parameter *p = s->parameter;
    *n_bytes = p->size * sizeof(double);
    read_pages(s->model, *n_bytes, &s->n_read);
    return s->model->kept[i].row != NULL ? s->model->kept[i].row + p->offset : p->stacked + i * p->size;
}

static const void *word_start_of_snapshot(void *context, uint64_t i, size_t *n_bytes)
{
    source *s = context;
    *n_bytes = (s->model->n_words + 1) * sizeof(uint64_t);
    read_pages(s->model, *n_bytes, &s->n_read);
    return s->model->draw[i].word_start;
}

static uint64_t n_entries(const gb_model *m, size_t i)
{
    return m->draw[i].word_start[m->n_words];
}

static const void *topic_of_snapshot(void *context, uint64_t i, size_t *n_bytes)
{
    source *s = context;
    *n_bytes = n_entries(s->model, i) * sizeof(uint16_t);
    read_pages(s->model, *n_bytes, &s->n_read);
    return s->model->draw[i].topic;
}

static const void *count_of_snapshot(void *context, uint64_t i, size_t *n_bytes)
{
    source *s = context;
    *n_bytes = n_entries(s->model, i) * sizeof(uint32_t);
    read_pages(s->model, *n_bytes, &s->n_read);
    return s->model->draw[i].count;
}

static gb_status put_kept(gb_store_writer *w, const gb_model *m, uint64_t *memory, gb_error *err)
{
    gb_status st;
    const uint64_t n = m->n_kept;
    for (size_t i = 0; i < n; i++) {
        memory[i] = m->kept[i].chain;
        memory[n + i] = m->kept[i].sweep;
        memory[2 * n + i] = m->kept[i].first_output;
    }
    GB_TRY(gb_store_array(w, "chain", GB_U64, 1, &n, memory, err));
    GB_TRY(gb_store_array(w, "sweep", GB_U64, 1, &n, memory + n, err));
    GB_TRY(gb_store_array(w, "first_output", GB_U64, 1, &n, memory + 2 * n, err));
done:
    return st;
}

/* Empty parameters are left out. */
static gb_status put_parameters(gb_store_writer *w, const gb_model *m, source *from, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t j = 0; j < m->parameters.n && st == GB_OK; j++) {
        const gb_parameter *p = &m->parameters.of[j];
        const bool is_matrix = p->n_rows > 0, is_number = j == GB_LOG_JOINT;
        const uint64_t shape[3] = {m->n_kept, is_matrix ? p->n_rows : p->n_columns, p->n_columns};
        from[j] = (source){.model = m, .parameter = p};
        if (p->size > 0)
            st = gb_store_pieces(w, p->name, GB_F64,
                                 is_number   ? 1
                                 : is_matrix ? 3
                                             : 2,
                                 shape, m->n_kept, parameter_of_draw, &from[j], err);
    }
    return st;
}

static gb_status put_traces(gb_store_writer *w, const gb_model *m, gb_error *err)
{
    gb_status st;
    const uint64_t n_chains = m->n_traces, shape[2] = {gb_model_n_trace_rows(m), 1 + m->parameters.of[GB_LOSS].size};
    if (shape[0] == 0)
        return GB_OK;
    GB_TRY(gb_store_array(w, "trace_sweeps", GB_U64, 1, &n_chains, m->trace_sweeps, err));
    if (m->trace_late != NULL)
        GB_TRY(gb_store_array(w, "trace_late", GB_U64, 1, &n_chains, m->trace_late, err));
    GB_TRY(gb_store_array(w, "trace", GB_F64, 2, shape, m->trace, err));
done:
    return st;
}

/* @param memory  2 n_draws + 1 numbers */
static gb_status put_snapshots(gb_store_writer *w, const gb_model *m, source *from, uint64_t *memory, gb_error *err)
{
    gb_status st;
    const uint64_t n = m->n_draws, starts = n + 1;
    uint64_t *start = memory + n;
    for (size_t i = 0; i < n; i++) {
        memory[i] = m->kept_at[i];
        start[i + 1] = start[i] + n_entries(m, i);
    }
    *from = (source){.model = m};
    GB_TRY(gb_store_array(w, "snapshot", GB_U64, 1, &n, memory, err));
    GB_TRY(gb_store_array(w, "snapshot_start", GB_U64, 1, &starts, start, err));
    GB_TRY(gb_store_pieces(w, "snapshot_word_start", GB_U64, 2, (uint64_t[]){n, m->n_words + 1}, n,
                           word_start_of_snapshot, from, err));
    if (m->word_draws.code != NULL) {
        const uint64_t shape[3] = {n, m->n_draw_outputs, gb_model_n_word_columns(m)};
        GB_TRY(gb_store_array(w, "snapshot_word", GB_U8, 3, shape, m->word_draws.code, err));
        GB_TRY(gb_store_array(w, "snapshot_word_unit", GB_F32, 2, shape, m->word_draws.unit, err));
    }
    GB_TRY(gb_store_pieces(w, "snapshot_topic", GB_U16, 1, &start[n], n, topic_of_snapshot, from, err));
    GB_TRY(gb_store_pieces(w, "snapshot_count", GB_U32, 1, &start[n], n, count_of_snapshot, from, err));
done:
    return st;
}

/* Of words with coefficients. */
static gb_status put_weights(gb_store_writer *w, const gb_model *m, gb_error *err)
{
    gb_status st;
    const gb_word_coding *words = m->coding == NULL ? NULL : gb_coding_words(m->coding);
    if (words == NULL || words->n == 0)
        return GB_OK;
    GB_TRY(gb_store_array(w, "word_weight", GB_F64, 1, &(uint64_t){words->n}, words->weight, err));
    GB_TRY(gb_store_array(w, "word_column_mean", GB_F64, 1, &(uint64_t){words->n}, words->mean, err));
done:
    return st;
}

/* All but the draws. */
static gb_status put_description(gb_store_writer *w, const gb_model *m, gb_error *err)
{
    gb_status st;
    uint64_t n_bytes = 0;
    json_t *description = describe(m);
    GB_TRY(put_json(w, "description", description, &n_bytes, err));
    GB_TRY(put_json_text(w, "settings", m->settings, &n_bytes, err));
    GB_TRY(put_json(w, "preparation", m->preparation, &n_bytes, err));
    GB_TRY(gb_store_array(w, "word_start", GB_U64, 1, &(uint64_t){m->n_words + 1}, m->word_start, err));
    GB_TRY(gb_store_array(w, "word_bytes", GB_U8, 1, &m->word_start[m->n_words], m->word_bytes, err));
    GB_TRY(put_weights(w, m, err));
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

/* What a file is made of, as long as it is being written. */
typedef struct writing {
    gb_store_writer *writer;
    uint64_t *memory;
    source from[GB_MAX_PARAMETERS + 1];
} writing;

static void writing_clear(writing *w)
{
    gb_store_writer_free(w->writer);
    gb_free(w->memory);
}

/* @param name  of the file, for messages */
static gb_status put_model(writing *w, const gb_model *m, const char *name, gb_error *err)
{
    gb_status st;
    if (m->n_kept == 0 || m->n_draws == 0)
        return gb_fail(err, GB_EARGUMENT, "%s: a model without draws cannot be written", name);
    GB_TRY(gb_store_create(&w->writer, "model", err));
    GB_TRY(put_description(w->writer, m, err));
    GB_TRY(gb_alloc(&w->memory, 3 * m->n_kept + 2 * m->n_draws + 1, sizeof *w->memory, "the model file", err));
    gb_store_make_room(w->writer, gb_model_draw_bytes(m, m->n_kept, m->n_draws), GB_DRAWS_SHARE);
    GB_TRY(put_kept(w->writer, m, w->memory, err));
    GB_TRY(put_parameters(w->writer, m, w->from, err));
    GB_TRY(put_traces(w->writer, m, err));
    if (m->words.n_draws != NULL)
        GB_TRY(gb_word_effects_write(&m->words, w->writer, err));
    if (m->cross_fitted != NULL)
        GB_TRY(gb_cross_fitted_write(m->cross_fitted, w->writer, err));
    GB_TRY(put_snapshots(w->writer, m, &w->from[GB_MAX_PARAMETERS], w->memory + 3 * m->n_kept, err));
done:
    return st;
}

gb_status gb_model_to_bytes(const gb_model *m, void **bytes, size_t *n_bytes, gb_error *err)
{
    writing w = {0};
    gb_status st = put_model(&w, m, "the bytes", err);
    if (st == GB_OK)
        st = gb_store_to_bytes(w.writer, bytes, n_bytes, err);
    writing_clear(&w);
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
    writing w = {0};
    gb_status st = put_model(&w, m, path, err);
    if (st == GB_OK) {
        gb_file_caller_watch(&watch, &caller);
        st = gb_store_save_with(w.writer, path, force, draws, &watch, err);
    }
    writing_clear(&w);
    return st;
}
