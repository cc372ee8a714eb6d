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
/** Number of folds, or groups that are held out. */
GB_API uint64_t gb_selection_n_folds(const gb_selection *selection);
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

#ifdef __cplusplus
}
#endif

#endif
