/* evaluation/evaluation.h - an evaluation of all fields that a model predicts. */
#ifndef GB_EVALUATION_EVALUATION_H
#define GB_EVALUATION_EVALUATION_H

#include "evaluation/score_table.h"
#include "evaluation/truth.h"
#include "gibbous/evaluate.h"
#include "options/settings.h"

/** As gb_evaluation_create(), but all responses are evaluated by the fields that they have in the model. */
gb_status gb_evaluation_create_all(const gb_model *model, const gb_settings *settings, gb_evaluation **out,
                                   gb_error *err);

/** Work out the scores without a check that there is anything to score. */
gb_status gb_evaluation_list_scores(gb_evaluation *evaluation, gb_error *err);

/** Keep all that scores ask of documents that are added from now on: for gb_pool_evaluations(). */
void gb_evaluation_keep(gb_evaluation *evaluation);
/** Fields whose values have scores of their own (evaluation/subgroups.h), and their names. */
size_t gb_evaluation_n_subgroup_fields(const gb_evaluation *evaluation);
const char *gb_evaluation_subgroup_field(const gb_evaluation *evaluation, size_t index);
/** Before documents are added: the baseline answers the most frequent class of the training documents, not of those. */
gb_status gb_evaluation_take_baseline(gb_evaluation *evaluation, const gb_corpus *training, gb_error *err);

/** The scores, owned by the evaluation; NULL before gb_evaluation_finish(). */
const gb_score_table *gb_evaluation_scores(const gb_evaluation *evaluation);
/** The same of topics without words and embedding; NULL if the model has topics alone, or they were not evaluated. */
const gb_score_table *gb_evaluation_scores_alone(const gb_evaluation *evaluation);
/** How many of the documents have the words of a training document.  @param n_docs  receives how many there are */
uint64_t gb_evaluation_n_seen(const gb_evaluation *evaluation, uint64_t *n_docs);
/** The model of which it is. */
const gb_model *gb_evaluation_model(const gb_evaluation *evaluation);
/** What is known of the response number `index`, which is in range. */
const gb_truth *gb_evaluation_truth(const gb_evaluation *evaluation, uint64_t index);
/** Method of the held-out likelihood, a constant; NULL if there is none. */
const char *gb_evaluation_held_out_method(const gb_evaluation *evaluation);

/** True if the likelihood is to be estimated; by default it is where there is no response. */
gb_status gb_wants_likelihood(const gb_settings *settings, bool has_response, bool *wants, gb_error *err);

/** GB_EARGUMENT: there is no response, and no likelihood is asked for. */
gb_status gb_nothing_to_evaluate(gb_error *err);

#endif
