/* diagnose/wording.c - findings and what to do about them, in words. */
#include "base/memory.h"
#include "diagnose/diagnosis.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 1000 };

/* What the advice depends on. */
typedef struct run {
    uint64_t n_sweeps, n_chains, n_tokens; /* n_sweeps, n_tokens: 0 if that is not known */
    const char *checkpoint; /* of a run that it can make longer, not one that decides its own end; or "" */
} run;

static uint64_t n_sweeps_of(const gb_diagnosis *d)
{
    uint64_t most = 0;
    for (size_t i = 0; i < d->n_traces; i++)
        most = d->trace[i].n_sweeps > most ? d->trace[i].n_sweeps : most;
    return most;
}

static run run_of(const gb_diagnosis *d, const char *checkpoint)
{
    return (run){.n_sweeps = n_sweeps_of(d),
                 .n_chains = d->n_chains,
                 .n_tokens = d->n_tokens,
                 .checkpoint = checkpoint == NULL ? "" : checkpoint};
}

/* " in 2 of 4 chains", or nothing for a single chain. */
static void chains_text(const gb_finding *f, size_t size, char *out)
{
    *out = '\0';
    if (f->n_all > 1)
        (void)snprintf(out, size, " in %" PRIu64 " of %" PRIu64 " chains", f->n, f->n_all);
}

/* "use `sweeps` 200", or "continue with `resume` FILE `sweeps` 200" */
static void longer_text(const run *r, uint64_t n, size_t size, char *out)
{
    if (r->n_sweeps == 0)
        (void)snprintf(out, size, "use more `sweeps`");
    else if (*r->checkpoint != '\0')
        (void)snprintf(out, size, "continue with `resume` %.200s `sweeps` %" PRIu64, r->checkpoint, n);
    else
        (void)snprintf(out, size, "use `sweeps` %" PRIu64, n);
}

/* How many sweeps a chain needs that has not arrived cannot be told from its way so far; twice as many show more of it. */
static void first_step_text(const run *r, size_t size, char *out)
{
    char longer[300];
    longer_text(r, 2 * r->n_sweeps, sizeof longer, longer);
    (void)snprintf(out, size, "%s%s", longer, r->n_sweeps == 0 ? "" : " to begin with");
}

/* By the rule (docs/diagnose.md): 15 independent values, which grow with the sweeps, and 20 values in all, every second sweep, in the
 * last half. */
enum { LEAST_SIZE = 15, LEAST_SWEEPS = 80 };

static uint64_t sweeps_for_size(const run *r, double size)
{
    const uint64_t twice = 2 * r->n_sweeps;
    const double needed = size > 0 ? ceil(LEAST_SIZE / size * (double)r->n_sweeps / 10) * 10 : LEAST_SWEEPS;
    return needed > (double)twice ? (uint64_t)needed : twice;
}

static const char *trend_text(gb_trend trend)
{
    return trend == GB_TREND_FALLING ? "falling" : "rising";
}

/* How much, of a log joint for each token: what a gain is worth. */
static void moving_text(const gb_finding *f, const run *r, const char *chains, const char *longer, char *out)
{
    const bool of_a_token = r->n_tokens > 0 && strcmp(f->name, "log joint") == 0;
    const double by = fabs(f->value) / (of_a_token ? (double)r->n_tokens : 1);
    (void)snprintf(out, TEXT_SIZE, "%.150s: still %s%s, by %.2g%s in 100 sweeps: %s", f->name, trend_text(f->trend),
                   chains, by, of_a_token ? " per token" : "", longer);
}

static void disagree_text(const gb_finding *f, const run *r, char *out)
{
    (void)snprintf(out, TEXT_SIZE, "%.150s: %s do not agree (R-hat %.2f)", f->name,
                   r->n_chains > 1 ? "the chains" : "the two halves of the chain", f->value);
}

static void apart_text(const gb_finding *f, char *out)
{
    if (isnan(f->within)) {
        (void)snprintf(out, TEXT_SIZE, "%.150s: each chain stays at one value, but not at that of the others",
                       f->name);
        return;
    }
    (void)snprintf(out, TEXT_SIZE,
                   "%.150s: each chain agrees with itself (R-hat %.2f), but not with the others (R-hat %.2f)",
                   f->name, f->within, f->value);
}

static void disagree_advice(gb_finding_kind kind, const run *r, char out[static TEXT_SIZE])
{
    char longer[320];
    first_step_text(r, sizeof longer, longer);
    if (kind == GB_FINDING_APART)
        (void)snprintf(
            out, TEXT_SIZE,
            "the chains have found different solutions: the posterior has several modes, and averages over "
            "the chains are averages over these");
    else if (r->n_chains > 1)
        (void)snprintf(out, TEXT_SIZE, "R-hat above 1, and inside of chains, too: %s", longer);
    else
        (void)snprintf(out, TEXT_SIZE,
                       "R-hat above 1: %s, and `chains` 4 to see whether others end where this one does", longer);
}

static void unclear_text(const gb_finding *f, const char *chains, const char *longer, char *out)
{
    if (f->value == 0)
        (void)snprintf(out, TEXT_SIZE, "%.150s: the run is too short%s to say whether it has levelled off: %s",
                       f->name, chains, longer);
    else
        (void)snprintf(out, TEXT_SIZE,
                       "%.150s: too few independent sweeps%s to say whether it has levelled off (%.0f): %s", f->name,
                       chains, f->value, longer);
}

static void finding_text(const gb_finding *f, const run *r, char out[static TEXT_SIZE])
{
    char chains[80], longer[320];
    chains_text(f, sizeof chains, chains);
    first_step_text(r, sizeof longer, longer);
    switch (f->kind) {
    case GB_FINDING_MOVING:
        moving_text(f, r, chains, longer, out);
        return;
    case GB_FINDING_UNCLEAR:
        longer_text(r, sweeps_for_size(r, f->value), sizeof longer, longer);
        unclear_text(f, chains, longer, out);
        return;
    case GB_FINDING_BURN_IN:
        (void)snprintf(
            out, TEXT_SIZE,
            "%.150s: levelled off only after sweep %.0f%s, when draws were being kept already: use `burn-in` %.0f "
            "or more",
            f->name, f->value, chains, f->value);
        return;
    case GB_FINDING_DISAGREE:
        disagree_text(f, r, out);
        return;
    case GB_FINDING_APART:
        apart_text(f, out);
        return;
    case GB_FINDING_TOPICS:
        (void)snprintf(out, TEXT_SIZE,
                       "coefficients of %" PRIu64 " of %" PRIu64
                       " topics: chains that have the topic do not agree on it: %s",
                       f->n, f->n_all, longer);
        return;
    case GB_FINDING_FEW_DRAWS:
        longer_text(r, 2 * r->n_sweeps, sizeof longer, longer);
        (void)snprintf(
            out, TEXT_SIZE,
            "%.150s: the draws are worth %.0f independent ones; quantiles of fewer than 100 are rough: keep more "
            "draws (`thin`), or %s",
            f->name, f->value, longer);
        return;
    }
    *out = '\0';
}

/* ---- both ---- */

gb_status gb_diagnosis_finding_text(const gb_diagnosis *d, uint64_t index, const char *checkpoint, char **out,
                                    gb_error *err)
{
    char text[TEXT_SIZE];
    const run r = run_of(d, checkpoint);
    if (index >= d->n_findings)
        return gb_fail(err, GB_EARGUMENT, "the diagnosis has %zu findings", d->n_findings);
    finding_text(&d->finding[index], &r, text);
    return gb_copy_text(out, text, strlen(text), err);
}

gb_status gb_diagnosis_advice(const gb_diagnosis *d, gb_finding_kind kind, const char *checkpoint, char **out,
                              gb_error *err)
{
    char text[TEXT_SIZE] = "";
    const run r = run_of(d, checkpoint);
    if (kind == GB_FINDING_DISAGREE || kind == GB_FINDING_APART)
        disagree_advice(kind, &r, text);
    return gb_copy_text(out, text, strlen(text), err);
}
