/* model/model.c - a fitted model in memory, and the questions that may be asked of it. */
#include "model/model.h"
#include "model/prevalence.h"
#include "model/training_documents.h"

#include "base/memory.h"
#include "chain/trace.h"
#include "model/cross_fitted.h"
#include "model/draw_file.h"
#include "model/match.h"
#include "plan/plan.h"
#include "store/json_text.h"
#include "store/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

static gb_status copy_texts(gb_model *m, const gb_texts *texts, gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL;
    char *bytes = NULL;
    const uint64_t n_bytes = texts->start[texts->count];
    GB_TRY(gb_alloc(&start, texts->count + 1, sizeof *start, "the vocabulary", err));
    m->vocabulary = (gb_texts){.count = texts->count, .start = start};
    GB_TRY(gb_alloc(&bytes, n_bytes + 1, 1, "the vocabulary", err));
    m->vocabulary.bytes = bytes;
    memcpy(start, texts->start, (texts->count + 1) * sizeof *start);
    memcpy(bytes, texts->bytes, n_bytes);
    GB_TRY(gb_model_index_words(m, err));
done:
    return st;
}

gb_status gb_model_index_words(gb_model *m, gb_error *err)
{
    const gb_texts *texts = &m->vocabulary;
    gb_status st;
    GB_TRY(gb_alloc(&m->word, m->n_words, sizeof *m->word, "the vocabulary", err));
    GB_TRY(gb_alloc(&m->word_text, texts->start[m->n_words] + m->n_words, 1, "the vocabulary", err));
    for (uint64_t w = 0; w < m->n_words; w++) { /* all after another, each with a NUL behind it */
        const uint64_t length = texts->start[w + 1] - texts->start[w];
        m->word[w] = m->word_text + texts->start[w] + w;
        if (length > 0)
            memcpy(m->word[w], texts->bytes + texts->start[w], length);
    }
done:
    return st;
}

static gb_status copy_coding(const gb_coding *coding, gb_coding **out, gb_error *err)
{
    const gb_word_coding *words = gb_coding_words(coding);
    json_t *object = gb_coding_describe(coding);
    if (object == NULL)
        return gb_fail_memory(err, 0, "the covariates");
    gb_status st = gb_coding_from_json(object, out, err);
    json_decref(object);
    return st == GB_OK && words->n > 0 ? gb_coding_give_words(*out, words->n, words->weight, words->mean, err) : st;
}

static gb_status copy_responses(gb_model *m, const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    gb_status st;
    const char *exposure = spec->exposure_field == GB_NO_FIELD || spec->n_responses == 0
                               ? ""
                               : corpus->numbers[spec->exposure_field].name;
    GB_TRY(gb_copy_text(&m->exposure, exposure, strlen(exposure), err));
    GB_TRY(gb_alloc(&m->target, spec->n_responses, sizeof *m->target, "responses", err));
    for (; m->n_responses < spec->n_responses; m->n_responses++)
        GB_TRY(gb_target_copy(&spec->response[m->n_responses].target, &m->target[m->n_responses], err));
    if (spec->coding == NULL)
        return GB_OK;
    GB_TRY(copy_coding(spec->coding, &m->coding, err));
done:
    return st;
}

/* A setting as text; "" without it. */
static const char *setting(const json_t *settings, const char *name)
{
    const char *value = json_string_value(json_object_get(settings, name));
    return value == NULL ? "" : value;
}

#define AS_TEXT(number) #number
#define TEXT_OF(number) AS_TEXT(number)

void gb_model_heed_settings(gb_model *m, const json_t *settings)
{
    double burn_in;
    m->has_document_weights = *setting(settings, "document-weight") != '\0';
    if (strcmp(setting(settings, "calibrate"), "auto") != 0)
        m->unheld = "the setting `calibrate` lets the training hold no labels out";
    else if (strcmp(setting(settings, "two-stage"), "yes") == 0)
        m->unheld = "a training in two stages holds no labels out";
    else if (gb_text_to_real(setting(settings, "burn-in"), &burn_in) == GB_NUMBER_OK && burn_in < GB_FEWEST_BURN_IN)
        m->unheld = "burn-in has fewer than " TEXT_OF(GB_FEWEST_BURN_IN) " sweeps, too few to hold labels out in it";
    else
        m->unheld = "fewer than " TEXT_OF(GB_FEWEST_LABELLED) " documents have labels, too few to hold some out";
}

/* Settings as the run used them: "auto" is replaced by what was decided. */
static gb_status write_settings(gb_model *m, const gb_spec *spec, const gb_settings *settings, gb_error *err)
{
    gb_status st = GB_ENOMEM;
    const gb_option *option;
    json_t *all = gb_spec_settings(spec, settings), *kept = json_object();
    if (all == NULL || kept == NULL)
        goto done;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        json_t *value = json_object_get(all, option->name);
        if (value != NULL && option->kept && json_object_set(kept, option->name, value) != 0)
            goto done;
    }
    gb_model_heed_settings(m, kept);
    st = gb_json_text(kept, 0, &m->settings, NULL, err);
done:
    json_decref(all);
    json_decref(kept);
    return st == GB_ENOMEM ? gb_fail(err, GB_ENOMEM, "out of memory for the settings") : st;
}

gb_status gb_model_check_table(const gb_model *m, uint64_t n_rows, uint64_t n_columns, const char *what,
                               gb_error *err)
{
    enum { SHARE = 16 * 8 };
    uint64_t n;
    if (m->store == NULL)
        return GB_OK;
    if (__builtin_mul_overflow(n_rows, n_columns, &n) || n > UINT64_MAX / sizeof(double))
        n = UINT64_MAX / sizeof(double);
    return gb_store_check_memory(m->store, n * sizeof(double), SHARE, what, err);
}

gb_status gb_model_check_words(const gb_model *m, const gb_corpus *docs, gb_error *err)
{
    static const char advice[] = "read them with gb_documents_open()";
    if (docs->n_words != m->n_words)
        return gb_fail(err, GB_EARGUMENT, "the documents have %llu words, the model %llu: %s",
                       (unsigned long long)docs->n_words, (unsigned long long)m->n_words, advice);
    if (!gb_texts_equal(&docs->vocabulary, &m->vocabulary))
        return gb_fail(err, GB_EARGUMENT, "the documents have other words than the model: %s", advice);
    return GB_OK;
}

gb_status gb_model_set_seeds(gb_model *m, json_t *seeds, gb_error *err)
{
    if (seeds == NULL)
        return GB_OK;
    gb_status st = gb_alloc(&m->seed_tokens, m->n_topics, sizeof *m->seed_tokens, "the model", err);
    if (st == GB_OK && !gb_seeds_from_json(seeds, m->n_topics, m->seed_tokens))
        st = gb_fail(err, GB_EFORMAT, "the seed words of topics are not what they should be");
    m->seeds = json_incref(seeds);
    return st;
}

static gb_status copy_seeds(gb_model *m, const gb_corpus *corpus, const gb_spec *spec, gb_error *err)
{
    if (spec->seeds.n_topics == 0)
        return GB_OK;
    json_t *seeds = gb_seeds_to_json(&spec->seeds, &corpus->vocabulary), *names = m->topic_names = json_array();
    gb_status st = seeds == NULL ? gb_fail_memory(err, 0, "the model") : gb_model_set_seeds(m, seeds, err);
    for (size_t k = 0; k < spec->n_topics && st == GB_OK; k++)
        if (json_array_append_new(names, json_string(k < spec->seeds.n_topics ? spec->seeds.name[k] : "")) != 0)
            st = gb_fail_memory(err, 0, "the model");
    json_decref(seeds);
    return st;
}

gb_status gb_model_create(gb_model **out, const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings,
                          gb_error *err)
{
    gb_status st;
    gb_model *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "the model", err));
    *m = gb_model_outline(corpus, spec);
    m->n_responses = 0; /* so far; and all that is the spec's or the corpus's is copied */
    m->coding = NULL;
    m->prior = (gb_prior_setup){.ops = NULL};
    m->wording = (gb_wording){0};
    m->bags = (gb_bags){.n = 0};
    m->vocabulary = (gb_texts){.count = 0};
    GB_TRY(gb_words_fingerprint(corpus, m->words_digits, err));
    GB_TRY(gb_corpus_fingerprint(corpus, m->corpus_digits, err));
    GB_TRY(gb_model_note_documents(m, corpus, err));
    GB_TRY(gb_spec_fingerprint(spec, m->spec_digits, err));
    GB_TRY(gb_prior_setup_copy(&spec->prior, &m->prior, err));
    GB_TRY(gb_wording_copy(&spec->wording, &m->wording, err));
    GB_TRY(copy_seeds(m, corpus, spec, err));
    m->preparation = corpus->preparation == NULL
                         ? json_object()
                         : json_deep_copy(corpus->preparation); /* several threads may train on one corpus */
    if (m->preparation == NULL) {
        st = gb_fail_memory(err, 0, "the model");
        goto done;
    }
    GB_TRY(copy_texts(m, &corpus->vocabulary, err));
    GB_TRY(gb_bags_make(&m->bags, m->preparation, &m->vocabulary, err));
    GB_TRY(copy_responses(m, corpus, spec, err));
    GB_TRY(write_settings(m, spec, settings, err));
    *out = m;
    m = NULL;
done:
    gb_model_free(m);
    return st;
}

/* ---- draws ---- */

gb_status gb_model_check_kept(const gb_model *m, const double *const *value, gb_error *err)
{
    for (size_t r = 0; r < m->n_responses; r++) {
        gb_response response = m->target[r].response;
        response.own = response.n_own == 0 ? NULL : value[GB_OWN] + response.first_own;
        if (response.n_own > 0 && gb_response_own_fault(&response) != NULL)
            return gb_fail(err, GB_EFORMAT, "a parameter of a response is out of range");
    }
    return gb_parameters_check(&m->parameters, &m->prior, value, err);
}

uint64_t gb_model_draw_bytes(const gb_model *m)
{
    const gb_model draws = {.n_topics = m->n_topics,
                            .bags.n = m->bags.n > 0 ? m->bags.n : 1,
                            .n_kept = m->n_kept,
                            .n_draws = m->n_draws,
                            .n_matches = m->n_matches};
    return gb_arrays_bytes(gb_model_list, &draws);
}

gb_status gb_model_reserve_draws(gb_model *m, size_t n_kept, size_t n_snapshots, gb_error *err)
{
    m->n_kept = n_kept;
    m->n_draws = n_snapshots;
    return gb_arrays_allocate(gb_model_list, m, "posterior draws", err);
}

const double *gb_model_kept_value(const gb_model *m, size_t i, size_t parameter)
{
    const gb_parameter *p = &m->parameters.of[parameter];
    return p->size == 0             ? NULL
           : m->kept[i].row != NULL ? m->kept[i].row + p->offset
                                    : p->stacked + m->kept[i].at * p->size;
}

gb_draw gb_model_kept(const gb_model *m, size_t i)
{
    const gb_kept *kept = &m->kept[i];
    gb_draw draw = {.chain = kept->chain,
                    .sweep = kept->sweep,
                    .first_output = kept->first_output,
                    .n_outputs = m->n_draw_outputs};
    for (size_t j = 0; j < m->parameters.n; j++)
        draw.value[j] = gb_model_kept_value(m, i, j);
    draw.prior = gb_parameters_prior(&m->parameters, draw.value);
    return draw;
}

static bool counts_are_valid(const gb_model *m, const uint64_t *start, uint64_t n_entries, const uint16_t *topic)
{
    const uint64_t n_rows = gb_model_n_rows(m);
    if (start[0] != 0 || start[n_rows] != n_entries)
        return false;
    for (uint64_t w = 0; w < n_rows; w++) {
        if (start[w + 1] < start[w] || start[w + 1] > n_entries)
            return false;
        for (uint64_t i = start[w]; i < start[w + 1]; i++)
            if (topic[i] >= m->n_topics || (i > start[w] && topic[i] <= topic[i - 1]))
                return false;
    }
    return true;
}

bool gb_model_set_snapshot(gb_model *m, size_t i, size_t kept_at, const uint64_t *word_start, uint64_t n_entries,
                           const uint16_t *topic, const uint32_t *count)
{
    uint64_t *n_k = m->n_k + i * m->bags.n * m->n_topics;
    if (!counts_are_valid(m, word_start, n_entries, topic))
        return false;
    for (uint64_t w = 0; w < m->n_words; w++) {
        uint64_t *of_bag = n_k + gb_bag_of(&m->bags, w) * m->n_topics;
        for (uint64_t at = word_start[w]; at < word_start[w + 1]; at++)
            of_bag[topic[at]] += count[at];
    }
    if (m->store == NULL) {
        m->kept_at[i] = kept_at;
        m->snapshot_start[i + 1] = m->snapshot_start[i] + n_entries;
    }
    m->draw[i] = gb_model_kept(m, kept_at);
    m->draw[i].word_start = word_start;
    m->draw[i].topic = topic;
    m->draw[i].count = count;
    m->draw[i].n_k = n_k;
    return true;
}

gb_wording_draw gb_model_wording_draw(const gb_model *m, const gb_draw *draw)
{
    return (gb_wording_draw){.of = &m->wording,
                             .n_words = m->n_words,
                             .n_topics = m->n_topics,
                             .beta = gb_draw_beta(m, draw),
                             .concentration = draw->wording,
                             .start = draw->word_start + m->n_words,
                             .topic = draw->topic,
                             .count = draw->count};
}

void gb_model_point_words(gb_model *m)
{
    const size_t n_rows = m->n_draw_outputs, n = n_rows * (size_t)gb_model_n_word_columns(m);
    for (size_t i = 0; i < m->n_draws; i++)
        m->draw[i].word_draw = (gb_word_draw){m->word_code + i * n, m->word_unit + i * n_rows};
}

bool gb_model_is_covered(const gb_model *m)
{
    size_t n_covered = 0;
    if (m->n_draw_outputs == m->n_outputs) /* of each draw */
        return m->n_draws > 0;
    for (size_t i = 0; i < m->n_draws; i++)
        m->match[m->draw[i].first_output].is_covered = true;
    for (size_t l = 0; l < m->n_outputs; l++)
        n_covered += m->match[l].is_covered;
    return n_covered == m->n_outputs;
}

void gb_model_free(gb_model *m)
{
    if (m == NULL)
        return;
    for (size_t r = 0; r < m->n_responses; r++)
        gb_target_clear(&m->target[r]);
    gb_free(m->target);
    gb_prior_setup_clear(&m->prior);
    gb_wording_clear(&m->wording);
    gb_free(m->exposure);
    gb_cross_fitted_free(m->cross_fitted);
    m->cross_fitted = NULL;
    for (size_t i = 0; m->match != NULL && i < m->n_matches; i++)
        gb_match_free(m->match[i].match);
    gb_arrays_free(gb_model_list, m);
    gb_bags_clear(&m->bags);
    gb_coding_free(m->coding);
    gb_draw_file_close(m->draw_file);
    gb_store_close(m->store);
    gb_free(m->settings);
    json_t *const description[] = {m->preparation, m->acceptance,  m->burn_in,      m->pooled,
                                   m->agreement,   m->topic_names, m->topic_unions, m->seeds};
    for (size_t i = 0; i < sizeof description / sizeof *description; i++)
        json_decref(description[i]);
    gb_free(m);
}

/* ---- asking ---- */

uint64_t gb_model_n_topics(const gb_model *model)
{
    return model->n_topics;
}

uint64_t gb_model_n_words(const gb_model *model)
{
    return model->n_words;
}

uint64_t gb_model_n_draws(const gb_model *model)
{
    return model->n_kept;
}

uint64_t gb_model_n_snapshots(const gb_model *model)
{
    return model->n_draws;
}

uint64_t gb_model_n_outputs(const gb_model *model)
{
    return model->n_outputs;
}

uint64_t gb_model_n_responses(const gb_model *model)
{
    return model->n_responses;
}

bool gb_model_has_probabilities(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return false;
    const gb_target *target = &model->target[response];
    return target->task != GB_TASK_REGRESSION && (gb_target_is_likelihood(target) || target->calibration != NULL);
}

const char *gb_model_lacks_probabilities(const gb_model *model, uint64_t response)
{
    const bool has_classes = response < model->n_responses && model->target[response].task != GB_TASK_REGRESSION;
    return has_classes && !gb_model_has_probabilities(model, response) ? model->unheld : NULL;
}

bool gb_model_is_likelihood(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return false;
    const gb_response *r = &model->target[response].response;
    return r->ops->natural == NULL &&
           (r->ops->takes_no_cost ||
            (r->cost == 1 && !model->target[response].weighs_classes && !model->has_document_weights));
}

bool gb_model_is_calibrated(const gb_model *model, uint64_t response)
{
    return response < model->n_responses && model->target[response].calibration != NULL;
}

gb_interval_source gb_model_interval_source(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses || model->target[response].task != GB_TASK_REGRESSION)
        return GB_INTERVAL_NONE;
    const gb_target *target = &model->target[response];
    if (target->law.own > 0 || target->spread[GB_SPREAD_SD] > 0)
        return GB_INTERVAL_HELD_OUT;
    return gb_target_has_noise(target) ? GB_INTERVAL_MODEL : GB_INTERVAL_DOUBTFUL;
}

double gb_model_cut_off(const gb_model *model, uint64_t response, uint64_t index)
{
    if (response >= model->n_responses || index >= model->target[response].n_classes ||
        model->target[response].cut_off == NULL)
        return NAN;
    return model->target[response].cut_off[index];
}

uint64_t gb_model_first_output(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return 0;
    return model->target[response].response.first_output;
}

bool gb_model_has_class_scores(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return false;
    return model->target[response].response.ops->target == GB_TARGET_CLASS;
}

uint64_t gb_model_n_outputs_of(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return 0;
    return model->target[response].response.n_outputs;
}

uint64_t gb_model_n_classes(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return 0;
    return model->target[response].n_classes;
}

const char *gb_model_class(const gb_model *model, uint64_t response, uint64_t index)
{
    if (response >= model->n_responses || index >= model->target[response].n_classes)
        return NULL;
    return model->target[response].class_name[index];
}

const char *gb_model_word(const gb_model *model, uint64_t index)
{
    if (index >= model->n_words)
        return NULL;
    return model->word[index];
}

const char *gb_model_settings(const gb_model *model)
{
    return model->settings;
}

gb_task_kind gb_model_task(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return GB_TASK_NONE;
    return model->target[response].task;
}

const char *gb_model_response(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return NULL;
    return model->target[response].response.ops->name;
}

const char *gb_model_score_scale(const gb_model *model, uint64_t response)
{
    const char *scale = response < model->n_responses ? model->target[response].response.ops->scale : NULL;
    return scale == NULL ? "" : scale;
}

const char *gb_model_field(const gb_model *model, uint64_t response)
{
    if (response >= model->n_responses)
        return NULL;
    return model->target[response].field;
}

static uint64_t n_covariates(const gb_model *model)
{
    return model->coding == NULL ? 0 : gb_coding_n_fields(model->coding);
}

static bool is_covariate(const gb_model *model, const char *name)
{
    for (uint64_t i = 0; i < n_covariates(model); i++)
        if (strcmp(gb_coding_field_name(model->coding, i), name) == 0)
            return true;
    return false;
}

/* Fields of the regression on metadata that are no covariates of a response as well: number i of them, NULL after the last. */
static const char *regression_field(const gb_model *model, uint64_t i, gb_field_kind *kind)
{
    const gb_formula *formula = gb_model_formula(model);
    const gb_coding *coding = formula == NULL ? NULL : gb_formula_coding(formula);
    for (size_t f = 0; coding != NULL && f < gb_coding_n_fields(coding); f++) {
        const char *name = gb_coding_field_name(coding, f);
        *kind = gb_coding_field_kind(coding, f);
        if (!is_covariate(model, name) && i-- == 0)
            return name;
    }
    return NULL;
}

/* These, and that of the groups that word topics differently, unless it is one of them or a covariate. */
static const char *metadata_field(const gb_model *model, uint64_t i, gb_field_kind *kind)
{
    const char *name = regression_field(model, i, kind), *other;
    gb_field_kind its_kind;
    if (name != NULL || model->wording.shape == NULL || is_covariate(model, model->wording.field))
        return name;
    for (uint64_t j = 0; (other = regression_field(model, j, &its_kind)) != NULL; j++)
        if (strcmp(other, model->wording.field) == 0)
            return NULL;
    if (i > 0 && regression_field(model, i - 1, &its_kind) == NULL)
        return NULL;
    *kind = GB_KIND_ONE;
    return model->wording.field;
}

static uint64_t n_group_fields(const gb_model *model)
{
    const gb_groups *groups = gb_prior_groups(&model->prior);
    return groups == NULL ? 0 : gb_groups_n_fields(groups);
}

uint64_t gb_model_n_needed_fields(const gb_model *model)
{
    uint64_t n = 0;
    gb_field_kind kind;
    while (metadata_field(model, n, &kind) != NULL)
        n++;
    return n + n_covariates(model) + (*model->exposure != '\0') + n_group_fields(model);
}

bool gb_model_needed_field(const gb_model *model, uint64_t field, const char **name, gb_role *role,
                           gb_field_kind *kind)
{
    const uint64_t n = n_covariates(model), n_before_groups = n + (*model->exposure != '\0'),
                   n_before_regression = n_before_groups + n_group_fields(model);
    const char *its_name = model->exposure;
    gb_role its_role = GB_ROLE_EXPOSURE;
    gb_field_kind its_kind = GB_KIND_NUMBER;
    if (field >= gb_model_n_needed_fields(model))
        return false;
    if (field < n) {
        its_name = gb_coding_field_name(model->coding, (size_t)field);
        its_role = GB_ROLE_COVARIATE;
        its_kind = gb_coding_field_kind(model->coding, (size_t)field);
    } else if (field >= n_before_regression) {
        its_name = metadata_field(model, field - n_before_regression, &its_kind);
        its_role = GB_ROLE_PREVALENCE;
    } else if (field >= n_before_groups) {
        its_name = gb_groups_field(gb_prior_groups(&model->prior), (size_t)(field - n_before_groups));
        its_role = GB_ROLE_GROUP;
        its_kind = GB_KIND_ONE;
    }
    if (name != NULL)
        *name = its_name;
    if (role != NULL)
        *role = its_role;
    if (kind != NULL)
        *kind = its_kind;
    return true;
}

const char *gb_model_output(const gb_model *model, uint64_t output)
{
    if (output >= model->n_outputs)
        return NULL;
    size_t r = 0;
    while (output >= model->target[r].response.first_output + model->target[r].response.n_outputs)
        r++;
    return gb_target_output_name(&model->target[r], output - model->target[r].response.first_output);
}

uint64_t gb_model_seed(const gb_model *model)
{
    return model->seed;
}

uint64_t gb_model_n_training_docs(const gb_model *model)
{
    return model->n_training_docs;
}

uint64_t gb_model_n_training_tokens(const gb_model *model)
{
    return model->n_training_tokens;
}

bool gb_model_is_one_vs_rest(const gb_model *model)
{
    return model->n_draw_outputs < model->n_outputs;
}

double gb_model_topic_share(const gb_model *m, uint64_t topic)
{
    if (topic >= m->n_topics)
        return (double)NAN;
    double sum = 0, n = 0;
    for (size_t i = 0; i < m->n_draws && m->draw[i].chain == m->draw[0].chain; i++, n++)
        sum += gb_model_topic_tokens(m, &m->draw[i], topic);
    return sum / n / (double)m->n_training_tokens;
}

double gb_model_coefficient(const gb_model *m, uint64_t output, uint64_t topic)
{
    if (output >= m->n_outputs || topic > m->n_topics)
        return (double)NAN;
    const size_t n_features = gb_model_n_features(m), feature = topic == m->n_topics ? n_features - 1 : topic;
    uint64_t chain = UINT64_MAX;
    double sum = 0, n = 0;
    if (topic == m->n_topics && !m->intercept)
        return 0;
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_kept *kept = &m->kept[i];
        if (output < kept->first_output || output >= kept->first_output + m->n_draw_outputs)
            continue;
        chain = chain == UINT64_MAX ? kept->chain : chain;
        if (kept->chain != chain)
            break;
        sum += gb_model_kept(m, i).eta[(output - kept->first_output) * n_features + feature];
        n++;
    }
    return n > 0 ? sum / n : 0;
}
