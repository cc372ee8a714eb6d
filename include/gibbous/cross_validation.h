/* gibbous/cross_validation.h - documents held out of trainings of their own, and evaluated. */
#ifndef GIBBOUS_CROSS_VALIDATION_H
#define GIBBOUS_CROSS_VALIDATION_H

#include "gibbous/evaluate.h"
#include "gibbous/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Parts of a corpus: folds, or groups of documents.  For each part a model is trained on all other documents and evaluated on
 * the part.  Words that only the part has are unknown to its model. */
typedef struct gb_cross_validation gb_cross_validation;

/**
 * Choose the parts of a corpus.
 *
 * @param corpus    borrowed until gb_cross_validation_free()
 * @param settings  folds: that many random parts, dealt by the seed; or hold-out-group: "FIELD=VALUE" is the part with that
 *                  value, "FIELD" has one part for each value; and the options of training and evaluation.  Copied
 * @param out       receives the parts, free them with gb_cross_validation_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (no such field or value, labels do not suit the task) or GB_ENOMEM
 */
GB_API gb_status gb_cross_validation_create(const gb_corpus *corpus, const gb_settings *settings,
                                            gb_cross_validation **out, gb_error *err);
/** The same for documents in a file, as gb_corpus_read() reads them.  Fields that only hold-out-group names are read too, and
 * kept from the models. */
GB_API gb_status gb_cross_validation_read(const char *path, const gb_settings *settings, gb_on_read *on_read,
                                          void *user, gb_cross_validation **out, gb_error *err);
/** Accepts NULL. */
GB_API void gb_cross_validation_free(gb_cross_validation *validation);

/** One line for the user about a training on all documents, as gb_train_describe(); free it with gb_free(). */
GB_API gb_status gb_cross_validation_describe(const gb_cross_validation *validation, char **out, gb_error *err);
/** Number of parts. */
GB_API uint64_t gb_cross_validation_n_parts(const gb_cross_validation *validation);
/** Name of a part: "1", "2", ... of folds, "FIELD=VALUE" of groups; owned by the validation. */
GB_API const char *gb_cross_validation_part(const gb_cross_validation *validation, uint64_t part);
/** True if held-out likelihoods will be estimated. */
GB_API bool gb_cross_validation_has_likelihood(const gb_cross_validation *validation);

/**
 * Train and evaluate, once.
 *
 * Parts run side by side where there are as many as threads.  The result depends on corpus, settings and seed, never on the
 * number of threads.
 *
 * @param on_sweep  called from the calling thread after sweeps of the training that runs on it, and several times a second while
 *                  it evaluates or waits for other threads (is_partial is true, state is NULL); may be NULL.  Where it returns
 *                  false, all trainings and evaluations stop
 * @return GB_OK, GB_ESTOP, GB_EFORMAT (nothing to score), or what gb_train() and gb_predict() return; the message names the
 * part
 */
GB_API gb_status gb_cross_validation_run(gb_cross_validation *validation, gb_on_sweep *on_sweep, void *user,
                                         gb_error *err);

/* ---- what came out; NULL before gb_cross_validation_run(); owned by the validation ---- */

/** Means over parts with their standard errors; counts are added up. */
GB_API const gb_score_table *gb_cross_validation_scores(const gb_cross_validation *validation);
/** Scores of one part. */
GB_API const gb_score_table *gb_cross_validation_part_scores(const gb_cross_validation *validation, uint64_t part);
/** The documents of a part, in the vocabulary of its model. */
GB_API const gb_corpus *gb_cross_validation_docs(const gb_cross_validation *validation, uint64_t part);
/** Of each of these documents, how many words its model does not know. */
GB_API const uint64_t *gb_cross_validation_n_unknown(const gb_cross_validation *validation, uint64_t part);
/** Their held-out likelihood; NULL too if it was not asked for. */
GB_API const gb_held_out *gb_cross_validation_likelihood(const gb_cross_validation *validation, uint64_t part);
/** "empirical", "left-to-right" or "completion". */
GB_API const char *gb_cross_validation_held_out_method(const gb_cross_validation *validation);

#ifdef __cplusplus
}
#endif

#endif
