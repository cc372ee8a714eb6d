/* apply/explain.h - scores of documents as sums: a prediction that keeps the terms of its scores apart.
 *
 * Of document d under a draw, with expected shares p_k of topics (apply/expected_topics.h), coefficients e_k of a score, and m_k the mean
 * shares of the training documents:
 *
 *     score = c + sum_k p_k e_k + ...  =  (c + sum_j m_j e_j + ...) + sum_k p_k (e_k - sum_j m_j e_j) + ...       (1)
 *
 * because the shares add up to 1.  The first bracket is the average document.  With r_wk the probability of topic k for a token of word w,
 * p_k = sum_w n_w r_wk / N; so the part of topic k splits over the words,
 *
 *     p_k = sum_w q_wk,    q_wk proportional over w to n_w r_wk.                                                    (2)
 *
 * All are added up over draws with the weights that predict gives these in its mean score. */
#ifndef GB_APPLY_EXPLAIN_H
#define GB_APPLY_EXPLAIN_H

#include "apply/prediction.h"
#include "gibbous/explain.h"
#include "model/match.h"

typedef struct gb_explain_worker {
    double *row;   /* n_topics: of a word, n_kw + beta */
    double *sum;   /* n_topics: over the document's words */
    double *taken; /* words of a document x n_topics: expected tokens, (2) */
} gb_explain_worker;

typedef struct gb_explain_run {
    gb_explanation *out;
    gb_explain_worker *worker;
    size_t n_workers;
    double *average;     /* n_outputs */
    double *coefficient; /* n_outputs x n_columns: means over the draws; of words the expected ones */
    /* of the draw at hand */
    double *topic_mean; /* n_outputs: sum_j m_j e_j, the draw's outputs first */
    size_t *topic;      /* n_topics: their numbers in the reference chain; n_topics: none of these */
} gb_explain_run;

/* ---- a prediction's loop calls these ---- */

/** Memory of workers. */
gb_status gb_explain_create_workers(const gb_prediction_run *r, gb_error *err);
/** Before the documents of the draw at hand. */
gb_status gb_explain_begin(const gb_prediction_run *r, gb_error *err);
/** Room for the expected tokens of each of a document's words, words x n_topics: filled before gb_explain_note() where topics settle. */
double *gb_explain_room(const gb_prediction_run *r, size_t worker);
/** Shares of which a score of document d is made, to count as n_samples. */
void gb_explain_note(const gb_prediction_run *r, uint64_t d, const double *share, size_t n_samples, size_t worker);

/** Parts and shares of topics that count as one become those of the first; the others have 0.  A topic that lists leave out keeps its own:
 * the score is the sum of all.  @return GB_OK or GB_ENOMEM */
gb_status gb_explain_unite(const gb_model *model, gb_explanation *out, gb_error *err);

#endif
