/* folds/selection_run.c - the stages of a selection, and the threads that do its fits.
 *
 * A stage is made of jobs: each of its candidates without each part.  Jobs run side by side, one thread each, the longest first, so that
 * no thread is left with a long one at the end. */
#include "folds/selection.h"

#include "base/memory.h"
#include "base/processors.h"
#include "base/watch.h"
#include "corpus/data/corpus.h"
#include "evaluation/score_table.h"
#include "run/memory.h"

#include <string.h>

enum { LEAST_SURVIVORS = 2 };

/* ---- asking ---------------------------------------------------------------------------------------- */

static bool ask(void *user)
{
    gb_selection *s = user;
    s->progress.n_done = atomic_load(&s->loop.n_done);
    s->progress.seconds = gb_seconds() - s->began;
    return s->on_progress == NULL || s->on_progress(&s->progress, s->user);
}

/* ---- jobs ------------------------------------------------------------------------------------------ */

static gb_status fail_job(void *user, size_t number, const gb_error *inner, gb_error *err)
{
    const gb_selection *s = user;
    if (inner->status == GB_ESTOP)
        return gb_fail(err, GB_ESTOP, "stopped after %zu of %zu fits", atomic_load(&s->loop.n_done), s->n_jobs);
    const gb_selection_job *job = &s->job[number];
    return gb_fail(err, inner->status, "%s, without part %s: %s", s->candidate[job->candidate].name,
                   s->parts.part[job->part].name, inner->message);
}

/* The first job that is done tells whether there is such a score, before hours have gone into the others. */
static gb_status check_criterion(const gb_selection *s, const json_t *fit, gb_error *err)
{
    const json_t *sections = json_object_get(fit, "scores");
    const char *name = gb_settings_text(s->settings, "criterion");
    if (strcmp(name, "auto") == 0 || strcmp(name, "stability") == 0) /* of several fits together */
        return GB_OK;
    for (size_t i = 0; i < json_array_size(sections); i++)
        if (json_object_get(json_array_get(sections, i), name) != NULL)
            return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`criterion` %s: there is no such score of these models", name);
}

static gb_status run_job(void *user, gb_fold *fold, gb_error *err)
{
    gb_selection *s = user;
    const gb_selection_job *job = &s->job[fold->number];
    json_t *fit = NULL;
    gb_status st;
    GB_TRY(gb_selection_fit(s, job, fold, &fit, err));
    if (job == s->job)
        GB_TRY(check_criterion(s, fit, err));
    GB_TRY(gb_fit_log_add(s->log, fit, err));
    s->candidate[job->candidate].fit[job->part] = fit;
    fit = NULL;
done:
    json_decref(fit);
    return st;
}

/* Nothing for a fit that is known. */
static const gb_held_part *part_of_job(void *user, size_t number)
{
    const gb_selection *s = user;
    const gb_selection_job *job = &s->job[number];
    return s->candidate[job->candidate].fit[job->part] == NULL ? gb_selection_part(s, job->part) : NULL;
}

/* As many of the largest fits as have room beside the program and the corpus; each has documents of its own. */
static gb_status limit_workers(const gb_selection *s, size_t *n_workers, gb_error *err)
{
    uint64_t limit, most = 0;
    const uint64_t before = GB_PROGRAM_BYTES + gb_corpus_bytes(s->corpus);
    const gb_status st = gb_size_from_text(gb_settings_text(s->settings, "memory-limit"), &limit, err);
    for (size_t i = 0; i < s->n_jobs; i++)
        most = s->candidate[s->job[i].candidate].n_bytes > most ? s->candidate[s->job[i].candidate].n_bytes : most;
    const uint64_t room = limit > before ? (limit - before) / (most - GB_PROGRAM_BYTES) : 0;
    if (room < *n_workers)
        *n_workers = room > 0 ? (size_t)room : 1;
    return st;
}

static gb_status run_jobs(gb_selection *s, gb_error *err)
{
    const size_t n_threads =
        gb_threads_for((uint64_t)gb_settings_int_or(s->settings, "threads", 0), s->n_jobs, s->corpus->n_tokens);
    size_t n_workers = n_threads < s->n_jobs ? n_threads : s->n_jobs;
    gb_status st = limit_workers(s, &n_workers, err);
    if (st != GB_OK)
        return st;
    s->n_threads = n_workers > s->n_threads ? n_workers : s->n_threads;
    s->loop.n_fits = s->n_jobs;
    s->loop.n_workers = n_workers;
    st = gb_for_each_fold(&s->loop, err);
    if (st == GB_OK && !gb_fold_loop_goes_on(&s->loop)) /* the caller hears of the last one, too */
        st = fail_job(s, 0, &(gb_error){.status = GB_ESTOP}, err);
    return st;
}

/* ---- stages ---------------------------------------------------------------------------------------- */

static int longer_first(const void *a, const void *b)
{
    const gb_selection_job *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->candidate != y->candidate)
        return x->candidate < y->candidate ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

/* On a scale without a unit: sweeps and chains that the program chooses are about as many for all candidates. */
static double size_of(const gb_selection *s, size_t candidate, size_t part)
{
    const gb_settings *of = s->candidate[candidate].settings;
    const double n_sweeps = (double)gb_settings_int_or(of, "sweeps", 100),
                 n_chains = (double)gb_settings_int_or(of, "chains", 1);
    const gb_held_part *p = gb_selection_part(s, part);
    uint64_t n_tokens = 0;
    for (uint64_t d = 0; d < s->corpus->n_docs; d++)
        if (!p->is_held_out[d] && (p->is_unused == NULL || !p->is_unused[d]))
            n_tokens += s->corpus->doc_start[d + 1] - s->corpus->doc_start[d];
    return (double)gb_settings_int(of, "topics") * n_sweeps * n_chains * (double)n_tokens;
}

/* @param candidate  n_candidates of this stage */
static gb_status make_jobs(gb_selection *s, size_t n_candidates, const size_t *candidate, gb_error *err)
{
    gb_status st;
    gb_free(s->job);
    s->job = NULL;
    s->n_jobs = n_candidates * s->parts.n;
    GB_TRY(gb_alloc(&s->job, s->n_jobs, sizeof *s->job, "the fits", err));
    for (size_t i = 0; i < s->n_jobs; i++) {
        gb_selection_job *job = &s->job[i];
        job->candidate = candidate[i / s->parts.n];
        job->part = i % s->parts.n;
        job->size = size_of(s, job->candidate, job->part);
        GB_TRY(gb_selection_key(s, job, err));
    }
    qsort(s->job, s->n_jobs, sizeof *s->job, longer_first);
done:
    return st;
}

/* Scores have their names from the fit. */
static void forget(gb_candidate *c, size_t part)
{
    gb_score_table_free(c->part[part]);
    gb_score_table_free(c->mean);
    gb_pooled_clear(&c->pooled);
    c->part[part] = c->mean = NULL;
    c->divisor = 0;
    json_decref(c->fit[part]);
    c->fit[part] = NULL;
}

/* Fits of the stage before are forgotten, and those that the file has are taken. */
static void take_known(gb_selection *s)
{
    for (size_t i = 0; i < s->n_jobs; i++) {
        const gb_selection_job *job = &s->job[i];
        gb_candidate *c = &s->candidate[job->candidate];
        forget(c, job->part);
        c->fit[job->part] = json_incref(gb_fit_log_find(s->log, job->key));
        s->n_known += c->fit[job->part] != NULL;
        s->n_run += c->fit[job->part] == NULL;
    }
}

gb_status gb_selection_make_stage_parts(gb_selection *s, gb_error *err)
{
    gb_status st = GB_OK;
    gb_held_parts_clear(&s->stage_parts);
    s->stage_parts = (gb_held_parts){.n = 0};
    if (s->divisor > 1 && gb_settings_are(s->settings, "halving", "documents")) {
        GB_TRY(gb_held_parts_make(&s->stage_parts, s->corpus, s->settings, err));
        GB_TRY(gb_held_parts_shrink(&s->stage_parts, s->corpus, s->divisor,
                                    (uint64_t)gb_settings_int_or(s->settings, "seed", 0), err));
    }
done:
    return st;
}

static void add_up_work(gb_selection *s, const bool *was_known)
{
    for (size_t i = 0; i < s->n_jobs; i++)
        if (!was_known[i])
            s->work +=
                json_number_value(json_object_get(s->candidate[s->job[i].candidate].fit[s->job[i].part], "seconds"));
}

static gb_status score(gb_selection *s, size_t n_candidates, size_t *candidate, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n_candidates; i++) {
        s->candidate[candidate[i]].divisor = s->divisor;
        GB_TRY(gb_selection_list_scores(s, &s->candidate[candidate[i]], err));
    }
    GB_TRY(gb_criterion_find(s, s->candidate[candidate[0]].mean, err));
    gb_selection_rank(s, n_candidates, candidate);
done:
    return st;
}

/* @param candidate  those of this stage; ordered by how good they are */
static gb_status run_stage(gb_selection *s, size_t n_candidates, size_t *candidate, gb_error *err)
{
    gb_status st;
    bool *was_known = NULL;
    GB_TRY(gb_selection_make_stage_parts(s, err));
    GB_TRY(make_jobs(s, n_candidates, candidate, err));
    GB_TRY(gb_alloc(&was_known, s->n_jobs, sizeof *was_known, "the fits", err));
    take_known(s);
    for (size_t i = 0; i < s->n_jobs; i++)
        was_known[i] = s->candidate[s->job[i].candidate].fit[s->job[i].part] != NULL;
    s->progress.n_fits = s->n_jobs;
    s->progress.n_candidates = n_candidates;
    GB_TRY(run_jobs(s, err));
    add_up_work(s, was_known);
    GB_TRY(score(s, n_candidates, candidate, err));
done:
    gb_free(was_known);
    return st;
}

/* The better third, and all that cannot be told from the best: on few documents the next stage must decide. */
static size_t survivors(const gb_selection *s, size_t n, const size_t *candidate)
{
    const size_t near = gb_selection_n_near(s, n, candidate), third = (n + GB_HALVING_FACTOR - 1) / GB_HALVING_FACTOR;
    const size_t least = third < LEAST_SURVIVORS ? LEAST_SURVIVORS : third;
    return near > least ? near : least;
}

static gb_status run_stages(gb_selection *s, size_t *candidate, gb_error *err)
{
    gb_status st = GB_OK;
    size_t n = s->grid.n_candidates;
    for (size_t i = 0; i < n; i++)
        candidate[i] = i;
    s->divisor = 1;
    for (size_t i = 1; i < s->n_stages; i++)
        s->divisor *= GB_HALVING_FACTOR;
    for (size_t stage = 0; stage < s->n_stages; stage++, s->divisor /= GB_HALVING_FACTOR) {
        s->progress.stage = stage;
        GB_TRY(run_stage(s, n, candidate, err));
        n = survivors(s, n, candidate);
    }
    s->divisor = 1;
    gb_selection_choose(s);
done:
    return st;
}

gb_status gb_selection_run(gb_selection *s, gb_on_selection *on_progress, void *user, gb_error *err)
{
    gb_status st;
    size_t *candidate = NULL;
    if (s->has_run)
        return gb_fail(err, GB_EARGUMENT, "a selection runs once");
    s->has_run = true;
    s->on_progress = on_progress;
    s->user = user;
    s->began = gb_seconds();
    s->loop = (gb_fold_loop){
        .corpus = s->corpus, .part = part_of_job, .fit = run_job, .fail = fail_job, .ask = ask, .user = s};
    s->progress.n_stages = s->n_stages;
    GB_TRY(gb_alloc(&candidate, s->grid.n_candidates, sizeof *candidate, "the settings", err));
    GB_TRY(gb_fit_log_begin(s->log, err));
    GB_TRY(run_stages(s, candidate, err));
    s->seconds = gb_seconds() - s->began;
done:
    gb_free(candidate);
    return st;
}
