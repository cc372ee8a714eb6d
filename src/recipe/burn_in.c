/* recipe/burn_in.c - when the burn-in of a chain is over, if nobody has said how long it lasts.
 *
 * Every DECIDE_EVERY sweeps the chain looks at its trace (chain/trace.h).  Let m_3 and m_4 be the means of the log joint over the third
 * and the fourth quarter of the sweeps so far, s_3 and s_4 its standard deviations there, N the tokens of the corpus.  It
 * still gains while
 *
 *   m_4 - m_3 > max(g N, sqrt((s_3^2 + s_4^2) / 2)),   g = 0.03, and 0.05 in a chain with responses       (1)
 *
 * that is, more within a quarter than matters, and more than it goes up and down by.  Documents that are not in training gain about a
 * third of it, and predictions of labels less (docs/measured/defaults.md).  A loss with the mean m_1 over the first quarter still falls while
 *
 *   m_3 - m_4 > max(0.05 (m_1 - m_4), sqrt((s_3^2 + s_4^2) / 2))                                        (2)
 *
 * A quarter grows with the run, so that slow gains are seen too.  This is no test of convergence: what is too little to matter for
 * predictions may go on for long.  If there are late labels (recipe/late_labels.c), the sweeps that these take are burn-in
 * too.  The decision depends on nothing but the trace, which is part of the chain's state: it falls after the same sweep whatever the threads, and also if the chain was saved meanwhile. */
#include "recipe/burn_in.h"

#include "base/memory.h"
#include "chain/trace.h"
#include "recipe/late_labels.h"

#include <math.h>

enum { DECIDE_EVERY = 10 };

static const double OF_A_TOKEN = 0.03, WITH_RESPONSES = 0.05, OF_THE_FALL = 0.05;

/* ---- the rule ---- */

typedef struct quarter {
    double mean, variance;
} quarter;

static quarter summarise(size_t n, const double *x)
{
    quarter q = {0};
    for (size_t i = 0; i < n; i++)
        q.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        q.variance += (x[i] - q.mean) * (x[i] - q.mean) / (double)n;
    return q;
}

/* Column 0 is the log joint, the others are losses.  What is not a number gains nothing. */
static bool still_gains(size_t column, size_t n, const double *x, double of_log_joint)
{
    const size_t m = n / 4;
    const quarter first = summarise(m, x), third = summarise(m, x + n - 2 * m), fourth = summarise(m, x + n - m);
    const double gain = column == 0 ? fourth.mean - third.mean : third.mean - fourth.mean;
    const double matters = column == 0 ? of_log_joint : OF_THE_FALL * (first.mean - fourth.mean);
    return gain > fmax(matters, sqrt((third.variance + fourth.variance) / 2));
}

gb_status gb_trace_gains_little(uint64_t n_sweeps, size_t width, const double *row, uint64_t n_tokens, bool *out,
                                gb_error *err)
{
    double *x = NULL;
    const gb_status st = gb_alloc(&x, gb_trace_length(n_sweeps), sizeof *x, "a chain's trace", err);
    if (st != GB_OK)
        return st;
    const double of_log_joint = (width > 1 ? WITH_RESPONSES : OF_A_TOKEN) * (double)n_tokens;
    *out = true;
    for (size_t i = 0; i < width && *out; i++) {
        const size_t n = gb_trace_column(n_sweeps, width, row, i, x);
        *out = !still_gains(i, n, x, of_log_joint);
    }
    gb_free(x);
    return GB_OK;
}

/* ---- a chain ---- */

static gb_status decide_after(gb_chain *c, uint64_t sweep, gb_error *err)
{
    bool gains_little;
    const bool is_open = c->spec->finds_burn_in && !c->course.burn_in_is_found && !c->course.is_led;
    if (!is_open || sweep < GB_LEAST_BURN_IN || sweep < 2 * c->spec->words_after || sweep > c->spec->burn_in ||
        sweep % DECIDE_EVERY != 0)
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
