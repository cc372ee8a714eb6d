/* plan/decisions.c - settings as a run uses them, and the list of a plan's decisions. */
#include "plan/plan.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- settings as a run uses them ---- */

static bool set_number(json_t *object, const char *name, unsigned long long value)
{
    return json_object_set_new(object, name, json_sprintf("%llu", value)) == 0;
}

static bool set_real(json_t *object, const char *name, double value)
{
    char text[GB_REAL_SIZE];
    gb_text_from_real(value, text);
    return json_object_set_new(object, name, json_string(text)) == 0;
}

/* The responses and their costs; with several each with its field. */
static void print_responses(const gb_spec *spec, FILE *responses, FILE *costs)
{
    for (size_t r = 0; r < spec->n_responses; r++) {
        const gb_target *target = &spec->response[r].target;
        char number[GB_REAL_SIZE];
        gb_text_from_real(target->response.cost, number);
        if (spec->n_responses > 1) {
            fprintf(responses, "%s%s=", r > 0 ? "," : "", target->field);
            fprintf(costs, "%s%s=", r > 0 ? "," : "", target->field);
        }
        fputs(target->response.ops->name, responses);
        fputs(number, costs);
    }
}

static bool set_responses(json_t *object, const gb_spec *spec)
{
    char *response = NULL, *cost = NULL;
    size_t response_size, cost_size;
    bool ok = false;
    FILE *responses = open_memstream(&response, &response_size), *costs = open_memstream(&cost, &cost_size);
    if (responses != NULL && costs != NULL)
        print_responses(spec, responses, costs);
    const bool has_responses = responses != NULL && fclose(responses) == 0; /* both are closed */
    const bool has_costs = costs != NULL && fclose(costs) == 0;
    if (has_responses && has_costs && response != NULL && cost != NULL) {
        const char *task = spec->n_responses == 1 ? gb_task_name(spec->response[0].target.task) : "auto";
        ok = json_object_set_new(object, "response", json_string(spec->n_responses == 0 ? "none" : response)) == 0 &&
             json_object_set_new(object, "task", json_string(task)) == 0 &&
             (spec->n_responses == 0 || json_object_set_new(object, "cost", json_string(cost)) == 0);
    }
    free(response);
    free(cost);
    return ok;
}

json_t *gb_spec_settings(const gb_spec *spec, const gb_settings *settings)
{
    json_t *object = gb_settings_to_json(settings);
    char value[GB_REAL_SIZE] = "";
    const gb_prior_ops *prior = spec->prior.ops;
    const char *decided = prior->decided == NULL ? NULL : prior->decided(&spec->prior, settings, value);
    if (object != NULL && json_object_set_new(object, "sampler", json_string(spec->sampler->name)) == 0 &&
        (spec->finds_burn_in ||
         (set_number(object, "burn-in", spec->burn_in) && set_number(object, "sweeps", spec->n_sweeps))) &&
        set_number(object, "thin", spec->thin) && set_number(object, "chains", spec->n_chains) &&
        (!gb_settings_are(settings, "snapshots", "auto") || set_number(object, "snapshots", spec->n_snapshots)) &&
        (spec->treatment == GB_TREAT_SAMPLED || set_number(object, "blocks", spec->n_blocks)) &&
        (spec->wording.shape == NULL ||
         json_object_set_new(object, "topic-treatment", json_string("sampled")) == 0) &&
        set_number(object, "seed", spec->seed) && set_responses(object, spec) &&
        (spec->beta.is_sampled || set_real(object, "beta", spec->beta.value)) &&
        (decided == NULL || json_object_set_new(object, decided, json_string(value)) == 0))
        return object;
    json_decref(object);
    return NULL;
}

/* ---- the list ---- */

static gb_status add(gb_plan *plan, const char *name, const char *value, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_grow(&plan->decision, &plan->decision_capacity, plan->n_decisions + 1, sizeof *plan->decision,
                   "the plan", err));
    plan->decision[plan->n_decisions++] = (gb_decision){.name = NULL};
    gb_decision *decision = &plan->decision[plan->n_decisions - 1];
    GB_TRY(gb_copy_text(&decision->name, name, strlen(name), err));
    GB_TRY(gb_copy_text(&decision->value, value, strlen(value), err));
done:
    return st;
}

static gb_status add_number(gb_plan *plan, const char *name, uint64_t value, gb_error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return add(plan, name, text, err);
}

/* The values of an option that may be given several times, joined by commas. */
static gb_status add_list(gb_plan *plan, const char *name, const json_t *list, gb_error *err)
{
    gb_status st;
    char *joined = NULL;
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        n += json_string_length(json_array_get(list, i)) + 1;
    GB_TRY(gb_alloc(&joined, n + 1, 1, "the plan", err));
    char *end = joined;
    for (size_t i = 0; i < json_array_size(list); i++)
        end = stpcpy(stpcpy(end, i > 0 ? "," : ""), json_string_value(json_array_get(list, i)));
    GB_TRY(add(plan, name, joined, err));
done:
    gb_free(joined);
    return st;
}

gb_status gb_plan_list_decisions(gb_plan *plan, gb_error *err)
{
    gb_status st = GB_OK;
    json_t *settings = gb_spec_settings(&plan->spec, plan->settings), *value;
    const char *name;
    const char *coefficients = plan->spec.n_outputs == 0 ? "auto" : plan->spec.coefficient_sampler->name;
    if (settings == NULL || !set_number(settings, "threads", plan->spec.n_threads) ||
        json_object_set_new(settings, "coefficient-sampler", json_string(coefficients)) != 0) {
        json_decref(settings);
        return gb_fail_memory(err, 0, "the plan");
    }
    json_object_foreach(settings, name, value)
    {
        if (json_is_array(value))
            GB_TRY(add_list(plan, name, value, err));
        else
            GB_TRY(add(plan, name, json_string_value(value), err));
    }
    GB_TRY(add_number(plan, "outputs", plan->spec.n_outputs, err));
    GB_TRY(add_number(plan, "columns", plan->spec.n_columns, err));
    GB_TRY(add_number(plan, "kept-draws", plan->n_draws * plan->n_model_chains, err));
    GB_TRY(add_number(plan, "chains-at-once", plan->chains_at_once, err));
    GB_TRY(add_number(plan, "threads-per-chain", plan->threads_per_chain, err));
    GB_TRY(add(plan, "instruction-set", gb_isa_name(plan->spec.isa), err));
done:
    json_decref(settings);
    return st;
}
