/* gibbous/cross_validation.h - train on all parts of a corpus but one, evaluate on that one, for each part. */
#ifndef GIBBOUS_CROSS_VALIDATION_H
#define GIBBOUS_CROSS_VALIDATION_H

#include "gibbous/evaluate.h"
#include "gibbous/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A corpus in parts: folds, or groups of documents.  For each part, a model is trained on all other documents and evaluated on
 * the part.  Words that occur only in the part are unknown to its model. */
typedef struct gb_cross_validation gb_cross_validation;

/**
 * Divide a corpus into parts.
 *
 * @param corpus    borrowed until gb_cross_validation_free()
 * @param settings  folds: the number of parts, which depend on the seed, and fold-by: how they are made; or hold-out-group: "FIELD=VALUE" is one part, the
 *                  documents with this value, and "FIELD" makes one part for each value; baseline: linear models too; and the options of training and
 *                  evaluation, except those of train that evaluate does not have: draws, checkpoint, resume, init-from, time-limit.
 *                  Copied
 * @param out       receives the cross-validation, free it with gb_cross_validation_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (no such field or value, labels do not suit the task) or GB_ENOMEM
 */
GB_API gb_status gb_cross_validation_create(const gb_corpus *corpus, const gb_settings *settings,
                                            gb_cross_validation **out, gb_error *err);
/** The same for documents in a file, read as by gb_corpus_read().  Fields that only hold-out-group names are read too, but the
 * models do not use them.  @return GB_OK, GB_EIO, GB_EARGUMENT, GB_EFORMAT, GB_ENOMEM or GB_ESTOP */
GB_API gb_status gb_cross_validation_read(const char *path, const gb_settings *settings, gb_on_read *on_read,
                                          void *user, gb_cross_validation **out, gb_error *err);
/** Free a cross-validation; accepts NULL. */
GB_API void gb_cross_validation_free(gb_cross_validation *validation);

/** One line for the user about a training on all documents, as gb_train_describe().
 *
 * @param out  receives the text, free it with gb_free()
 * @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_cross_validation_describe(const gb_cross_validation *validation, char **out, gb_error *err);
/** Number of parts. */
GB_API uint64_t gb_cross_validation_n_parts(const gb_cross_validation *validation);
/** Name of a part: "1", "2", ... for folds, "FIELD=VALUE" for groups; owned by the cross-validation. */
GB_API const char *gb_cross_validation_part(const gb_cross_validation *validation, uint64_t part);
/** True if held-out likelihoods will be estimated. */
GB_API bool gb_cross_validation_has_likelihood(const gb_cross_validation *validation);

/**
 * Train and evaluate all parts.  Call it once.
 *
 * Parts run side by side if there are at least as many parts as threads.  The result depends on corpus, settings and seed, never on the
 * number of threads.
 *
 * @param on_sweep  called on the calling thread after sweeps of the training that runs on it, and several times a second while it
 *                  evaluates or waits for other threads (is_partial is true, state is NULL); may be NULL.  If it returns
 *                  false, all trainings and evaluations stop
 * @return GB_OK, GB_ESTOP, GB_EFORMAT (nothing to score), or what gb_train() and gb_predict() return; the message names the
 * part
 */
GB_API gb_status gb_cross_validation_run(gb_cross_validation *validation, gb_on_sweep *on_sweep, void *user,
                                         gb_error *err);

/* ---- results: NULL before gb_cross_validation_run(), owned by the cross-validation ---- */

/** Means over parts with their standard errors; counts are added up. */
GB_API const gb_score_table *gb_cross_validation_scores(const gb_cross_validation *validation);
/** Scores of one part. */
GB_API const gb_score_table *gb_cross_validation_part_scores(const gb_cross_validation *validation, uint64_t part);
/** Means over parts of the scores of linear models (gb_linear_fit()), which were trained on the same documents and evaluated on the
 * same parts: sections as the responses of the models; NULL without the option baseline. */
GB_API const gb_score_table *gb_cross_validation_linear_scores(const gb_cross_validation *validation);
/** Scores of the linear models of one part; likewise. */
GB_API const gb_score_table *gb_cross_validation_part_linear_scores(const gb_cross_validation *validation,
                                                                    uint64_t part);
/** The documents of a part, in the vocabulary of its model. */
GB_API const gb_corpus *gb_cross_validation_docs(const gb_cross_validation *validation, uint64_t part);
/** For each of these documents, the number of words that its model does not know. */
GB_API const uint64_t *gb_cross_validation_n_unknown(const gb_cross_validation *validation, uint64_t part);
/** The held-out likelihood of these documents; also NULL if it was not asked for. */
GB_API const gb_held_out *gb_cross_validation_likelihood(const gb_cross_validation *validation, uint64_t part);
/** Method of the held-out likelihood: "empirical", "left-to-right" or "completion"; a constant. */
GB_API const char *gb_cross_validation_held_out_method(const gb_cross_validation *validation);

#ifdef __cplusplus
}
#endif

#endif
