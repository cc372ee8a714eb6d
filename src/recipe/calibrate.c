/* recipe/calibrate.c - what documents whose labels were held out say of new ones. */
#include "recipe/calibrate.h"

#include "base/memory.h"
#include "evaluation/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A curve of fewer late labels would be of no use. */
enum { FEWEST_LATE = 20 };

/* ---- curves ---- */

static void clear_texts(gb_calibration_texts *t)
{
    gb_free(t->y);
    gb_free(t->score);
    gb_free(t->n_tokens);
}

/* The outputs of one response, without those of others between them; of documents with so many words, without those that have `skipped`. */
static gb_status pick(const gb_held_out_scores *h, const gb_response *response, const double *score,
                      const uint64_t *n_tokens, const uint64_t *skipped, gb_calibration_texts *out, gb_error *err)
{
    gb_status st;
    const size_t n = response->n_outputs;
    GB_TRY(gb_alloc(&out->y, h->n * n, sizeof *out->y, "the calibration", err));
    GB_TRY(gb_alloc(&out->score, h->n * n, sizeof *out->score, "the calibration", err));
    GB_TRY(gb_alloc(&out->n_tokens, h->n, sizeof *out->n_tokens, "the calibration", err));
    for (size_t d = 0; d < h->n; d++) {
        if (skipped != NULL && n_tokens[d] == skipped[d])
            continue;
        memcpy(out->y + out->n * n, h->y + d * h->n_outputs + response->first_output, n * sizeof *out->y);
        memcpy(out->score + out->n * n, score + d * h->n_outputs + response->first_output, n * sizeof *out->score);
        out->n_tokens[out->n++] = n_tokens[d];
    }
done:
    return st;
}

static size_t count_labelled(size_t n, size_t n_outputs, const double *y)
{
    size_t n_labelled = 0;
    for (size_t d = 0; d < n; d++)
        n_labelled += isnan(y[d * n_outputs]) ? 0 : 1;
    return n_labelled;
}

static gb_status choose_cut_offs(const char *aim, size_t n, const double *y, const double *score, gb_target *target,
                                 gb_error *err)
{
    const size_t n_outputs = target->response.n_outputs;
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

/* How many of the labels that are known have the class of each output. */
static void find_shares(size_t n, size_t n_outputs, const double *y, double *share)
{
    const double n_labelled = (double)count_labelled(n, n_outputs, y);
    for (size_t i = 0; i < n * n_outputs; i++)
        share[i % n_outputs] += y[i] > 0 ? 1 / n_labelled : 0;
    for (size_t l = 0; l < n_outputs; l++)
        share[l] = fmin(share[l], 1); /* rounding */
}

static gb_status find_curves(const gb_held_out_scores *h, const char *cut_off, gb_target *target, gb_error *err)
{
    gb_status st;
    const size_t n_outputs = target->response.n_outputs;
    gb_calibration_texts whole = {.n = 0}, cut = {.n = 0};
    GB_TRY(pick(h, &target->response, h->score, h->n_tokens, NULL, &whole, err));
    if (h->are_late && count_labelled(h->n, n_outputs, whole.y) < FEWEST_LATE)
        goto done;
    if (h->cut_score != NULL)
        GB_TRY(pick(h, &target->response, h->cut_score, h->n_cut, h->n_tokens, &cut, err));
    GB_TRY(gb_alloc(&target->calibration, 2 * n_outputs, sizeof *target->calibration, "the calibration", err));
    GB_TRY(gb_calibration_fit(n_outputs, &whole, &cut, target->calibration,
                              target->task == GB_TASK_MULTICLASS ? &target->power : NULL, &target->length, err));
    GB_TRY(gb_alloc(&target->share, n_outputs, sizeof *target->share, "the calibration", err));
    find_shares(h->n, n_outputs, whole.y, target->share);
    GB_TRY(choose_cut_offs(cut_off, h->n, whole.y, whole.score, target, err));
done:
    clear_texts(&whole);
    clear_texts(&cut);
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

/* How much of a mean squared residual scores of known topics would leave, at least: what residuals are divided by must not go to 0 where
 * the model leaves open more than there is. */
static const double LEAST_REST = 0.1;

typedef struct residuals {
    size_t n;
    double *x, *variance;           /* n: residuals, and what the words leave open of the scores */
    double square, own, y, squares; /* sums: of squared residuals, of variances, of numbers and of their squares */
} residuals;

static void list_residuals(const gb_held_out_scores *h, const gb_target *target, residuals *r)
{
    for (size_t d = 0; d < h->n; d++) {
        const size_t at = d * h->n_outputs + target->response.first_output;
        const double y = h->y[at], x = y - h->score[at], v = h->variance == NULL ? 0 : h->variance[at];
        if (isnan(x))
            continue;
        r->x[r->n] = x;
        r->variance[r->n++] = v;
        r->square += x * x;
        r->own += v;
        r->y += y;
        r->squares += y * y;
    }
}

/* A document that says nothing leaves open what varies between numbers, but for the rest. */
static double most_variance(const residuals *r, double rest)
{
    const double n = (double)r->n, mean = r->y / n;
    return fmax(r->squares / n - mean * mean - rest, 0);
}

/* A residual is divided by the spread that the model expects of it, up to a factor: of a document with the variance v of the score given its
 * words sqrt(1 + v / rest), where rest + v is the mean of squared residuals (normalised conformal prediction, Papadopoulos and others 2008).
 * A new one is as likely to have any rank among n + 1: it lies between the two of these ranks with a probability of 0.9 or more. */
static gb_status find_spread(const gb_held_out_scores *h, gb_target *target, gb_error *err)
{
    gb_status st;
    double scaled = 0;
    residuals r = {.n = 0};
    GB_TRY(gb_alloc(&r.x, h->n, sizeof *r.x, "the calibration", err));
    GB_TRY(gb_alloc(&r.variance, h->n, sizeof *r.variance, "the calibration", err));
    list_residuals(h, target, &r);
    if (r.n < FEWEST_LATE || !(r.square > 0))
        goto done;
    const double n = (double)r.n, rest = fmax(r.square - r.own, LEAST_REST * r.square) / n;
    for (size_t i = 0; i < r.n; i++) {
        r.x[i] /= sqrt(1 + r.variance[i] / rest);
        scaled += r.x[i] * r.x[i] / n;
    }
    qsort(r.x, r.n, sizeof *r.x, upwards);
    target->spread[GB_SPREAD_SD] = sqrt(scaled);
    target->spread[GB_SPREAD_Q05] = residual_at(r.n, r.x, floor(0.05 * (n + 1)));
    target->spread[GB_SPREAD_Q95] = residual_at(r.n, r.x, ceil(0.95 * (n + 1)));
    target->spread[GB_SPREAD_REST] = h->variance == NULL ? 0 : rest;
    target->spread[GB_SPREAD_MOST] = most_variance(&r, rest);
done:
    gb_free(r.variance);
    gb_free(r.x);
    return st;
}

/* ---- counts ---- */

/* @param skipped  NULL, or the words of each document: those whose text is whole are left out */
static gb_status list_counts(const gb_held_out_scores *h, const gb_target *target, const double *score,
                             const uint64_t *n_tokens, const uint64_t *skipped, gb_new_counts *x, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&x->y, 3 * h->n, sizeof *x->y, "the calibration", err));
    GB_TRY(gb_alloc(&x->n_tokens, h->n, sizeof *x->n_tokens, "the calibration", err));
    x->log_mean = x->y + h->n;
    x->offset = x->y + 2 * h->n;
    for (size_t d = 0; d < h->n; d++) {
        if (skipped != NULL && n_tokens[d] == skipped[d])
            continue;
        x->y[x->n] = h->y[d * h->n_outputs + target->response.first_output];
        x->log_mean[x->n] = score[d * h->n_outputs + target->response.first_output];
        x->offset[x->n] = gb_response_offset(&target->response, h->log_exposure, d);
        x->n_tokens[x->n++] = n_tokens[d];
    }
done:
    return st;
}

static gb_status find_law(const gb_held_out_scores *h, gb_target *target, gb_error *err)
{
    gb_status st;
    gb_new_counts whole = {.n = 0}, cut = {.n = 0};
    GB_TRY(list_counts(h, target, h->score, h->n_tokens, NULL, &whole, err));
    GB_TRY(gb_count_law_fit(&target->response, &whole, &target->law, err));
    if (h->cut_score == NULL)
        goto done;
    GB_TRY(list_counts(h, target, h->cut_score, h->n_cut, h->n_tokens, &cut, err));
    GB_TRY(gb_count_law_fit_short(&target->response, &whole, &cut, &target->law, err));
done:
    gb_free(whole.y);
    gb_free(whole.n_tokens);
    gb_free(cut.y);
    gb_free(cut.n_tokens);
    return st;
}

/* ---- levels ---- */

static gb_status find_level_law(const gb_held_out_scores *h, gb_target *target, gb_error *err)
{
    gb_status st;
    gb_calibration_texts whole = {.n = 0}, cut = {.n = 0};
    GB_TRY(pick(h, &target->response, h->score, h->n_tokens, NULL, &whole, err));
    if (h->cut_score != NULL)
        GB_TRY(pick(h, &target->response, h->cut_score, h->n_cut, h->n_tokens, &cut, err));
    GB_TRY(gb_level_law_fit(target->n_classes, &(gb_new_levels){whole.n, whole.y, whole.score, whole.n_tokens},
                            &(gb_new_levels){cut.n, cut.y, cut.score, cut.n_tokens}, &target->level_law, err));
done:
    clear_texts(&whole);
    clear_texts(&cut);
    return st;
}

gb_status gb_calibrate_target(const gb_held_out_scores *h, const char *cut_off, gb_target *target, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_target_needs_curve(target))
        GB_TRY(find_curves(h, cut_off, target, err));
    if (gb_target_needs_spread(target))
        GB_TRY(find_spread(h, target, err));
    if (gb_target_needs_law(target))
        GB_TRY(find_law(h, target, err));
    if (gb_target_needs_level_law(target))
        GB_TRY(find_level_law(h, target, err));
done:
    return st;
}
