/* model/cross_fitted.c - effects by cross-fitting, as a model keeps them. */
#include "model/cross_fitted.h"

#include "base/memory.h"
#include "store/json_text.h"

#include <math.h>
#include <string.h>

static const char what[] = "the effects of folds";

/* ---- memory ---- */

void gb_cross_fitted_list(void *cross_fitted, const gb_array_visitor *v)
{
    gb_cross_fitted *c = cross_fitted;
    const uint64_t n = c->n_folds, n_rows = gb_cross_fitted_n_rows(c), n_outputs = c->n_words == 0 ? 0 : c->n_outputs;
#define IN_FILE(array_name, pointer, ...)                                                                            \
    GB_ARRAY_WITH(v, .name = (array_name), GB_AT(pointer), .axis = GB_REPLICATED, .is_view = c->is_view,             \
                  GB_SHAPE(__VA_ARGS__))
    IN_FILE("fold_effect", c->value, 1 + n, n_rows, GB_CROSS_N_NUMBERS);
    IN_FILE("fold_topic", c->topic, n, c->n_topics);
    IN_FILE("fold_word", c->word, n, c->n_topics, GB_FOLD_WORDS);
    IN_FILE("fold_documents", c->n_docs, n);
    IN_FILE("fold_word_effect", c->word_value, n_outputs, c->n_words, GB_CROSS_N_WORD_NUMBERS);
    IN_FILE("fold_word_count", c->word_folds, n_outputs, c->n_words);
#undef IN_FILE
    GB_ARRAY(v, "responses", c->response, GB_DERIVED, GB_REPLICATED, c->n_responses);
    GB_ARRAY(v, "own_parameters", c->own, GB_DERIVED, GB_REPLICATED, c->n_own);
}

static gb_cross_fitted sized(const gb_model *m, size_t n_folds, size_t n_own)
{
    return (gb_cross_fitted){.n_folds = n_folds,
                             .n_topics = m->n_topics,
                             .n_features = m->n_topics + gb_model_n_drawn_columns(m) + 1,
                             .n_words = (size_t)gb_model_n_word_columns(m),
                             .n_outputs = m->n_outputs,
                             .n_responses = m->n_responses,
                             .n_own = n_own};
}

static void fill(gb_cross_fitted *c)
{
    const size_t n_topics = c->n_folds * c->n_topics;
    for (size_t i = 0; i < (1 + c->n_folds) * gb_cross_fitted_n_rows(c) * GB_CROSS_N_NUMBERS; i++)
        c->value[i] =
            i % GB_CROSS_N_NUMBERS == GB_CROSS_N_DRAWS || i % GB_CROSS_N_NUMBERS == GB_CROSS_N_FOLDS ? 0 : NAN;
    for (size_t i = 0; i < c->n_outputs * c->n_words * GB_CROSS_N_WORD_NUMBERS; i++)
        c->word_value[i] = NAN;
    memset(c->topic, 0xff, n_topics * sizeof *c->topic);
    memset(c->word, 0xff, n_topics * GB_FOLD_WORDS * sizeof *c->word);
}

gb_status gb_cross_fitted_create(const gb_model *m, size_t n_folds, size_t n_own, gb_cross_fitted **out,
                                 gb_error *err)
{
    gb_status st;
    gb_cross_fitted *c = NULL;
    GB_TRY(gb_alloc(&c, 1, sizeof *c, what, err));
    *c = sized(m, n_folds, n_own);
    GB_TRY(gb_arrays_allocate(gb_cross_fitted_list, c, what, err));
    fill(c);
    *out = c;
    c = NULL;
done:
    gb_cross_fitted_free(c);
    return st;
}

void gb_cross_fitted_free(gb_cross_fitted *c)
{
    if (c == NULL)
        return;
    for (size_t r = 0; c->response != NULL && r < c->n_responses; r++)
        gb_free(c->response[r]);
    for (size_t i = 0; c->own != NULL && i < c->n_own; i++)
        gb_free(c->own[i].name);
    gb_arrays_free(gb_cross_fitted_list, c);
    gb_free(c->of_folds);
    gb_free(c);
}

gb_status gb_cross_fitted_begin_folds(gb_cross_fitted *c, gb_error *err)
{
    const size_t n = c->n_folds * c->n_outputs * c->n_words * 2;
    const gb_status st = gb_alloc(&c->of_folds, n, sizeof *c->of_folds, what, err);
    for (size_t i = 0; st == GB_OK && i < n; i++)
        c->of_folds[i] = NAN;
    return st;
}

void gb_cross_fitted_forget_folds(gb_cross_fitted *c)
{
    gb_free(c->of_folds);
    c->of_folds = NULL;
}

double *gb_cross_fitted_row(const gb_cross_fitted *c, size_t layer, size_t row)
{
    return c->value + (layer * gb_cross_fitted_n_rows(c) + row) * GB_CROSS_N_NUMBERS;
}

void gb_cross_fitted_put(const gb_cross_fitted *c, size_t layer, size_t row, const gb_cross_effect *e)
{
    double *v = gb_cross_fitted_row(c, layer, row);
    v[GB_CROSS_MEAN] = e->posterior.mean;
    v[GB_CROSS_SD] = e->posterior.sd;
    v[GB_CROSS_Q05] = e->posterior.q05;
    v[GB_CROSS_MEDIAN] = e->posterior.median;
    v[GB_CROSS_Q95] = e->posterior.q95;
    v[GB_CROSS_P_POSITIVE] = e->posterior.p_positive;
    v[GB_CROSS_N_DRAWS] = (double)e->posterior.n_draws;
    v[GB_CROSS_N_FOLDS] = (double)e->n_folds;
    v[GB_CROSS_BETWEEN] = e->between;
    v[GB_CROSS_RELIABILITY] = e->reliability;
}

gb_cross_effect gb_cross_fitted_get(const gb_cross_fitted *c, size_t layer, size_t row)
{
    const double *v = gb_cross_fitted_row(c, layer, row);
    return (gb_cross_effect){.posterior = {.n_draws = (uint64_t)v[GB_CROSS_N_DRAWS],
                                           .mean = v[GB_CROSS_MEAN],
                                           .sd = v[GB_CROSS_SD],
                                           .q05 = v[GB_CROSS_Q05],
                                           .median = v[GB_CROSS_MEDIAN],
                                           .q95 = v[GB_CROSS_Q95],
                                           .p_positive = v[GB_CROSS_P_POSITIVE],
                                           .shrinkage = NAN},
                             .n_folds = (uint64_t)v[GB_CROSS_N_FOLDS],
                             .between = v[GB_CROSS_BETWEEN],
                             .reliability = v[GB_CROSS_RELIABILITY]};
}

/* ---- files ---- */

json_t *gb_cross_fitted_to_json(const gb_cross_fitted *c)
{
    json_t *responses = json_array(), *own = json_array();
    bool failed = responses == NULL || own == NULL;
    for (size_t r = 0; r < c->n_responses && !failed; r++)
        failed = json_array_append_new(responses, json_string(c->response[r])) != 0;
    for (size_t i = 0; i < c->n_own && !failed; i++) {
        const gb_cross_parameter *p = &c->own[i];
        const json_int_t place = p->place == UINT64_MAX ? -1 : (json_int_t)p->place;
        failed = json_array_append_new(own, json_pack("{s:I, s:s, s:I}", "response", (json_int_t)p->response, "name",
                                                      p->name, "place", place)) != 0;
    }
    if (failed) {
        json_decref(responses);
        json_decref(own);
        return NULL;
    }
    return json_pack("{s:I, s:o, s:o}", "folds", (json_int_t)c->n_folds, "responses", responses, "parameters", own);
}

static const json_int_t MOST_FOLDS = 1000000;

static gb_status read_parameter(const gb_model *m, const json_t *object, gb_cross_parameter *out, gb_error *err)
{
    json_int_t response, place;
    const char *name;
    const gb_status st =
        gb_json_unpack(object, err, "{s:I, s:s, s:I}", "response", &response, "name", &name, "place", &place);
    if (st == GB_ENOMEM)
        return st;
    if (st != GB_OK || response < 0 || (uint64_t)response >= m->n_responses ||
        (place >= 0 && (uint64_t)place + 1 >= m->target[response].n_classes))
        return gb_fail(err, GB_EFORMAT, "a parameter of the folds is none of the model");
    out->response = (uint64_t)response;
    out->place = place < 0 ? UINT64_MAX : (uint64_t)place;
    return gb_copy_text(&out->name, name, strlen(name), err);
}

static gb_status read_names(gb_cross_fitted *c, const gb_model *m, const json_t *responses, const json_t *own,
                            gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t r = 0; r < c->n_responses; r++) {
        const char *name = json_string_value(json_array_get(responses, r));
        if (name == NULL)
            return gb_fail(err, GB_EFORMAT, "a response of the folds has no name");
        GB_TRY(gb_copy_text(&c->response[r], name, strlen(name), err));
    }
    for (size_t i = 0; i < c->n_own; i++)
        GB_TRY(read_parameter(m, json_array_get(own, i), &c->own[i], err));
done:
    return st;
}

/* Numbers of topics and words, or UINT64_MAX. */
static bool are_below(const uint64_t *value, size_t n, uint64_t limit)
{
    bool are = true;
    for (size_t i = 0; i < n; i++)
        are = are && (value[i] < limit || value[i] == UINT64_MAX);
    return are;
}

/* Counts that a double can have; other numbers may be anything. */
static bool are_counts(const gb_cross_fitted *c)
{
    bool are = true;
    for (size_t i = 0; i < (1 + c->n_folds) * gb_cross_fitted_n_rows(c); i++) {
        const double *v = c->value + i * GB_CROSS_N_NUMBERS;
        are = are && v[GB_CROSS_N_DRAWS] >= 0 && v[GB_CROSS_N_DRAWS] < 9e15 && v[GB_CROSS_N_FOLDS] >= 0 &&
              v[GB_CROSS_N_FOLDS] <= (double)c->n_folds;
    }
    return are;
}

const char *gb_cross_fitted_fault(const gb_cross_fitted *c, uint64_t n_words)
{
    bool all = are_counts(c) && are_below(c->topic, c->n_folds * c->n_topics, c->n_topics) &&
               are_below(c->word, c->n_folds * c->n_topics * GB_FOLD_WORDS, n_words);
    for (size_t i = 0; i < c->n_outputs * c->n_words; i++)
        all = all && c->word_folds[i] <= c->n_folds;
    return all ? NULL : "a number of the folds is out of range";
}

gb_status gb_cross_fitted_from_json(const gb_model *m, const json_t *description, gb_cross_fitted **out,
                                    gb_error *err)
{
    gb_status st;
    json_int_t n_folds;
    json_t *responses, *own;
    gb_cross_fitted *c = NULL;
    st = gb_json_unpack(description, err, "{s:I, s:o, s:o}", "folds", &n_folds, "responses", &responses, "parameters",
                        &own);
    if (st == GB_ENOMEM)
        return st;
    if (st != GB_OK || m->n_outputs == 0 || n_folds < 1 || n_folds > MOST_FOLDS)
        return gb_fail(err, GB_EFORMAT, "the description of the folds is not what it should be");
    GB_TRY(gb_alloc(&c, 1, sizeof *c, what, err));
    *c = sized(m, (size_t)n_folds, json_array_size(own));
    c->is_view = true;
    GB_TRY(gb_arrays_allocate(gb_cross_fitted_list, c, what, err));
    GB_TRY(read_names(c, m, responses, own, err));
    *out = c;
    c = NULL;
done:
    gb_cross_fitted_free(c);
    return st;
}

/* ---- asking ---- */

uint64_t gb_model_n_folds(const gb_model *m)
{
    return m->cross_fitted == NULL ? 0 : m->cross_fitted->n_folds;
}

uint64_t gb_model_fold_n_docs(const gb_model *m, uint64_t fold)
{
    return fold < gb_model_n_folds(m) ? m->cross_fitted->n_docs[fold] : 0;
}

const char *gb_model_cross_response(const gb_model *m, uint64_t response)
{
    return m->cross_fitted != NULL && response < m->n_responses ? m->cross_fitted->response[response] : NULL;
}

/* The average document is of all folds. */
static uint64_t draws_of_a_fold(const gb_cross_fitted *c, uint64_t output)
{
    const gb_cross_effect average = gb_cross_fitted_get(c, 0, (output + 1) * c->n_features - 1);
    return average.n_folds == 0 ? 0 : average.posterior.n_draws / average.n_folds;
}

/* The effect of a word: of a fold nothing is kept. */
static gb_cross_effect word_effect(const gb_cross_fitted *c, size_t layer, uint64_t output, size_t word)
{
    const size_t at = output * c->n_words + word;
    const float *v = c->word_value + at * GB_CROSS_N_WORD_NUMBERS;
    const uint32_t n_folds = layer == 0 ? c->word_folds[at] : 0;
    gb_cross_effect e = {.n_folds = n_folds, .between = NAN, .reliability = NAN};
    e.posterior = gb_normal_effect(n_folds == 0 ? NAN : v[GB_CROSS_WORD_MEAN], v[GB_CROSS_WORD_SD]);
    e.posterior.n_draws = n_folds * draws_of_a_fold(c, output);
    e.between = n_folds == 0 ? NAN : v[GB_CROSS_WORD_BETWEEN];
    return e;
}

/* Row j of an output, of which words have none. */
static gb_cross_effect feature_effect(const gb_cross_fitted *c, size_t layer, uint64_t output, size_t j)
{
    const size_t first_word = c->n_features - 1, row = output * c->n_features;
    if (j < first_word)
        return gb_cross_fitted_get(c, layer, row + j);
    return j < first_word + c->n_words ? word_effect(c, layer, output, j - first_word)
                                       : gb_cross_fitted_get(c, layer, row + j - c->n_words);
}

static gb_status list_effects(const gb_model *m, size_t layer, uint64_t output, gb_cross_effect *out, gb_error *err)
{
    const gb_cross_fitted *c = m->cross_fitted;
    if (c == NULL || layer > c->n_folds || output >= c->n_outputs)
        return gb_fail(err, GB_EARGUMENT, c == NULL ? "a model without folds" : "no such output or fold");
    for (uint64_t j = 0; j < gb_model_n_effects(m, output); j++)
        out[j] = feature_effect(c, layer, output, j);
    return GB_OK;
}

gb_status gb_model_cross_effects(const gb_model *m, uint64_t output, gb_cross_effect *out, gb_error *err)
{
    return list_effects(m, 0, output, out, err);
}

gb_status gb_model_fold_effects(const gb_model *m, uint64_t fold, uint64_t output, gb_cross_effect *out,
                                gb_error *err)
{
    return list_effects(m, fold < gb_model_n_folds(m) ? 1 + fold : SIZE_MAX, output, out, err);
}

uint64_t gb_model_fold_topic(const gb_model *m, uint64_t fold, uint64_t topic)
{
    const bool is_there = fold < gb_model_n_folds(m) && topic < m->n_topics;
    return is_there ? m->cross_fitted->topic[fold * m->n_topics + topic] : UINT64_MAX;
}

uint64_t gb_model_fold_topic_words(const gb_model *m, uint64_t fold, uint64_t topic, uint64_t n, uint64_t *word)
{
    uint64_t i = 0;
    if (fold >= gb_model_n_folds(m) || topic >= m->n_topics)
        return 0;
    const uint64_t *kept = m->cross_fitted->word + (fold * m->n_topics + topic) * GB_FOLD_WORDS;
    for (; i < n && i < GB_FOLD_WORDS && kept[i] != UINT64_MAX; i++)
        word[i] = kept[i];
    return i;
}

uint64_t gb_model_n_cross_parameters(const gb_model *m)
{
    return m->cross_fitted == NULL ? 0 : m->cross_fitted->n_own;
}

gb_status gb_model_cross_parameter(const gb_model *m, uint64_t index, uint64_t *response, const char **name,
                                   uint64_t *place, gb_cross_effect *out, gb_error *err)
{
    const gb_cross_fitted *c = m->cross_fitted;
    if (index >= gb_model_n_cross_parameters(m))
        return gb_fail(err, GB_EARGUMENT, "no such parameter of the folds");
    *response = c->own[index].response;
    *name = c->own[index].name;
    *place = c->own[index].place;
    *out = gb_cross_fitted_get(c, 0, c->n_outputs * c->n_features + index);
    return GB_OK;
}
