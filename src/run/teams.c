/* run/teams.c - the chains of a run shared out over teams of ranks. */
#include "run/teams.h"

#include "base/memory.h"
#include "run/keep.h"

#include <math.h>

/* Seconds between two meetings, unless a sweep takes longer. */
static const double ROUND = 0.25;

/* ---- forming ---- */

size_t gb_n_teams(const gb_spec *spec, size_t n_chains)
{
    size_t n = gb_team_size(spec->team);
    n = n_chains < n ? n_chains : n;
    n = spec->most_teams > 0 && spec->most_teams < n ? spec->most_teams : n;
    return n == 0 ? 1 : n;
}

size_t gb_teams_leader(const gb_run *r, size_t team)
{
    return (team * gb_team_size(r->teams.all) + r->teams.n - 1) / r->teams.n;
}

bool gb_teams_is_leader(const gb_run *r)
{
    return gb_team_rank(r->teams.own) == 0;
}

static size_t count_open(const gb_run *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->plan->n_chains; i++)
        n += !r->job[i].is_done;
    return n;
}

static void deal_chains(gb_run *r)
{
    for (size_t i = 0, n = 0; i < r->plan->n_chains; i++)
        r->job[i].team = r->job[i].is_done ? GB_NO_FIELD : n++ % r->teams.n;
}

/* Draws lie beside the checkpoint, where rank 0 puts them.  The first ranks of other teams keep theirs until it takes them, and have
 * to know what is there already. */
static gb_status open_outbox(gb_run *r, gb_error *err)
{
    gb_status st;
    const size_t n = r->plan->n_model_chains;
    const gb_draw_plan plan = {.n_chains = n, .n_kept = r->plan->n_draws, .n_snapshots = r->plan->spec.n_snapshots};
    gb_kept_so_far *kept = NULL;
    char *path = NULL;
    GB_TRY(gb_alloc(&kept, n, sizeof *kept, "the chains", err));
    for (size_t i = 0; gb_team_rank(r->teams.all) == 0 && i < n; i++)
        kept[i] = gb_draw_file_so_far(r->kept, i);
    GB_TRY(gb_team_broadcast(r->teams.all, 0, kept, n * sizeof *kept, err));
    if (r->teams.number == 0 || !gb_teams_is_leader(r))
        goto done;
    GB_TRY(gb_keep_path(r->plan->settings, &path, err));
    GB_TRY(gb_draw_file_create(&r->outbox, path, false, r->model, &plan, err));
    for (size_t i = 0; i < n; i++)
        GB_TRY(gb_draw_file_begin_after(r->outbox, i, &kept[i], err));
done:
    gb_free(kept);
    gb_free(path);
    return st;
}

gb_status gb_teams_form(gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    gb_run_teams *t = &r->teams;
    if (t->all == NULL)
        return st;
    t->n = gb_n_teams(&r->plan->spec, count_open(r));
    t->number = gb_team_rank(t->all) * t->n / gb_team_size(t->all);
    deal_chains(r);
    if (t->n == 1)
        return st;
    GB_TRY(gb_team_split(t->all, t->number, &t->split, err));
    t->own = t->split;
    if (*r->checkpoint.path != '\0')
        GB_TRY(open_outbox(r, err));
done:
    return st;
}

/* ---- meetings ---- */

/* What ranks tell each other: of the chain that their team draws, and of their users. */
typedef struct report {
    uint64_t chain;   /* n_chains: none */
    uint64_t is_live; /* it is in memory */
    uint64_t n_sweeps, n_kept, burn_in, burn_in_is_found, is_done;
    uint64_t proposed[GB_MH_N_PROPOSALS], accepted[GB_MH_N_PROPOSALS];
    uint64_t n_at_once; /* sweeps of the next round */
    uint64_t stops, wants_checkpoint;
} report;

typedef struct meeting {
    gb_run *run;
    size_t number;  /* of the chain that is drawn here; n_chains: none is left */
    double seconds; /* of a sweep; 0: not known */
    report *of;     /* ranks */
    uint64_t *start;
} meeting;

/* Not beyond the next checkpoint. */
static uint64_t sweeps_at_once(const meeting *m)
{
    const gb_checkpoint *c = &m->run->checkpoint;
    const uint64_t n_running = m->run->n_running > 0 ? m->run->n_running : 1, done = c->n_sweeps_since / n_running;
    double n = m->seconds > 0 ? fmin(floor(ROUND / m->seconds), 1000) : 1;
    if (*c->path != '\0' && c->every.sweeps > 0)
        n = fmin(n, c->every.sweeps > done ? (double)(c->every.sweeps - done) : 1);
    return n < 1 ? 1 : (uint64_t)n;
}

static report report_of(const meeting *m)
{
    gb_run *r = m->run;
    report x = {.chain = m->number, .n_at_once = sweeps_at_once(m), .stops = atomic_load(&r->is_stopped)};
    x.wants_checkpoint =
        atomic_load(&r->wants_checkpoint) || (gb_team_rank(r->teams.all) == 0 && gb_run_is_time_for_checkpoint(r));
    if (m->number == r->plan->n_chains)
        return x;
    const gb_job *j = &r->job[m->number];
    x.is_live = j->chain != NULL;
    x.n_sweeps = j->n_sweeps;
    x.n_kept = j->n_kept;
    x.burn_in = j->burn_in;
    x.burn_in_is_found = j->burn_in_is_found;
    x.is_done = j->is_done;
    gb_run_rates(r, m->number, x.proposed, x.accepted);
    return x;
}

/* Of another team's chain. */
static void note_chain(gb_run *r, const report *x)
{
    gb_job *j = &r->job[x->chain];
    r->checkpoint.n_sweeps_since += x->n_sweeps - j->n_sweeps;
    r->checkpoint.n_done_since += x->is_done && !j->is_done;
    j->is_elsewhere = x->is_live != 0;
    j->n_sweeps = x->n_sweeps;
    j->n_kept = x->n_kept;
    j->burn_in = x->burn_in;
    j->burn_in_is_found = x->burn_in_is_found != 0;
    j->is_done = x->is_done != 0;
    for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++) {
        j->proposed[p] = x->proposed[p];
        j->accepted[p] = x->accepted[p];
    }
}

static void note_teams(const meeting *m)
{
    gb_run *r = m->run;
    r->n_running = 0;
    for (size_t t = 0; t < r->teams.n; t++) {
        const report *x = &m->of[gb_teams_leader(r, t)];
        if (x->chain == r->plan->n_chains)
            continue;
        if (t != r->teams.number)
            note_chain(r, x);
        r->n_running += x->is_done ? 0 : 1;
        if (x->is_live && x->chain + 1 > r->next)
            r->next = (size_t)x->chain + 1;
    }
}

/* @param stops, wants  whether one of them does */
static gb_status meet(meeting *m, bool *stops, bool *wants, gb_error *err)
{
    gb_run *r = m->run;
    m->of[gb_team_rank(r->teams.all)] = report_of(m);
    const gb_status st = gb_team_gather(r->teams.all, m->of, sizeof *m->of, m->start, err);
    if (st != GB_OK)
        return st;
    note_teams(m);
    *stops = *wants = false;
    for (size_t i = 0; i < gb_team_size(r->teams.all); i++) {
        *stops |= m->of[i].stops != 0;
        *wants |= m->of[i].wants_checkpoint != 0;
    }
    if (*stops)
        atomic_store(&r->is_stopped, true);
    return st;
}

/* ---- rounds ---- */

/* A chain that is done makes room for the next one of its team. */
static void go_to_next(meeting *m)
{
    const gb_run *r = m->run;
    while (m->number < r->plan->n_chains &&
           (r->job[m->number].is_done || r->job[m->number].team != r->teams.number)) {
        m->number++;
        m->seconds = 0;
    }
}

/* GB_OK also if a sweep was the last one for now. */
static gb_status draw_some_sweeps(meeting *m, uint64_t n, gb_error *err)
{
    gb_run *r = m->run;
    const gb_job *j = &r->job[m->number];
    gb_status st = GB_OK;
    if (j->chain == NULL)
        st = gb_run_begin_chain(r, m->number, err);
    const double begin = gb_seconds();
    uint64_t i = 0;
    for (; st == GB_OK && i < n && !j->is_done && gb_run_may_step(r, m->number); i++)
        st = gb_run_step(r, m->number, 0, err);
    if (i > 0)
        m->seconds = (gb_seconds() - begin) / (double)i;
    if (j->is_done && *r->checkpoint.path == '\0')
        gb_run_drop_chain(r, m->number);
    return st == GB_ESTOP ? GB_OK : st;
}

static gb_status draw_round(meeting *m, gb_error *err)
{
    const gb_run *r = m->run;
    const size_t before = m->number;
    go_to_next(m);
    const uint64_t n = m->number == before ? m->of[gb_teams_leader(r, r->teams.number)].n_at_once : 1;
    if (m->number < r->plan->n_chains)
        return draw_some_sweeps(m, n, err);
    gb_run_tell_of_others(m->run);
    return GB_OK;
}

static gb_status write_if_due(gb_run *r, bool is_wanted, gb_error *err)
{
    if (*r->checkpoint.path == '\0' || r->checkpoint.n_sweeps_since == 0 ||
        !(is_wanted || gb_run_is_far_enough_for_checkpoint(r)) || gb_run_write_checkpoint(r) == GB_OK)
        return GB_OK;
    const gb_error *why = &r->checkpoint.error;
    return gb_fail(err, why->status, "%s", why->message);
}

/* Until all chains are done, somebody says stop, or a checkpoint cannot be written. */
static gb_status draw_rounds(meeting *m, gb_error *err)
{
    gb_status st;
    gb_run *r = m->run;
    bool stops, wants;
    for (;;) {
        GB_TRY(meet(m, &stops, &wants, err));
        if (stops || count_open(r) == 0)
            break;
        GB_TRY(write_if_due(r, wants, err));
        if (r->checkpoint.error.status != GB_OK)
            break;
        GB_TRY(draw_round(m, err));
    }
    if (m->number < r->plan->n_chains && r->job[m->number].chain != NULL && !r->job[m->number].is_done)
        GB_TRY(gb_run_keep_last(r, m->number, err));
done:
    return st;
}

static gb_status open_meeting(gb_run *r, meeting *m, gb_error *err)
{
    gb_status st;
    const size_t size = gb_team_size(r->teams.all);
    GB_TRY(gb_alloc(&m->of, size, sizeof *m->of, "ranks", err));
    GB_TRY(gb_alloc(&m->start, size + 1, sizeof *m->start, "ranks", err));
    for (size_t i = 0; i <= size; i++)
        m->start[i] = i;
    go_to_next(m);
done:
    return st;
}

gb_status gb_teams_draw(gb_run *r, gb_error *err)
{
    meeting m = {.run = r};
    gb_error error = {.status = GB_OK};
    gb_status st = open_meeting(r, &m, &error);
    if (st == GB_OK)
        st = draw_rounds(&m, &error);
    gb_free(m.of);
    gb_free(m.start);
    if (st != GB_OK) {
        r->failed = m.number < r->plan->n_chains ? m.number : 0;
        r->error = error;
        r->error.status = st;
        return gb_fail(err, st, "%s", error.message);
    }
    return st;
}
