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

/* ---- when ---- */

enum { MOST_SETTLING = 20, MOST_NOTED = 40, ENOUGH_NOTED = 10 };

/* Sweeps in a row are much alike, and a mean over ten of them has noise that predictions, means over all draws, do not have; curves
 * fitted to such scores are too flat.  Ten sweeps with three between them cost the same and have less.
 *
 * All of a burn-in that is too short for topics to form settles: no score is noted then. */
gb_late_sweeps gb_late_sweeps_of(const gb_spec *spec)
{
    const uint64_t quarter = spec->burn_in / 4, noted = quarter < MOST_NOTED ? quarter : MOST_NOTED;
    if (spec->is_late == NULL)
        return (gb_late_sweeps){.note_every = 1};
    if (spec->burn_in < GB_FEWEST_BURN_IN)
        return (gb_late_sweeps){.n_settling = spec->burn_in, .note_every = 1};
    return (gb_late_sweeps){.n_settling = quarter < MOST_SETTLING ? quarter : MOST_SETTLING,
                            .n_noted = noted,
                            .note_every = noted < (uint64_t)2 * ENOUGH_NOTED ? 1 : noted / ENOUGH_NOTED};
}

static bool are_hidden(const gb_chain *c)
{
    return c->course.late_state != NULL && c->course.late_state[SINCE] == 0;
}

gb_status gb_chain_give_late_labels(gb_chain *c, gb_error *err)
{
    if (!are_hidden(c) || c->sweep + 1 + gb_late_sweeps_of(c->spec).n_settling <= c->course.burn_in)
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
    const gb_late_sweeps sweeps = gb_late_sweeps_of(c->spec);
    if (!are_hidden(c))
        return false;
    const uint64_t last = c->course.burn_in - sweeps.n_settling;
    return c->sweep + sweeps.n_noted > last && (last - c->sweep) % sweeps.note_every == 0;
}

/* The scores of all ranks' documents to all ranks. */
static gb_status share_scores(gb_chain *c, gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL;
    double *score = c->course.late_score;
    GB_TRY(gb_alloc(&start, gb_team_size(c->portion.team) + 1, sizeof *start, what, err));
    GB_TRY(gb_team_starts(c->portion.team, c->spec->n_late, start, err));
    GB_TRY(gb_team_gather(c->portion.team, score, gb_late_width(c->spec) * sizeof *score, start, err));
done:
    gb_free(start);
    return st;
}

gb_status gb_chain_note_late_scores(gb_chain *c, gb_error *err)
{
    gb_status st;
    double *score = NULL;
    const uint64_t width = gb_late_width(c->spec), n = c->spec->n_late * width;
    if (!notes_scores(c))
        return GB_OK;
    double *mean = c->course.late_score + c->here->first_late * width;
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
