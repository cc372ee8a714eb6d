/* run/run_open.c - a run begins, with the files that it needs, and ends. */
#include "run/run.h"

#include "gibbous/train.h"

#include "base/memory.h"
#include "run/checkpoint.h"
#include "run/keep.h"

#include <errno.h>
#include <string.h>

/* It alone writes files. */
static bool is_first_rank(const gb_run *r)
{
    return gb_team_rank(r->plan->spec.team) == 0;
}

gb_status gb_run_open_lines(gb_job *j, gb_error *err)
{
    j->lines = gb_stream_without_name();
    return j->lines != NULL ? GB_OK
                            : gb_fail(err, GB_EIO, "the draws file: cannot make a temporary file in %s: %s",
                                      gb_temporary_folder(""), strerror(errno));
}

gb_status gb_run_read_lines(FILE *lines, gb_error *err)
{
    if (fflush(lines) == 0 && !ferror(lines) && fseeko(lines, 0, SEEK_SET) == 0) /* rewind() would forget the error */
        return GB_OK;
    return gb_fail(err, GB_EIO, "the draws file: cannot write a temporary file in %s: %s", gb_temporary_folder(""),
                   strerror(errno));
}

static gb_status open_draws(gb_run *r, gb_error *err)
{
    gb_status st;
    const gb_settings *settings = r->plan->settings;
    GB_TRY(gb_draws_include_parse(gb_settings_text(settings, "draws-include"), &r->include, err));
    if (!gb_settings_has(settings, "draws") || !is_first_rank(r))
        return GB_OK;
    const bool has_checkpoint = gb_settings_has(settings, "checkpoint") || gb_settings_has(settings, "resume");
    /* what is there of a run that goes on is what it wrote when it was stopped */
    GB_TRY(gb_out_file_open(&r->draws, gb_settings_text(settings, "draws"),
                            gb_settings_yes(settings, "force") || gb_settings_has(settings, "resume"), err));
    for (size_t i = 0; !has_checkpoint && r->plan->chains_at_once > 1 && i < r->plan->n_model_chains; i++)
        GB_TRY(gb_run_open_lines(&r->job[i], err));
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
        GB_TRY(gb_draw_file_create(&r->kept, path, false, r->model, &plan, err));
    } else if (!gb_settings_has(r->plan->settings, "resume")) {
        GB_TRY(gb_draw_file_create(&r->kept, r->checkpoint.draws_path, gb_settings_yes(r->plan->settings, "force"),
                                   r->model, &plan, err));
    } else {
        GB_TRY(gb_alloc(&count, plan.n_chains, sizeof *count, "the chains", err));
        for (size_t i = 0; i < plan.n_chains; i++)
            count[i] = r->job[i].n_kept;
        GB_TRY(gb_draw_file_open(&r->kept, r->checkpoint.draws_path, r->model, &plan, count, err));
        GB_TRY(gb_checkpoint_check_draws(r, err));
    }
done:
    gb_free(count);
    gb_free(path);
    return st;
}

/* Lines that are kept until all are there, also while the run is stopped. */
static gb_status open_lines(gb_run *r, gb_error *err)
{
    gb_status st;
    uint64_t *n = NULL, any = 0;
    char description[GB_FINGERPRINT_SIZE];
    const size_t n_chains = r->plan->n_model_chains;
    if (r->draws == NULL || *r->checkpoint.path == '\0')
        return GB_OK;
    GB_TRY(gb_spec_fingerprint(&r->plan->spec, description, err));
    const gb_lines_of of = {.include = gb_settings_text(r->plan->settings, "draws-include"),
                            .corpus = r->checkpoint.corpus,
                            .description = description,
                            .n_chains = n_chains};
    GB_TRY(gb_alloc(&n, n_chains, sizeof *n, "the chains", err));
    for (size_t i = 0; i < n_chains; i++) {
        n[i] = r->job[i].n_kept;
        any += n[i];
    }
    if (any > 0)
        GB_TRY(gb_lines_open(&r->lines, r->checkpoint.lines_path, &of, n, err));
    else
        GB_TRY(gb_lines_create(
            &r->lines, r->checkpoint.lines_path,
            gb_settings_yes(r->plan->settings, "force") || gb_settings_has(r->plan->settings, "resume"), &of, err));
done:
    gb_free(n);
    return st;
}

static bool on_init_file(const gb_file_progress *progress, void *user)
{
    (void)progress;
    return gb_run_ask(user);
}

static gb_status open_init_from(gb_run *r, gb_error *err)
{
    gb_status st;
    const char *path = gb_settings_text(r->plan->settings, "init-from");
    GB_TRY(gb_model_read(path, on_init_file, r, &r->init_from, err));
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
    GB_TRY(gb_time_from_text("time-limit", gb_settings_text(plan->settings, "time-limit"), &r->time_limit, err));
    GB_TRY(open_draws(r, err));
    GB_TRY(gb_model_create(&r->model, plan->corpus, &plan->spec, plan->settings, err));
    GB_TRY(gb_model_check_format(r->model, err));
    if (plan->spec.calibration_folds > 0)
        GB_TRY(gb_alloc(&r->held_out_score, plan->corpus->n_docs * plan->spec.n_outputs, sizeof(double),
                        "the calibration", err));
    GB_TRY(gb_checkpoint_open(r, err));
    for (size_t i = 0; i < plan->n_chains; i++)
        r->n_resumed += r->job[i].n_sweeps;
    if (gb_settings_has(plan->settings, "init-from"))
        GB_TRY(open_init_from(r, err));
    GB_TRY(open_kept(r, err));
    GB_TRY(open_lines(r, err));
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
    gb_lines_close(r->lines);
    gb_free(r->held_out_score);
    gb_checkpoint_close(r);
    gb_model_free(r->init_from);
    gb_model_free(r->short_chains);
    gb_consensus_free(r->pooled);
    gb_free(r->found);
    gb_draw_file_close(r->kept);
    gb_draw_file_close(r->outbox);
    gb_team_free(r->teams.split);
    gb_model_free(r->model);
    (void)pthread_cond_destroy(&r->changed);
    (void)pthread_mutex_destroy(&r->lock);
    gb_free(r);
}
