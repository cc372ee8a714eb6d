/* apply/predicted_draws.h - what each draw of a model says of documents: a prediction that keeps its samples apart.
 *
 * Of document d under a draw, with scores s_1, ..., s_S at the topics drawn in the sweeps that count, and e the mean of the expected
 * scores (apply/prediction.h), which is that of the s_i with less noise:
 *
 *     t_i = s_i + e - mean of s                                                                          (1)
 *     p(y | words, draw) = sum over z of p(y | s(z)) p(z | words, draw)  about  mean of p(y | t_i)        (2)
 *     simulated: y ~ p(y | s_S)                                                                         (3)
 *
 * Noise in (2) would look like disagreement between draws; moved by (1) what is left of it is of second order. */
#ifndef GB_APPLY_PREDICTED_DRAWS_H
#define GB_APPLY_PREDICTED_DRAWS_H

#include "apply/prediction.h"
#include "gibbous/predicted_draws.h"

typedef struct gb_draws_run {
    gb_predicted_draws *out;
    double *y;        /* n_docs x n_outputs: observed values as responses take them; NaN: missing */
    double *log_unit; /* n_responses: log of a unit of the coded values, where their density is one; else 0 */
} gb_draws_run;

/** Whether the response has a law of its values, by which they can be expected and simulated. */
static inline bool gb_target_has_law(const gb_target *target)
{
    return target->response.ops->target != GB_TARGET_CLASS || gb_response_is_calibrated(target->response.ops);
}

/** Numbers of a document's value. */
static inline size_t gb_target_n_values(const gb_target *target)
{
    return target->task == GB_TASK_MULTILABEL ? target->n_classes : 1;
}

/* ---- a prediction's loop calls these ---- */

/** Tasks so small that the scores of a task's samples take little memory. */
uint64_t gb_draws_tokens_per_task(const gb_apply_call *call);
gb_status gb_draws_create_worker(const gb_prediction_run *r, gb_prediction_worker *w, gb_error *err);
/** Before documents first .. last - 1 of the draw at hand. */
void gb_draws_begin(const gb_prediction_run *r, uint64_t first, uint64_t last, gb_prediction_worker *w);
/** The scores in w->score are expected ones of document d, to count as n_samples. */
void gb_draws_note_expected(const gb_prediction_run *r, uint64_t d, size_t n_samples, gb_prediction_worker *w);
/** They are those of drawn topics, of sample `sample` and the n_samples - 1 after it. */
void gb_draws_note_sampled(const gb_prediction_run *r, uint64_t d, size_t sample, size_t n_samples,
                           gb_prediction_worker *w);
/** After the documents of a task. */
void gb_draws_finish(const gb_prediction_run *r, uint64_t first, uint64_t last, gb_prediction_worker *w);

/* ---- observed values ---- */

/**
 * What documents have for a response.
 *
 * @param field             of the documents; they need not have it
 * @param unknown_is_error  for a label that is not a class of the model; else its document's value is missing
 * @param y                 receives document d's n_outputs values at [d * stride]
 * @param observed          receives the same as gb_response_draws has them; may be NULL
 * @return GB_OK, GB_EFORMAT or GB_ENOMEM
 */
gb_status gb_observed_values(const gb_target *target, const gb_corpus *docs, const char *field, bool unknown_is_error,
                             size_t stride, double *y, double *observed, gb_error *err);

#endif
