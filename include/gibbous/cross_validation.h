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
 * @param settings  folds, the number of parts, and fold-by, how documents are assigned to them; or hold-out-group: "FIELD=VALUE" makes one
 *                  part, the documents with this value, and "FIELD" one part for each value; baseline, to fit linear models too; seed;
 *                  and the options of training and evaluation, except draws, checkpoint, resume, init-from and time-limit.  Copied
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
/** True if held-out likelihoods will be estimated. */
GB_API bool gb_cross_validation_has_likelihood(const gb_cross_validation *validation);

/**
 * Train and evaluate all parts.  Call it once.
 *
 * Parts run in parallel if there are at least as many parts as threads.  The result depends on corpus, settings and seed, never on the
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

#ifdef __cplusplus
}
#endif

#endif
