/* run/held_out_scores.c - the scores of documents whose labels were held out, from all chains of a run. */
#include "base/memory.h"
#include "recipe/calibrate.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

static const char what[] = "the calibration";

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

/* The mean of the chains that have them, in their order; false if an output has none.
 * @param skip  numbers of a document before those that are wanted: outputs of a chain times this */
static bool average_late(const gb_run *r, size_t skip, double *score)
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
                    *mean += (r->job[j].late_score[d * gb_late_width(spec) + skip * n + l] - *mean) / n_chains;
                }
        }
        if (n_chains == 0)
            return false;
    }
    return true;
}

/* ---- documents held out ---- */

/* All or none. */
static bool all_have_kept(const gb_run *r)
{
    for (size_t i = r->plan->n_model_chains; i < r->plan->n_chains; i++)
        if (r->job[i].n_kept == 0)
            return false;
    return true;
}

/* Of n documents.  @param h  its scores are NULL if an output has none */
static gb_status find_scores(const gb_run *r, uint64_t n, gb_held_out_scores *h, gb_error *err)
{
    gb_status st;
    const uint64_t n_scores = n * r->plan->spec.n_outputs;
    const bool by_folds = r->held_out_score != NULL;
    if (by_folds && !all_have_kept(r))
        return GB_OK;
    GB_TRY(gb_alloc(&h->score, n_scores, sizeof *h->score, what, err));
    if (by_folds) {
        scale_scores(r);
        memcpy(h->score, r->held_out_score, n_scores * sizeof *h->score);
        return GB_OK;
    }
    GB_TRY(gb_alloc(&h->cut_score, n_scores, sizeof *h->cut_score, what, err));
    if (gb_late_has_variances(&r->plan->spec)) {
        GB_TRY(gb_alloc(&h->variance, n_scores, sizeof *h->variance, what, err));
        GB_TRY(gb_alloc(&h->cut_variance, n_scores, sizeof *h->cut_variance, what, err));
    }
    double *const number[] = {h->score, h->cut_score, h->variance, h->cut_variance};
    for (size_t i = 0; h->score != NULL && i < sizeof number / sizeof *number && number[i] != NULL; i++)
        if (!average_late(r, i, number[i])) {
            gb_free(h->score);
            h->score = NULL;
        }
done:
    return st;
}

/* In the order of the documents: all, or those with late labels. */
static gb_status gather(const gb_run *r, uint64_t n, gb_held_out_scores *h, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &r->plan->spec;
    const gb_corpus *corpus = r->plan->corpus;
    const bool has_exposure = spec->exposure_field != GB_NO_FIELD;
    double *weight = NULL;
    GB_TRY(gb_alloc(&h->y, n * spec->n_outputs, sizeof *h->y, what, err));
    GB_TRY(gb_alloc(&weight, spec->n_outputs, sizeof *weight, what, err));
    GB_TRY(gb_alloc(&h->n_tokens, n, sizeof *h->n_tokens, what, err));
    GB_TRY(gb_alloc(&h->n_cut, n, sizeof *h->n_cut, what, err));
    if (has_exposure)
        GB_TRY(gb_alloc(&h->log_exposure, n, sizeof *h->log_exposure, what, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        if (r->held_out_score == NULL && !spec->is_late[d])
            continue;
        GB_TRY(gb_spec_code_document(spec, corpus, d, h->y + h->n * spec->n_outputs, weight, err));
        h->n_tokens[h->n] = corpus->doc_start[d + 1] - corpus->doc_start[d];
        h->n_cut[h->n] = gb_spec_late_cut(spec, d, h->n_tokens[h->n]);
        if (has_exposure)
            h->log_exposure[h->n] = log(corpus->numbers[spec->exposure_field].value[d]);
        h->n++;
    }
done:
    gb_free(weight);
    return st;
}

gb_status gb_run_calibrate(const gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_spec *spec = &r->plan->spec;
    const uint64_t n = r->held_out_score != NULL ? r->plan->corpus->n_docs : spec->n_late;
    gb_held_out_scores h = {.n_outputs = spec->n_outputs, .are_late = spec->n_late > 0};
    if (n == 0)
        return st;
    GB_TRY(find_scores(r, n, &h, err));
    if (h.score != NULL)
        GB_TRY(gather(r, n, &h, err));
    for (size_t i = 0; h.n > 0 && i < r->model->n_responses; i++)
        GB_TRY(gb_calibrate_target(&h, gb_settings_text(r->plan->settings, "cut-off"), &r->model->target[i], err));
done:
    gb_free(h.y);
    gb_free(h.score);
    gb_free(h.variance);
    gb_free(h.cut_score);
    gb_free(h.cut_variance);
    gb_free(h.n_cut);
    gb_free(h.log_exposure);
    gb_free(h.n_tokens);
    return st;
}
