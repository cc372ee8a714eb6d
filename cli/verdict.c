/* cli/verdict.c - what a diagnosis says, in words. */
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings -------------------------------------------------------------------------------------- */

/* " (2 of 4 chains)", or nothing for a single chain. */
static void chains_text(const gb_finding *f, size_t size, char *out)
{
    *out = '\0';
    if (f->n_all > 1)
        (void)snprintf(out, size, " in %" PRIu64 " of %" PRIu64 " chains", f->n, f->n_all);
}

/* "use --sweeps 200", or "continue with --resume FILE --sweeps 200" */
static void longer_text(const cli_run *run, uint64_t n, size_t size, char *out)
{
    if (run->n_sweeps == 0)
        (void)snprintf(out, size, "use more --sweeps");
    else if (*run->checkpoint != '\0')
        (void)snprintf(out, size, "continue with --resume %.200s --sweeps %" PRIu64, run->checkpoint, n);
    else
        (void)snprintf(out, size, "use --sweeps %" PRIu64, n);
}

/* How many sweeps a chain needs that has not arrived cannot be told from its way so far; twice as many show more of it. */
static void first_step_text(const cli_run *run, size_t size, char *out)
{
    char longer[300];
    longer_text(run, 2 * run->n_sweeps, sizeof longer, longer);
    (void)snprintf(out, size, "%s%s", longer, run->n_sweeps == 0 ? "" : " to begin with");
}

/* By the rule (docs/diagnose.md): 15 independent values, which grow with the sweeps, and 20 values in all, every second sweep, in the
 * last half. */
enum { LEAST_SIZE = 15, LEAST_SWEEPS = 80 };

static uint64_t sweeps_for_size(const cli_run *run, double size)
{
    const uint64_t twice = 2 * run->n_sweeps;
    const double needed = size > 0 ? ceil(LEAST_SIZE / size * (double)run->n_sweeps / 10) * 10 : LEAST_SWEEPS;
    return needed > (double)twice ? (uint64_t)needed : twice;
}

static const char *trend_text(gb_trend trend)
{
    return trend == GB_TREND_FALLING ? "falling" : "rising";
}

/* How much, of a log joint for each token: what a gain is worth. */
static void moving_text(const gb_finding *f, const cli_run *run, const char *chains, const char *longer, char *out)
{
    const bool of_a_token = run->n_tokens > 0 && strcmp(f->name, "log joint") == 0;
    const double by = fabs(f->value) / (of_a_token ? (double)run->n_tokens : 1);
    (void)snprintf(out, CLI_FINDING_SIZE, "%.150s: still %s%s, by %.2g%s in 100 sweeps: %s", f->name,
                   trend_text(f->trend), chains, by, of_a_token ? " per token" : "", longer);
}

static void disagree_text(const gb_finding *f, const cli_run *run, char *out)
{
    (void)snprintf(out, CLI_FINDING_SIZE, "%.150s: %s do not agree (R-hat %.2f)", f->name,
                   run->n_chains > 1 ? "the chains" : "the two halves of the chain", f->value);
}

static void apart_text(const gb_finding *f, char *out)
{
    (void)snprintf(out, CLI_FINDING_SIZE,
                   "%.150s: each chain agrees with itself (R-hat %.2f), but not with the others (R-hat %.2f)",
                   f->name, f->within, f->value);
}

void cli_disagree_advice(gb_finding_kind kind, const cli_run *run, char out[CLI_FINDING_SIZE])
{
    char longer[320];
    first_step_text(run, sizeof longer, longer);
    if (kind == GB_FINDING_APART)
        (void)snprintf(
            out, CLI_FINDING_SIZE,
            "the chains have found different solutions: the posterior has several modes, and averages over "
            "the chains are averages over these");
    else if (run->n_chains > 1)
        (void)snprintf(out, CLI_FINDING_SIZE, "R-hat above 1, and inside of chains, too: %s", longer);
    else
        (void)snprintf(out, CLI_FINDING_SIZE,
                       "R-hat above 1: %s, and --chains 4 to see whether others end where this one does", longer);
}

static void unclear_text(const gb_finding *f, const char *chains, const char *longer, char *out)
{
    if (f->value == 0)
        (void)snprintf(out, CLI_FINDING_SIZE, "%.150s: the run is too short%s to say whether it has levelled off: %s",
                       f->name, chains, longer);
    else
        (void)snprintf(out, CLI_FINDING_SIZE,
                       "%.150s: too few independent sweeps%s to say whether it has levelled off (%.0f): %s", f->name,
                       chains, f->value, longer);
}

void cli_finding_text(const gb_finding *f, const cli_run *run, char out[CLI_FINDING_SIZE])
{
    char chains[80], longer[320];
    chains_text(f, sizeof chains, chains);
    first_step_text(run, sizeof longer, longer);
    switch (f->kind) {
    case GB_FINDING_MOVING:
        moving_text(f, run, chains, longer, out);
        return;
    case GB_FINDING_UNCLEAR:
        longer_text(run, sweeps_for_size(run, f->value), sizeof longer, longer);
        unclear_text(f, chains, longer, out);
        return;
    case GB_FINDING_BURN_IN:
        (void)snprintf(
            out, CLI_FINDING_SIZE,
            "%.150s: levelled off only after sweep %.0f%s, when draws were being kept already: use --burn-in %.0f "
            "or more",
            f->name, f->value, chains, f->value);
        return;
    case GB_FINDING_DISAGREE:
        disagree_text(f, run, out);
        return;
    case GB_FINDING_APART:
        apart_text(f, out);
        return;
    case GB_FINDING_TOPICS:
        (void)snprintf(out, CLI_FINDING_SIZE,
                       "coefficients of %" PRIu64 " of %" PRIu64
                       " topics: chains that have the topic do not agree on it: %s",
                       f->n, f->n_all, longer);
        return;
    case GB_FINDING_FEW_DRAWS:
        longer_text(run, 2 * run->n_sweeps, sizeof longer, longer);
        (void)snprintf(
            out, CLI_FINDING_SIZE,
            "%.150s: the draws are worth %.0f independent ones; quantiles of fewer than 100 are rough: keep more "
            "draws (--thin), or %s",
            f->name, f->value, longer);
        return;
    }
    *out = '\0';
}

/* ---- the end of a training ------------------------------------------------------------------------- */

uint64_t cli_sweeps_of(const gb_diagnosis *d)
{
    uint64_t most = 0;
    const gb_trace *t;
    for (uint64_t i = 0; (t = gb_diagnosis_trace(d, i)) != NULL; i++)
        most = t->n_sweeps > most ? t->n_sweeps : most;
    return most;
}

static const gb_finding *find(const gb_diagnosis *d, gb_finding_kind kind)
{
    const gb_finding *f;
    for (uint64_t i = 0; (f = gb_diagnosis_finding(d, i)) != NULL; i++)
        if (f->kind == kind)
            return f;
    return NULL;
}

/* ", R-hat over 4 chains 1.02 (log joint), 1.10 (loss)" */
static void r_hats_text(const gb_diagnosis *d, size_t size, char *out)
{
    size_t n = 0;
    const gb_quantity *q;
    *out = '\0';
    if (gb_diagnosis_n_chains(d) < 2)
        return;
    for (uint64_t i = 0; (q = gb_diagnosis_quantity(d, i)) != NULL && n < size; i++)
        if (!isnan(q->mixing.r_hat))
            n += (size_t)snprintf(out + n, size - n, "%s %.2f (%.60s)", n == 0 ? "; R-hat" : ",", q->mixing.r_hat,
                                  q->name);
    if (n > 0 && n < size)
        (void)snprintf(out + n, size - n, " over %" PRIu64 " chains", gb_diagnosis_n_chains(d));
}

/* What is wrong with the traces; NULL: they are level, and were before draws were kept. */
static const gb_finding *worst_of_traces(const gb_diagnosis *d)
{
    static const gb_finding_kind kinds[] = {GB_FINDING_MOVING, GB_FINDING_UNCLEAR, GB_FINDING_BURN_IN};
    const gb_finding *f = NULL;
    for (size_t i = 0; f == NULL && i < sizeof kinds / sizeof *kinds; i++)
        f = find(d, kinds[i]);
    return f;
}

static bool losses_are_level(const gb_diagnosis *d)
{
    const gb_finding *f;
    for (uint64_t i = 0; (f = gb_diagnosis_finding(d, i)) != NULL; i++)
        if (strncmp(f->name, "loss", strlen("loss")) == 0 &&
            (f->kind == GB_FINDING_MOVING || f->kind == GB_FINDING_UNCLEAR))
            return false;
    return true;
}

/* Each chain found by itself when little was gained for predictions. */
static bool chains_found_their_ends(const gb_model *model)
{
    const uint64_t n = gb_model_n_burn_ins(model);
    uint64_t n_found = 0;
    for (uint64_t c = 0; c < n; c++)
        n_found += gb_model_burn_in_is_found(model, c);
    return n > 0 && n_found == n;
}

/* What a run with findings is good for all the same. */
static const char *good_text(const gb_diagnosis *d, const gb_model *model)
{
    if (gb_model_n_responses(model) == 0)
        return "";
    if (chains_found_their_ends(model))
        return "enough sweeps to predict; ";
    return losses_are_level(d) ? "losses have levelled off; " : "";
}

gb_status cli_note_verdict(const cli_call *call, const gb_model *model, const char *checkpoint, gb_error *err)
{
    gb_diagnosis *d = NULL;
    char text[CLI_FINDING_SIZE], r_hats[300];
    if (cli_flag(call, "quiet"))
        return GB_OK;
    const gb_status st = gb_diagnosis_create(model, GB_DIAGNOSE_RUN, &d, err);
    if (st != GB_OK)
        return st;
    const gb_finding *f = worst_of_traces(d);
    const cli_run run = {cli_sweeps_of(d), gb_diagnosis_n_chains(d), gb_model_n_training_tokens(model), checkpoint};
    r_hats_text(d, sizeof r_hats, r_hats);
    if (f != NULL) {
        cli_finding_text(f, &run, text);
        cli_note(call, "%s%s%s", good_text(d, model), text, r_hats);
    } else if (gb_diagnosis_n_traces(d) > 0) {
        cli_note(call, "log joint%s levelled off%s%s", gb_model_n_responses(model) > 0 ? " and losses have" : " has",
                 find(d, GB_FINDING_APART) != NULL ? ", and the chains have found different solutions" : "", r_hats);
    }
    gb_diagnosis_free(d);
    return GB_OK;
}
