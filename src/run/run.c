/* run/run.c - draw the chains of a plan, side by side or one after the other, with checkpoints on the way. */
#include "run/run.h"

#include "gibbous/train.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "recipe/burn_in.h"
#include "recipe/sweep.h"
#include "run/checkpoint.h"
#include "run/keep.h"
#include "run/put_together.h"
#include "run/teams.h"

#include <string.h>
#include <time.h>

/* ---- progress ---- */

/* The thread that called gb_train() tells the user, until the user says stop. */
static void tell(gb_run *r, const gb_progress *progress)
{
    gb_progress copy = *progress;
    copy.seconds = gb_seconds() - r->begin;
    copy.run = r;
    copy.n_checkpoints = r->checkpoint.n_written;
    if (r->on_sweep != NULL && !atomic_load(&r->is_stopped) && !r->on_sweep(&copy, r->user))
        atomic_store(&r->is_stopped, true);
    if (copy.seconds >= r->time_limit)
        atomic_store(&r->is_stopped, true);
}

typedef struct watch {
    gb_run *run;
    size_t number, worker;
} watch;

/* A sweep that is reported is counted when it has been kept, a moment later.  Chains that do not know yet how long their burn-in is
 * are taken to be like the one that is reported.  The lock is held. */
static void count_sweeps(const gb_run *r, gb_progress *p)
{
    uint64_t n = 0, n_all = 0;
    for (size_t i = 0; i < r->plan->n_chains; i++) {
        const gb_job *j = &r->job[i];
        const uint64_t end = j->burn_in + gb_spec_n_kept_sweeps(&r->plan->spec);
        const bool is_like_it = i == p->chain || (r->plan->spec.finds_burn_in && !j->burn_in_is_found && !j->is_done);
        n += i == p->chain && p->sweep > j->n_sweeps ? p->sweep : j->n_sweeps;
        n_all += !is_like_it ? end : p->n_sweeps > j->n_sweeps ? p->n_sweeps : j->n_sweeps;
    }
    p->n_done = n - r->n_resumed;
    p->n_left = n_all - n;
}

/* A chain goes on until somebody says stop, or a chain before it has failed. */
static bool on_progress(const gb_progress *progress, void *user)
{
    const watch *w = user;
    gb_run *r = w->run;
    gb_progress copy = *progress;
    (void)pthread_mutex_lock(&r->lock);
    const bool goes_on = r->failed > w->number;
    count_sweeps(r, &copy);
    (void)pthread_mutex_unlock(&r->lock);
    if (w->worker == 0)
        tell(r, &copy);
    return goes_on && !atomic_load(&r->is_stopped);
}

bool gb_progress_request_checkpoint(const gb_progress *progress)
{
    if (progress->run == NULL || *progress->run->checkpoint.path == '\0')
        return false;
    atomic_store(&progress->run->wants_checkpoint, true);
    return true;
}

/* ---- checkpoints ---- */

/* Chains that are done and wait for a checkpoint take memory. */
enum { MOST_DONE_CHAINS = 4 };

bool gb_run_is_time_for_checkpoint(const gb_run *r)
{
    return gb_seconds() - r->checkpoint.written_at >= r->checkpoint.every.seconds;
}

bool gb_run_is_far_enough_for_checkpoint(const gb_run *r)
{
    const gb_checkpoint *c = &r->checkpoint;
    const uint64_t n_chains = r->n_running > 0 ? r->n_running : 1;
    return (c->every.sweeps > 0 && c->n_sweeps_since >= c->every.sweeps * n_chains) ||
           c->n_done_since >= MOST_DONE_CHAINS;
}

static bool is_due(gb_run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    const bool is_far_enough = gb_run_is_far_enough_for_checkpoint(r);
    (void)pthread_mutex_unlock(&r->lock);
    return is_far_enough || atomic_load(&r->wants_checkpoint) || gb_run_is_time_for_checkpoint(r);
}

/* All ranks learn of it if one of them could not.  @param out  its own failure, or that of the others
 * @return GB_OK if ranks can go on together all the same */
static gb_status write_at_all(gb_run *r, gb_error *out)
{
    gb_error shared = {.status = GB_OK};
    out->status = gb_checkpoint_write(r, out);
    bool fails = out->status != GB_OK;
    shared.status = gb_team_any(r->plan->spec.team, &fails, &shared);
    if (out->status == GB_OK && shared.status != GB_OK)
        *out = shared;
    else if (out->status == GB_OK && fails)
        (void)gb_fail(out, GB_ERANK, "rank 0 could not write the checkpoint");
    return shared.status;
}

/* With threads the lock is held. */
gb_status gb_run_write_checkpoint(gb_run *r)
{
    gb_checkpoint *c = &r->checkpoint;
    gb_error error = {.status = GB_OK};
    atomic_store(&r->wants_checkpoint, false);
    const gb_status st = write_at_all(r, &error);
    if (error.status != GB_OK && c->error.status == GB_OK) {
        c->error = error;
        atomic_store(&r->is_stopped, true);
    }
    c->written_at = gb_seconds();
    c->n_sweeps_since = 0;
    c->n_done_since = 0;
    return st;
}

/* Progress of the first chain that runs, for a thread that runs none.  The lock is held. */
static gb_progress progress_of_others(const gb_run *r)
{
    size_t i = 0;
    while (i + 1 < r->next && r->job[i].is_done)
        i++;
    const gb_job *j = &r->job[i];
    gb_progress p = {.chain = i,
                     .n_chains = r->plan->n_chains,
                     .sweep = j->n_sweeps,
                     .n_sweeps = j->burn_in + gb_spec_n_kept_sweeps(&r->plan->spec),
                     .in_burn_in = j->n_sweeps <= j->burn_in,
                     .is_partial = true,
                     .is_open = r->plan->spec.finds_burn_in && j->n_sweeps < j->burn_in && !j->burn_in_is_found};
    count_sweeps(r, &p);
    return p;
}

/* What is begun is finished: a stop is noted. */
static bool tell_of_file(void *context)
{
    gb_run *r = context;
    const gb_progress progress = progress_of_others(r);
    tell(r, &progress);
    return true;
}

bool gb_run_ask(void *context)
{
    gb_run *r = context;
    (void)tell_of_file(r);
    return !atomic_load(&r->is_stopped);
}

void gb_run_watch(gb_run *r, bool is_finished, gb_watch *out)
{
    gb_watch_start(out, is_finished ? tell_of_file : gb_run_ask, r);
}

/* Sleep until something changes, a quarter of a second at most; the lock is held. */
static void wait_a_while(gb_run *r)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 250000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    (void)pthread_cond_timedwait(&r->changed, &r->lock, &until);
}

/* By worker 0: the other chains stop between two sweeps meanwhile. */
static void write_beside_others(gb_run *r, bool has_chain)
{
    if (*r->checkpoint.path == '\0' || atomic_load(&r->is_stopped) || !is_due(r))
        return;
    (void)pthread_mutex_lock(&r->lock);
    r->is_pausing = true;
    while (r->n_paused + has_chain < r->n_running) {
        wait_a_while(r);
        const gb_progress progress = progress_of_others(r);
        (void)pthread_mutex_unlock(&r->lock);
        tell(r, &progress);
        (void)pthread_mutex_lock(&r->lock);
    }
    if (r->failed == r->plan->n_chains)
        (void)gb_run_write_checkpoint(r);
    r->is_pausing = false;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
}

/* The lock is held. */
static void pause_while_asked(gb_run *r)
{
    while (r->is_pausing) {
        r->n_paused++;
        (void)pthread_cond_broadcast(&r->changed);
        (void)pthread_cond_wait(&r->changed, &r->lock);
        r->n_paused--;
    }
}

static void pause_if_asked(gb_run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    pause_while_asked(r);
    (void)pthread_mutex_unlock(&r->lock);
}

/* ---- one burn-in for chains that are compared ---- */

/* The first chain of the same scores finds out for all; itself for the others, and where nobody finds out. */
static size_t leader_of(const gb_run *r, size_t number)
{
    const gb_chain_role role = gb_plan_role(r->plan, number);
    if (!r->plan->spec.finds_burn_in)
        return number;
    return role.only_output == GB_NO_FIELD ? 0 : role.only_output * (size_t)r->plan->spec.n_chains;
}

/* The lock is held. */
static bool may_step(const gb_run *r, size_t number)
{
    const gb_job *j = &r->job[number], *leader = &r->job[leader_of(r, number)];
    return j == leader || leader->burn_in_is_found || leader->n_sweeps >= j->n_sweeps ||
           leader->n_sweeps >= leader->burn_in;
}

bool gb_run_may_step(gb_run *r, size_t number)
{
    (void)pthread_mutex_lock(&r->lock);
    const bool may = may_step(r, number);
    (void)pthread_mutex_unlock(&r->lock);
    return may;
}

/* Of a chain that the worker draws.  @return false if there is nothing to wait for any more */
static bool wait_for_leader(gb_run *r, size_t number, size_t worker)
{
    (void)pthread_mutex_lock(&r->lock);
    while (!may_step(r, number) && r->failed > number && !atomic_load(&r->is_stopped)) {
        if (worker != 0 && r->is_pausing) {
            pause_while_asked(r);
            continue;
        }
        wait_a_while(r);
        if (worker != 0)
            continue;
        const gb_progress progress = progress_of_others(r);
        (void)pthread_mutex_unlock(&r->lock);
        tell(r, &progress);
        write_beside_others(r, true);
        (void)pthread_mutex_lock(&r->lock);
    }
    const bool may = may_step(r, number);
    (void)pthread_mutex_unlock(&r->lock);
    return may;
}

static void follow_leader(gb_run *r, size_t number)
{
    (void)pthread_mutex_lock(&r->lock);
    const gb_job *leader = &r->job[leader_of(r, number)];
    if (leader != &r->job[number] && leader->burn_in_is_found)
        gb_chain_take_burn_in(r->job[number].chain, leader->burn_in);
    (void)pthread_mutex_unlock(&r->lock);
}

/* ---- a chain's sweeps ---- */

gb_status gb_run_step(gb_run *r, size_t number, size_t worker, gb_error *err)
{
    gb_status st = GB_OK;
    gb_job *j = &r->job[number];
    watch w = {.run = r, .number = number, .worker = worker};
    follow_leader(r, number);
    const gb_status stepped = gb_chain_step(j->chain, 1, on_progress, &w, err);
    const gb_chain_facts *chain = gb_chain_facts_of(j->chain);
    const bool is_swept = chain->n_sweeps > j->n_sweeps && (stepped == GB_OK || stepped == GB_ESTOP);
    if (is_swept && chain->keeps)
        GB_TRY(gb_run_keep(r, number, err));
    (void)pthread_mutex_lock(&r->lock);
    j->n_sweeps += is_swept;
    j->burn_in = chain->burn_in;
    j->burn_in_is_found = chain->burn_in_is_found;
    j->is_done = chain->is_done;
    r->checkpoint.n_sweeps_since += is_swept;
    r->checkpoint.n_done_since += j->is_done;
    (void)pthread_cond_broadcast(&r->changed); /* others may follow */
    (void)pthread_mutex_unlock(&r->lock);
    if (stepped == GB_ESTOP && !j->is_done)
        GB_TRY(gb_run_keep_last(r, number, err));
    if (stepped == GB_ESTOP && r->teams.all != NULL)
        atomic_store(&r->is_stopped, true); /* maybe it was another rank's wish */
    st = stepped;
done:
    return st;
}

gb_status gb_run_begin_chain(gb_run *r, size_t number, gb_error *err)
{
    gb_status st;
    gb_job *j = &r->job[number];
    if (r->teams.n > 1 && gb_teams_is_leader(r) && gb_settings_has(r->plan->settings, "draws") &&
        number < r->plan->n_model_chains && r->lines == NULL && j->lines == NULL)
        GB_TRY(gb_run_open_lines(j, err));
    GB_TRY(gb_chain_create_on(r->teams.own, r->plan, number, &j->chain, err));
    j->chain->share->may_give_up = *r->checkpoint.path == '\0'; /* else the sweep is finished for it */
    if (leader_of(r, number) != number)
        gb_chain_follow(j->chain);
    if (j->burn_in_is_found)
        gb_chain_take_burn_in(j->chain, j->burn_in);
    if (j->n_sweeps > 0)
        GB_TRY(gb_checkpoint_load_chain(r, number, err));
    else if (r->begin_with != NULL)
        GB_TRY(gb_chain_init_from(j->chain, r->begin_with, err));
    else if (r->pooled != NULL)
        GB_TRY(gb_run_begin_pooled(r, j->chain, err));
done:
    return st;
}

static gb_status run_chain(gb_run *r, size_t number, size_t worker, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_run_begin_chain(r, number, err));
    while (!r->job[number].is_done) {
        if (!wait_for_leader(r, number, worker)) {
            st = GB_ESTOP;
            break;
        }
        GB_TRY(gb_run_step(r, number, worker, err));
        if (worker == 0)
            write_beside_others(r, true);
        else
            pause_if_asked(r);
    }
done:
    if (*r->checkpoint.path == '\0')
        gb_run_drop_chain(r, number);
    return st;
}

/* ---- all chains ---- */

/* The number of the next chain to run, or the number of chains when there is none: chains start in order, and none after a
 * failure, so all chains before one that fails have started. */
static size_t take_chain(gb_run *r)
{
    const size_t none = r->plan->n_chains;
    (void)pthread_mutex_lock(&r->lock);
    while (r->is_pausing) /* not by worker 0, which writes */
        (void)pthread_cond_wait(&r->changed, &r->lock);
    while (r->next < none && r->job[r->next].is_done) /* by a run before this one */
        r->next++;
    const bool stops = r->next == none || r->failed < none || atomic_load(&r->is_stopped);
    const size_t number = stops ? none : r->next;
    if (number < none) {
        r->next++;
        r->n_running++;
    }
    (void)pthread_mutex_unlock(&r->lock);
    return number;
}

static void end_chain(gb_run *r, size_t number, gb_status st, const gb_error *err)
{
    (void)pthread_mutex_lock(&r->lock);
    r->n_running--;
    if (st != GB_OK && st != GB_ESTOP && number < r->failed) {
        r->failed = number;
        r->error = *err;
        r->error.status = st;
    }
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
}

void gb_run_tell_of_others(gb_run *r)
{
    const gb_progress progress = progress_of_others(r);
    tell(r, &progress);
}

/* By worker 0 when it has no chain left. */
static void wait_for_others(gb_run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    while (r->n_running > 0) {
        wait_a_while(r);
        const gb_progress progress = progress_of_others(r);
        (void)pthread_mutex_unlock(&r->lock);
        tell(r, &progress);
        write_beside_others(r, false);
        (void)pthread_mutex_lock(&r->lock);
    }
    (void)pthread_mutex_unlock(&r->lock);
}

static gb_status work(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_run *r = context;
    (void)task, (void)err;
    for (size_t number; (number = take_chain(r)) < r->plan->n_chains;) {
        gb_error error = {.status = GB_OK};
        const gb_status st = run_chain(r, number, worker, &error);
        end_chain(r, number, st, &error);
        if (worker == 0)
            write_beside_others(r, false);
    }
    if (worker == 0)
        wait_for_others(r);
    return GB_OK;
}

/* One-vs-rest and many chains: a failure says whose it is. */
static gb_status fail_with(const gb_run *r, gb_error *err)
{
    const gb_chain_role role = gb_plan_role(r->plan, r->failed);
    const gb_target *target = r->plan->spec.n_responses > 0 ? &r->plan->spec.response[0].target : NULL;
    if (r->plan->n_chains == 1)
        return gb_fail(err, r->error.status, "%s", r->error.message);
    if (role.only_output == GB_NO_FIELD)
        return gb_fail(err, r->error.status, "chain %zu: %s", r->failed + 1, r->error.message);
    return gb_fail(err, r->error.status, "chain %zu (class %s): %s", r->failed + 1,
                   gb_target_output_name(target, role.only_output), r->error.message);
}

/* Where the run has come to: "stopped after sweep 35 of 90", "stopped with 1 of 4 chains done, chain 2 after sweep 35, in burn-in". */
static gb_status fail_stopped(const gb_run *r, gb_error *err)
{
    const size_t n = r->plan->n_chains;
    size_t at = n, n_done = 0;
    char before[160] = "", chain[60] = "", of[60] = ", in burn-in";
    for (size_t i = n; i-- > 0;) {
        n_done += r->job[i].is_done;
        at = r->job[i].is_done ? at : i;
    }
    if (r->checkpoint.error.status != GB_OK)
        (void)snprintf(before, sizeof before, "%.150s; ", r->checkpoint.error.message);
    at = at == n ? n - 1 : at;
    const gb_job *j = &r->job[at];
    if (n > 1)
        (void)snprintf(chain, sizeof chain, "with %zu of %zu chains done, chain %zu ", n_done, n, at + 1);
    if (j->burn_in_is_found || !r->plan->spec.finds_burn_in || j->n_sweeps >= j->burn_in)
        (void)snprintf(of, sizeof of, " of %llu",
                       (unsigned long long)(j->burn_in + gb_spec_n_kept_sweeps(&r->plan->spec)));
    const gb_status st = r->checkpoint.error.status != GB_OK ? r->checkpoint.error.status : GB_ESTOP;
    if (j->n_sweeps == 0)
        return gb_fail(err, st, "%sstopped %sbefore the first sweep was done", before, chain);
    return gb_fail(err, st, "%sstopped %safter sweep %llu%s", before, chain, (unsigned long long)j->n_sweeps, of);
}

/* A stop that comes with the last sweep has nothing left to stop. */
static bool is_finished(const gb_run *r)
{
    for (size_t i = 0; i < r->plan->n_chains; i++)
        if (!r->job[i].is_done)
            return false;
    return r->checkpoint.error.status == GB_OK;
}

/* The user hears at the end that all is done, whichever chain was the last and even if other threads had drawn them all before this one
 * began. */
static gb_status draw_chains(gb_run *r, gb_error *err)
{
    const size_t n = r->plan->chains_at_once < r->plan->n_chains ? r->plan->chains_at_once : r->plan->n_chains;
    if (r->teams.all == NULL) {
        const gb_status st = gb_parallel_for(n, n, work, r, err);
        gb_run_tell_of_others(r);
        return st;
    }
    (void)gb_teams_draw(r, NULL); /* its failure is the run's */
    return GB_OK;
}

gb_status gb_run_chains(gb_run *r, gb_error *err)
{
    gb_pool pool;
    gb_pool_open(&pool);
    gb_status st = draw_chains(r, err);
    gb_pool_close(&pool);
    if (st != GB_OK)
        return st;
    if (r->failed < r->plan->n_chains)
        return fail_with(r, err);
    const bool is_written = *r->checkpoint.path == '\0' || r->checkpoint.error.status != GB_OK ||
                            gb_run_write_checkpoint(r) == GB_OK; /* no other thread is left */
    for (size_t i = 0; i < r->plan->n_chains; i++)
        gb_run_drop_chain(r, i);
    if (r->teams.n > 1 && is_written)
        st = gb_put_together(r, err);
    if (r->teams.n > 1 && (!is_written || (st != GB_OK && st != GB_EIO)))
        r->failed = 0; /* this rank has not what other teams have drawn */
    return st != GB_OK ? st : is_finished(r) ? GB_OK : fail_stopped(r, err);
}
