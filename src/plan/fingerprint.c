/* plan/fingerprint.c - what a run depends on, in a few digits. */
#include "plan/fingerprint.h"

#include "base/memory.h"
#include "plan/prior_json.h"
#include "store/json_text.h"

#include <string.h>

static gb_status add_json(XXH3_state_t *state, json_t *value, gb_error *err)
{
    char *text = NULL;
    size_t length = 0;
    const gb_status st = value == NULL ? gb_fail_memory(err, 0, "a fingerprint")
                                       : gb_json_text(value, JSON_SORT_KEYS | JSON_ENCODE_ANY, &text, &length, err);
    json_decref(value);
    if (st == GB_OK)
        gb_fingerprint_add(state, text, length);
    gb_free(text);
    return st;
}

static void add_choices(XXH3_state_t *state, const gb_spec *spec)
{
    const uint64_t number[] = {spec->seed,      spec->n_topics,  spec->n_blocks,    spec->n_parts,
                               spec->treatment, spec->intercept, spec->one_vs_rest, spec->two_stage};
    gb_fingerprint_add(state, number, sizeof number);
    if (spec->words_after > 0)
        gb_fingerprint_add(state, &spec->words_after, sizeof spec->words_after);
    gb_fingerprint_add(state, &spec->beta.value, sizeof spec->beta.value);
    if (spec->beta.is_sampled)
        gb_fingerprint_add(state, &spec->beta.law, sizeof spec->beta.law);
    for (size_t i = 0; i < spec->seeds.n; i++) {
        const uint64_t seed[] = {spec->seeds.seed[i].word, spec->seeds.seed[i].topic, spec->seeds.seed[i].count};
        gb_fingerprint_add(state, seed, sizeof seed);
    }
    gb_fingerprint_add(state, spec->sampler->name, strlen(spec->sampler->name));
    gb_fingerprint_add(state, spec->coefficient.ops->name, strlen(spec->coefficient.ops->name));
    gb_fingerprint_add(state, spec->variance, spec->variance == NULL ? 0 : spec->n_outputs * sizeof *spec->variance);
    gb_fingerprint_add(state, spec->intercept_variance,
                       spec->intercept ? spec->n_outputs * sizeof *spec->intercept_variance : 0);
}

gb_status gb_spec_fingerprint(const gb_spec *spec, char out[static GB_FINGERPRINT_SIZE], gb_error *err)
{
    XXH3_state_t *state;
    gb_status st = gb_fingerprint_open(&state, err);
    if (st != GB_OK)
        return st;
    add_choices(state, spec);
    GB_TRY(add_json(state, gb_prior_setup_to_json(&spec->prior), err));
    for (size_t j = 0; j < spec->prior.start.n_tables; j++)
        gb_fingerprint_add(state, spec->prior.start.table[j].value,
                           gb_prior_table_size(&spec->prior.start.table[j]) * sizeof(double));
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_spec_response *response = &spec->response[r];
        const size_t n = response->target.n_classes;
        GB_TRY(add_json(state, gb_target_to_json(&response->target), err));
        gb_fingerprint_add(state, response->class_weight, response->class_weight == NULL ? 0 : n * sizeof(double));
        gb_fingerprint_add(state, response->rest_weight, response->rest_weight == NULL ? 0 : n * sizeof(double));
    }
    if (spec->wording.shape != NULL)
        GB_TRY(add_json(state, gb_wording_to_json(&spec->wording), err));
    if (spec->coding != NULL)
        GB_TRY(add_json(state, gb_coding_to_json(spec->coding), err));
done:
    gb_fingerprint_close(state, out);
    return st;
}
