/* plan/fingerprint.c - what a run depends on, in a few digits (XXH3-128). */
#include "plan/fingerprint.h"

#include "base/memory.h"
#include "plan/prior_json.h"
#include "store/layout.h"

#include <string.h>

static void add(XXH3_state_t *state, const void *bytes, uint64_t n_bytes)
{
    (void)XXH3_128bits_update(state, &n_bytes, sizeof n_bytes); /* so that "a", "bc" is not "ab", "c" */
    if (n_bytes > 0)
        (void)XXH3_128bits_update(state, bytes, n_bytes);
}

static void add_texts(XXH3_state_t *state, const gb_texts *texts)
{
    add(state, texts->start, (texts->count + 1) * sizeof *texts->start);
    add(state, texts->bytes, texts->start[texts->count]);
}

static void add_labels(XXH3_state_t *state, const gb_labels *labels, uint64_t n_docs)
{
    const uint8_t kind[2] = {(uint8_t)labels->role, labels->several};
    add(state, labels->name, strlen(labels->name));
    add(state, kind, sizeof kind);
    add_texts(state, &labels->classes);
    add(state, labels->doc_start, (n_docs + 1) * sizeof *labels->doc_start);
    add(state, labels->class_of, labels->doc_start[n_docs] * sizeof *labels->class_of);
    add(state, labels->labelled, n_docs);
}

static void add_numbers(XXH3_state_t *state, const gb_numbers *numbers, uint64_t n_docs)
{
    const uint8_t role = (uint8_t)numbers->role;
    add(state, numbers->name, strlen(numbers->name));
    add(state, &role, 1);
    add(state, numbers->value, n_docs * sizeof *numbers->value);
}

static void add_tokens(XXH3_state_t *state, const gb_corpus *corpus)
{
    add(state, corpus->doc_start, (corpus->n_docs + 1) * sizeof *corpus->doc_start);
    add(state, corpus->word, corpus->n_tokens * sizeof *corpus->word);
}

static gb_status open_state(XXH3_state_t **out, gb_error *err)
{
    *out = XXH3_createState();
    if (*out == NULL)
        return gb_fail_memory(err, 0, "a fingerprint");
    (void)XXH3_128bits_reset(*out);
    return GB_OK;
}

static void close_state(XXH3_state_t *state, char *out)
{
    gb_checksum_digits(XXH3_128bits_digest(state), out);
    XXH3_freeState(state);
}

gb_status gb_words_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    XXH3_state_t *state;
    const gb_status st = open_state(&state, err);
    if (st != GB_OK)
        return st;
    add_tokens(state, corpus);
    close_state(state, out);
    return GB_OK;
}

gb_status gb_corpus_fingerprint(const gb_corpus *corpus, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    XXH3_state_t *state;
    const gb_status st = open_state(&state, err);
    if (st != GB_OK)
        return st;
    add_tokens(state, corpus);
    add_texts(state, &corpus->vocabulary);
    for (size_t i = 0; i < corpus->n_labels; i++)
        add_labels(state, &corpus->labels[i], corpus->n_docs);
    for (size_t i = 0; i < corpus->n_numbers; i++)
        add_numbers(state, &corpus->numbers[i], corpus->n_docs);
    close_state(state, out);
    return GB_OK;
}

static gb_status add_json(XXH3_state_t *state, json_t *value, gb_error *err)
{
    char *text = value == NULL ? NULL : json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    json_decref(value);
    if (text == NULL)
        return gb_fail_memory(err, 0, "a fingerprint");
    add(state, text, strlen(text));
    free(text);
    return GB_OK;
}

static void add_choices(XXH3_state_t *state, const gb_spec *spec)
{
    const uint64_t number[] = {spec->seed,      spec->n_topics,  spec->n_blocks,    spec->n_parts,
                               spec->treatment, spec->intercept, spec->one_vs_rest, spec->two_stage};
    add(state, number, sizeof number);
    add(state, &spec->beta, sizeof spec->beta);
    add(state, spec->sampler->name, strlen(spec->sampler->name));
    add(state, spec->coefficient.ops->name, strlen(spec->coefficient.ops->name));
    add(state, spec->variance, spec->variance == NULL ? 0 : spec->n_outputs * sizeof *spec->variance);
    add(state, spec->intercept_variance, spec->intercept ? spec->n_outputs * sizeof *spec->intercept_variance : 0);
}

gb_status gb_spec_fingerprint(const gb_spec *spec, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    XXH3_state_t *state;
    gb_status st = open_state(&state, err);
    if (st != GB_OK)
        return st;
    add_choices(state, spec);
    GB_TRY(add_json(state, gb_prior_setup_to_json(&spec->prior), err));
    for (size_t j = 0; j < spec->prior.start.n_tables; j++)
        add(state, spec->prior.start.table[j].value,
            gb_prior_table_size(&spec->prior.start.table[j]) * sizeof(double));
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_spec_response *response = &spec->response[r];
        const size_t n = response->target.n_classes;
        GB_TRY(add_json(state, gb_target_to_json(&response->target), err));
        add(state, response->class_weight, response->class_weight == NULL ? 0 : n * sizeof(double));
        add(state, response->rest_weight, response->rest_weight == NULL ? 0 : n * sizeof(double));
    }
    if (spec->coding != NULL)
        GB_TRY(add_json(state, gb_coding_to_json(spec->coding), err));
done:
    close_state(state, out);
    return st;
}
