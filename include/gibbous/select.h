/* gibbous/select.h - which settings suit a corpus: every candidate is trained and scored in folds. */
#ifndef GIBBOUS_SELECT_H
#define GIBBOUS_SELECT_H

#include "gibbous/evaluate.h"
#include "gibbous/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Some values of some options, of which every combination is a candidate, and a corpus in folds. */
typedef struct gb_selection gb_selection;

/** How far a selection is.  Owned by the library; later versions may add members at the end. */
typedef struct gb_selection_progress {
    uint64_t n_done,
        n_fits; /* of this stage: each candidate without each fold; those from the file of results are done */
    uint64_t stage, n_stages; /* from 0; several with the option halving */
    uint64_t n_candidates;    /* of this stage */
    double seconds;           /* since gb_selection_run() was called */
} gb_selection_progress;

/** Called on the thread that called gb_selection_run(), several times a second.  Return false to stop; it is not called again then. */
typedef bool gb_on_selection(const gb_selection_progress *progress, void *user);

/**
 * As gb_settings_set(), but several values of an option of the groups model and sampler become a part of the option grid: "20,50,100" for
 * topics.  Where commas are part of a value, semicolons stand between values: "0.1,0.2;0.3,0.4".
 *
 * @return as gb_settings_set()
 */
GB_API gb_status gb_selection_set(gb_settings *settings, const char *name, const char *value, gb_error *err);

/** If no seed is set and the file that the option results names has fits, take their seed, so that they are not run again.
 *
 * @return GB_OK, GB_EFORMAT (the file has something else), GB_EIO or GB_ENOMEM */
GB_API gb_status gb_selection_take_seed(gb_settings *settings, gb_error *err);

/**
 * Prepare a selection; all candidates are checked.
 *
 * @param corpus    borrowed until gb_selection_free()
 * @param settings  grid: the candidates; folds, fold-by, hold-out-group: which documents are held out together, 5 folds if nothing is set; halving,
 *                  criterion, results; and the options of training and evaluation, except those that gb_cross_validation_create()
 *                  refuses.  Copied
 * @param out       receives the selection, free it with gb_selection_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT, GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_selection_create(const gb_corpus *corpus, const gb_settings *settings, gb_selection **out,
                                     gb_error *err);
/** The same for documents in a file, as gb_cross_validation_read(). */
GB_API gb_status gb_selection_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                                   gb_selection **out, gb_error *err);
/** Free a selection; accepts NULL. */
GB_API void gb_selection_free(gb_selection *selection);

/** Number of candidates. */
GB_API uint64_t gb_selection_n_candidates(const gb_selection *selection);
/** Number of options in which they differ. */
GB_API uint64_t gb_selection_n_options(const gb_selection *selection);
/** Name of such an option; owned by the selection; NULL if out of range. */
GB_API const char *gb_selection_option(const gb_selection *selection, uint64_t option);
/** Its value in a candidate; owned by the selection; NULL if out of range. */
GB_API const char *gb_selection_value(const gb_selection *selection, uint64_t candidate, uint64_t option);
/** Number of folds, or groups that are held out. */
GB_API uint64_t gb_selection_n_folds(const gb_selection *selection);
/** Name of a fold: "1", "2", ..., or "FIELD=VALUE"; owned by the selection; NULL if out of range. */
GB_API const char *gb_selection_fold(const gb_selection *selection, uint64_t fold);
/** Number of stages; 1 without the option halving. */
GB_API uint64_t gb_selection_n_stages(const gb_selection *selection);

/**
 * Train and score all candidates.  Call it once.
 *
 * Fits run side by side, each on one thread; the longest begin first.  Scores depend on corpus, settings and seed, never on the number of
 * threads.  Every finished fit is a line of the file that the option results names, on the disk before the next begins on its
 * thread; fits that are in the file already are taken from it.
 *
 * @param on_progress  may be NULL
 * @return GB_OK, GB_ESTOP, GB_EIO, or what gb_train() and gb_predict() return; the message names candidate and fold
 *
 * Memory: on each thread a copy of the training documents, and a training.
 */
GB_API gb_status gb_selection_run(gb_selection *selection, gb_on_selection *on_progress, void *user, gb_error *err);

/* ---- results: after gb_selection_run(), owned by the selection ---- */

/** Fits that were run. */
GB_API uint64_t gb_selection_n_run(const gb_selection *selection);
/** Fits that the file of results had. */
GB_API uint64_t gb_selection_n_known(const gb_selection *selection);
/** Seconds that the fits took that were run, added up over threads. */
GB_API double gb_selection_work(const gb_selection *selection);
/** Seconds from the beginning to the end. */
GB_API double gb_selection_seconds(const gb_selection *selection);
/** Threads on which fits ran. */
GB_API uint64_t gb_selection_n_threads(const gb_selection *selection);

/**
 * Scores of a candidate: means over folds with standard errors of the means.
 *
 * Sections: one for each response; "held_out"; "topics" with coherence (NPMI in the training documents), exclusivity and diversity of the
 * top words, and stability; and "fit" with the seconds of a fit.  Stability is the agreement of a fold's topics with those of
 * another fold, by their top words (Greene, O'Callaghan and Cunningham 2014), mean over the others: 1 if they have the same words
 * in the same order.
 *
 * @return NULL if out of range or before gb_selection_run()
 */
GB_API const gb_score_table *gb_selection_scores(const gb_selection *selection, uint64_t candidate);
/** The same of one fold, without standard errors. */
GB_API const gb_score_table *gb_selection_fold_scores(const gb_selection *selection, uint64_t candidate,
                                                      uint64_t fold);
/** The scores are of 1 / divisor of the documents or sweeps: 1, or 3 or 9 for a candidate that halving has dropped before all were
 * used; 0 if out of range. */
GB_API uint64_t gb_selection_divisor(const gb_selection *selection, uint64_t candidate);
/** What the candidates are compared by: a section of their scores and a score in it, which may be better if it is smaller.
 *
 * @return false before gb_selection_run() */
GB_API bool gb_selection_criterion(const gb_selection *selection, uint64_t *section, const char **name,
                                   bool *is_smaller_better);
/** The candidate with the best score, of those with divisor 1. */
GB_API uint64_t gb_selection_best(const gb_selection *selection);
/** Of the candidates whose score is within one standard error of the best: the one with the fewest topics, and of several with as many
 * the best. */
GB_API uint64_t gb_selection_advised(const gb_selection *selection);
/** What to take and why, in a sentence or two.
 *
 * @param out  receives the text, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (before gb_selection_run()) or GB_ENOMEM */
GB_API gb_status gb_selection_advice(const gb_selection *selection, char **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
