/* train/calibrate.c - scores made probabilities, by curves fitted to documents whose labels were held out. */
#include "base/memory.h"
#include "evaluation/calibration.h"
#include "train/run.h"

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

static gb_status calibrate_target(const gb_run *r, gb_target *target, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &r->plan->spec;
    const gb_corpus *corpus = r->plan->corpus;
    const gb_response *response = &target->response;
    const size_t n = spec->n_outputs;
    double *y = NULL, *weight = NULL;
    GB_TRY(
        gb_alloc(&target->calibration, 2 * response->n_outputs, sizeof *target->calibration, "the calibration", err));
    GB_TRY(gb_alloc(&y, corpus->n_docs * n, sizeof *y, "the calibration", err));
    GB_TRY(gb_alloc(&weight, n, sizeof *weight, "the calibration", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        GB_TRY(gb_spec_code_document(spec, corpus, d, y + d * n, weight, err));
    for (size_t l = 0; l < response->n_outputs; l++) {
        const size_t at = response->first_output + l;
        gb_calibration_fit(corpus->n_docs, n, y + at, r->held_out_score + at, &target->calibration[2 * l],
                           &target->calibration[2 * l + 1]);
    }
done:
    gb_free(y);
    gb_free(weight);
    return st;
}

gb_status gb_run_calibrate(const gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    if (r->held_out_score == NULL)
        return GB_OK;
    for (size_t i = r->plan->n_model_chains; i < r->plan->n_chains; i++)
        if (r->job[i].n_kept == 0)
            return GB_OK;
    scale_scores(r);
    for (size_t i = 0; st == GB_OK && i < r->model->n_responses; i++) {
        const gb_response_ops *ops = r->model->target[i].response.ops;
        if (ops->target == GB_TARGET_CLASS && !ops->calibrated)
            st = calibrate_target(r, &r->model->target[i], err);
    }
    return st;
}
