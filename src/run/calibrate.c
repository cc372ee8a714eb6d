/* run/calibrate.c - scores made probabilities, by curves fitted to documents whose labels were held out. */
#include "base/memory.h"
#include "evaluation/calibration.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Documents whose labels were held out, with their scores; n x n_outputs. */
typedef struct held_out {
    size_t n;
    double *y, *score;
    double *log_exposure; /* n; NULL: all 0 */
    uint64_t *n_tokens;   /* n */
} held_out;

/* A curve of fewer late labels would be of no use. */
enum { FEWEST_LATE = 20 };

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

static gb_status gather_late(const gb_run *r, held_out *h, gb_error *err)
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
static gb_status gather_lengths(const gb_run *r, held_out *h, gb_error *err)
{
    const uint64_t *start = r->plan->corpus->doc_start;
    const gb_status st = gb_alloc(&h->n_tokens, h->n, sizeof *h->n_tokens, "the calibration", err);
    for (uint64_t d = 0, i = 0; st == GB_OK && d < r->plan->corpus->n_docs; d++)
        if (r->held_out_score != NULL || r->plan->spec.is_late[d])
            h->n_tokens[i++] = start[d + 1] - start[d];
    return st;
}

/* Likewise. */
static gb_status gather_exposures(const gb_run *r, held_out *h, gb_error *err)
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

static gb_status gather_folds(const gb_run *r, held_out *h, gb_error *err)
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

/* ---- curves ---- */

/* The outputs of one response, without those of others between them. */
static void pick(const held_out *h, size_t n_all, const gb_response *response, double *y, double *score)
{
    const size_t n = response->n_outputs;
    for (size_t d = 0; d < h->n; d++) {
        memcpy(y + d * n, h->y + d * n_all + response->first_output, n * sizeof *y);
        memcpy(score + d * n, h->score + d * n_all + response->first_output, n * sizeof *score);
    }
}

static size_t count_labelled(size_t n, size_t n_outputs, const double *y)
{
    size_t n_labelled = 0;
    for (size_t d = 0; d < n; d++)
        n_labelled += isnan(y[d * n_outputs]) ? 0 : 1;
    return n_labelled;
}

static gb_status choose_cut_offs(const gb_run *r, size_t n, const double *y, const double *score, gb_target *target,
                                 gb_error *err)
{
    const size_t n_outputs = target->response.n_outputs;
    const char *aim = gb_settings_text(r->plan->settings, "cut-off");
    if (target->task != GB_TASK_MULTILABEL || strcmp(aim, "none") == 0)
        return GB_OK;
    const gb_status st = gb_alloc(&target->cut_off, n_outputs, sizeof *target->cut_off, "the calibration", err);
    if (st != GB_OK)
        return st;
    for (size_t l = 0; l < n_outputs; l++)
        target->cut_off[l] = 0.5;
    return strcmp(aim, "f1") == 0
               ? gb_calibration_cut_offs(n, n_outputs, y, score, target->calibration, target->cut_off, err)
               : GB_OK;
}

static gb_status calibrate_target(const gb_run *r, const held_out *h, gb_target *target, gb_error *err)
{
    gb_status st;
    const size_t n_outputs = target->response.n_outputs;
    double *y = NULL, *score = NULL;
    GB_TRY(gb_alloc(&y, h->n * n_outputs, sizeof *y, "the calibration", err));
    GB_TRY(gb_alloc(&score, h->n * n_outputs, sizeof *score, "the calibration", err));
    pick(h, r->plan->spec.n_outputs, &target->response, y, score);
    if (r->plan->spec.n_late > 0 && count_labelled(h->n, n_outputs, y) < FEWEST_LATE)
        goto done;
    GB_TRY(gb_alloc(&target->calibration, 2 * n_outputs, sizeof *target->calibration, "the calibration", err));
    GB_TRY(gb_calibration_fit(h->n, n_outputs, y, h->n_tokens, score, target->calibration,
                              target->task == GB_TASK_MULTICLASS ? &target->power : NULL, &target->length, err));
    GB_TRY(choose_cut_offs(r, h->n, y, score, target, err));
done:
    gb_free(y);
    gb_free(score);
    return st;
}

/* ---- numbers ---- */

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One of n residuals, by its rank from 1 on. */
static double residual_at(size_t n, const double *sorted, double rank)
{
    return sorted[(size_t)fmin(fmax(rank, 1), (double)n) - 1];
}

/* A new residual is as likely to have any rank among n + 1: it lies between the two of these ranks with a probability of 0.9 or more. */
static gb_status find_spread(const held_out *h, size_t n_all, gb_target *target, gb_error *err)
{
    double *x = NULL, square = 0;
    size_t n = 0;
    const gb_status st = gb_alloc(&x, h->n, sizeof *x, "the calibration", err);
    for (size_t d = 0; st == GB_OK && d < h->n; d++) {
        const size_t at = d * n_all + target->response.first_output;
        if (isnan(h->y[at]))
            continue;
        x[n] = h->y[at] - h->score[at];
        square += x[n] * x[n];
        n++;
    }
    if (n >= FEWEST_LATE && square > 0) {
        qsort(x, n, sizeof *x, upwards);
        target->spread[GB_SPREAD_SD] = sqrt(square / (double)n);
        target->spread[GB_SPREAD_Q05] = residual_at(n, x, floor(0.05 * ((double)n + 1)));
        target->spread[GB_SPREAD_Q95] = residual_at(n, x, ceil(0.95 * ((double)n + 1)));
    }
    gb_free(x);
    return st;
}

/* ---- counts ---- */

static gb_status find_law(const held_out *h, size_t n_all, gb_target *target, gb_error *err)
{
    gb_status st;
    gb_new_counts x = {.n = 0};
    GB_TRY(gb_alloc(&x.y, 3 * h->n, sizeof *x.y, "the calibration", err));
    x.log_mean = x.y + h->n;
    x.offset = x.y + 2 * h->n;
    for (; x.n < h->n; x.n++) {
        x.y[x.n] = h->y[x.n * n_all + target->response.first_output];
        x.log_mean[x.n] = h->score[x.n * n_all + target->response.first_output];
        x.offset[x.n] = gb_response_offset(&target->response, h->log_exposure, x.n);
    }
    GB_TRY(gb_count_law_fit(&target->response, &x, &target->law, err));
done:
    gb_free(x.y);
    return st;
}

gb_status gb_run_calibrate(const gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    held_out h = {0};
    if (r->held_out_score != NULL)
        GB_TRY(gather_folds(r, &h, err));
    else if (r->plan->spec.n_late > 0)
        GB_TRY(gather_late(r, &h, err));
    if (h.n > 0) {
        GB_TRY(gather_exposures(r, &h, err));
        GB_TRY(gather_lengths(r, &h, err));
    }
    for (size_t i = 0; h.n > 0 && i < r->model->n_responses; i++) {
        if (gb_target_needs_curve(&r->model->target[i]))
            GB_TRY(calibrate_target(r, &h, &r->model->target[i], err));
        if (gb_target_needs_spread(&r->model->target[i]))
            GB_TRY(find_spread(&h, r->plan->spec.n_outputs, &r->model->target[i], err));
        if (gb_target_needs_law(&r->model->target[i]))
            GB_TRY(find_law(&h, r->plan->spec.n_outputs, &r->model->target[i], err));
    }
done:
    gb_free(h.y);
    gb_free(h.score);
    gb_free(h.log_exposure);
    gb_free(h.n_tokens);
    return st;
}
