/* train/run.c - run the chains of a plan and keep their draws. */
#include "train/run.h"

#include "gibbous/train.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/late_labels.h"
#include "chain/trace.h"
#include "train/checkpoint.h"
#include "train/keep.h"
#include "train/put_together.h"
#include "train/teams.h"

#include <errno.h>
#include <math.h>
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

/* ---- one chain ---- */

void gb_run_rates(const gb_run *r, size_t number, uint64_t *proposed, uint64_t *accepted)
{
    const gb_job *j = &r->job[number];
    const gb_token_sampler *sampler = r->plan->spec.sampler;
    uint64_t own_proposed[GB_MH_N_PROPOSALS] = {0}, own_accepted[GB_MH_N_PROPOSALS] = {0};
    if (j->chain != NULL && sampler->rates != NULL)
        sampler->rates(j->chain->token_state, own_proposed, own_accepted);
    for (size_t p = 0; p < GB_MH_N_PROPOSALS; p++) {
        proposed[p] = j->proposed[p] + own_proposed[p];
        accepted[p] = j->accepted[p] + own_accepted[p];
    }
}

static void take_late_scores(gb_job *j)
{
    if (gb_chain_late_scores(j->chain) == NULL)
        return;
    gb_free(j->late_score);
    j->late_score = j->chain->late_score;
    j->chain->late_score = NULL;
}

gb_status gb_run_copy_late_scores(gb_job *j, const gb_chain *c, gb_error *err)
{
    if (gb_chain_late_scores(c) == NULL)
        return GB_OK;
    double *copy;
    const uint64_t n = c->here->n_all_late * c->spec->n_outputs;
    const gb_status st = gb_alloc(&copy, n, sizeof *copy, "the calibration", err);
    if (st != GB_OK)
        return st;
    memcpy(copy, c->late_score, n * sizeof *copy);
    gb_free(j->late_score);
    j->late_score = copy;
    return GB_OK;
}

void gb_run_drop_chain(gb_run *r, size_t number)
{
    gb_job *j = &r->job[number];
    j->is_elsewhere = false;
    gb_run_rates(r, number, j->proposed, j->accepted);
    if (j->chain != NULL) {
        gb_free(j->trace);
        j->trace = j->chain->trace;
        j->n_trace = j->chain->n_trace;
        j->chain->trace = NULL;
        j->chain->n_trace = 0;
        j->late = gb_chain_n_before_late(j->chain);
        take_late_scores(j);
    }
    gb_chain_free(j->chain);
    j->chain = NULL;
}

gb_status gb_run_copy_trace(gb_job *j, size_t n_rows, size_t width, const double *trace, gb_error *err)
{
    double *copy;
    const gb_status st = gb_alloc(&copy, n_rows * width, sizeof *copy, "a chain's trace", err);
    if (st != GB_OK)
        return st;
    if (n_rows > 0)
        memcpy(copy, trace, n_rows * width * sizeof *copy);
    gb_free(j->trace);
    j->trace = copy;
    j->n_trace = n_rows;
    return GB_OK;
}

/* Scores of the documents of this rank whose labels this chain did not see, into n_docs x n_outputs numbers. */
static void add_held_out_scores(const gb_run *r, const gb_chain *c, const gb_chain_role *role, double *to)
{
    const size_t n = c->spec->n_outputs, n_all = r->plan->spec.n_outputs,
                 first = role->only_output == GB_NO_FIELD ? 0 : role->only_output;
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t number = c->portion.first_doc + d;
        if (number % r->plan->spec.calibration_folds != role->held_out)
            continue;
        for (size_t i = 0; i < c->spec->n_responses; i++) {
            const gb_response *response = &c->response[i];
            for (size_t l = response->first_output; l < response->first_output + response->n_outputs; l++)
                to[number * n_all + first + l] +=
                    gb_response_pooled_score(response, c->score[d * n + l]) / (double)r->plan->n_draws;
        }
    }
}

static gb_status keep_scores(const gb_run *r, const gb_chain *c, const gb_chain_role *role, gb_error *err)
{
    gb_status st;
    double *x = NULL;
    const uint64_t n = r->plan->corpus->n_docs * r->plan->spec.n_outputs;
    if (c->portion.team == NULL) {
        add_held_out_scores(r, c, role, r->held_out_score);
        return GB_OK;
    }
    GB_TRY(gb_alloc(&x, n, sizeof *x, "the calibration", err));
    add_held_out_scores(r, c, role, x);
    GB_TRY(gb_team_merge(c->portion.team, x, n * sizeof *x, err));
    for (uint64_t i = 0; i < n; i++)
        r->held_out_score[i] += x[i];
done:
    gb_free(x);
    return st;
}

static gb_draw_file *kept_here(const gb_run *r)
{
    return r->outbox != NULL ? r->outbox : r->kept;
}

/* One whose chains may end at any draw begins with a snapshot, so that there always is one; taken into the model only if planned
 * ones are missing. */
static gb_status wants_topics(const gb_run *r, size_t number, bool *out, gb_error *err)
{
    const gb_draw_file *kept = kept_here(r);
    *out = kept != NULL && (gb_draw_file_wants_topics(kept, number) ||
                            (r->is_stepped_elsewhere && gb_draw_file_count(kept, number) == 0));
    return gb_team_any(r->job[number].chain->portion.team, out, err);
}

gb_status gb_run_keep(gb_run *r, size_t number, gb_error *err)
{
    gb_status st = GB_OK;
    gb_job *j = &r->job[number];
    gb_chain *c = j->chain;
    const gb_chain_role role = gb_plan_role(r->plan, number);
    const size_t first_output = role.only_output == GB_NO_FIELD ? 0 : role.only_output;
    double log_joint;
    bool with_topics;
    if (role.held_out != GB_NO_FIELD) {
        st = keep_scores(r, c, &role, err);
        j->n_kept += st == GB_OK;
        return st;
    }
    GB_TRY(wants_topics(r, number, &with_topics, err));
    GB_TRY(gb_keep_draw(kept_here(r), c, first_output, with_topics, &log_joint, err));
    if (*r->plan->settings->draws != '\0') {
        FILE *whole = r->draws == NULL ? NULL : gb_out_file_stream(r->draws); /* NULL at other ranks than 0 */
        GB_TRY(gb_draws_write(j->lines != NULL ? j->lines : whole, c, log_joint, r->include, err));
    }
    j->n_kept++;
done:
    return st;
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

static bool ask_about_file(void *context)
{
    gb_run *r = context;
    (void)tell_of_file(r);
    return !atomic_load(&r->is_stopped);
}

void gb_run_watch(gb_run *r, bool is_finished, gb_watch *out)
{
    gb_watch_start(out, is_finished ? tell_of_file : ask_about_file, r);
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

static void pause_if_asked(gb_run *r)
{
    (void)pthread_mutex_lock(&r->lock);
    while (r->is_pausing) {
        r->n_paused++;
        (void)pthread_cond_broadcast(&r->changed);
        (void)pthread_cond_wait(&r->changed, &r->lock);
        r->n_paused--;
    }
    (void)pthread_mutex_unlock(&r->lock);
}

/* ---- a chain's sweeps ---- */

gb_status gb_run_keep_last(gb_run *r, size_t number, gb_error *err)
{
    const gb_chain_role role = gb_plan_role(r->plan, number);
    return role.held_out != GB_NO_FIELD ? GB_OK
                                        : gb_keep_last(kept_here(r), r->job[number].chain,
                                                       role.only_output == GB_NO_FIELD ? 0 : role.only_output, err);
}

gb_status gb_run_step(gb_run *r, size_t number, size_t worker, gb_error *err)
{
    gb_status st = GB_OK;
    gb_job *j = &r->job[number];
    watch w = {.run = r, .number = number, .worker = worker};
    const gb_status stepped = gb_chain_step(j->chain, 1, on_progress, &w, err);
    const bool is_swept = gb_chain_n_sweeps(j->chain) > j->n_sweeps && (stepped == GB_OK || stepped == GB_ESTOP);
    if (is_swept && gb_chain_keeps(j->chain))
        GB_TRY(gb_run_keep(r, number, err));
    (void)pthread_mutex_lock(&r->lock);
    j->n_sweeps += is_swept;
    j->burn_in = gb_chain_burn_in(j->chain);
    j->burn_in_is_found = gb_chain_burn_in_is_found(j->chain);
    j->is_done = gb_chain_is_done(j->chain);
    r->checkpoint.n_sweeps_since += is_swept;
    r->checkpoint.n_done_since += j->is_done;
    (void)pthread_mutex_unlock(&r->lock);
    if (stepped == GB_ESTOP && !j->is_done)
        GB_TRY(gb_run_keep_last(r, number, err));
    if (stepped == GB_ESTOP && r->teams.all != NULL)
        atomic_store(&r->is_stopped, true); /* maybe it was another rank's wish */
    st = stepped;
done:
    return st;
}

/* Its part of the draws file, where chains are drawn side by side. */
static gb_status open_lines(gb_job *j, gb_error *err)
{
    j->lines = tmpfile();
    return j->lines != NULL
               ? GB_OK
               : gb_fail(err, GB_EIO, "the draws file: cannot make a temporary file: %s", strerror(errno));
}

gb_status gb_run_begin_chain(gb_run *r, size_t number, gb_error *err)
{
    gb_status st;
    gb_job *j = &r->job[number];
    if (r->teams.n > 1 && gb_teams_is_leader(r) && *r->plan->settings->draws != '\0' &&
        number < r->plan->n_model_chains)
        GB_TRY(open_lines(j, err));
    GB_TRY(gb_chain_create_on(r->teams.own, r->plan, number, &j->chain, err));
    if (j->n_sweeps > 0)
        GB_TRY(gb_checkpoint_load_chain(r, number, err));
    else if (r->begin_with != NULL)
        GB_TRY(gb_chain_init_from(j->chain, r->begin_with, err));
done:
    return st;
}

static gb_status run_chain(gb_run *r, size_t number, size_t worker, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_run_begin_chain(r, number, err));
    while (!r->job[number].is_done) {
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

/* Where the run has come to. */
static gb_status fail_stopped(const gb_run *r, gb_error *err)
{
    size_t last = r->next == 0 ? 0 : r->next - 1;
    const unsigned long long sweep = r->job[last].n_sweeps;
    if (r->checkpoint.error.status != GB_OK)
        return gb_fail(err, r->checkpoint.error.status, "%s; stopped after sweep %llu of chain %zu",
                       r->checkpoint.error.message, sweep, last + 1);
    return gb_fail(err, GB_ESTOP, "stopped after sweep %llu of chain %zu", sweep, last + 1);
}

/* A stop that comes with the last sweep has nothing left to stop. */
static bool is_finished(const gb_run *r)
{
    for (size_t i = 0; i < r->plan->n_chains; i++)
        if (!r->job[i].is_done)
            return false;
    return r->checkpoint.error.status == GB_OK;
}

static gb_status draw_chains(gb_run *r, gb_error *err)
{
    const size_t n = r->plan->chains_at_once < r->plan->n_chains ? r->plan->chains_at_once : r->plan->n_chains;
    if (r->teams.all == NULL)
        return gb_parallel_for(n, n, work, r, err);
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

/* ---- beginning and end ---- */

/* It alone writes files. */
static bool is_first_rank(const gb_run *r)
{
    return gb_team_rank(r->plan->spec.team) == 0;
}

static gb_status open_draws(gb_run *r, gb_error *err)
{
    gb_status st;
    const gb_settings *settings = r->plan->settings;
    GB_TRY(gb_draws_include_parse(settings->draws_include, &r->include, err));
    if (*settings->draws == '\0' || !is_first_rank(r))
        return GB_OK;
    GB_TRY(gb_out_file_open(&r->draws, settings->draws, settings->force, err));
    for (size_t i = 0; r->plan->chains_at_once > 1 && i < r->plan->n_model_chains; i++)
        GB_TRY(open_lines(&r->job[i], err));
done:
    return st;
}

/* Beside the checkpoint, or without one in a file without a name. */
static gb_status open_kept(gb_run *r, gb_error *err)
{
    gb_status st;
    const gb_draw_plan plan = {
        .n_chains = r->plan->n_model_chains, .n_kept = r->plan->n_draws, .n_snapshots = r->plan->spec.n_snapshots};
    uint64_t *count = NULL;
    char *path = NULL;
    if (*r->checkpoint.path != '\0' && !is_first_rank(r))
        return GB_OK; /* the draws lie beside the checkpoint, which rank 0 writes */
    if (*r->checkpoint.path == '\0') {
        GB_TRY(gb_keep_path(r->plan->settings, &path, err));
        GB_TRY(gb_draw_file_create(&r->kept, path, r->model, &plan, err));
    } else if (*r->plan->settings->resume == '\0') {
        GB_TRY(gb_draw_file_create(&r->kept, r->checkpoint.draws_path, r->model, &plan, err));
    } else {
        GB_TRY(gb_alloc(&count, plan.n_chains, sizeof *count, "the chains", err));
        for (size_t i = 0; i < plan.n_chains; i++)
            count[i] = r->job[i].n_kept;
        GB_TRY(gb_draw_file_open(&r->kept, r->checkpoint.draws_path, r->model, &plan, count, err));
    }
done:
    gb_free(count);
    gb_free(path);
    return st;
}

static bool on_init_file(const gb_file_progress *progress, void *user)
{
    (void)progress;
    return ask_about_file(user);
}

static gb_status open_init_from(gb_run *r, gb_error *err)
{
    gb_status st;
    const char *path = r->plan->settings->init_from;
    GB_TRY(gb_model_read_watched(path, on_init_file, r, &r->init_from, err));
    if (r->init_from->n_topics != r->plan->spec.n_topics)
        return gb_fail(err, GB_EARGUMENT,
                       "`init-from` %s: the model has %zu topics, this run has %zu; give `topics` %zu", path,
                       r->init_from->n_topics, r->plan->spec.n_topics, r->init_from->n_topics);
    r->begin_with = r->init_from;
done:
    return st;
}

gb_status gb_run_open(const gb_plan *plan, gb_on_sweep *on_sweep, void *user, gb_run **out, gb_error *err)
{
    gb_status st;
    gb_run *r = NULL;
    GB_TRY(gb_alloc(&r, 1, sizeof *r, "the training", err));
    r->plan = plan;
    r->teams = (gb_run_teams){.all = plan->spec.team, .own = plan->spec.team, .n = 1};
    r->on_sweep = on_sweep;
    r->user = user;
    r->begin = gb_seconds();
    r->failed = plan->n_chains;
    r->checkpoint.path = "";
    r->checkpoint.written_at = r->begin;
    atomic_init(&r->is_stopped, false);
    atomic_init(&r->wants_checkpoint, false);
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_cond_init(&r->changed, NULL);
    GB_TRY(gb_alloc(&r->job, plan->n_chains, sizeof *r->job, "the chains", err));
    for (size_t i = 0; i < plan->n_chains; i++)
        r->job[i].burn_in = plan->spec.burn_in;
    GB_TRY(gb_time_from_text("time-limit", plan->settings->time_limit, &r->time_limit, err));
    GB_TRY(open_draws(r, err));
    GB_TRY(gb_model_create(&r->model, plan->corpus, &plan->spec, plan->settings, err));
    GB_TRY(gb_model_check_format(r->model, err));
    if (plan->spec.calibration_folds > 0)
        GB_TRY(gb_alloc(&r->held_out_score, plan->corpus->n_docs * plan->spec.n_outputs, sizeof(double),
                        "the calibration", err));
    GB_TRY(gb_checkpoint_open(r, err));
    for (size_t i = 0; i < plan->n_chains; i++)
        r->n_resumed += r->job[i].n_sweeps;
    if (*plan->settings->init_from != '\0')
        GB_TRY(open_init_from(r, err));
    GB_TRY(open_kept(r, err)); /* last: it may empty the draws of an older checkpoint */
    *out = r;
    r = NULL;
done:
    gb_run_close(r);
    return st;
}

void gb_run_close(gb_run *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; r->job != NULL && i < r->plan->n_chains; i++) {
        gb_chain_free(r->job[i].chain);
        gb_free(r->job[i].trace);
        gb_free(r->job[i].late_score);
        if (r->job[i].lines != NULL)
            (void)fclose(r->job[i].lines);
    }
    gb_free(r->job);
    gb_out_file_discard(r->draws);
    gb_free(r->held_out_score);
    gb_checkpoint_close(r);
    gb_model_free(r->init_from);
    gb_draw_file_close(r->kept);
    gb_draw_file_close(r->outbox);
    gb_team_free(r->teams.split);
    gb_model_free(r->model);
    (void)pthread_cond_destroy(&r->changed);
    (void)pthread_mutex_destroy(&r->lock);
    gb_free(r);
}

/* The chains' parts in order. */
static gb_status gather_draws(gb_run *r, gb_error *err)
{
    char buffer[1 << 16];
    for (size_t i = 0; i < r->plan->n_model_chains; i++) {
        FILE *from = r->job[i].lines;
        if (from == NULL)
            continue;
        rewind(from);
        for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
            (void)fwrite(buffer, 1, n, gb_out_file_stream(r->draws)); /* a failure shows when the file is committed */
        if (ferror(from))
            return gb_fail(err, GB_EIO, "the draws file: cannot read a temporary file: %s", strerror(errno));
    }
    gb_out_file *draws = r->draws;
    r->draws = NULL;
    return gb_out_file_commit(draws, err);
}

/* Null for a chain that proposed nothing. */
static json_t *share_accepted(const gb_job *j, size_t p)
{
    return j->proposed[p] == 0 ? json_null() : json_real((double)j->accepted[p] / (double)j->proposed[p]);
}

/* Shares of the proposals that were accepted in the model's chains, of those that were of another topic. */
static gb_status keep_acceptance(gb_run *r, gb_error *err)
{
    json_t *all = r->plan->spec.sampler->rates == NULL ? NULL : json_object();
    bool failed = false;
    for (size_t p = 0; all != NULL && p < GB_MH_N_PROPOSALS; p++) {
        json_t *shares = json_array();
        bool any = false;
        for (size_t i = 0; i < r->plan->n_model_chains; i++) {
            const gb_job *j = &r->job[i];
            any |= j->proposed[p] > 0;
            failed |= json_array_append_new(shares, share_accepted(j, p)) != 0;
        }
        if (any)
            failed |= json_object_set(all, gb_mh_proposal_name[p], shares) != 0;
        json_decref(shares);
    }
    r->model->acceptance = all;
    return failed ? gb_fail_memory(err, 0, "the model") : GB_OK;
}

/* Of a chain whose trace is not known, as one of no sweeps. */
static gb_status keep_traces(const gb_run *r, gb_error *err)
{
    gb_status st;
    gb_model *m = r->model;
    const size_t n = r->plan->n_model_chains, width = gb_trace_width(&r->plan->spec);
    size_t n_rows = 0;
    GB_TRY(gb_alloc(&m->trace_sweeps, n, sizeof *m->trace_sweeps, "the model", err));
    if (r->plan->spec.n_late > 0)
        GB_TRY(gb_alloc(&m->trace_late, n, sizeof *m->trace_late, "the model", err));
    m->n_traces = n;
    for (size_t i = 0; i < n; i++) {
        const gb_job *j = &r->job[i];
        if (j->n_trace > 0 && j->n_trace == gb_trace_length(j->n_sweeps)) {
            m->trace_sweeps[i] = j->n_sweeps;
            n_rows += j->n_trace;
            if (m->trace_late != NULL)
                m->trace_late[i] = j->late;
        }
    }
    GB_TRY(gb_alloc(&m->trace, n_rows * width, sizeof *m->trace, "the model", err));
    double *at = m->trace;
    for (size_t i = 0; i < n; i++) {
        const size_t n_numbers = gb_trace_length(m->trace_sweeps[i]) * width;
        if (n_numbers > 0)
            memcpy(at, r->job[i].trace, n_numbers * sizeof *at);
        at += n_numbers;
    }
done:
    return st;
}

/* Of the model's chains, if they found out themselves. */
static gb_status keep_burn_in(gb_run *r, gb_error *err)
{
    if (!r->plan->spec.finds_burn_in)
        return GB_OK;
    json_t *sweeps = json_array(), *found = json_array();
    bool failed = sweeps == NULL || found == NULL;
    for (size_t i = 0; i < r->plan->n_model_chains && !failed; i++)
        failed = json_array_append_new(sweeps, json_integer((json_int_t)r->job[i].burn_in)) != 0 ||
                 json_array_append_new(found, json_boolean(r->job[i].burn_in_is_found)) != 0;
    if (!failed)
        r->model->burn_in = json_pack("{s:O, s:O}", "sweeps", sweeps, "found", found);
    json_decref(sweeps);
    json_decref(found);
    return r->model->burn_in == NULL ? gb_fail_memory(err, 0, "the model") : GB_OK;
}

/* With one-vs-rest each class needs a draw. */
static bool every_output_has_a_draw(const gb_run *r)
{
    const size_t n_each = (size_t)r->plan->spec.n_chains;
    for (size_t first = 0; first < r->plan->n_model_chains; first += n_each) {
        uint64_t n = 0;
        for (size_t i = first; i < first + n_each; i++)
            n += r->job[i].n_kept;
        if (n == 0)
            return false;
    }
    return true;
}

gb_status gb_run_take_model(gb_run *r, gb_model **out, gb_error *err)
{
    gb_status st = GB_OK;
    if (r->kept == NULL || !every_output_has_a_draw(r))
        return GB_OK;
    GB_TRY(gb_model_take_draws(r->model, r->kept, err));
    r->kept = NULL; /* now the model's */
    GB_TRY(keep_acceptance(r, err));
    GB_TRY(keep_traces(r, err));
    GB_TRY(keep_burn_in(r, err));
    GB_TRY(gb_run_calibrate(r, err));
    *out = r->model;
    r->model = NULL;
    if (r->draws != NULL)
        GB_TRY(gather_draws(r, err));
done:
    return st;
}
