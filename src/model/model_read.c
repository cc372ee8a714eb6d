/* model/model_read.c - a model from its file (docs/format.md).  Nothing in it is trusted. */
#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"
#include "model/agreement.h"
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
        snapshots < 1 || snapshots > draws || !gb_beta_is_possible(m->beta) || !json_is_array(responses))
        return damaged(s, "a number of the description is out of range", err);
    m->n_topics = (size_t)topics;
    m->n_training_docs = (uint64_t)documents;
    m->n_training_tokens = (uint64_t)tokens;
    m->intercept = intercept != 0;
    m->samples_beta = json_is_true(json_object_get(description, "beta_is_sampled"));
    m->has_common_start = json_is_true(json_object_get(description, "has_common_start"));
    m->seed = strtoull(seed, NULL, 10);
    const gb_prior_ops *prior_ops = gb_prior_find(prior);
    if (prior_ops == NULL)
        return damaged(s, "an unknown document prior", err);
    GB_TRY(placed(s,
                  gb_prior_setup_from_json(prior_ops, m->n_topics, json_object_get(description, "document_prior"),
                                           &m->prior, err),
                  err));
    GB_TRY(placed(s, gb_wording_from_json(json_object_get(description, "wordings"), &m->wording, err), err));
    GB_TRY(read_responses(m, s, responses, err));
    if (!json_is_null(coding))
        GB_TRY(placed(s, gb_coding_from_json(coding, &m->coding, err), err));
    m->n_kept = (size_t)draws;
    m->n_draws = (size_t)snapshots;
    m->acceptance = json_incref(json_object_get(description, "acceptance"));
    if (m->acceptance != NULL && !json_is_object(m->acceptance))
        return damaged(s, "the acceptance of proposals is no object", err);
    read_fingerprints(m, json_object_get(description, "fingerprints"));
    m->burn_in = json_incref(json_object_get(description, "burn_in"));
    if (m->burn_in != NULL && !json_is_object(m->burn_in))
        return damaged(s, "the burn-in of chains is no object", err);
    m->pooled = json_incref(json_object_get(description, "pooled"));
    if (m->pooled != NULL && !gb_pooled_is_sound(m->pooled, m->n_topics))
        return damaged(s, "the chains that were pooled are not a number for each topic", err);
    m->agreement = json_incref(json_object_get(description, "agreement"));
    if (m->agreement != NULL && !gb_agreement_is_sound(m->agreement, m->n_responses))
        return damaged(s, "how far chains agree is not what a training finds", err);
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

/* ---- shapes ---- */

static const uint64_t MOST_CHAINS = 1000000000;

/* Numbers that only the arrays say. */
static gb_status read_shapes(gb_model *m, const gb_store *s, gb_error *err)
{
    const uint64_t n_starts = gb_store_length(s, "word_start", 0), n_rows = gb_store_length(s, "eta", 1);
    if (n_starts < 2)
        return damaged(s, "there is no vocabulary", err);
    m->n_words = m->vocabulary.count = n_starts - 1;
    if (m->coding != NULL && gb_coding_has_words(m->coding)) {
        if (m->n_words > UINT32_MAX)
            return damaged(s, "there are no so many words", err);
        gb_coding_view_words(m->coding, m->n_words);
    }
    m->n_columns = m->coding == NULL ? 0 : gb_coding_n_columns(m->coding);
    if (m->n_outputs > 0 && n_rows != m->n_outputs && (n_rows != 1 || m->n_responses != 1))
        return damaged(s, "a draw has neither all outputs nor one of a single response", err);
    gb_model_shape_draws(m, m->n_outputs == 0 ? 0 : n_rows, gb_store_has_array(s, "shrinkage"));
    m->n_digests = gb_store_has_array(s, "document_digest") ? gb_store_length(s, "document_digest", 0) : 0;
    m->n_traces = gb_store_has_array(s, "trace") ? gb_store_length(s, "trace_sweeps", 0) : 0;
    m->has_late_labels = gb_store_has_array(s, "trace_late");
    m->n_alone = gb_store_has_array(s, "covariate_alone") ? gb_model_count_alone(m) : 0;
    return m->n_traces > MOST_CHAINS ? damaged(s, "there are no so many chains", err) : GB_OK;
}

static gb_status read_cross_fitted(gb_model *m, const gb_store *s, const json_t *description, gb_error *err)
{
    const json_t *of_folds = json_object_get(description, "cross_fit");
    gb_error fault = {0};
    if (of_folds == NULL)
        return GB_OK;
    const gb_status st = gb_cross_fitted_from_json(m, of_folds, &m->cross_fitted, &fault);
    return st == GB_EFORMAT ? damaged(s, fault.message, err)
           : st == GB_OK    ? st
                            : gb_fail(err, st, "%s", fault.message);
}

static gb_status reserve(gb_model *m, const gb_store *s, gb_error *err)
{
    const gb_status st = gb_store_check_memory(s, gb_model_draw_bytes(m), GB_DRAWS_SHARE, "its draws", err);
    return st == GB_OK ? gb_model_reserve_draws(m, m->n_kept, m->n_draws, err) : st;
}

/* ---- what shapes and ranges do not say ---- */

static gb_status check_vocabulary(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_status st;
    bool differ = true;
    const gb_texts *t = &m->vocabulary;
    if (t->start[0] != 0)
        return damaged(s, "the vocabulary's bounds do not match its bytes", err);
    for (uint64_t w = 0; w < m->n_words; w++) {
        if (t->start[w + 1] < t->start[w] || t->start[w + 1] > t->start[m->n_words])
            return damaged(s, "the vocabulary's bounds do not ascend", err);
        if (gb_text_fault(t->bytes + t->start[w], t->start[w + 1] - t->start[w]) != NULL)
            return damaged(s, "a word is not text", err);
    }
    GB_TRY(gb_model_index_words(m, err));
    GB_TRY(gb_text_all_differ(m->n_words, (const char *const *)m->word, &differ, err));
    if (!differ)
        st = damaged(s, "a word is in the vocabulary twice", err);
done:
    return st;
}

static gb_status fail_stopped(const gb_store *s, gb_error *err)
{
    return gb_fail(err, GB_ESTOP, "%s: stopped before it was read", gb_store_path(s));
}

/* Draws stand chain after chain, those of a class together; its chains ascend but for the first, which leads. */
typedef struct order {
    uint64_t first_output, lead, last, most; /* of the draws so far; most: of the classes before */
} order;

static bool is_in_order(order *o, const gb_kept *kept, bool is_first)
{
    const bool begins = is_first || kept->first_output != o->first_output;
    bool is = true;
    if (begins) {
        const uint64_t most = is_first ? 0 : o->lead > o->last ? o->lead : o->last;
        o->most = most > o->most ? most : o->most;
        is = is_first || (kept->chain > o->most && kept->first_output > o->first_output);
        o->first_output = kept->first_output;
        o->lead = kept->chain;
    } else if (kept->chain != o->last)
        is = kept->chain != o->lead && (o->last == o->lead || kept->chain > o->last);
    o->last = kept->chain;
    return is;
}

static gb_status check_kept(const gb_model *m, const gb_store *s, gb_watch *watch, gb_error *err)
{
    order o = {0};
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_kept *kept = &m->kept[i];
        if (kept->first_output > m->n_outputs || m->n_draw_outputs > m->n_outputs - kept->first_output)
            return damaged(s, "a draw has outputs that the model has not", err);
        if (!is_in_order(&o, kept, i == 0))
            return damaged(s, "its draws are not chain after chain", err);
        if (!gb_watch_look(watch, 0))
            return fail_stopped(s, err);
        gb_error fault = {0};
        const gb_status st = gb_model_check_kept(m, gb_model_kept(m, i).value, &fault);
        if (st != GB_OK)
            return st == GB_EFORMAT ? damaged(s, fault.message, err) : gb_fail(err, st, "%s", fault.message);
    }
    return GB_OK;
}

static gb_status check_parts(const gb_model *m, const gb_store *s, gb_error *err)
{
    const char *fault = gb_word_effects_fault(&m->words);
    if (fault == NULL && m->cross_fitted != NULL)
        fault = gb_cross_fitted_fault(m->cross_fitted, m->n_words);
    return fault == NULL ? GB_OK : damaged(s, fault, err);
}

/* Shares of topics are shares of the tokens of the documents; seed words are none of those. */
static bool has_tokens_of_documents(const gb_model *m, const gb_draw *draw)
{
    double n = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        n += gb_model_topic_tokens(m, draw, k);
    return n <= (double)m->n_training_tokens;
}

static gb_status set_snapshots(gb_model *m, const gb_store *s, gb_watch *watch, gb_error *err)
{
    for (size_t i = 0; i < m->n_draws; i++) {
        const uint64_t *start = m->snapshot_start + i, *at = m->kept_at + i;
        if (!gb_watch_look(watch, 0))
            return fail_stopped(s, err);
        if (start[1] < start[0] || start[1] > m->snapshot_start[m->n_draws] || at[0] >= m->n_kept ||
            (i > 0 && at[0] <= at[-1]) ||
            !gb_model_set_snapshot(m, i, at[0], m->snapshot_word_start + i * (gb_model_n_rows(m) + 1),
                                   start[1] - start[0], GB_FROM(m->snapshot_topic, start[0]),
                                   GB_FROM(m->snapshot_count, start[0])))
            return damaged(s, "the arrays of the snapshots do not fit together", err);
        if (!has_tokens_of_documents(m, &m->draw[i]))
            return damaged(s, "a snapshot has more tokens than the documents", err);
    }
    if (m->word_code != NULL)
        gb_model_point_words(m);
    return gb_model_is_covered(m) ? GB_OK : damaged(s, "no draw has the coefficients of one of the outputs", err);
}

/* Room for what the topics have of each bag comes after it. */
static gb_status find_bags(gb_model *m, const gb_store *s, gb_error *err)
{
    gb_error fault = {.status = GB_OK};
    gb_status st = gb_bags_make(&m->bags, m->preparation, &m->vocabulary, &fault);
    if (st != GB_OK)
        return st == GB_EFORMAT ? damaged(s, fault.message, err) : gb_fail(err, st, "%s", fault.message);
    GB_TRY(gb_store_check_memory(s, gb_model_draw_bytes(m), GB_DRAWS_SHARE, "its draws", err));
    GB_TRY(gb_arrays_allocate(gb_model_list, m, "posterior draws", err));
done:
    return st;
}

/* ---- all of it ---- */

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
    GB_TRY(read_shapes(m, s, err));
    GB_TRY(read_cross_fitted(m, s, description, err));
    GB_TRY(reserve(m, s, err));
    GB_TRY(gb_store_view(s, gb_model_list, m, watch, err));
    for (size_t i = 0; i < m->n_kept; i++)
        m->kept[i].at = i;
    GB_TRY(check_vocabulary(m, s, err));
    GB_TRY(find_bags(m, s, err));
    GB_TRY(check_kept(m, s, watch, err));
    GB_TRY(check_parts(m, s, err));
    GB_TRY(set_snapshots(m, s, watch, err));
    GB_TRY(gb_watch_ask(watch) ? GB_OK : fail_stopped(s, err));
done:
    json_decref(description);
    return st;
}

/* @param bytes   the file's; NULL: those at `path`
 * @param copies  those at `path`, instead of mapping the file */
static gb_status open_model(const char *path, bool copies, const void *bytes, size_t n_bytes, gb_file_caller *caller,
                            gb_model **out, gb_error *err)
{
    gb_status st;
    gb_watch watch;
    gb_model *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "the model", err));
    gb_file_caller_watch(&watch, caller);
    if (bytes != NULL)
        GB_TRY(gb_store_open_bytes(&m->store, bytes, n_bytes, "model", err));
    else
        GB_TRY(copies ? gb_store_open_copy(&m->store, path, "model", &watch, err)
                      : gb_store_open_watched(&m->store, path, "model", &watch, err));
    GB_TRY(read_model(m, &watch, err));
    *out = m;
    m = NULL;
done:
    gb_model_free(m);
    return st;
}

gb_status gb_model_read(const char *path, gb_on_file *on_file, void *user, gb_model **out, gb_error *err)
{
    return open_model(path, false, NULL, 0, &(gb_file_caller){.on_file = on_file, .user = user}, out, err);
}

gb_status gb_model_read_copy(const char *path, gb_on_file *on_file, void *user, gb_model **out, gb_error *err)
{
    return open_model(path, true, NULL, 0, &(gb_file_caller){.on_file = on_file, .user = user}, out, err);
}

gb_status gb_model_from_bytes(const void *bytes, size_t n_bytes, gb_model **out, gb_error *err)
{
    return open_model(NULL, false, bytes == NULL ? "" : bytes, n_bytes, &(gb_file_caller){.on_file = NULL}, out, err);
}
