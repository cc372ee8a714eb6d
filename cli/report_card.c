/* cli/report_card.c - what a report says of a model and its scores. */
#include "json.h"
#include "report_data.h"
#include "report_json.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { N_WORD_EFFECTS = 15 };

/* ---- the card -------------------------------------------------------------------------------------- */

static const char *probabilities_of(const gb_model *model, uint64_t r)
{
    return gb_model_is_calibrated(model, r) ? "held-out" : gb_model_has_probabilities(model, r) ? "model" : "none";
}

static json_t *describe_response(const gb_model *model, uint64_t r)
{
    json_t *classes = json_array();
    for (uint64_t c = 0; c < gb_model_n_classes(model, r); c++)
        (void)json_array_append_new(classes, json_string(gb_model_class(model, r, c)));
    return json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:b, s:s, s:b}", "field", gb_model_field(model, r), "response",
                     gb_model_response(model, r), "task", gb_task_name(gb_model_task(model, r)), "classes", classes,
                     "first", (json_int_t)gb_model_first_output(model, r), "outputs",
                     (json_int_t)gb_model_n_outputs_of(model, r), "likelihood", gb_model_is_likelihood(model, r),
                     "probabilities", probabilities_of(model, r), "class_scores",
                     gb_model_has_class_scores(model, r));
}

static const char *name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Settings of the model that are not the defaults, by the names of options; the seed is told anyway. */
static json_t *changed_settings(const json_t *settings)
{
    json_t *changed = json_object();
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        json_t *value = json_object_get(settings, option->name);
        const char *text = json_string_value(value);
        const bool is_default = text != NULL ? strcmp(text, option->default_value) == 0 : json_array_size(value) == 0;
        if (!is_default && strcmp(option->name, "seed") != 0)
            (void)json_object_set(changed, option->name, value);
    }
    return changed;
}

gb_status cli_report_card(const cli_call *call, const gb_model *model, json_t **out, gb_error *err)
{
    (void)err; /* memory that was missing shows when the page is written */
    json_t *responses = json_array();
    json_t *settings = cli_json_of(gb_model_settings(model));
    char seed[24]; /* larger than the numbers of a page */
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)gb_model_seed(model));
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        (void)json_array_append_new(responses, describe_response(model, r));
    *out =
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o, s:o, s:o?}", "file",
                  name_of_file(cli_text(call, "model")), "version", gb_version(), "seed", seed, "documents",
                  (json_int_t)gb_model_n_training_docs(model), "tokens",
                  (json_int_t)gb_model_n_training_tokens(model), "words", (json_int_t)gb_model_n_words(model),
                  "topics", (json_int_t)gb_model_n_topics(model), "draws", (json_int_t)gb_model_n_draws(model),
                  "snapshots", (json_int_t)gb_model_n_snapshots(model), "one_vs_rest", gb_model_is_one_vs_rest(model),
                  "responses", responses, "changed", changed_settings(settings), "settings", settings);
    return GB_OK;
}

/* ---- coefficients ---------------------------------------------------------------------------------- */

/* Of words, those with the clearest effects only: a vocabulary would fill the page. */
static json_t *clearest_words(const gb_model *model, const gb_effect *word, uint64_t n, uint64_t first_column)
{
    json_t *list = json_array();
    double last = INFINITY;
    for (size_t row = 0; row < N_WORD_EFFECTS && row < n; row++) {
        uint64_t best = UINT64_MAX;
        double most = -1;
        for (uint64_t w = 0; w < n; w++) {
            const double clear = word[w].sd > 0 ? fabs(word[w].mean) / word[w].sd : fabs(word[w].mean);
            if (clear < last && clear > most) {
                most = clear;
                best = w;
            }
        }
        if (best == UINT64_MAX)
            break;
        last = most;
        const gb_effect *e = &word[best];
        (void)json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", gb_model_column(model, first_column + best), "mean",
                            cli_report_real(e->mean, CLI_SHORT), "q05", cli_report_real(e->q05, CLI_SHORT), "q95",
                            cli_report_real(e->q95, CLI_SHORT), "p", cli_report_real(e->p_positive, CLI_SHORT)));
    }
    return list;
}

static json_t *effects_json(uint64_t n, const gb_effect *e)
{
    bool has_shrinkage = false;
    for (uint64_t i = 0; i < n; i++)
        has_shrinkage |= !isnan(e[i].shrinkage);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean", cli_report_effects(n, e, offsetof(gb_effect, mean)), "q05",
                     cli_report_effects(n, e, offsetof(gb_effect, q05)), "q95",
                     cli_report_effects(n, e, offsetof(gb_effect, q95)), "p",
                     cli_report_effects(n, e, offsetof(gb_effect, p_positive)), "shrinkage",
                     has_shrinkage ? cli_report_effects(n, e, offsetof(gb_effect, shrinkage)) : json_null());
}

/* Of an output: topics, covariates, the constant if it has one, and words. */
static gb_status output_json(const gb_model *model, uint64_t output, json_t *list, gb_error *err)
{
    gb_effect *effect = NULL;
    const uint64_t n = gb_model_n_effects(model, output), n_topics = gb_model_n_topics(model);
    const uint64_t n_words = gb_model_n_word_columns(model), n_columns = gb_model_n_columns(model);
    const uint64_t n_covariates = n_columns - n_words - gb_model_n_embedding_columns(model);
    gb_status st = cli_alloc(&effect, n, sizeof *effect, "the effects", err);
    if (st == GB_OK)
        st = gb_model_effects(model, output, effect, err);
    if (st == GB_OK)
        (void)json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:o, s:o, s:I}", "topics", effects_json(n_topics, effect), "covariates",
                      effects_json(n_covariates, effect + n_topics), "words",
                      clearest_words(model, effect + n_topics + n_columns - n_words, n_words, n_columns - n_words),
                      "constant",
                      n > n_topics + n_columns ? cli_report_real(effect[n_topics + n_columns].mean, CLI_SHORT)
                                               : json_null(),
                      "draws", (json_int_t)effect->n_draws + (json_int_t)effect->n_unused));
    gb_free(effect);
    return st;
}

static gb_status block_shares(const gb_model *model, uint64_t output, json_t *shares, gb_error *err)
{
    gb_status st = GB_OK;
    gb_effect share;
    for (uint64_t b = 0; b < gb_model_n_blocks(model) && st == GB_OK; b++) {
        st = gb_model_block_share(model, output, b, &share, err);
        if (st == GB_OK)
            (void)json_array_append_new(shares, json_pack("{s:I, s:s, s:o, s:o, s:o}", "output", (json_int_t)output,
                                                          "block", gb_model_block(model, b), "mean",
                                                          cli_report_real(share.mean, CLI_SHORT), "q05",
                                                          cli_report_real(share.q05, CLI_SHORT), "q95",
                                                          cli_report_real(share.q95, CLI_SHORT)));
    }
    return st;
}

gb_status cli_report_effects_of(const gb_model *model, json_t **out, gb_error *err)
{
    gb_status st = GB_OK;
    json_t *outputs = json_array(), *names = json_array(), *columns = json_array(), *blocks = json_array();
    const uint64_t n_covariates =
        gb_model_n_columns(model) - gb_model_n_word_columns(model) - gb_model_n_embedding_columns(model);
    for (uint64_t j = 0; j < n_covariates; j++)
        (void)json_array_append_new(columns, json_string(gb_model_column(model, j)));
    for (uint64_t l = 0; l < gb_model_n_outputs(model) && st == GB_OK; l++) {
        (void)json_array_append_new(names, json_string(gb_model_output(model, l)));
        st = output_json(model, l, outputs, err);
        if (st == GB_OK)
            st = block_shares(model, l, blocks, err);
    }
    json_t *all = json_pack("{s:o, s:o, s:o, s:o}", "outputs", names, "covariates", columns, "effects", outputs,
                            "blocks", blocks);
    if (st == GB_OK)
        *out = all;
    else
        json_decref(all);
    return st;
}
