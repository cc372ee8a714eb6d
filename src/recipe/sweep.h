/* recipe/sweep.h - what each sweep of a chain redraws, and which labels the chain sees. */
#ifndef GB_RECIPE_SWEEP_H
#define GB_RECIPE_SWEEP_H

#include "chain/chain.h"
#include "store/store.h"

/** The next sweep of a chain.  @return as gb_chain_sweep() and gb_chain_score_as_new() */
gb_status gb_recipe_sweep(gb_chain *chain, gb_error *err);

/** gb_chain_load_state(), and what was decided before it was saved.  @return likewise */
gb_status gb_recipe_load_state(gb_chain *chain, const gb_store *store, const char *prefix, gb_error *err);

/** gb_chain_create() on some of the ranks of the plan, which all call it; NULL: on this one alone. */
gb_status gb_chain_create_on(gb_team *team, const gb_plan *plan, uint64_t number, gb_chain **out, gb_error *err);

#endif
