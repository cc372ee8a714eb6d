/* gibbous/cross_fit.h - effects of topics that use every document once: learnt on the others, estimated on this one. */
#ifndef GIBBOUS_CROSS_FIT_H
#define GIBBOUS_CROSS_FIT_H

#include "gibbous/estimate.h"
#include "gibbous/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- making ---- */

/** A fold that begins. */
typedef struct gb_fold_progress {
    uint64_t fold, n_folds;               /* from 0 */
    uint64_t n_training_docs, n_held_out; /* documents */
} gb_fold_progress;

/** Called when a fold begins; return false to stop. */
typedef bool gb_on_fold(const gb_fold_progress *progress, void *user);

/** Callbacks of gb_cross_fit(); each may be NULL. */
typedef struct gb_cross_fit_calls {
    gb_on_fold *on_fold;
    gb_on_sweep *on_sweep; /* of the training of a fold, see gb_train() */
    gb_on_apply *on_apply; /* of its estimate, see gb_estimate_create() */
    void *user;
} gb_cross_fit_calls;

/**
 * Find out before a training whether its documents can be cross-fitted.
 *
 * @return GB_OK, GB_EARGUMENT (the option "cross-fit" is not set, below 2 or above the number of documents; options that go with one
 * training only, such as "checkpoint" and "time-limit", or that hold documents out in another way; no response; a one-vs-rest model), GB_EFORMAT or
 * GB_ENOMEM
 */
GB_API gb_status gb_cross_fit_check(const gb_corpus *corpus, const gb_settings *settings, gb_error *err);

/**
 * Learn topics from the words of all documents, without any label, as a common start for a training and its folds.  Chains of different
 * trainings find different topics; chains that begin with these topics stay near them, so that most topics are in every fold.
 *
 * @param out  receives the model, free it with gb_model_free(); untouched on failure
 * @return what gb_cross_fit_check() and gb_train() return
 */
GB_API gb_status gb_cross_fit_begin(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep,
                                    void *user, gb_model **out, gb_error *err);

/**
 * Estimate effects by cross-fitting, and keep them in the model.
 *
 * @param corpus      the documents that the model was trained on
 * @param settings    the settings of that training; cross-fit is the number of folds
 * @param begin_with  from gb_cross_fit_begin(): the start of the chains of all folds, and of the model's (gb_train_from()); it must not
 *                    have seen the labels.  NULL: each chain has a start of its own, and fewer topics will match
 * @param model       receives the effects of its topics; unchanged on failure
 * @param calls       may be NULL
 * @return GB_OK, what gb_cross_fit_check() returns, and what gb_train() and gb_estimate_create() return: the message names the
 * fold
 *
 * Documents are assigned to folds at random by the seed, as for gb_cross_validation_create().  For each fold a model is trained on
 * the other documents, and effects of its topics are estimated on the fold by gb_estimate_create().  Topics of folds are
 * matched with those of `model` by their words.  The effects of each topic are pooled over the folds that have it, those
 * of covariates and the average document over all: docs/outputs.md has the law.
 *
 * Cost: as many trainings on most of the documents as there are folds.  The result does not depend on the number of threads.
 */
GB_API gb_status gb_cross_fit(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                              gb_model *model, const gb_cross_fit_calls *calls, gb_error *err);

/* ---- asking ---- */

/** The effect of a feature, in one fold or pooled over all. */
typedef struct gb_cross_effect {
    gb_effect
        posterior; /* n_unused is 0, shrinkage NaN; all but the mean is NaN of a topic that fewer than two folds have, or
                            fewer than half of them */
    uint64_t n_folds;   /* folds that have the topic; 0: none, and all numbers are NaN */
    double between;     /* posterior mean of the standard deviation between folds; NaN for fewer than two folds */
    double reliability; /* of a topic's shares, mean over folds, see gb_estimate_reliability(); else NaN */
} gb_cross_effect;

/** Number of folds of a model whose effects were estimated by cross-fitting; 0 for any other model. */
GB_API uint64_t gb_model_n_folds(const gb_model *model);

#ifdef __cplusplus
}
#endif

#endif
