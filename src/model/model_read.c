/* model/model_read.c - a model from its file (docs/format.md).  Nothing in it is trusted. */
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"
#include "model/cross_fitted.h"
#include "model/file_caller.h"
#include "model/model.h"
#include "model/topic_names.h"
#include "model/topic_unions.h"
#include "options/option_table.h"
#include "plan/prior_json.h"
#include "store/json_text.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static gb_status damaged(const gb_store *s, const char *what, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "%s: damaged model file: %s", gb_store_path(s), what);
}

/* @param n_bytes  that descriptions take so far */
static gb_status get_json(const gb_store *s, const char *name, uint64_t *n_bytes, json_t **out, gb_error *err)
{
    const char *text;
    gb_status st = gb_store_get_text(s, name, &text, err);
    if (st != GB_OK)
        return st;
    *n_bytes += gb_json_memory(text, strlen(text));
    st = gb_store_check_memory(s, *n_bytes, GB_DESCRIPTION_SHARE, "its description", err);
    if (st != GB_OK)
        return st;
    st = gb_json_parse(text, strlen(text), 0, out, NULL, err);
    if (st == GB_EFORMAT || (st == GB_OK && !json_is_object(*out)))
        st = damaged(s, "a description is not a JSON object", err);
    return st;
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
    bool differ = true;
    const char **field = NULL;
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
    GB_TRY(gb_alloc(&field, n, sizeof *field, "responses", err));
    for (size_t r = 0; r < n; r++)
        field[r] = m->target[r].field;
    GB_TRY(gb_text_all_differ(n, field, &differ, err));
    if (!differ)
        st = damaged(s, "two responses of one field", err);
done:
    gb_free(field);
    return st;
}

static void read_digits(const json_t *fingerprints, const char *name, char out[static GB_FINGERPRINT_SIZE])
{
    const char *digits = json_string_value(json_object_get(fingerprints, name));
    (void)snprintf(out, GB_FINGERPRINT_SIZE, "%s", digits == NULL ? "" : digits);
}

/* Only ever compared. */
static void read_fingerprints(gb_model *m, const json_t *fingerprints)
{
    read_digits(fingerprints, "words", m->words_digits);
    read_digits(fingerprints, "corpus", m->corpus_digits);
    read_digits(fingerprints, "decisions", m->spec_digits);
}

static gb_status read_weights(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t n, n_means;
    const void *weight, *mean;
    GB_TRY(gb_store_get_array(s, "word_weight", GB_F64, 1, &n, &weight, err));
    GB_TRY(gb_store_get_array(s, "word_column_mean", GB_F64, 1, &n_means, &mean, err));
    if (n == 0 || n != n_means || n > UINT32_MAX)
        return damaged(s, "the weights of words do not fit together", err);
    GB_TRY(gb_store_check_memory(s, 2 * n * sizeof(double), GB_DESCRIPTION_SHARE, "the weights of words", err));
    GB_TRY(placed(s, gb_coding_give_words(m->coding, n, weight, mean, err), err));
done:
    return st;
}

static const json_int_t MOST_DRAWS = 1000000000;

static gb_status read_description(gb_model *m, const gb_store *s, json_t *description, gb_error *err)
{
    gb_status st;
    json_int_t topics, documents, tokens, draws, snapshots;
    const char *prior, *exposure, *seed;
    json_t *responses, *coding;
    int intercept;
    st = gb_json_unpack(description, err, "{s:I, s:s, s:F, s:o, s:o, s:s, s:b, s:s, s:I, s:I, s:I, s:I}", "topics",
                        &topics, "prior", &prior, "beta", &m->beta, "responses", &responses, "covariates", &coding,
                        "exposure", &exposure, "intercept", &intercept, "seed", &seed, "documents", &documents,
                        "tokens", &tokens, "draws", &draws, "snapshots", &snapshots);
    if (st == GB_ENOMEM)
        return st;
    if (st != GB_OK)
        return damaged(s, "an entry of the description is missing or of another type", err);
    if (topics < 1 || topics > 65535 || documents < 1 || tokens < 1 || draws < 1 || draws > MOST_DRAWS ||
        snapshots < 1 || snapshots > draws || !gb_option_takes("beta", m->beta) || !json_is_array(responses))
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
        if (gb_coding_has_words(m->coding))
            GB_TRY(read_weights(m, s, err));
        m->n_columns = gb_coding_n_columns(m->coding);
    }
    m->n_kept = (size_t)draws;
    m->n_draws = (size_t)snapshots;
    m->acceptance = json_incref(json_object_get(description, "acceptance"));
    if (m->acceptance != NULL && !json_is_object(m->acceptance))
        return damaged(s, "the acceptance of proposals is no object", err);
    read_fingerprints(m, json_object_get(description, "fingerprints"));
    m->burn_in = json_incref(json_object_get(description, "burn_in"));
    if (m->burn_in != NULL && !json_is_object(m->burn_in))
        return damaged(s, "the burn-in of chains is no object", err);
    m->topic_names = json_incref(json_object_get(description, "topic_names"));
    if (m->topic_names != NULL && !gb_topic_names_are_sound(m->topic_names, m->n_topics))
        return damaged(s, "the names of topics are not a text for each topic", err);
    json_t *unions = json_object_get(description, "topic_unions");
    if (unions != NULL && !gb_topic_unions_are_sound(unions, m->n_topics))
        return damaged(s, "the unions of topics are not the first of its union for each topic", err);
    GB_TRY(gb_model_set_unions(m, unions, err));
    GB_TRY(placed(s, gb_model_set_seeds(m, json_object_get(description, "seeds"), err), err));
    GB_TRY(gb_copy_text(&m->exposure, exposure, strlen(exposure), err));
done:
    return st;
}

static gb_status read_settings(gb_model *m, const gb_store *s, uint64_t *n_bytes, gb_error *err)
{
    gb_status st;
    const char *text;
    json_t *settings = NULL;
    GB_TRY(get_json(s, "settings", n_bytes, &settings, err));
    gb_model_heed_settings(m, settings);
    GB_TRY(gb_store_get_text(s, "settings", &text, err));
    GB_TRY(gb_copy_text(&m->settings, text, strlen(text), err));
done:
    json_decref(settings);
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
    if (gb_model_n_word_columns(m) > 0 && gb_model_n_word_columns(m) != m->n_words)
        return damaged(s, "the weights of words are not as many as the words", err);
    GB_TRY(gb_model_index_words(m, err));
    bool differ = true;
    GB_TRY(gb_text_all_differ(m->n_words, (const char *const *)m->word, &differ, err));
    if (!differ)
        st = damaged(s, "a word is in the vocabulary twice", err);
done:
    return st;
}

/* ---- draws ---- */

static gb_status read_kept(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t n_chain, n_sweep, n_first, n_snapshot;
    const void *chain, *sweep, *first_output, *snapshot;
    GB_TRY(gb_store_get_array(s, "chain", GB_U64, 1, &n_chain, &chain, err));
    GB_TRY(gb_store_get_array(s, "sweep", GB_U64, 1, &n_sweep, &sweep, err));
    GB_TRY(gb_store_get_array(s, "first_output", GB_U64, 1, &n_first, &first_output, err));
    GB_TRY(gb_store_get_array(s, "snapshot", GB_U64, 1, &n_snapshot, &snapshot, err));
    if (n_chain != m->n_kept || n_sweep != m->n_kept || n_first != m->n_kept || n_snapshot != m->n_draws)
        return damaged(s, "the number of draws differs between arrays", err);
    GB_TRY(gb_store_check_memory(s, gb_model_draw_bytes(m, m->n_kept, m->n_draws), GB_DRAWS_SHARE, "its draws", err));
    GB_TRY(gb_model_reserve_draws(m, m->n_kept, m->n_draws, err));
    for (size_t i = 0; i < m->n_kept; i++) {
        m->kept[i] = (gb_kept){.chain = ((const uint64_t *)chain)[i],
                               .sweep = ((const uint64_t *)sweep)[i],
                               .first_output = ((const uint64_t *)first_output)[i]};
        if (m->kept[i].first_output > m->n_outputs || m->n_draw_outputs > m->n_outputs - m->kept[i].first_output)
            return damaged(s, "a draw has outputs that the model has not", err);
        if (i > 0 && m->kept[i].chain < m->kept[i - 1].chain)
            return damaged(s, "its draws are not chain after chain", err);
    }
done:
    return st;
}

/* Draws of all outputs, or of one. */
static gb_status read_sizes(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st = GB_OK;
    uint64_t shape[3] = {0};
    const void *eta;
    if (m->n_outputs > 0)
        GB_TRY(gb_store_get_array(s, "eta", GB_F64, 3, shape, &eta, err));
    m->n_draw_outputs = shape[1];
    if (m->n_draw_outputs != m->n_outputs && (m->n_draw_outputs != 1 || m->n_responses != 1))
        return damaged(s, "a draw has neither all outputs nor one of a single response", err);
    const gb_layout layout = gb_model_layout(m);
    const gb_parameter_sizes sizes = {.n_outputs = m->n_draw_outputs,
                                      .n_topics = m->n_topics,
                                      .n_columns = gb_model_n_drawn_columns(m),
                                      .has_words = m->n_outputs > 0 && gb_model_n_word_columns(m) > 0,
                                      .n_own = m->n_own,
                                      .intercept = m->intercept,
                                      .shrinks = gb_store_has_array(s, "shrinkage"),
                                      .n_blocks = gb_layout_n_compared(&layout),
                                      .n_losses = m->n_responses,
                                      .n_sampled = gb_sample_size(m->n_training_docs, m->n_draw_outputs)};
    m->parameters = gb_parameters_make(&sizes, &m->prior);
done:
    return st;
}

static gb_status read_parameter(const gb_model *m, const gb_store *s, size_t j, gb_parameter *p, gb_error *err)
{
    const size_t n_axes = j == GB_LOG_JOINT ? 1 : p->n_rows > 0 ? 3 : 2;
    uint64_t shape[3] = {0};
    const void *value;
    gb_status st = gb_store_get_array(s, p->name, GB_F64, n_axes, shape, &value, err);
    if (st != GB_OK)
        return st;
    if (shape[0] != m->n_kept || (n_axes == 2 && shape[1] != p->n_columns) ||
        (n_axes == 3 && (shape[1] != p->n_rows || shape[2] != p->n_columns)))
        return damaged(s, "the arrays of the draws do not fit together", err);
    p->stacked = value;
    return GB_OK;
}

static gb_status fail_stopped(const gb_store *s, gb_error *err)
{
    return gb_fail(err, GB_ESTOP, "%s: stopped before it was read", gb_store_path(s));
}

static gb_status read_parameters(gb_model *m, const gb_store *s, gb_watch *watch, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t j = 0; j < m->parameters.n; j++)
        if (m->parameters.of[j].size > 0)
            GB_TRY(read_parameter(m, s, j, &m->parameters.of[j], err));
    for (size_t i = 0; i < m->n_kept; i++) {
        const double *value[GB_MAX_PARAMETERS];
        if (!gb_watch_look(watch, 0))
            return fail_stopped(s, err);
        for (size_t j = 0; j < m->parameters.n; j++)
            value[j] =
                m->parameters.of[j].size == 0 ? NULL : m->parameters.of[j].stacked + i * m->parameters.of[j].size;
        gb_error fault = {0};
        st = gb_model_check_kept(m, value, &fault);
        if (st != GB_OK)
            return st == GB_EFORMAT ? damaged(s, fault.message, err) : gb_fail(err, st, "%s", fault.message);
    }
done:
    return st;
}

static const uint64_t MOST_SWEEPS = UINT32_MAX, MOST_CHAINS = 1000000000;

static gb_status read_trace_late(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t n;
    const void *late;
    if (!gb_store_has_array(s, "trace_late"))
        return GB_OK;
    GB_TRY(gb_store_get_array(s, "trace_late", GB_U64, 1, &n, &late, err));
    if (n != m->n_traces)
        return damaged(s, "the traces of the chains do not fit together", err);
    GB_TRY(gb_alloc(&m->trace_late, n, sizeof *m->trace_late, "the traces", err));
    gb_copy_bytes(m->trace_late, late, n * sizeof *m->trace_late);
done:
    return st;
}

static gb_status read_traces(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t n_chains, shape[2];
    const void *sweeps, *trace;
    if (!gb_store_has_array(s, "trace"))
        return GB_OK;
    GB_TRY(gb_store_get_array(s, "trace_sweeps", GB_U64, 1, &n_chains, &sweeps, err));
    GB_TRY(gb_store_get_array(s, "trace", GB_F64, 2, shape, &trace, err));
    if (n_chains > MOST_CHAINS)
        return damaged(s, "there are no so many chains", err);
    GB_TRY(gb_alloc(&m->trace_sweeps, n_chains, sizeof *m->trace_sweeps, "the traces", err));
    gb_copy_bytes(m->trace_sweeps, sweeps, n_chains * sizeof *m->trace_sweeps);
    for (uint64_t i = 0; i < n_chains; i++)
        if (m->trace_sweeps[i] > MOST_SWEEPS)
            return damaged(s, "there are no so many sweeps", err);
    m->n_traces = n_chains;
    GB_TRY(read_trace_late(m, s, err));
    if (shape[0] != gb_model_n_trace_rows(m) || shape[1] != 1 + m->parameters.of[GB_LOSS].size)
        return damaged(s, "the traces of the chains do not fit together", err);
    GB_TRY(gb_alloc(&m->trace, shape[0] * shape[1], sizeof *m->trace, "the traces", err));
    gb_copy_bytes(m->trace, trace, shape[0] * shape[1] * sizeof *m->trace);
done:
    return st;
}

/* What came of reading a part that does not know the file. */
static gb_status part_read(const gb_store *s, gb_status st, const gb_error *fault, gb_error *err)
{
    return st == GB_EFORMAT ? damaged(s, fault->message, err)
           : st == GB_OK    ? st
                            : gb_fail(err, st, "%s", fault->message);
}

static gb_status read_cross_fitted(gb_model *m, const gb_store *s, const json_t *description, gb_error *err)
{
    const json_t *of_folds = json_object_get(description, "cross_fit");
    gb_error fault = {0};
    if (of_folds == NULL)
        return GB_OK;
    const gb_status st = gb_cross_fitted_read(m, of_folds, s, &m->cross_fitted, &fault);
    return part_read(s, st, &fault, err);
}

/* The coefficients of words over all draws. */
static gb_status read_words(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_error fault = {0};
    if (m->parameters.of[GB_WORD_AVERAGE].size == 0)
        return GB_OK;
    const gb_status st = gb_word_effects_read(s, m->n_outputs, (size_t)gb_model_n_word_columns(m),
                                              m->parameters.of[GB_SHRINKAGE].size > 0, &m->words, &fault);
    return part_read(s, st, &fault, err);
}

static bool units_are_finite(const gb_model *m)
{
    bool all = true;
    for (size_t i = 0; i < m->n_draws * m->n_draw_outputs && all; i++)
        all = isfinite(m->word_draws.unit[i]);
    return all;
}

/* The coefficients of words in all snapshots. */
static gb_status read_word_draws(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t shape[3], units[2];
    const void *code, *unit;
    if (m->words.n_draws == NULL)
        return GB_OK;
    GB_TRY(gb_store_get_array(s, "snapshot_word", GB_U8, 3, shape, &code, err));
    GB_TRY(gb_store_get_array(s, "snapshot_word_unit", GB_F32, 2, units, &unit, err));
    m->word_draws = (gb_word_draws){.code = code, .unit = unit};
    if (shape[0] != m->n_draws || shape[1] != m->n_draw_outputs || shape[2] != gb_model_n_word_columns(m) ||
        units[0] != m->n_draws || units[1] != m->n_draw_outputs || !units_are_finite(m))
        return damaged(s, "the arrays of the snapshots do not fit together", err);
done:
    return st;
}

/* Shares of topics are shares of the tokens of the documents; seed words are none of those. */
static bool has_tokens_of_documents(const gb_model *m, const gb_draw *draw)
{
    double n = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        n += gb_model_topic_tokens(m, draw, k);
    return n <= (double)m->n_training_tokens;
}

static gb_status read_snapshots(gb_model *m, const gb_store *s, gb_watch *watch, gb_error *err)
{
    gb_status st;
    uint64_t n_draws, n_start, n_topic, n_count, shape[2];
    const void *draw, *starts, *word_start, *topic, *count;
    GB_TRY(gb_store_get_array(s, "snapshot", GB_U64, 1, &n_draws, &draw, err));
    GB_TRY(gb_store_get_array(s, "snapshot_start", GB_U64, 1, &n_start, &starts, err));
    GB_TRY(gb_store_get_array(s, "snapshot_word_start", GB_U64, 2, shape, &word_start, err));
    GB_TRY(gb_store_get_array(s, "snapshot_topic", GB_U16, 1, &n_topic, &topic, err));
    GB_TRY(gb_store_get_array(s, "snapshot_count", GB_U32, 1, &n_count, &count, err));
    GB_TRY(read_word_draws(m, s, err));
    if (n_start != m->n_draws + 1 || shape[0] != m->n_draws || shape[1] != m->n_words + 1 || n_count != n_topic ||
        ((const uint64_t *)starts)[m->n_draws] != n_topic)
        return damaged(s, "the arrays of the snapshots do not fit together", err);
    for (size_t i = 0; i < m->n_draws; i++) {
        if (!gb_watch_look(watch, 0))
            return fail_stopped(s, err);
        const uint64_t *start = (const uint64_t *)starts + i, *at = (const uint64_t *)draw + i;
        if (start[1] < start[0] || start[1] > n_topic || at[0] >= m->n_kept || (i > 0 && at[0] <= at[-1]) ||
            !gb_model_set_snapshot(m, i, at[0], (const uint64_t *)word_start + i * shape[1], start[1] - start[0],
                                   (const uint16_t *)topic + start[0], (const uint32_t *)count + start[0]))
            return damaged(s, "the arrays of the snapshots do not fit together", err);
        if (!has_tokens_of_documents(m, &m->draw[i]))
            return damaged(s, "a snapshot has more tokens than the documents", err);
    }
    if (m->word_draws.code != NULL)
        gb_model_point_words(m);
    if (!gb_model_is_covered(m))
        return damaged(s, "no draw has the coefficients of one of the outputs", err);
done:
    return st;
}

/* All of it, from the open store of the model. */
static gb_status read_model(gb_model *m, gb_watch *watch, gb_error *err)
{
    gb_status st;
    json_t *description = NULL;
    uint64_t n_bytes = 0;
    const gb_store *s = m->store;
    GB_TRY(get_json(s, "description", &n_bytes, &description, err));
    GB_TRY(read_description(m, s, description, err));
    GB_TRY(get_json(s, "preparation", &n_bytes, &m->preparation, err));
    GB_TRY(read_settings(m, s, &n_bytes, err));
    GB_TRY(read_vocabulary(m, s, err));
    GB_TRY(read_sizes(m, s, err));
    GB_TRY(read_kept(m, s, err));
    GB_TRY(read_parameters(m, s, watch, err));
    GB_TRY(read_words(m, s, err));
    GB_TRY(read_traces(m, s, err));
    GB_TRY(read_cross_fitted(m, s, description, err));
    GB_TRY(read_snapshots(m, s, watch, err));
    GB_TRY(gb_watch_ask(watch) ? GB_OK : fail_stopped(s, err));
done:
    json_decref(description);
    return st;
}

gb_status gb_model_read(const char *path, gb_on_file *on_file, void *user, gb_model **out, gb_error *err)
{
    gb_status st;
    gb_watch watch;
    gb_file_caller caller = {.on_file = on_file, .user = user};
    gb_model *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "the model", err));
    gb_file_caller_watch(&watch, &caller);
    GB_TRY(gb_store_open_watched(&m->store, path, "model", &watch, err));
    GB_TRY(read_model(m, &watch, err));
    *out = m;
    m = NULL;
done:
    gb_model_free(m);
    return st;
}

gb_status gb_model_from_bytes(const void *bytes, size_t n_bytes, gb_model **out, gb_error *err)
{
    gb_status st;
    gb_watch watch;
    gb_file_caller nobody = {.on_file = NULL};
    gb_model *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "the model", err));
    gb_file_caller_watch(&watch, &nobody);
    GB_TRY(gb_store_open_bytes(&m->store, bytes, n_bytes, "model", err));
    GB_TRY(read_model(m, &watch, err));
    *out = m;
    m = NULL;
done:
    gb_model_free(m);
    return st;
}
