/* recipe/burn_in.c - when the burn-in of a chain is over, if nobody has said how long it lasts.
 *
 * Every DECIDE_EVERY sweeps the chain looks at its trace, and goes on while that still gains (chain/trace.c).
 *
 * A quarter grows with the run, so that slow gains are seen too.  This is no test of convergence: what is too little to matter for
 * predictions may go on for long.  If there are late labels (recipe/late_labels.c), the sweeps that these take are burn-in
 * too.  The decision depends on nothing but the trace, which is part of the chain's state: it falls after the same sweep whatever the threads, and also if the chain was saved meanwhile. */
#include "recipe/burn_in.h"

#include "base/memory.h"
#include "chain/trace.h"
#include "recipe/late_labels.h"

enum { DECIDE_EVERY = 10 };

/* ---- the rule ---- */

gb_status gb_trace_gains_little(uint64_t n_sweeps, size_t width, const double *row, uint64_t n_tokens, bool *out,
                                gb_error *err)
{
    double *x = NULL;
    const gb_status st = gb_alloc(&x, gb_trace_length(n_sweeps), sizeof *x, "a chain's trace", err);
    if (st != GB_OK)
        return st;
    *out = true;
    for (size_t i = 0; i < width && *out; i++) {
        const size_t n = gb_trace_column(n_sweeps, width, row, i, x);
        *out = !gb_trace_still_gains(gb_trace_gain_of(i == 0, width > 1, n, x, n_tokens));
    }
    gb_free(x);
    return GB_OK;
}

/* ---- a chain ---- */

static gb_status decide_after(gb_chain *c, uint64_t sweep, gb_error *err)
{
    bool gains_little;
    const bool is_open = c->spec->finds_burn_in && !c->course.burn_in_is_found && !c->course.is_led;
    if (!is_open || sweep < gb_spec_least_burn_in(c->spec) || sweep < 2 * c->spec->words_after ||
        sweep > c->spec->burn_in || sweep % DECIDE_EVERY != 0)
        return GB_OK;
    const gb_status st =
        gb_trace_gains_little(sweep, gb_trace_width(c->spec), c->trace, c->here->n_all_tokens, &gains_little, err);
    if (st == GB_OK && gains_little) {
        const gb_late_sweeps late = gb_late_sweeps_of(c->spec);
        const uint64_t settled = sweep + late.n_noted + late.n_settling;
        c->course.burn_in = settled < c->spec->burn_in ? settled : c->spec->burn_in;
        c->course.burn_in_is_found = true;
    }
    return st;
}

void gb_chain_follow(gb_chain *c)
{
    c->course.is_led = true;
}

void gb_chain_take_burn_in(gb_chain *c, uint64_t burn_in)
{
    c->course.burn_in = burn_in;
    c->course.burn_in_is_found = true;
}

gb_status gb_chain_decide(gb_chain *c, gb_error *err)
{
    return decide_after(c, c->sweep, err);
}

gb_status gb_chain_decide_again(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    if (c->course.is_led)
        return GB_OK;
    c->course.burn_in = c->spec->burn_in;
    c->course.burn_in_is_found = false;
    for (uint64_t sweep = DECIDE_EVERY; st == GB_OK && sweep <= c->sweep && sweep <= c->spec->burn_in;
         sweep += DECIDE_EVERY)
        st = decide_after(c, sweep, err);
    return st;
}

const gb_chain_facts *gb_chain_facts_of(gb_chain *c)
{
    const uint64_t burn_in = c->course.burn_in, end = burn_in + gb_spec_n_kept_sweeps(c->spec);
    const bool is_kept = c->sweep > burn_in && c->sweep <= end && (c->sweep - burn_in) % c->spec->thin == 0;
    c->share->facts = (gb_chain_facts){.number = c->number,
                                       .n_sweeps = c->sweep,
                                       .burn_in = burn_in,
                                       .burn_in_is_found = c->course.burn_in_is_found,
                                       .keeps = is_kept,
                                       .is_done = c->sweep >= end};
    return &c->share->facts;
}
