/* run/held_out_scores.c - the scores of documents whose labels were held out, from all chains of a run. */
#include "base/memory.h"
#include "recipe/calibrate.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

/* ---- scores by folds ---- */

/* Each chain's scores are divided by all the sweeps that it was to keep: after a stop it has fewer. */
static void scale_scores(const gb_run *r)
{
    const gb_spec *spec = &r->plan->spec;
    for (size_t i = r->plan->n_model_chains; i < r->plan->n_chains; i++) {
        const gb_chain_role role = gb_plan_role(r->plan, i);
        const size_t first = role.only_output == GB_NO_FIELD ? 0 : role.only_output;
        const size_t n = role.only_output == GB_NO_FIELD ? spec->n_outputs : 1;
        if (r->job[i].n_kept == r->plan->n_draws)
            continue;
        for (uint64_t d = role.held_out; d < r->plan->corpus->n_docs; d += spec->calibration_folds)
            for (size_t l = 0; l < n; l++)
                r->held_out_score[d * spec->n_outputs + first + l] *=
                    (double)r->plan->n_draws / (double)r->job[i].n_kept;
    }
}

/* ---- scores before late labels ---- */

/* The mean of the chains that have them, in their order; false if an output has none. */
static bool average_late(const gb_run *r, double *score)
{
    const gb_spec *spec = &r->plan->spec;
    const size_t n_each = (size_t)spec->n_chains, n = spec->one_vs_rest ? 1 : spec->n_outputs;
    for (size_t i = 0; i < r->plan->n_model_chains; i += n_each) {
        const size_t first = spec->one_vs_rest ? i / n_each : 0;
        double n_chains = 0;
        for (size_t j = i; j < i + n_each; j++) {
            if (r->job[j].late_score == NULL)
                continue;
            n_chains++;
            for (uint64_t d = 0; d < spec->n_late; d++)
                for (size_t l = 0; l < n; l++) {
                    double *mean = &score[d * spec->n_outputs + first + l];
                    *mean += (r->job[j].late_score[d * n + l] - *mean) / n_chains;
                }
        }
        if (n_chains == 0)
            return false;
    }
    return true;
}

static gb_status gather_late(const gb_run *r, gb_held_out_scores *h, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &r->plan->spec;
    double *weight = NULL, *score = NULL;
    GB_TRY(gb_alloc(&score, spec->n_late * spec->n_outputs, sizeof *score, "the calibration", err));
    if (!average_late(r, score))
        goto done;
    GB_TRY(gb_alloc(&h->y, spec->n_late * spec->n_outputs, sizeof *h->y, "the calibration", err));
    GB_TRY(gb_alloc(&weight, spec->n_outputs, sizeof *weight, "the calibration", err));
    h->score = score;
    score = NULL;
    for (uint64_t d = 0; d < r->plan->corpus->n_docs; d++)
        if (spec->is_late[d])
            GB_TRY(gb_spec_code_document(spec, r->plan->corpus, d, h->y + h->n++ * spec->n_outputs, weight, err));
done:
    gb_free(weight);
    gb_free(score);
    return st;
}

/* In the order of the documents held out: all, or those with late labels. */
static gb_status gather_lengths(const gb_run *r, gb_held_out_scores *h, gb_error *err)
{
    const uint64_t *start = r->plan->corpus->doc_start;
    const gb_status st = gb_alloc(&h->n_tokens, h->n, sizeof *h->n_tokens, "the calibration", err);
    for (uint64_t d = 0, i = 0; st == GB_OK && d < r->plan->corpus->n_docs; d++)
        if (r->held_out_score != NULL || r->plan->spec.is_late[d])
            h->n_tokens[i++] = start[d + 1] - start[d];
    return st;
}

/* Likewise. */
static gb_status gather_exposures(const gb_run *r, gb_held_out_scores *h, gb_error *err)
{
    const gb_spec *spec = &r->plan->spec;
    if (spec->exposure_field == GB_NO_FIELD)
        return GB_OK;
    const double *exposure = r->plan->corpus->numbers[spec->exposure_field].value;
    const gb_status st = gb_alloc(&h->log_exposure, h->n, sizeof *h->log_exposure, "the calibration", err);
    for (uint64_t d = 0, i = 0; st == GB_OK && d < r->plan->corpus->n_docs; d++)
        if (r->held_out_score != NULL || spec->is_late[d])
            h->log_exposure[i++] = log(exposure[d]);
    return st;
}

static gb_status gather_folds(const gb_run *r, gb_held_out_scores *h, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &r->plan->spec;
    const uint64_t n_docs = r->plan->corpus->n_docs;
    double *weight = NULL;
    for (size_t i = r->plan->n_model_chains; i < r->plan->n_chains; i++)
        if (r->job[i].n_kept == 0)
            return GB_OK;
    scale_scores(r);
    GB_TRY(gb_alloc(&h->y, n_docs * spec->n_outputs, sizeof *h->y, "the calibration", err));
    GB_TRY(gb_alloc(&h->score, n_docs * spec->n_outputs, sizeof *h->score, "the calibration", err));
    GB_TRY(gb_alloc(&weight, spec->n_outputs, sizeof *weight, "the calibration", err));
    memcpy(h->score, r->held_out_score, n_docs * spec->n_outputs * sizeof *h->score);
    for (; h->n < n_docs; h->n++)
        GB_TRY(gb_spec_code_document(spec, r->plan->corpus, h->n, h->y + h->n * spec->n_outputs, weight, err));
done:
    gb_free(weight);
    return st;
}

gb_status gb_run_calibrate(const gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    gb_held_out_scores h = {.n_outputs = r->plan->spec.n_outputs, .are_late = r->plan->spec.n_late > 0};
    if (r->held_out_score != NULL)
        GB_TRY(gather_folds(r, &h, err));
    else if (r->plan->spec.n_late > 0)
        GB_TRY(gather_late(r, &h, err));
    if (h.n > 0) {
        GB_TRY(gather_exposures(r, &h, err));
        GB_TRY(gather_lengths(r, &h, err));
    }
    for (size_t i = 0; h.n > 0 && i < r->model->n_responses; i++)
        GB_TRY(gb_calibrate_target(&h, gb_settings_text(r->plan->settings, "cut-off"), &r->model->target[i], err));
done:
    gb_free(h.y);
    gb_free(h.score);
    gb_free(h.log_exposure);
    gb_free(h.n_tokens);
    return st;
}
