/* recipe/late_labels.c - labels that a chain gets late in its burn-in.
 *
 * Probabilities are calibrated by scores of documents whose labels the topics have never seen (docs/probabilities.md).  During burn-in a
 * chain has them for little: the labels of some of its documents are hidden.  Shortly before the end of burn-in these documents are
 * scored in a few sweeps as if they were new (chain/score_as_new.c), then their labels are given, and the chain has the rest of its
 * burn-in to get used to them.  Which sweeps these are follows from the length of burn-in; what has happened is state, so that labels
 * once seen are not hidden again. */
#include "recipe/late_labels.h"

#include "base/memory.h"
#include "chain/score_as_new.h"

static const char what[] = "late labels";

enum { SINCE, N_NOTED }; /* of late_state */

static bool are_hidden(const gb_chain *c)
{
    return c->course.late_state != NULL && c->course.late_state[SINCE] == 0;
}

gb_status gb_chain_give_late_labels(gb_chain *c, gb_error *err)
{
    if (!are_hidden(c) || c->sweep + 1 + c->spec->n_settling <= c->course.burn_in)
        return GB_OK;
    c->course.late_state[SINCE] = c->sweep > 0 ? c->sweep : 1;
    return gb_chain_hide_labels(c, NULL, err);
}

gb_status gb_chain_hide_late_labels_again(gb_chain *c, gb_error *err)
{
    return gb_chain_n_before_late(c) == 0 ? GB_OK : gb_chain_hide_labels(c, NULL, err);
}

static bool notes_scores(const gb_chain *c)
{
    const gb_spec *spec = c->spec;
    if (!are_hidden(c))
        return false;
    const uint64_t last = c->course.burn_in - spec->n_settling;
    return c->sweep + spec->n_noted > last && (last - c->sweep) % spec->note_every == 0;
}

/* The scores of all ranks' documents to all ranks. */
static gb_status share_scores(gb_chain *c, gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL;
    double *score = c->course.late_score;
    GB_TRY(gb_alloc(&start, gb_team_size(c->portion.team) + 1, sizeof *start, what, err));
    GB_TRY(gb_team_starts(c->portion.team, c->spec->n_late, start, err));
    GB_TRY(gb_team_gather(c->portion.team, score, c->spec->n_outputs * sizeof *score, start, err));
done:
    gb_free(start);
    return st;
}

gb_status gb_chain_note_late_scores(gb_chain *c, gb_error *err)
{
    gb_status st;
    double *score = NULL;
    const uint64_t n = c->spec->n_late * c->spec->n_outputs;
    if (!notes_scores(c))
        return GB_OK;
    double *mean = c->course.late_score + c->here->first_late * c->spec->n_outputs;
    GB_TRY(gb_alloc(&score, n, sizeof *score, what, err));
    GB_TRY(gb_chain_score_as_new(c, c->spec->n_late, c->spec->late_doc, score, err));
    c->course.late_state[N_NOTED]++;
    for (uint64_t i = 0; i < n; i++)
        mean[i] += (score[i] - mean[i]) / c->course.late_state[N_NOTED];
    GB_TRY(share_scores(c, err));
done:
    gb_free(score);
    return st;
}

uint64_t gb_chain_n_before_late(const gb_chain *c)
{
    return c->course.late_state == NULL ? 0 : c->course.late_state[SINCE];
}

const double *gb_chain_late_scores(const gb_chain *c)
{
    return gb_chain_n_before_late(c) > 0 && c->course.late_state[N_NOTED] > 0 ? c->course.late_score : NULL;
}
