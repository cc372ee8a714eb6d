/* plan/plan.c - settings decided against a corpus. */
#include "plan/plan.h"

#include "base/memory.h"

#include <string.h>

/* The model's chains, output by output if each has its own; then the chains that calibrate, laid out alike. */
static void lay_out_chains(gb_plan *plan)
{
    const gb_spec *spec = &plan->spec;
    const size_t n_each = spec->one_vs_rest ? spec->n_outputs : 1;
    plan->n_model_chains = n_each * (size_t)spec->n_chains;
    plan->n_chains = plan->n_model_chains + n_each * spec->calibration_folds;
    plan->n_draws = (spec->n_sweeps - spec->burn_in) / spec->thin;
    /* Enough chains keep all threads busy with one thread each, which costs no waiting for one
     * another.  Ranks are in step: a chain at a time. */
    const bool side_by_side = spec->team == NULL && plan->n_chains > 1 && plan->n_chains >= spec->n_threads;
    plan->chains_at_once = side_by_side ? spec->n_threads : 1;
    plan->threads_per_chain = side_by_side ? 1 : spec->n_threads;
    plan->facts = (gb_plan_facts){.n_topics = spec->n_topics,
                                  .n_outputs = spec->n_outputs,
                                  .n_chains = plan->n_chains,
                                  .n_model_chains = plan->n_model_chains,
                                  .n_sweeps = spec->n_sweeps,
                                  .burn_in = spec->burn_in,
                                  .n_draws = plan->n_draws,
                                  .seed = spec->seed,
                                  .n_threads = spec->n_threads,
                                  .threads_per_chain = plan->threads_per_chain};
}

gb_chain_role gb_plan_role(const gb_plan *plan, uint64_t number)
{
    const gb_spec *spec = &plan->spec;
    const bool is_for_model = number < plan->n_model_chains;
    const size_t n_each = is_for_model ? (size_t)spec->n_chains : spec->calibration_folds;
    const size_t at = (size_t)number - (is_for_model ? 0 : plan->n_model_chains);
    return (gb_chain_role){.only_output = spec->one_vs_rest ? at / n_each : GB_NO_FIELD,
                           .held_out = is_for_model ? GB_NO_FIELD : at % n_each};
}

gb_status gb_plan_create(const gb_corpus *corpus, const gb_settings *settings, gb_plan **out, gb_error *err)
{
    gb_status st;
    gb_plan *plan = NULL;
    GB_TRY(gb_alloc(&plan, 1, sizeof *plan, "the plan", err));
    plan->corpus = corpus;
    GB_TRY(gb_settings_copy(settings, &plan->settings, err));
    GB_TRY(gb_spec_resolve(corpus, plan->settings, &plan->spec, err));
    lay_out_chains(plan);
    GB_TRY(gb_plan_list_decisions(plan, err));
    *out = plan;
    plan = NULL;
done:
    gb_plan_free(plan);
    return st;
}

void gb_plan_free(gb_plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->n_decisions; i++) {
        gb_free(plan->decision[i].name);
        gb_free(plan->decision[i].value);
    }
    free(plan->decision);
    gb_spec_clear(&plan->spec);
    gb_settings_free(plan->settings);
    gb_free(plan);
}

/* ---- asking ---- */

bool gb_plan_decision(const gb_plan *plan, size_t index, const char **name, const char **value)
{
    if (index >= plan->n_decisions)
        return false;
    *name = plan->decision[index].name;
    *value = plan->decision[index].value;
    return true;
}

const char *gb_plan_value(const gb_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_decisions; i++)
        if (strcmp(plan->decision[i].name, name) == 0)
            return plan->decision[i].value;
    return NULL;
}

const gb_plan_facts *gb_plan_facts_of(const gb_plan *plan)
{
    return &plan->facts;
}
