/* plan/plan.h - a plan: settings, the description decided from them, and how its chains are laid out. */
#ifndef GB_PLAN_PLAN_H
#define GB_PLAN_PLAN_H

#include "gibbous/plan.h"
#include "plan/spec.h"

typedef struct gb_decision {
    char *name, *value;
} gb_decision;

struct gb_plan {
    const gb_corpus *corpus; /* borrowed */
    gb_settings *settings;   /* a copy */
    gb_spec spec;
    size_t n_chains, n_model_chains; /* the model's chains come first */
    size_t chains_at_once, threads_per_chain;
    uint64_t n_draws; /* of a chain */
    gb_plan_facts facts;
    gb_decision *decision;
    size_t n_decisions, decision_capacity;
};

/** What a chain of a plan is for. */
typedef struct gb_chain_role {
    size_t only_output; /* its only output, or GB_NO_FIELD: all */
    size_t held_out;    /* the fold whose labels it does not see, or GB_NO_FIELD: its draws go into the model */
} gb_chain_role;

gb_chain_role gb_plan_role(const gb_plan *plan, uint64_t number);

/** Settings as the run uses them, "auto" replaced by what was decided: name -> text, or a list of texts.  Options of
 * training, all groups.  NULL when memory runs out. */
json_t *gb_spec_settings(const gb_spec *spec, const gb_settings *settings);

/** Fill plan->decision; part of gb_plan_create(), in a file of its own. */
gb_status gb_plan_list_decisions(gb_plan *plan, gb_error *err);

#endif
