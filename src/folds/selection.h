/* folds/selection.h - the inside of a selection.
 *
 *   selection.c         made, and looked at          selection_fit.c     one fit, as a JSON object
 *   selection_run.c     stages and threads           selection_scores.c  tables of scores from fits
 *   selection_choice.c  which candidate, and why */
#ifndef GB_FOLDS_SELECTION_H
#define GB_FOLDS_SELECTION_H

#include "gibbous/select.h"

#include "evaluation/pool.h"
#include "evaluation/score_table.h"
#include "folds/fit_log.h"
#include "folds/fold_loop.h"
#include "folds/grid.h"
#include "options/settings.h"
#include "store/fingerprint.h"

/** Each stage has so many times the work of the one before. */
enum { GB_HALVING_FACTOR = 3 };

/** Settings between which is chosen. */
typedef struct gb_candidate {
    char *name;                      /* "topics 20, cost 1" */
    gb_settings *settings;           /* of a training on all documents, with one thread */
    char files[GB_FINGERPRINT_SIZE]; /* what its options read from files */
    uint64_t n_bytes;                /* of a process that trains with them on all documents, at most */
    uint64_t divisor;                /* of the last stage that it was in; 0: it has not run */
    json_t **fit;                    /* by part, in that stage; owned */
    gb_score_table **part;           /* their scores */
    gb_pooled pooled;                /* of the documents of all parts */
    gb_score_table *mean;            /* its scores, and means over parts of those of topics */
} gb_candidate;

/** A candidate without a part, in the current stage. */
typedef struct gb_selection_job {
    size_t candidate, part;
    double size; /* how long it takes, on a scale without a unit */
    char key[GB_FINGERPRINT_SIZE];
} gb_selection_job;

struct gb_selection {
    const gb_corpus *corpus;
    gb_corpus *own_corpus; /* NULL: borrowed */
    gb_settings *settings;
    char documents[GB_FINGERPRINT_SIZE];
    gb_held_parts parts, stage_parts; /* the second: with the documents of the stage */
    gb_grid grid;
    gb_candidate *candidate; /* grid.n_candidates */
    size_t n_stages;
    gb_fit_log *log;
    bool has_run;
    /* of the stage */
    uint64_t divisor;
    gb_selection_job *job; /* the longest first */
    size_t n_jobs;
    gb_selection_progress progress;
    /* while it runs */
    gb_on_selection *on_progress;
    void *user;
    double began;
    gb_fold_loop loop; /* over jobs */
    /* results */
    uint64_t n_run, n_known, n_threads;
    double work, seconds;
    uint64_t section; /* of the criterion */
    const char *criterion;
    size_t best, advised;
};

/** Number of options in which they differ. */
uint64_t gb_selection_n_options(const gb_selection *selection);
/** Name of such an option; owned by the selection; NULL if out of range. */
const char *gb_selection_option(const gb_selection *selection, uint64_t option);
/** Its value in a candidate; owned by the selection; NULL if out of range. */
const char *gb_selection_value(const gb_selection *selection, uint64_t candidate, uint64_t option);
/** Name of a fold: "1", "2", ..., or "FIELD=VALUE"; owned by the selection; NULL if out of range. */
const char *gb_selection_fold(const gb_selection *selection, uint64_t fold);
/**
 * Scores of a candidate: of the documents of all folds together, with standard errors (evaluation/pool.h); those of topics are means over
 * folds with standard errors of the means.
 *
 * Sections: one for each response; "held_out"; "topics" with coherence (NPMI in the training documents), exclusivity and diversity of the
 * top words, and stability; and "fit" with the seconds of a fit.  Stability is the agreement of a fold's topics with those of
 * another fold, by their top words (Greene, O'Callaghan and Cunningham 2014), mean over the others: 1 if they have the same words
 * in the same order.
 *
 * @return NULL if out of range or before gb_selection_run()
 */
const gb_score_table *gb_selection_scores(const gb_selection *selection, uint64_t candidate);
/** The same of one fold, without standard errors. */
const gb_score_table *gb_selection_fold_scores(const gb_selection *selection, uint64_t candidate, uint64_t fold);
/** The scores are of 1 / divisor of the documents or sweeps: 1, or 3 or 9 for a candidate that halving has dropped before all were
 * used; 0 if out of range. */
uint64_t gb_selection_divisor(const gb_selection *selection, uint64_t candidate);
/** What to take and why, in a sentence or two.
 *
 * @param out  receives the text, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (before gb_selection_run()) or GB_ENOMEM */
gb_status gb_selection_advice(const gb_selection *selection, char **out, gb_error *err);

/** Of a part in the current stage. */
static inline const gb_held_part *gb_selection_part(const gb_selection *s, size_t part)
{
    return s->divisor == 1 || s->stage_parts.n == 0 ? &s->parts.part[part] : &s->stage_parts.part[part];
}

/** Which documents the stage uses, as its divisor says. */
gb_status gb_selection_make_stage_parts(gb_selection *s, gb_error *err);

/** The digits of all that the result of a job depends on. */
gb_status gb_selection_key(const gb_selection *s, gb_selection_job *job, gb_error *err);

/** Train and score.
 *
 * @param out  receives an object: key, what was fitted, scores, top words, seconds */
gb_status gb_selection_fit(const gb_selection *s, const gb_selection_job *job, gb_fold *fold, json_t **out,
                           gb_error *err);

/** The tables of a candidate from its fits. */
gb_status gb_selection_list_scores(const gb_selection *s, gb_candidate *c, gb_error *err);

/** Whether a smaller score of that name is better. */
bool gb_score_is_loss(const char *name);
/** GB_EARGUMENT if the option criterion is no name of a score. */
gb_status gb_criterion_check(const char *name, gb_error *err);
/** Look the criterion up in scores.  @return GB_OK or GB_EARGUMENT: there is no such score */
gb_status gb_criterion_find(gb_selection *s, const gb_score_table *scores, gb_error *err);
/** Candidates of the current stage, the best first; of equals the one with the smaller number. */
void gb_selection_rank(const gb_selection *s, size_t n, size_t *candidate);
/** How many of ranked candidates come before the last whose difference from the best is within one standard error. */
size_t gb_selection_n_near(const gb_selection *s, size_t n, const size_t *candidate);
/** Find the best and the advised one of all with divisor 1. */
void gb_selection_choose(gb_selection *s);

#endif
