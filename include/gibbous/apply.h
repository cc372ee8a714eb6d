/* gibbous/apply.h - a model applied: new documents, predictions, held-out likelihood, simulation. */
#ifndef GIBBOUS_APPLY_H
#define GIBBOUS_APPLY_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- new documents ---- */

/** New documents, read in batches; their words are turned into the model's by the model's own text
 * preparation. */
typedef struct gb_documents gb_documents;

/**
 * @param path      as for gb_corpus_read()
 * @param settings  options of the group data; word settings come from the model
 * @param on_read   called while documents are read, by gb_documents_next() too; may be NULL; `user` is given to it
 * @param model     borrowed until gb_documents_close()
 * @return GB_OK, GB_EIO, GB_EFORMAT, GB_EARGUMENT, GB_ENOMEM or GB_ESTOP, as all functions that read
 */
GB_API gb_status gb_documents_open(const gb_model *model, const char *path, const gb_settings *settings,
                                   gb_on_read *on_read, void *user, gb_documents **out, gb_error *err);
/**
 * The next documents, at most `max_docs`; a corpus in the model's vocabulary, to be freed, or NULL at the
 * end.
 *
 * @param n_unknown  receives per document the number of words that the model does not know; free it with
 * gb_free()
 */
GB_API gb_status gb_documents_next(gb_documents *documents, uint64_t max_docs, gb_corpus **out, uint64_t **n_unknown,
                                   gb_error *err);
/** Close the input and free what the reader holds; accepts NULL. */
GB_API void gb_documents_close(gb_documents *documents);

/**
 * Documents from arrays, in the model's vocabulary: for gb_predict() and gb_held_out_likelihood().  Fields have the names that
 * they had in training.
 *
 * @param out        receives the documents, free them with gb_corpus_free(); untouched on failure
 * @param n_unknown  receives per document the number of words that the model does not know; free it with gb_free()
 * @return GB_OK, GB_EFORMAT, GB_EARGUMENT or GB_ENOMEM, as gb_corpus_from_arrays()
 */
GB_API gb_status gb_documents_from_arrays(const gb_model *model, const gb_corpus_arrays *arrays, gb_corpus **out,
                                          uint64_t **n_unknown, gb_error *err);

/* ---- progress ---- */

/** How far prediction, held-out likelihood or simulation has come. */
typedef struct gb_apply_progress {
    uint64_t draw, n_draws;       /* the draw of the model at hand, from 0; simulation: 0 of 1 */
    uint64_t n_docs_done, n_docs; /* under that draw */
    double seconds;               /* wall time since the function was called */
} gb_apply_progress;

/**
 * Called several times a second while a function works, on the thread that called the function.  Return false to stop: the
 * function then ends within a fraction of a second with GB_ESTOP, without calling again; what its arrays hold is unfinished.
 */
typedef bool gb_on_apply(const gb_apply_progress *progress, void *user);

/* ---- prediction ---- */

/** What a model says of the field of one response, in arrays of the caller's or of gb_prediction_create(). */
typedef struct gb_response_prediction {
    uint64_t n_classes;  /* 0: a number */
    double *probability; /* n_docs x n_classes; NULL for a number.  Binary: class 1 is the positive one */
    uint64_t *predicted; /* n_docs: the class; UINT64_MAX for several labels, where class c is predicted if its score
                             is above 0; NULL for a number */
    double *mean, *sd;   /* n_docs: of the predictive distribution, in the units of the field; NULL for classes */
    double *q05, *q95;   /* n_docs: its 5 % and 95 % quantiles; NULL for classes */
} gb_response_prediction;

/** What a model says of some documents, in arrays of the caller's or of gb_prediction_create(); row-major. */
typedef struct gb_prediction {
    size_t size; /* sizeof(gb_prediction) of whoever made it: later versions have more members */
    uint64_t n_docs, n_topics, n_outputs, n_responses;
    double
        *share; /* n_docs x n_topics: expected share of the document's words in each topic, above 0, rows add up to 1;
                          of draws of the first chain.  The prior's expected shares for a document without known words */
    double
        *score; /* n_docs x n_outputs: mean score over all draws.  Of a number in units of its standard deviation in
                          training, unless it was not standardised */
    uint64_t *n_known;                /* n_docs: words that were used; 0: the answer is the prior's */
    gb_response_prediction *response; /* n_responses */
} gb_prediction;

/** A prediction with arrays for all there is to say of `n_docs` documents; without a response `score` and `response` are
 * NULL.  @param out  free it with gb_prediction_free()  @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_prediction_create(const gb_model *model, uint64_t n_docs, gb_prediction **out, gb_error *err);
/** Free what gb_prediction_create() made, arrays included; accepts NULL. */
GB_API void gb_prediction_free(gb_prediction *prediction);

/**
 * Infer topics and predict labels of documents in the model's vocabulary (gb_documents_next()).
 *
 * @param first_row    input row of the first document: random numbers are named by the row, so batches of any size give the
 *                     same bits
 * @param settings     infer-sweeps, infer-burn-in, seed, threads, unknown-level, impute
 * @param on_progress  may be NULL
 * @param out          its sizes are those of documents and model; arrays that are NULL are not wanted.  A response that is
 *                     wanted has all the arrays of its kind
 * @return GB_OK, GB_EARGUMENT (documents of another vocabulary, other sizes), GB_EFORMAT (a covariate, an exposure or a group
 * that is missing), GB_ENUMERIC, GB_ENOMEM or GB_ESTOP
 *
 * Each kept draw of the model is applied with its own topics and coefficients, the scores and probabilities are averaged;
 * the topics of a document are drawn without its labels (docs/model).  Cost: K operations per token, draw and sweep; memory
 * 2 bytes per token and what the topics of the batch's words take in training.  The result does not depend on the number of
 * threads.  Different threads may apply one model at the same time.
 */
GB_API gb_status gb_predict(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                            const gb_settings *settings, gb_on_apply *on_progress, void *user, gb_prediction *out,
                            gb_error *err);

/** Topic shares alone, as `share` of gb_predict().  @param share  receives n_docs x n_topics numbers */
GB_API gb_status gb_infer(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                          const gb_settings *settings, gb_on_apply *on_progress, void *user, double *share,
                          gb_error *err);

/* ---- held-out likelihood ---- */

/** How probable documents are under a model, in arrays of the caller's or of gb_held_out_create(); see docs/evaluation. */
typedef struct gb_held_out {
    size_t size; /* sizeof(gb_held_out) of whoever made it */
    uint64_t n_docs;
    uint64_t *n_scored; /* n_docs: tokens that the next is about; 0: none is known */
    double
        *log_likelihood; /* n_docs: natural logarithm of the estimated probability of the scored tokens; 0 if there is
                               none */
    double *standard_error; /* n_docs: Monte Carlo error of that; NaN from one sample */
} gb_held_out;

/** @param out  free it with gb_held_out_free()  @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_held_out_create(uint64_t n_docs, gb_held_out **out, gb_error *err);
/** Free what gb_held_out_create() made, arrays included; accepts NULL. */
GB_API void gb_held_out_free(gb_held_out *held_out);

/**
 * Estimate the log probability of documents in the model's vocabulary (gb_documents_next()), without their labels.
 *
 * The probabilities of a document under the kept draws of the model are averaged, then comes the logarithm.
 *
 * @param first_row    input row of the first document, as for gb_predict()
 * @param settings     held-out: "empirical", "left-to-right" or "completion" (also for "auto"); held-out-samples; for
 *                     completion infer-sweeps and infer-burn-in; seed; threads
 * @param on_progress  may be NULL
 * @param out          its three arrays are written, all of n_docs numbers
 * @return GB_OK, GB_EARGUMENT ("none", documents of another vocabulary, another n_docs), GB_ENOMEM or GB_ESTOP
 *
 * Cost, per draw of the model, sample and document of N tokens: empirical N K; left-to-right 256 N K; completion N K per
 * sweep.
 */
GB_API gb_status gb_held_out_likelihood(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                                        const gb_settings *settings, gb_on_apply *on_progress, void *user,
                                        gb_held_out *out, gb_error *err);

/* ---- simulation ---- */

/**
 * Draw a corpus: from the model if one is given (its last draw), else from the priors that the settings describe (topics,
 * prior, alpha, beta, response, coefficient-variance and the options of the group simulation).
 *
 * @param model        may be NULL
 * @param on_progress  may be NULL
 * @param out          receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_ENOMEM or GB_ESTOP
 */
GB_API gb_status gb_simulate(const gb_model *model, const gb_settings *settings, gb_on_apply *on_progress, void *user,
                             gb_corpus **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
