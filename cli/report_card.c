/* cli/report_card.c - what a report says of a model and its scores. */
#include "json.h"
#include "report_data.h"
#include "report_json.h"

#include <string.h>

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
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:b, s:s, s:b}", "field", gb_model_field(model, r),
                     "response", gb_model_response(model, r), "scale", gb_model_score_scale(model, r), "task",
                     gb_task_name(gb_model_task(model, r)), "classes", classes, "first",
                     (json_int_t)gb_model_first_output(model, r), "outputs",
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
