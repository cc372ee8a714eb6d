/* gibbous/evaluate.h - scores of predictions, held-out likelihood and topics. */
#ifndef GIBBOUS_EVALUATE_H
#define GIBBOUS_EVALUATE_H

#include "gibbous/apply.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- predictions against known labels ---- */

/** An evaluation in progress.  Documents are added in batches.  Memory does not grow with their number, except by 16 bytes per
 * document for the area under the curve of a binary task. */
typedef struct gb_evaluation gb_evaluation;

/**
 * Begin an evaluation.
 *
 * @param model     borrowed until gb_evaluation_free()
 * @param settings  label, labels, target: fields of the responses to evaluate; if none is set, all.  For a model with one
 *                  response, the field with the true values may have another name.  unknown-label: what to do with a label
 *                  that is not a class of the model.  held-out: whether a likelihood is expected (by default only for a model
 *                  without a response)
 * @param out       receives the evaluation, free it with gb_evaluation_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (fields that the model does not predict; nothing to evaluate) or GB_ENOMEM
 */
GB_API gb_status gb_evaluation_create(const gb_model *model, const gb_settings *settings, gb_evaluation **out,
                                      gb_error *err);
/** Free an evaluation; accepts NULL. */
GB_API void gb_evaluation_free(gb_evaluation *evaluation);

/** Number of responses that are evaluated, numbered from 0 in the order of the scores. */
GB_API uint64_t gb_evaluation_n_responses(const gb_evaluation *evaluation);
/** The model's number of an evaluated response; UINT64_MAX if `index` is out of range. */
GB_API uint64_t gb_evaluation_response(const gb_evaluation *evaluation, uint64_t index);
/** The field of the documents with the true values of a response; owned by the evaluation. */
GB_API const char *gb_evaluation_field(const gb_evaluation *evaluation, uint64_t index);
/** True if gb_evaluation_add() expects likelihoods. */
GB_API bool gb_evaluation_has_likelihood(const gb_evaluation *evaluation);

/** Add the fields with the true values to settings (label, labels or target) where they name none, so that documents that are
 * read with these settings have them.  @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_evaluation_request_fields(const gb_evaluation *evaluation, gb_settings *settings, gb_error *err);

/**
 * Add documents.
 *
 * @param docs        in the model's vocabulary, with the fields of the true values
 * @param prediction  the result of gb_predict() for them by the same model, with the arrays of all responses that are
 *                    evaluated; may be NULL if no response is evaluated.  `score` may be NULL unless a task is binary or
 *                    has several labels
 * @param likelihood  the result of gb_held_out_likelihood() for them; may be NULL if none is expected
 * @param n_unknown   n_docs: words of each document that the model does not know; NULL: none
 * @return GB_OK, GB_EARGUMENT (prediction or likelihood is missing, or not of these documents or this model), GB_ENOMEM,
 * GB_ENUMERIC (a score or a mean is not a number, or a probability is not between 0 and 1), or GB_EFORMAT: a field is missing, a
 * document has several labels where the model gives one, or a label is not a class of the model and unknown-label is "error"
 *
 * After a failure the evaluation can only be freed.
 */
GB_API gb_status gb_evaluation_add(gb_evaluation *evaluation, const gb_corpus *docs, const gb_prediction *prediction,
                                   const gb_held_out *likelihood, const uint64_t *n_unknown, gb_error *err);

/**
 * Predict documents, estimate how probable their words are if that is expected, and add them.
 *
 * Of a model with coefficients of words or an embedding, the predictions of its topics alone are evaluated too: the question "evaluation" shows
 * both.
 *
 * @param first_row   input row of the first document, as for gb_predict()
 * @param settings    those of gb_predict() and gb_held_out_likelihood()
 * @param prediction  as for gb_evaluation_add(); NULL: it is made here
 * @param likelihood  receives the likelihood, free it with gb_held_out_free(), also on failure; NULL if none is expected.  NULL: it
 *                    is not wanted
 * @return as gb_predict(), gb_held_out_likelihood() and gb_evaluation_add()
 */
GB_API gb_status gb_evaluate(gb_evaluation *evaluation, const gb_corpus *docs, const uint64_t *n_unknown,
                             uint64_t first_row, const gb_settings *settings, gb_on_apply *on_apply, void *user,
                             const gb_prediction *prediction, gb_held_out **likelihood, gb_error *err);

/** Compute the scores, after the last document.  @return GB_OK, GB_ENOMEM, or GB_EFORMAT: a field has no value in any
 * document, or no document has a word that the model knows */
GB_API gb_status gb_evaluation_finish(gb_evaluation *evaluation, gb_error *err);

/* ---- a linear model to compare with ---- */

/** Linear models on TF-IDF of the words, one for each response of a model: how good are predictions without topics?
 *
 * The vectors of documents have (1 + log count) x idf, and length 1; idf is 1 + log((1 + n) / (1 + n with the word)), over the training
 * documents.  Classes have L2-regularised support vector machines with squared hinge loss, one for each class; ordinal categories one for
 * each boundary between two categories; numbers and counts a ridge regression.  The penalty is the best of seven on a random fifth
 * of the training documents, after a fit to the others; for several labels, one cut-off for all classes is chosen with it, by
 * micro F1.  Covariates, exposures, groups and the weights of documents and classes are not used. */
typedef struct gb_linear gb_linear;

/**
 * Fit linear models to what a model predicts.
 *
 * @param model        says what is predicted, and from which words; its topics are not looked at.  Borrowed until
 *                     gb_linear_free()
 * @param training     documents in the model's vocabulary: those of its training.  A response whose field they do not have is
 *                     left out
 * @param settings     seed, threads
 * @param on_progress  called between fits: `draw` of `n_draws` of them are done; may be NULL.  If it returns false no other
 *                     fit begins; one that has begun is finished
 * @param out          receives the models, free them with gb_linear_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (another vocabulary; nothing is predicted), GB_EFORMAT (no document has a value in a field),
 * GB_ENOMEM or GB_ESTOP
 *
 * Memory: 12 bytes for each different word of a document, and 8 for each word of the vocabulary and class.  The result does not
 * depend on the number of threads.
 */
GB_API gb_status gb_linear_fit(const gb_model *model, const gb_corpus *training, const gb_settings *settings,
                               gb_on_apply *on_progress, void *user, gb_linear **out, gb_error *err);
/** Free linear models; accepts NULL. */
GB_API void gb_linear_free(gb_linear *linear);
/**
 * Predict documents.
 *
 * @param out  of gb_prediction_create(): receives `score` (for ordinal categories the category), `predicted` or `mean`, and `n_known`; probabilities,
 *             deviations and quantiles are NaN, since there are none.  `share` is untouched, as are responses that were left out
 * @return GB_OK, GB_EARGUMENT (another vocabulary, other sizes) or GB_ENOMEM
 */
GB_API gb_status gb_linear_predict(const gb_linear *linear, const gb_corpus *docs, gb_prediction *out, gb_error *err);
/** Announce, before the first gb_evaluation_add(), that predictions come from gb_linear_predict().  Scores of probabilities and likelihoods are
 * left out. */
GB_API void gb_evaluation_of_linear(gb_evaluation *evaluation);

#ifdef __cplusplus
}
#endif

#endif
