/* recipe/step.c - chains of a plan: made, and stepped by their caller. */
#include "base/memory.h"
#include "base/parallel.h"
#include "chain/start.h"
#include "chain/trace.h"
#include "recipe/burn_in.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

#include <math.h>

static const double CALL_AFTER = 0.25; /* seconds inside a start or a sweep */

gb_status gb_chain_create(const gb_plan *plan, uint64_t number, gb_chain **out, gb_error *err)
{
    return gb_chain_create_on(plan->spec.team, plan, number, out, err);
}

gb_status gb_chain_create_on(gb_team *team, const gb_plan *plan, uint64_t number, gb_chain **out, gb_error *err)
{
    gb_status st;
    gb_chain *c = NULL;
    gb_chain_share *share = NULL;
    if (number >= plan->n_chains)
        return gb_fail(err, GB_EARGUMENT, "chain %llu: the plan has %zu, numbered from 0", (unsigned long long)number,
                       plan->n_chains);
    const gb_chain_role role = gb_plan_role(plan, number);
    GB_TRY(gb_alloc(&share, 1, sizeof *share, "the chain", err));
    gb_spec_for_chain(&plan->spec, role.only_output, role.held_out, plan->threads_per_chain, &share->only,
                      &share->spec);
    share->spec.team = team;
    GB_TRY(gb_chain_allocate(&c, plan->corpus, &share->spec, number, err));
    c->plan = plan;
    c->share = share;
    share = NULL;
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    gb_free(share);
    return st;
}

/* ---- progress ---- */

/* One call of gb_chain_step(). */
typedef struct stepping {
    gb_chain *chain;
    gb_on_sweep *on_sweep; /* may be NULL */
    void *user;
    gb_watch watch;
    double begin;
    uint64_t first;  /* sweeps before it */
    uint64_t n_sent; /* bytes, to other ranks in the last sweep */
    bool is_partial; /* inside a start or a sweep */
} stepping;

static bool ask(void *context)
{
    const stepping *s = context;
    gb_chain *c = s->chain;
    const uint64_t done = !c->is_started ? 0 : s->is_partial ? c->sweep - 1 : c->sweep;
    const uint64_t end = c->course.burn_in + gb_spec_n_kept_sweeps(c->spec);
    const gb_progress progress = {.chain = c->number,
                                  .n_chains = c->plan->n_chains,
                                  .sweep = done,
                                  .n_sweeps = end,
                                  .in_burn_in = done <= c->course.burn_in,
                                  .seconds = gb_seconds() - s->begin,
                                  .tokens_per_second = c->tokens_per_second,
                                  .state = c,
                                  .is_partial = s->is_partial,
                                  .n_done = done - s->first,
                                  .n_left = done < end ? end - done : 0,
                                  .bytes_sent = s->is_partial ? 0 : s->n_sent,
                                  .is_open = c->spec->finds_burn_in && !c->course.burn_in_is_found &&
                                             done < c->course.burn_in};
    return s->on_sweep(&progress, s->user);
}

/* A callback is this rank's alone: it must not wait for the others. */
static bool is_on_ranks(const gb_progress *progress)
{
    return progress->state->portion.team != NULL;
}

/* The last one of the trace. */
static double traced_log_joint(const gb_chain *c)
{
    return c->n_trace == 0 ? NAN : c->trace[(c->n_trace - 1) * gb_trace_width(c->spec)];
}

double gb_progress_log_joint(const gb_progress *progress)
{
    double log_joint;
    if (progress->is_partial)
        return NAN;
    if (is_on_ranks(progress))
        return traced_log_joint(progress->state);
    return gb_chain_log_joint(progress->state, &log_joint, NULL) == GB_OK ? log_joint : NAN;
}

double gb_progress_training_error(const gb_progress *progress)
{
    return progress->is_partial || is_on_ranks(progress) ? NAN : gb_chain_training_error(progress->state);
}

/* ---- steps ---- */

static gb_status fail_stopped(const gb_chain *c, gb_error *err)
{
    return gb_fail(err, GB_ESTOP, "stopped after sweep %u of chain %llu", c->sweep,
                   (unsigned long long)c->number + 1);
}

static gb_status start(stepping *s, gb_error *err)
{
    gb_chain *c = s->chain;
    const gb_status st = gb_chain_start_topics(c, err);
    if (st != GB_OK) {
        gb_chain_reset(c);
        return st == GB_ESTOP ? fail_stopped(c, err) : st;
    }
    c->is_started = true;
    return st;
}

static gb_status sweep(stepping *s, gb_error *err)
{
    const double before = gb_seconds();
    const uint64_t sent_before = gb_team_bytes_sent(s->chain->portion.team);
    gb_status st = gb_recipe_sweep(s->chain, err);
    s->n_sent = gb_team_bytes_sent(s->chain->portion.team) - sent_before;
    if (st == GB_ESTOP)
        return fail_stopped(s->chain, err);
    if (st == GB_OK)
        st = gb_trace_add(s->chain, err);
    if (st == GB_OK)
        st = gb_chain_decide(s->chain, err);
    if (st != GB_OK)
        return st;
    s->chain->tokens_per_second = (double)s->chain->here->n_all_tokens / fmax(gb_seconds() - before, 1e-9);
    s->is_partial = false;
    bool stops = !gb_watch_ask(&s->watch);
    s->is_partial = true;
    st = gb_team_any(s->chain->portion.team, &stops, err); /* one rank's stop is all ranks' */
    return st == GB_OK && stops ? fail_stopped(s->chain, err) : st;
}

gb_status gb_chain_step(gb_chain *c, uint64_t n_sweeps, gb_on_sweep *on_sweep, void *user, gb_error *err)
{
    gb_status st = GB_OK;
    gb_pool pool;
    stepping s = {
        .chain = c, .on_sweep = on_sweep, .user = user, .begin = gb_seconds(), .first = c->sweep, .is_partial = true};
    gb_pool_open(&pool);
    gb_watch_start(&s.watch, on_sweep == NULL ? NULL : ask, &s);
    s.watch.interval = CALL_AFTER;
    c->watch = &s.watch;
    if (!c->is_started)
        GB_TRY(start(&s, err));
    for (; n_sweeps > 0; n_sweeps--)
        GB_TRY(sweep(&s, err));
done:
    c->watch = NULL;
    gb_pool_close(&pool);
    return st;
}
