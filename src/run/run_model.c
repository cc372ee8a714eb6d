/* run/run_model.c - the model of the draws that a run has kept. */
#include "run/run.h"

#include "base/memory.h"
#include "chain/trace.h"
#include "run/alone.h"

#include <errno.h>
#include <string.h>

/* The chains' parts in order. */
static gb_status gather_draws(gb_run *r, gb_error *err)
{
    char buffer[1 << 16];
    for (size_t i = 0; i < r->plan->n_model_chains; i++) {
        FILE *from = r->job[i].lines;
        gb_status st = r->lines == NULL ? GB_OK : gb_lines_write(r->lines, i, gb_out_file_stream(r->draws), err);
        if (st == GB_OK && from != NULL)
            st = gb_run_read_lines(from, err);
        if (st != GB_OK)
            return st;
        if (from == NULL)
            continue;
        for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
            (void)fwrite(buffer, 1, n, gb_out_file_stream(r->draws)); /* a failure shows when the file is committed */
        if (ferror(from))
            return gb_fail(err, GB_EIO, "the draws file: cannot read a temporary file: %s", strerror(errno));
    }
    return GB_OK;
}

static gb_status end_draws(gb_run *r, gb_out_file **out, gb_error *err)
{
    gb_status st = gather_draws(r, err);
    if (st != GB_OK)
        return st;
    gb_out_file *draws = r->draws;
    r->draws = NULL;
    if (out == NULL)
        return gb_out_file_commit(draws, err);
    *out = draws;
    return GB_OK;
}

/* Null for a chain that proposed nothing. */
static json_t *share_accepted(const gb_job *j, size_t p)
{
    return j->proposed[p] == 0 ? json_null() : json_real((double)j->accepted[p] / (double)j->proposed[p]);
}

/* Shares of the proposals that were accepted in the model's chains, of those that were of another topic. */
static gb_status keep_acceptance(gb_run *r, gb_error *err)
{
    if (r->plan->spec.sampler->rates == NULL)
        return GB_OK;
    json_t *all = json_object();
    bool failed = all == NULL;
    for (size_t p = 0; all != NULL && p < GB_MH_N_PROPOSALS; p++) {
        json_t *shares = json_array();
        bool any = false;
        for (size_t i = 0; i < r->plan->n_model_chains; i++) {
            const gb_job *j = &r->job[i];
            any |= j->proposed[p] > 0;
            failed |= json_array_append_new(shares, share_accepted(j, p)) != 0; /* it refuses NULL */
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
    m->n_traces = n;
    m->has_late_labels = r->plan->spec.n_late > 0;
    GB_TRY(gb_alloc(&m->trace_sweeps, n, sizeof *m->trace_sweeps, "the model", err));
    if (m->has_late_labels)
        GB_TRY(gb_alloc(&m->trace_late, n, sizeof *m->trace_late, "the model", err));
    for (size_t i = 0; i < n; i++) {
        const gb_job *j = &r->job[i];
        if (j->n_trace > 0 && j->n_trace == gb_trace_length(j->n_sweeps)) {
            m->trace_sweeps[i] = j->n_sweeps;
            if (m->trace_late != NULL)
                m->trace_late[i] = j->late;
        }
    }
    GB_TRY(gb_arrays_allocate(gb_model_list, m, "the model", err));
    double *at = m->trace;
    for (size_t i = 0; i < n; i++) {
        const size_t n_numbers = gb_trace_length(m->trace_sweeps[i]) * width;
        if (n_numbers == 0)
            continue;
        memcpy(at, r->job[i].trace, n_numbers * sizeof *at);
        at += n_numbers;
    }
done:
    return st;
}

/* Null for a chain that was stopped in it: how long its burn-in would have been is not known. */
static json_t *burn_in_of(const gb_job *j)
{
    return j->n_sweeps < j->burn_in ? json_null() : json_integer((json_int_t)j->burn_in);
}

/* Of the model's chains, if they found out themselves. */
static gb_status keep_burn_in(gb_run *r, gb_error *err)
{
    if (!r->plan->spec.finds_burn_in)
        return GB_OK;
    json_t *sweeps = json_array(), *found = json_array();
    bool failed = sweeps == NULL || found == NULL;
    for (size_t i = 0; i < r->plan->n_model_chains && !failed; i++)
        failed = json_array_append_new(sweeps, burn_in_of(&r->job[i])) != 0 ||
                 json_array_append_new(
                     found, json_boolean(r->job[i].burn_in_is_found && r->job[i].n_sweeps >= r->job[i].burn_in)) != 0;
    if (!failed)
        r->model->burn_in = json_pack("{s:O, s:O}", "sweeps", sweeps, "found", found);
    json_decref(sweeps);
    json_decref(found);
    return r->model->burn_in == NULL ? gb_fail_memory(err, 0, "the model") : GB_OK;
}

/* What was found before the chains began. */
static gb_status keep_found(gb_run *r, gb_error *err)
{
    if (r->found == NULL)
        return GB_OK;
    json_t *found = json_array(), *before = r->model->pooled;
    bool failed = found == NULL;
    r->model->pooled = NULL;
    for (size_t k = 0; k < r->plan->spec.n_topics && !failed; k++)
        failed = json_array_append_new(found, json_integer((json_int_t)r->found[k])) != 0;
    if (!failed)
        r->model->pooled =
            json_pack("{s:I, s:O}", "chains", (json_int_t)gb_spec_n_short_chains(&r->plan->spec), "found", found);
    json_decref(found);
    json_decref(before);
    return r->model->pooled == NULL ? gb_fail_memory(err, 0, "the model") : GB_OK;
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

gb_status gb_run_take_model(gb_run *r, gb_model **out, gb_out_file **draws, gb_error *err)
{
    gb_status st = GB_OK;
    if (r->kept == NULL || !every_output_has_a_draw(r))
        return GB_OK;
    r->model->has_common_start = r->begin_with != NULL || r->plan->spec.starts_from_parts;
    GB_TRY(keep_found(r, err)); /* says which chain leads */
    GB_TRY(gb_model_take_draws(r->model, r->kept, err));
    r->kept = NULL; /* now the model's */
    GB_TRY(gb_run_forget_changed(r, err));
    GB_TRY(keep_found(r, err));
    if (r->is_stepped_elsewhere)
        r->model->n_alone = 0; /* its caller knows whether it is wanted */
    GB_TRY(keep_acceptance(r, err));
    GB_TRY(keep_traces(r, err));
    GB_TRY(keep_burn_in(r, err));
    GB_TRY(gb_run_compare(r, err));
    GB_TRY(gb_run_calibrate(r, err));
    GB_TRY(gb_find_alone(r->model, r->plan->corpus, r->plan->settings, gb_run_ask, r, err));
    *out = r->model;
    r->model = NULL;
    if (r->draws != NULL)
        GB_TRY(end_draws(r, draws, err));
done:
    return st;
}
