/* diagnose/findings.c - what speaks against a run. */
#include "base/memory.h"
#include "diagnose/chance.h"
#include "diagnose/diagnosis.h"
#include "diagnose/series.h"

#include <math.h>
#include <string.h>

/* Effective draws below which quantiles are rough: the 5 % quantile of a hundred draws lies between the 2nd and the 10th. */
static const double LEAST_ESS = 100;

static gb_status add(gb_diagnosis *d, gb_finding finding, gb_error *err)
{
    const gb_status st =
        gb_grow(&d->finding, &d->finding_capacity, d->n_findings + 1, sizeof *d->finding, "the findings", err);
    if (st == GB_OK)
        d->finding[d->n_findings++] = finding;
    return st;
}

/* ---- traces ---- */

/* One of n traces that all are level may look as if it moved by chance. */
static bool is_moving(const gb_trace *t, size_t n)
{
    return (t->levelled.trend == GB_TREND_RISING || t->levelled.trend == GB_TREND_FALLING) &&
           fabs(t->levelled.drift) > gb_most_errors(n) * t->levelled.error;
}

static bool is_unclear(const gb_trace *t)
{
    return t->levelled.trend != GB_TREND_LEVEL && t->levelled.size < GB_LEAST_SIZE;
}

/* The level was reached after the first draw was kept: a stride of grace. */
static bool is_kept_too_early(const gb_trace *t)
{
    return t->levelled.trend == GB_TREND_LEVEL && t->first_kept > 0 && t->levelled.since * t->stride > t->first_kept;
}

/* A chain that was stopped before it had kept a draw is not in the model; of a run without any draw all chains are looked at. */
static size_t count_judged(const gb_trace *t, size_t n)
{
    size_t n_with_draws = 0;
    for (size_t i = 0; i < n; i++)
        n_with_draws += t[i].first_kept > 0;
    return n_with_draws > 0 ? n_with_draws : n;
}

/* The traces of one number, n of them, one for each chain. */
static gb_status judge_traces(gb_diagnosis *d, const gb_trace *t, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_judged = count_judged(t, n);
    gb_finding moving = {.kind = GB_FINDING_MOVING, .name = t->name, .n_all = n_judged};
    gb_finding unclear = {.kind = GB_FINDING_UNCLEAR, .name = t->name, .n_all = n_judged, .value = INFINITY};
    gb_finding early = {.kind = GB_FINDING_BURN_IN, .name = t->name, .n_all = n_judged};
    for (size_t i = 0; i < n; i++) {
        if (n_judged < n && t[i].first_kept == 0)
            continue;
        if (is_moving(&t[i], n_judged)) {
            moving.trend = moving.n++ == 0 ? t[i].levelled.trend : moving.trend;
            const double by = 100 * t[i].levelled.slope / (double)t[i].stride;
            moving.value = fabs(by) > fabs(moving.value) ? by : moving.value;
        } else if (is_unclear(&t[i])) {
            unclear.n++;
            unclear.value = fmin(unclear.value, t[i].levelled.size);
        } else if (is_kept_too_early(&t[i])) {
            early.n++;
            early.value = fmax(early.value, (double)(t[i].levelled.since * t[i].stride));
        }
    }
    if (moving.n > 0)
        GB_TRY(add(d, moving, err));
    if (unclear.n > 0)
        GB_TRY(add(d, unclear, err));
    if (early.n > 0)
        GB_TRY(add(d, early, err));
done:
    return st;
}

static gb_status judge_all_traces(gb_diagnosis *d, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t first = 0, end; first < d->n_traces; first = end) {
        for (end = first + 1; end < d->n_traces && d->trace[end].name == d->trace[first].name;)
            end++;
        GB_TRY(judge_traces(d, &d->trace[first], end - first, err));
    }
done:
    return st;
}

/* ---- draws ---- */

static gb_status judge_quantities(gb_diagnosis *d, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_quantity *fewest = NULL;
    for (size_t i = 0; i < d->n_quantities; i++) {
        const gb_quantity *q = &d->quantity[i];
        if (!q->agrees)
            GB_TRY(add(d,
                       (gb_finding){.kind = q->is_settled ? GB_FINDING_APART : GB_FINDING_DISAGREE,
                                    .name = q->name,
                                    .value = strcmp(q->group, "scores") == 0 ? q->median_r_hat : q->mixing.r_hat,
                                    .within = q->r_hat_within},
                       err));
        if (!isnan(q->median_ess) && (fewest == NULL || q->median_ess < fewest->median_ess))
            fewest = q;
    }
    if (fewest != NULL && fewest->median_ess < LEAST_ESS)
        GB_TRY(add(d, (gb_finding){.kind = GB_FINDING_FEW_DRAWS, .name = fewest->name, .value = fewest->median_ess},
                   err));
done:
    return st;
}

static gb_status judge_topics(gb_diagnosis *d, gb_error *err)
{
    gb_finding topics = {.kind = GB_FINDING_TOPICS, .name = ""};
    for (size_t i = 0; i < d->n_topics; i++) {
        topics.n += !d->topic[i].agrees;
        topics.n_all += !d->topic[i].is_empty;
    }
    return topics.n > 0 ? add(d, topics, err) : GB_OK;
}

gb_status gb_diagnose_findings(gb_diagnosis *d, gb_error *err)
{
    gb_status st;
    GB_TRY(judge_all_traces(d, err));
    GB_TRY(judge_quantities(d, err));
    GB_TRY(judge_topics(d, err));
done:
    return st;
}
