/* cli/verdict.c - what a diagnosis says, in words. */
#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_finding_text(const gb_diagnosis *d, uint64_t index, const char *checkpoint)
{
    char *text = NULL;
    const gb_status st = gb_diagnosis_finding_text(d, index, checkpoint, &text, NULL);
    return st == GB_OK ? cli_add_dashes(text) : NULL;
}

char *cli_advice(const gb_diagnosis *d, gb_finding_kind kind, const char *checkpoint)
{
    char *text = NULL;
    const gb_status st = gb_diagnosis_advice(d, kind, checkpoint, &text, NULL);
    return st == GB_OK ? cli_add_dashes(text) : NULL;
}

/* ---- the end of a training ------------------------------------------------------------------------- */

enum { NOT_FOUND = -1 };

/* The number of the first finding of a kind. */
static int64_t find(const gb_diagnosis *d, gb_finding_kind kind)
{
    const gb_finding *f;
    for (uint64_t i = 0; (f = gb_diagnosis_finding(d, i)) != NULL; i++)
        if (f->kind == kind)
            return (int64_t)i;
    return NOT_FOUND;
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

/* What is wrong with the traces; NOT_FOUND: they are level, and were before draws were kept. */
static int64_t worst_of_traces(const gb_diagnosis *d)
{
    static const gb_finding_kind kinds[] = {GB_FINDING_MOVING, GB_FINDING_UNCLEAR, GB_FINDING_BURN_IN};
    int64_t found = NOT_FOUND;
    for (size_t i = 0; found == NOT_FOUND && i < sizeof kinds / sizeof *kinds; i++)
        found = find(d, kinds[i]);
    return found;
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
    char r_hats[300];
    if (cli_flag(call, "quiet"))
        return GB_OK;
    const gb_status st = gb_diagnosis_create(model, GB_DIAGNOSE_RUN, &d, err);
    if (st != GB_OK)
        return st;
    const int64_t worst = worst_of_traces(d);
    r_hats_text(d, sizeof r_hats, r_hats);
    if (worst != NOT_FOUND) {
        char *text = cli_finding_text(d, (uint64_t)worst, checkpoint);
        cli_note(call, "%s%s%s", good_text(d, model), text == NULL ? "" : text, r_hats);
        gb_free(text);
    } else if (gb_diagnosis_n_traces(d) > 0) {
        cli_note(call, "log joint%s levelled off%s%s", gb_model_n_responses(model) > 0 ? " and losses have" : " has",
                 find(d, GB_FINDING_APART) != NOT_FOUND ? ", and the chains have found different solutions" : "",
                 r_hats);
    }
    gb_diagnosis_free(d);
    return GB_OK;
}
