/* gibbous/predicted_draws.h - predictions of each stored draw of a model: for checks of a model by its posterior predictive
 * distribution, and for leave-one-out cross-validation. */
#ifndef GIBBOUS_PREDICTED_DRAWS_H
#define GIBBOUS_PREDICTED_DRAWS_H

#include "gibbous/apply.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One response in every stored draw, row-major; arrays of the caller or of gb_predicted_draws_create(). */
typedef struct gb_response_draws {
    uint64_t n_values;   /* numbers of a document's value: several labels: the classes; else 1 */
    uint64_t n_expected; /* the classes; 1 for a number */
    /* n_docs x n_values: what the documents have.  The number of a class; of several labels 1 or 0 for each; a number in the units
     * of its field.  NaN: missing */
    double *observed;
    /* n_snapshots x n_docs x n_expected: probabilities of the classes, or the expected number, given the draw's parameters.  NULL
     * for a hinge, which has no law of labels */
    double *expected;
    /* n_snapshots x n_docs x n_values: a value drawn from the law of the response given the draw's parameters and topics of the
     * document that are drawn too; coded as `observed`.  NULL for a hinge */
    double *simulated;
    /* n_snapshots x n_docs: log of the factor that the document's value has in the posterior, its topics integrated out: where
     * gb_model_is_likelihood() is true, log p(value | words, draw), of a number the density in the units of its field; else a log
     * pseudo-likelihood, cost included.  With several outputs the product over them.  NaN: the value is missing */
    double *log_factor;
} gb_response_draws;

/** Predictions of every stored draw for some documents; row-major. */
typedef struct gb_predicted_draws {
    size_t size; /* sizeof(gb_predicted_draws), set by whoever makes it: later versions may have more members */
    uint64_t n_snapshots, n_docs, n_outputs, n_responses;
    double *score;               /* n_snapshots x n_docs x n_outputs: expected scores given the draw */
    gb_response_draws *response; /* n_responses */
} gb_predicted_draws;

/**
 * Make all arrays for `n_docs` documents.
 *
 * @param most_bytes  refuse more; the message says how many documents fit.  0: no limit
 * @param out         receives them, free them with gb_predicted_draws_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (too large; a model without a response, or with one-vs-rest topics, whose classes have draws of
 * their own) or GB_ENOMEM
 */
GB_API gb_status gb_predicted_draws_create(const gb_model *model, uint64_t n_docs, uint64_t most_bytes,
                                           gb_predicted_draws **out, gb_error *err);
/** Free the arrays of gb_predicted_draws_create(); accepts NULL. */
GB_API void gb_predicted_draws_free(gb_predicted_draws *draws);

/**
 * Predict documents in the model's vocabulary (gb_documents_next()) by each stored draw alone.
 *
 * @param first_row    as for gb_predict()
 * @param settings     as for gb_predict(); `seed` also says which values are simulated.  unknown-label: with "error" a label that
 *                     is not a class of the model is a failure, else the document's value counts as missing.  label, labels, target: where a model with
 *                     one response finds its values, if the field has another name
 * @param on_progress  may be NULL
 * @param out          its sizes must fit the documents and the model; arrays that are NULL are left out
 * @return as gb_predict(), and GB_EFORMAT for a label that is not a class of the model, or several labels where the model gives one
 *
 * Rows are the model's stored draws: row i belongs to the draw whose gb_draw_place has snapshot i; they stand chain after chain.
 * Without the field of a response in the documents all its values are missing.
 *
 * Topics of the documents are drawn as in gb_predict(), without labels.  The mean of `score` over the rows is that of gb_predict(),
 * to rounding; not so with `word-effects`, since gb_predict() puts the words' expected coefficients in place of the drawn ones.  Within a
 * row, `expected` and the factor of log_factor are means over the sweeps that count, at the scores of the drawn topics, moved so that their
 * mean is the expected score; `simulated` is drawn at the scores of the last sweep.
 *
 * For documents that the training had, log_factor has what importance sampling needs to leave out the value of one document but not
 * its words: the draw's topics were made with that value, which is neglected.  For other documents its mean exponential is their
 * predictive density.  Probabilities come from the law of the response, not from curves fitted to held-out labels, and counts and
 * numbers from its own spread, so they need not be those of gb_predict() there (gb_model_is_calibrated(),
 * gb_model_interval_source()).
 *
 * Memory: that of gb_predict(); a score for each sweep, output and document of a task.  The result does not depend on the number of
 * threads or on batches.  On several ranks each does all the documents.
 *
 * Source: Gelman and others, Bayesian Data Analysis, 3rd edition 2013, sections 6.3 and 7.1; Vehtari, Gelman and Gabry 2017,
 * Statistics and Computing 27.
 */
GB_API gb_status gb_predict_draws(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                                  const gb_settings *settings, gb_on_apply *on_progress, void *user,
                                  gb_predicted_draws *out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
