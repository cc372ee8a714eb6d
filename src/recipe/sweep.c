/* recipe/sweep.c - what each sweep of a chain redraws, and which labels the chain sees. */
#include "recipe/sweep.h"

#include "base/memory.h"
#include "chain/state.h"
#include "recipe/burn_in.h"
#include "recipe/late_labels.h"

/* Words may wait (--word-effects-after): so many sweeps, all of them burn-in, topics have to tell the labels themselves.  In two stages
 * topics are drawn in burn-in, without labels, and what labels depend on after it: topics that are kept as burn-in leaves them get its
 * second half to reach the posterior. */
static gb_sweep_parts parts_of(const gb_spec *spec, uint64_t number, uint64_t burn_in)
{
    const bool in_burn_in = number <= burn_in;
    const uint64_t of_topics = spec->finds_burn_in ? GB_LEAST_BURN_IN : spec->burn_in;
    return (gb_sweep_parts){.in_burn_in = in_burn_in,
                            .may_adapt = spec->two_stage ? number <= of_topics / 2 : in_burn_in,
                            .topics = in_burn_in || !spec->two_stage,
                            .responses = !in_burn_in || !spec->two_stage,
                            .without_words = number <= spec->words_after};
}

gb_status gb_recipe_sweep(gb_chain *c, gb_error *err)
{
    gb_status st;
    const gb_sweep_parts parts = parts_of(c->spec, (uint64_t)c->sweep + 1, c->course.burn_in);
    GB_TRY(gb_chain_give_late_labels(c, err));
    GB_TRY(gb_chain_sweep(c, &parts, err));
    GB_TRY(gb_chain_note_late_scores(c, err));
done:
    return st;
}

gb_status gb_recipe_load_state(gb_chain *c, const gb_store *store, const char *prefix, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_chain_load_state(c, store, prefix, err));
    GB_TRY(gb_chain_hide_late_labels_again(c, err));
    GB_TRY(gb_chain_decide_again(c, err));
done:
    return st;
}
