/* gibbous/apply.h - apply a model: read new documents, predict, estimate held-out likelihood, simulate. */
#ifndef GIBBOUS_APPLY_H
#define GIBBOUS_APPLY_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- new documents ---- */

/** A reader of new documents, in batches.  Texts become words by the model's own text preparation. */
typedef struct gb_documents gb_documents;

/** What a model is used for. */
typedef enum gb_use {
    GB_USE_PREDICT,  /* what does not look at labels: gb_predict(), gb_explain(), ... */
    GB_USE_EVALUATE, /* what compares with labels */
    GB_USE_SCORE,    /* gb_predict() or gb_infer() alone, which may draw nothing */
    GB_USE_ESTIMATE  /* gb_estimate_create(), which has covariates and weights of its own */
} gb_use;

/**
 * Check that options go with a model: what names a field that it does not have, or is about something that it does not have, would be
 * ignored in silence.
 *
 * @param settings  of the groups data and prediction, and "impute"
 * @param note      receives what options name in vain though the model has it, such as labels in a prediction, for the user to read;
 *                  "" for nothing; may be NULL
 * @return GB_OK, GB_ENOMEM, or GB_EARGUMENT with a message such as "`group` needs groups in the model"
 */
GB_API gb_status gb_model_check_settings(const gb_model *model, const gb_settings *settings, gb_use use,
                                         const char **note, gb_error *err);

/**
 * Open new documents.
 *
 * @param model     borrowed until gb_documents_close()
 * @param path      as for gb_corpus_read()
 * @param settings  options of the group data; the options of the group words come from the model.  Without covariates, those of
 *                  the model are read; a covariate without a kind is of the kind that it had in training
 * @param on_read   called while documents are read, also by gb_documents_next(); may be NULL; `user` is given to it
 * @param out       receives the reader, free it with gb_documents_close(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (message names file and line), GB_EARGUMENT, GB_ENOMEM or GB_ESTOP
 */
GB_API gb_status gb_documents_open(const gb_model *model, const char *path, const gb_settings *settings,
                                   gb_on_read *on_read, void *user, gb_documents **out, gb_error *err);
/**
 * Read the next documents, at most `max_docs` (at least 1), in the model's vocabulary.  Of a pipe or a terminal these are the documents
 * that have come, as soon as there is one, if `max_docs` is at most 2^20.
 *
 * @param out        receives the documents, free them with gb_corpus_free(); NULL at the end of the input
 * @param n_unknown  receives for each document the number of words that the model does not know, free it with gb_free()
 * @return as gb_documents_open().  After a failure, which may have lost documents, the reader can only be closed
 */
GB_API gb_status gb_documents_next(gb_documents *documents, uint64_t max_docs, gb_corpus **out, uint64_t **n_unknown,
                                   gb_error *err);
/** Close the input and free what the reader holds; accepts NULL. */
GB_API void gb_documents_close(gb_documents *documents);

/**
 * Make documents from arrays, for gb_predict() and gb_held_out_likelihood(): their words are looked up in the model's
 * vocabulary.  Fields must have the same names as in training.
 *
 * @param out        receives the documents, free them with gb_corpus_free(); untouched on failure
 * @param n_unknown  receives for each document the number of words that the model does not know, free it with gb_free()
 * @return GB_OK, GB_EFORMAT, GB_EARGUMENT or GB_ENOMEM, as gb_corpus_from_arrays()
 */
GB_API gb_status gb_documents_from_arrays(const gb_model *model, const gb_corpus_arrays *arrays, gb_corpus **out,
                                          uint64_t **n_unknown, gb_error *err);

/**
 * Bring the documents of a corpus into the vocabulary of a model, with all their fields: as if they were read from the corpus's file
 * by gb_documents_open().
 *
 * @param out        receives the documents, free them with gb_corpus_free(); untouched on failure
 * @param n_unknown  receives for each document the number of words that the model does not know, free it with gb_free()
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_documents_from_corpus(const gb_model *model, const gb_corpus *corpus, gb_corpus **out,
                                          uint64_t **n_unknown, gb_error *err);

/* ---- progress ---- */

/** Progress of prediction, held-out likelihood or simulation. */
typedef struct gb_apply_progress {
    uint64_t draw, n_draws;       /* the model's draw that is being applied, from 0; simulation: 0 of 1 */
    uint64_t n_docs_done, n_docs; /* documents that are done under this draw; on several ranks, this rank's */
    double seconds;               /* wall time since the function was called */
} gb_apply_progress;

/**
 * Called several times a second while a function works, on the thread that called the function.  Return false to stop: the
 * function then ends within a fraction of a second with GB_ESTOP, without another call; the contents of its arrays are
 * incomplete.  On several ranks each asks its own caller; when one says stop, all end with GB_ESTOP, the others when they have
 * done their documents.
 */
typedef bool gb_on_apply(const gb_apply_progress *progress, void *user);

/* ---- prediction ---- */

/** The prediction of one response, in arrays of the caller or of gb_prediction_create(). */
typedef struct gb_response_prediction {
    uint64_t n_classes; /* 0: a number */
    /* n_docs x n_classes; NULL for a number.  Binary: class 1 is the positive class.  Where gb_model_has_probabilities() is
     * false these are scores rescaled to 0 .. 1, not probabilities */
    double *probability;
    uint64_t *predicted; /* n_docs: the class; NULL for a number.  Several labels: UINT64_MAX, see
                             gb_prediction_classes() */
    double *mean, *sd;   /* n_docs: of the predictive distribution, in units of the field; NULL for classes */
    double *q05, *q95;   /* n_docs: its 5 % and 95 % quantiles; NULL for classes */
} gb_response_prediction;

/** The prediction for some documents, in arrays of the caller or of gb_prediction_create(); row-major. */
typedef struct gb_prediction {
    size_t size; /* sizeof(gb_prediction), set by whoever makes it: later versions may have more members */
    uint64_t n_docs, n_topics, n_outputs, n_responses;
    /* n_docs x n_topics: expected topic shares of the document, from the stored draws of the leading chain.  All are above 0, and
     * rows add up to 1.  A document without known words gets the expected shares of the prior. */
    double *share;
    /* n_docs x n_outputs: mean score over all stored draws.  For a number that was standardised, in units of its standard
     * deviation in training. */
    double *score;
    uint64_t *n_known; /* n_docs: tokens whose word the model knows; 0: only prior and covariates decide */
    gb_response_prediction *response; /* n_responses */
    /* n_docs x n_outputs: standard error of the mean score over the stored draws, as if these were independent; NaN with one draw.  What words
     * add by their coefficients counts as known.  NULL of gb_linear_predict() */
    double *score_error;
} gb_prediction;

/** Make a prediction with all arrays for `n_docs` documents; `score`, `score_error` and `response` are NULL if the model has no response.
 *
 * @param out  receives the prediction, free it with gb_prediction_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_prediction_create(const gb_model *model, uint64_t n_docs, gb_prediction **out, gb_error *err);
/** Free a prediction of gb_prediction_create() with its arrays; accepts NULL. */
GB_API void gb_prediction_free(gb_prediction *prediction);

/** Which classes of a response are predicted for a document.  Several labels: those whose probability is above gb_model_cut_off(), or,
 * in a model without cut-offs and where the probability is NaN (gb_linear_predict()), whose score is above 0; otherwise the one that is
 * `predicted`.
 *
 * @param prediction  of gb_predict(), with the arrays of this response; several labels without cut-offs: also `score`
 * @param out         receives n_classes values; nothing if the response or document is out of range */
GB_API void gb_prediction_classes(const gb_model *model, const gb_prediction *prediction, uint64_t response,
                                  uint64_t document, bool *out);

/**
 * Infer topics and predict labels of documents in the model's vocabulary (gb_documents_next()).
 *
 * @param first_row    input row of the first document, from 0, for messages
 * @param settings     infer-sweeps, infer-burn-in, seed, threads, unknown-level, impute, new-groups
 * @param on_progress  may be NULL
 * @param out          its sizes must fit the documents and the model; arrays that are NULL are left out.  For a response, set
 *                     either all arrays of its kind or none
 * @return GB_OK, GB_EARGUMENT (documents of another vocabulary, other sizes), GB_EFORMAT (a covariate, an exposure or a group
 * is missing), GB_ENUMERIC, GB_ENOMEM or GB_ESTOP
 *
 * Each stored draw of the model is applied with its own topics and coefficients, then scores and probabilities are averaged.  The
 * topics of a document are found without its labels (docs/model), by its words alone: equal documents get the same bits in batches of any
 * size and order.  Cost: K operations per token, stored draw and sweep.  Memory:
 * 6 bytes per token; per document 4 bytes per topic (priors with log weights: 20), 16 per score and, for each response that is a number, 8 per stored draw and
 * sweep; and as much as the topics of the batch's words take in training.  The result does not depend on the number
 * of threads.  Different threads may apply one model at the same time.
 */
GB_API gb_status gb_predict(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                            const gb_settings *settings, gb_on_apply *on_progress, void *user, gb_prediction *out,
                            gb_error *err);

/** Infer topic shares only, as `share` of gb_predict().  @param share  receives n_docs x n_topics numbers
 * @return as gb_predict() */
GB_API gb_status gb_infer(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                          const gb_settings *settings, gb_on_apply *on_progress, void *user, double *share,
                          gb_error *err);

/* ---- held-out likelihood ---- */

/** How probable documents are under a model, in arrays of the caller or of gb_held_out_create(); see docs/evaluation. */
typedef struct gb_held_out {
    size_t size; /* sizeof(gb_held_out), set by whoever makes it */
    uint64_t n_docs;
    uint64_t *n_scored;     /* n_docs: tokens whose probability is estimated; 0: the model knows none */
    double *log_likelihood; /* n_docs: natural logarithm of this estimate; 0 without such tokens */
    double *standard_error; /* n_docs: Monte Carlo standard error of log_likelihood; NaN with one sample */
} gb_held_out;

/** Make the arrays for `n_docs` documents.  @param out  receives them, free it with gb_held_out_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_held_out_create(uint64_t n_docs, gb_held_out **out, gb_error *err);
/** Free the result of gb_held_out_create() with its arrays; accepts NULL. */
GB_API void gb_held_out_free(gb_held_out *held_out);

/**
 * Estimate the log probability of documents in the model's vocabulary (gb_documents_next()), without their labels.
 *
 * The result is the logarithm of a document's mean probability under the stored draws of the model.
 *
 * @param first_row    input row of the first document, as for gb_predict()
 * @param settings     held-out: "empirical", "left-to-right" or "completion" (also for "auto"); held-out-samples; for
 *                     completion infer-sweeps and infer-burn-in; seed; threads; new-groups
 * @param on_progress  may be NULL
 * @param out          all three arrays are written, n_docs numbers each
 * @return GB_OK, GB_EARGUMENT ("none", documents of another vocabulary, another n_docs), GB_ENOMEM or GB_ESTOP
 *
 * Cost in operations, per stored draw of the model, sample and document of N tokens: empirical N K; left-to-right 256 N K;
 * completion N K per sweep.
 */
GB_API gb_status gb_held_out_likelihood(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                                        const gb_settings *settings, gb_on_apply *on_progress, void *user,
                                        gb_held_out *out, gb_error *err);

/* ---- simulation ---- */

/**
 * Draw a corpus: from the last draw of a model if one is given, else from the priors that the settings describe (topics, prior,
 * alpha, beta, response, variance and the options of the group simulation).
 *
 * @param model        may be NULL
 * @param on_progress  may be NULL
 * @param out          receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (as gb_model_topic_distributions()), GB_ENOMEM or GB_ESTOP
 */
GB_API gb_status gb_simulate(const gb_model *model, const gb_settings *settings, gb_on_apply *on_progress, void *user,
                             gb_corpus **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
