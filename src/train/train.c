/* train/train.c - run the chains and keep their draws. */
#include "gibbous/train.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "chain/chain.h"
#include "chain/start.h"
#include "evaluation/calibration.h"
#include "model/model.h"
#include "train/draws.h"
#include "train/keep.h"
#include "train/memory.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A chain: for the model, or to calibrate on the labels that it does not see. */
typedef struct job {
    size_t only_output; /* the only output, or GB_NO_FIELD */
    size_t held_out;    /* the fold to score, or GB_NO_FIELD: its draws go into the model */
    size_t first_draw;
    FILE *lines; /* its part of the draws file, until all are there; NULL: straight into the file */
} job;

typedef struct run {
    const gb_corpus *corpus;
    gb_spec spec;
    gb_model *model;
    gb_draws_include include;
    gb_on_sweep *on_sweep;
    void *user;
    double begin;
    job *job;
    size_t n_jobs, n_kept; /* n_kept: draws of a chain */
    size_t inner_threads;
    gb_out_file *draws;            /* NULL: not asked for */
    uint64_t *proposed, *accepted; /* n_jobs x GB_MH_N_PROPOSALS: by the token sampler */
    atomic_bool stopped;
    double *held_out_score; /* n_docs x n_outputs: sums over the kept sweeps; NULL without calibration */
} run;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Kept sweeps are thin, 2 thin, ... sweeps after burn-in. */
static bool is_kept(const gb_spec *spec, uint64_t sweep)
{
    return sweep > spec->burn_in && (sweep - spec->burn_in) % spec->thin == 0;
}

/* Scores of the documents whose labels this chain did not see. */
static void keep_scores(const run *r, const gb_chain *c, const job *j)
{
    const size_t n = c->spec->n_outputs, n_all = r->spec.n_outputs,
                 first = j->only_output == GB_NO_FIELD ? 0 : j->only_output;
    for (uint64_t d = j->held_out; d < r->corpus->n_docs; d += r->spec.calibration_folds)
        for (size_t l = 0; l < n; l++)
            r->held_out_score[d * n_all + first + l] += c->score[d * n + l] / (double)r->n_kept;
}

double gb_progress_log_joint(const gb_progress *progress)
{
    double log_joint;
    return gb_chain_log_joint(progress->state, &log_joint, NULL) == GB_OK ? log_joint : NAN;
}

double gb_progress_training_error(const gb_progress *progress)
{
    return gb_chain_training_error(progress->state);
}

/* Worker 0 is the thread that called gb_train(). */
static gb_status report(run *r, gb_chain *c, size_t number, double seconds, size_t worker, gb_error *err)
{
    if (r->on_sweep != NULL && worker == 0) {
        const gb_progress progress = {.chain = number,
                                      .n_chains = r->n_jobs,
                                      .sweep = c->sweep,
                                      .n_sweeps = r->spec.n_sweeps,
                                      .in_burn_in = c->sweep <= r->spec.burn_in,
                                      .seconds = now() - r->begin,
                                      .tokens_per_second = (double)r->corpus->n_tokens / fmax(seconds, 1e-9),
                                      .state = c};
        if (!r->on_sweep(&progress, r->user))
            atomic_store(&r->stopped, true);
    }
    if (!atomic_load(&r->stopped))
        return GB_OK;
    return gb_fail(err, GB_ESTOP, "stopped after sweep %u of chain %zu", c->sweep, number + 1);
}

static gb_status run_chain(void *context, size_t number, size_t worker, gb_error *err)
{
    gb_status st;
    run *r = context;
    job *j = &r->job[number];
    gb_spec spec;
    gb_spec_response only;
    gb_chain *c = NULL;
    size_t n_kept = 0;
    const bool is_for_model = j->held_out == GB_NO_FIELD;
    gb_spec_for_chain(&r->spec, j->only_output, j->held_out, r->inner_threads, &only, &spec);
    GB_TRY(gb_chain_begin(&c, r->corpus, &spec, number, err));
    for (uint64_t sweep = 1; sweep <= spec.n_sweeps; sweep++) {
        const double before = now();
        GB_TRY(gb_chain_sweep(c, err));
        const double seconds = now() - before;
        const bool kept = is_kept(&spec, sweep);
        double log_joint = NAN;
        if (kept && is_for_model)
            GB_TRY(gb_chain_log_joint(c, &log_joint, err));
        if (kept && is_for_model)
            GB_TRY(gb_keep_draw(r->model, j->first_draw + n_kept++, c,
                                j->only_output == GB_NO_FIELD ? 0 : j->only_output, log_joint, err));
        else if (kept)
            keep_scores(r, c, j);
        if (kept && is_for_model && r->draws != NULL)
            GB_TRY(gb_draws_write(j->lines != NULL ? j->lines : gb_out_file_stream(r->draws), c, log_joint,
                                  r->include, err));
        GB_TRY(report(r, c, number, seconds, worker, err));
    }
    if (spec.sampler->rates != NULL)
        spec.sampler->rates(c->token_state, r->proposed + number * GB_MH_N_PROPOSALS,
                            r->accepted + number * GB_MH_N_PROPOSALS);
done:
    gb_chain_free(c);
    return st;
}

/* ---- all chains ---- */

/* The model's chains, output by output if each has its own, then those that calibrate. */
static gb_status list_jobs(run *r, gb_error *err)
{
    const gb_spec *spec = &r->spec;
    const size_t n_columns = spec->one_vs_rest ? spec->n_outputs : 1, n_chains = (size_t)spec->n_chains;
    const size_t n_model = n_columns * n_chains;
    r->n_kept = (size_t)((spec->n_sweeps - spec->burn_in) / spec->thin);
    r->n_jobs = n_model + n_columns * spec->calibration_folds;
    gb_status st = gb_alloc(&r->job, r->n_jobs, sizeof *r->job, "the chains", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < r->n_jobs; i++) {
        job *j = &r->job[i];
        const size_t n_each = i < n_model ? n_chains : spec->calibration_folds, at = i < n_model ? i : i - n_model;
        j->only_output = spec->one_vs_rest ? at / n_each : GB_NO_FIELD;
        j->held_out = i < n_model ? GB_NO_FIELD : at % n_each;
        j->first_draw = i * r->n_kept;
    }
    return gb_model_reserve_draws(r->model, n_model * r->n_kept, err);
}

/* Enough chains keep all threads busy with one thread each, which costs no waiting for one another. */
static gb_status run_jobs(run *r, gb_error *err)
{
    const bool side_by_side = r->n_jobs > 1 && r->n_jobs >= r->spec.n_threads;
    r->inner_threads = side_by_side ? 1 : r->spec.n_threads;
    for (size_t i = 0; side_by_side && r->draws != NULL && i < r->n_jobs; i++)
        if (r->job[i].held_out == GB_NO_FIELD && (r->job[i].lines = tmpfile()) == NULL)
            return gb_fail(err, GB_EIO, "the draws file: cannot make a temporary file: %s", strerror(errno));
    return gb_parallel_for(r->n_jobs, side_by_side ? r->spec.n_threads : 1, run_chain, r, err);
}

/* The chains' parts in order. */
static gb_status gather_draws(const run *r, gb_error *err)
{
    char buffer[1 << 16];
    for (size_t i = 0; i < r->n_jobs; i++) {
        FILE *from = r->job[i].lines;
        if (from == NULL)
            continue;
        rewind(from);
        for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
            (void)fwrite(buffer, 1, n, gb_out_file_stream(r->draws)); /* a failure shows when the file is committed */
        if (ferror(from))
            return gb_fail(err, GB_EIO, "the draws file: cannot read a temporary file: %s", strerror(errno));
    }
    return GB_OK;
}

/* Shares of the proposals that were accepted in the model's chains, of those that were of another topic. */
static gb_status keep_acceptance(run *r, gb_error *err)
{
    json_t *all = r->spec.sampler->rates == NULL ? NULL : json_object();
    bool failed = false;
    for (size_t p = 0; all != NULL && p < GB_MH_N_PROPOSALS; p++) {
        json_t *shares = json_array();
        for (size_t i = 0; i < r->n_jobs; i++) {
            const size_t at = i * GB_MH_N_PROPOSALS + p;
            if (r->job[i].held_out == GB_NO_FIELD && r->proposed[at] > 0)
                failed |=
                    json_array_append_new(shares, json_real((double)r->accepted[at] / (double)r->proposed[at])) != 0;
        }
        if (json_array_size(shares) > 0)
            failed |= json_object_set(all, gb_mh_proposal_name[p], shares) != 0;
        json_decref(shares);
    }
    r->model->acceptance = all;
    return failed ? gb_fail_memory(err, 0, "the model") : GB_OK;
}

/* ---- calibration ---- */

static gb_status calibrate_part(const run *r, gb_target *target, gb_error *err)
{
    gb_status st;
    const gb_response *response = &target->response;
    const size_t n = r->spec.n_outputs;
    double *y = NULL, *weight = NULL;
    GB_TRY(
        gb_alloc(&target->calibration, 2 * response->n_outputs, sizeof *target->calibration, "the calibration", err));
    GB_TRY(gb_alloc(&y, r->corpus->n_docs * n, sizeof *y, "the calibration", err));
    GB_TRY(gb_alloc(&weight, n, sizeof *weight, "the calibration", err));
    for (uint64_t d = 0; d < r->corpus->n_docs; d++)
        GB_TRY(gb_spec_code_document(&r->spec, r->corpus, d, y + d * n, weight, err));
    for (size_t l = 0; l < response->n_outputs; l++) {
        const size_t at = response->first_output + l;
        gb_calibration_fit(r->corpus->n_docs, n, y + at, r->held_out_score + at, &target->calibration[2 * l],
                           &target->calibration[2 * l + 1]);
    }
done:
    gb_free(y);
    gb_free(weight);
    return st;
}

static gb_status calibrate(const run *r, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; r->held_out_score != NULL && st == GB_OK && i < r->model->n_responses; i++) {
        const gb_response_ops *ops = r->model->target[i].response.ops;
        if (ops->target == GB_TARGET_CLASS && !ops->calibrated)
            st = calibrate_part(r, &r->model->target[i], err);
    }
    return st;
}

gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                   gb_model **out, gb_error *err)
{
    gb_status st;
    run r = {.corpus = corpus, .on_sweep = on_sweep, .user = user, .begin = now()};
    atomic_init(&r.stopped, false);
    GB_TRY(gb_draws_include_parse(settings->draws_include, &r.include, err));
    GB_TRY(gb_spec_resolve(corpus, settings, &r.spec, err));
    GB_TRY(gb_train_check_memory(corpus, &r.spec, settings->memory_limit, err));
    if (*settings->draws != '\0')
        GB_TRY(gb_out_file_open(&r.draws, settings->draws, settings->force, err));
    GB_TRY(gb_model_create(&r.model, corpus, &r.spec, settings, err));
    GB_TRY(list_jobs(&r, err));
    if (r.spec.calibration_folds > 0)
        GB_TRY(
            gb_alloc(&r.held_out_score, corpus->n_docs * r.spec.n_outputs, sizeof(double), "the calibration", err));
    GB_TRY(gb_alloc(&r.proposed, r.n_jobs * GB_MH_N_PROPOSALS, sizeof *r.proposed, "the chains", err));
    GB_TRY(gb_alloc(&r.accepted, r.n_jobs * GB_MH_N_PROPOSALS, sizeof *r.accepted, "the chains", err));
    GB_TRY(run_jobs(&r, err));
    GB_TRY(keep_acceptance(&r, err));
    GB_TRY(calibrate(&r, err));
    if (r.draws != NULL) {
        GB_TRY(gather_draws(&r, err));
        gb_out_file *draws = r.draws;
        r.draws = NULL;
        GB_TRY(gb_out_file_commit(draws, err));
    }
    *out = r.model;
    r.model = NULL;
done:
    for (size_t i = 0; r.job != NULL && i < r.n_jobs; i++)
        if (r.job[i].lines != NULL)
            (void)fclose(r.job[i].lines);
    gb_free(r.job);
    gb_free(r.proposed);
    gb_free(r.accepted);
    gb_out_file_discard(r.draws);
    gb_free(r.held_out_score);
    gb_model_free(r.model);
    gb_spec_clear(&r.spec);
    return st;
}
