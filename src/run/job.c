/* run/job.c - what a run keeps of a chain: draws or held-out scores, and once the chain is dropped its rates and its trace. */
#include "run/run.h"

#include "base/memory.h"
#include "recipe/late_labels.h"
#include "run/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    j->late_score = j->chain->course.late_score;
    j->chain->course.late_score = NULL;
}

static gb_status replace_by_copy(double **old, const double *numbers, uint64_t n, gb_error *err)
{
    double *copy;
    const gb_status st = gb_alloc(&copy, n, sizeof *copy, "what is kept of a chain", err);
    if (st != GB_OK)
        return st;
    if (n > 0)
        memcpy(copy, numbers, n * sizeof *copy);
    gb_free(*old);
    *old = copy;
    return GB_OK;
}

gb_status gb_run_copy_late_scores(gb_job *j, const gb_chain *c, gb_error *err)
{
    const double *score = gb_chain_late_scores(c);
    return score == NULL ? GB_OK
                         : replace_by_copy(&j->late_score, score, c->here->n_all_late * gb_late_width(c->spec), err);
}

gb_status gb_run_copy_trace(gb_job *j, size_t n_rows, size_t width, const double *trace, gb_error *err)
{
    const gb_status st = replace_by_copy(&j->trace, trace, n_rows * width, err);
    j->n_trace = st == GB_OK ? n_rows : j->n_trace;
    return st;
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

/* Ranks write a line together, the first of them into memory.  @param lines  NULL at the others */
static gb_status append_line(const gb_run *r, gb_lines *lines, size_t number, double log_joint, gb_error *err)
{
    char *line = NULL;
    size_t n_bytes = 0;
    FILE *f = lines == NULL ? NULL : open_memstream(&line, &n_bytes);
    if (lines != NULL && f == NULL)
        return gb_fail_memory(err, 0, "a line of draws");
    gb_status st = gb_draws_write(f, r->job[number].chain, log_joint, r->include, err);
    if (f != NULL && fclose(f) != 0 && st == GB_OK)
        st = gb_fail_memory(err, n_bytes, "a line of draws");
    if (f != NULL && st == GB_OK)
        st = gb_lines_append(lines, number, line, n_bytes, err);
    free(line);
    return st;
}

static gb_status keep_line(gb_run *r, size_t number, double log_joint, gb_error *err)
{
    FILE *lines = r->job[number].lines;
    if (r->lines != NULL && lines == NULL)
        return append_line(r, r->lines, number, log_joint, err);
    FILE *whole = r->draws == NULL ? NULL : gb_out_file_stream(r->draws); /* NULL at other ranks than 0 */
    return gb_draws_write(lines != NULL ? lines : whole, r->job[number].chain, log_joint, r->include, err);
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
    if (gb_settings_has(r->plan->settings, "draws"))
        GB_TRY(keep_line(r, number, log_joint, err));
    j->n_kept++;
done:
    return st;
}

gb_status gb_run_keep_last(gb_run *r, size_t number, gb_error *err)
{
    const gb_chain_role role = gb_plan_role(r->plan, number);
    return role.held_out != GB_NO_FIELD ? GB_OK
                                        : gb_keep_last(kept_here(r), r->job[number].chain,
                                                       role.only_output == GB_NO_FIELD ? 0 : role.only_output, err);
}
