/* run/same_run.c - whether a model comes from the run of a plan. */
#include "gibbous/train.h"
#include "model/model.h"
#include "plan/plan.h"
#include "store/json_text.h"

#include <string.h>

/* Whether a setting of a model, a text or a list of them, is as the plan has it; several are joined by commas there. */
static bool is_as_planned(const json_t *value, const char *planned)
{
    const size_t n = json_is_array(value) ? json_array_size(value) : 1;
    bool same = planned != NULL;
    for (size_t i = 0; i < n && same; i++) {
        const char *text = json_string_value(json_is_array(value) ? json_array_get(value, i) : value);
        const size_t length = text == NULL ? 0 : strlen(text);
        same = text != NULL && strncmp(planned, text, length) == 0;
        planned += same ? length : 0;
        same = same && *planned == (i + 1 < n ? ',' : '\0');
        planned += i + 1 < n;
    }
    return same && (n > 0 || *planned == '\0');
}

/* Everything that the result depends on but the number of sweeps, which may have been raised. */
static bool has_settings_of(const gb_model *model, const gb_plan *plan)
{
    json_t *settings, *value;
    const char *name;
    bool same = gb_json_parse(model->settings, strlen(model->settings), 0, &settings, NULL, NULL) == GB_OK;
    json_object_foreach(settings, name, value)
    {
        const char *text = json_string_value(value);
        const bool was_open = text != NULL && strcmp(text, "auto") == 0; /* the plan says what it came to */
        same = same && (strcmp(name, "sweeps") == 0 || was_open || is_as_planned(value, gb_plan_value(plan, name)));
    }
    json_decref(settings);
    return same;
}

bool gb_plan_may_have_made(const gb_plan *plan, const gb_model *model)
{
    char corpus[GB_FINGERPRINT_SIZE], decisions[GB_FINGERPRINT_SIZE];
    return gb_corpus_fingerprint(plan->corpus, corpus, NULL) == GB_OK && strcmp(corpus, model->corpus_digits) == 0 &&
           gb_spec_fingerprint(&plan->spec, decisions, NULL) == GB_OK && strcmp(decisions, model->spec_digits) == 0 &&
           model->n_kept <= plan->n_model_chains * plan->n_draws && has_settings_of(model, plan);
}
