/* gibbous/estimate.h - effects of topics, estimated on labelled documents that the topics have not seen. */
#ifndef GIBBOUS_ESTIMATE_H
#define GIBBOUS_ESTIMATE_H

#include "gibbous/apply.h"
#include "gibbous/effects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which documents ---- */

/**
 * Hold documents out of a training: divide a corpus by the options "estimate-on" (the share that is held out) and "seed".
 * gb_train() trains on the documents that it gets, so callers that want the option divide the corpus first.
 *
 * @param training  receives the other documents, with the words that they have; free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (the option is not set, or one of the parts would be empty), GB_EFORMAT (the documents held out cannot tell an
 * effect: they have no word, or one value only to explain) or GB_ENOMEM
 */
GB_API gb_status gb_estimate_hold_out(const gb_corpus *corpus, const gb_settings *settings, gb_corpus **training,
                                      gb_error *err);

/** Set the options "label", "labels" and "target" to the fields of the model, unless one of them is set.
 * @return GB_OK, GB_EARGUMENT or GB_ENOMEM */
GB_API gb_status gb_estimate_request_fields(const gb_model *model, gb_settings *settings, gb_error *err);

/* ---- the estimate ---- */

/** Effects of a model's topics, covariates and an intercept on the labels of some documents. */
typedef struct gb_estimate gb_estimate;

/**
 * Estimate effects.
 *
 * @param docs         in the model's vocabulary (gb_documents_next()), with labels or numbers
 * @param settings     infer-sweeps (draws of the topics under each stored draw, at least 2; unless
 *                     set 20, or more if there are few stored draws), infer-burn-in, use-labels, variance (of topics
 *                     sampled unless set, of covariates unless set that of the training, or 1, of words), memory-limit, seed, threads
 * @param on_progress  may be NULL
 * @param out          receives the estimate, free it with gb_estimate_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (documents of another vocabulary, no labels, a one-vs-rest model, more memory than
 * "memory-limit"), GB_EFORMAT, GB_ENUMERIC, GB_ENOMEM, GB_EIO or GB_ESTOP
 *
 * If labels had a part in the topics, documents with the words of a training document, in any order, are left out: the topics have seen
 * their labels, or those of equal texts.
 * So with "estimate-on" all documents may be given.  If none is left, that is GB_EARGUMENT.  Of new documents 1 in 16,384
 * is left out by mistake, whatever its label.
 *
 * Under each stored draw of the model the topics of the documents are drawn several times, given their words.
 * For each chain a Bayesian regression of the labels on topic shares is sampled, with cost 1, an intercept
 * and a normal prior whose variance is sampled.  Its response is that of the model, except for logistic in
 * place of hinge and gaussian in place of insensitive; for a field that the model does not predict, it is logistic
 * or gaussian.
 *
 * With "use-labels", each document uses the shares of one of its topic draws.  Which one is redrawn given its labels,
 * in turn with the coefficients, so the uncertainty of the shares enters the posterior.  Without "use-labels", each
 * document uses the mean of its topic draws, and the uncertainty of the shares becomes noise, which is right for a
 * linear regression only.  In both cases the differences between stored draws are added to the coefficients.
 *
 * Cost: for each stored draw, as gb_predict() with as many draws, and for each chain 2150 sweeps of a regression with as many
 * columns as topics.  The result does not depend on the number of threads.  Memory: as much as
 * a training of these documents; for each stored draw of a chain 4 bytes per document and topic; and with "use-labels" 20 bytes per
 * token and stored draw, at least 200 per token.
 */
GB_API gb_status gb_estimate_create(const gb_model *model, const gb_corpus *docs, const gb_settings *settings,
                                    gb_on_apply *on_progress, void *user, gb_estimate **out, gb_error *err);
/** Free an estimate; accepts NULL. */
GB_API void gb_estimate_free(gb_estimate *estimate);

/** The estimate as a model: gb_model_effects() and gb_model_own_parameter() read it, with the documents of the
 * estimate in the place of those of the training.  Topics have the numbers of the model that was given.  Owned by the estimate. */
GB_API const gb_model *gb_estimate_model(const gb_estimate *estimate);

/**
 * Reliability of a topic's shares: the variance of their expectation given the words, over documents, as a share of the variance
 * of the shares in a single draw.  Near 1, words tell the share of a document well; near 0 they say nothing of it, and little can be
 * known of the topic's effect.  NaN for a topic whose share does not vary.
 */
GB_API double gb_estimate_reliability(const gb_estimate *estimate, uint64_t topic);

/** True if the model's coefficients are drawn from a pseudo-posterior: a response has a cost other than 1, or no likelihood (hinge,
 * insensitive).  Intervals of these draws then say little about the uncertainty. */
GB_API bool gb_model_has_pseudo_posterior(const gb_model *model);

#ifdef __cplusplus
}
#endif

#endif
