/* answer/scores.h - how scores are called, what does not count in some of them, and whose predictions of classes were compared. */
#ifndef GB_ANSWER_SCORES_H
#define GB_ANSWER_SCORES_H

#include "answer/table.h"
#include "evaluation/evaluation.h"
#include "folds/parts.h"

/** The response that a score belongs to. */
uint64_t gb_response_of_output(const gb_model *model, uint64_t output);
/** True for the last score of a response. */
bool gb_is_last_output(const gb_model *model, uint64_t output);

/** Fills the rows of one response with classes. */
typedef void gb_put_truth(gb_table *table, const gb_model *model, const gb_truth *truth);
/** Fill the rows of every evaluated response that has classes. */
void gb_put_classified(gb_table *table, const gb_evaluation *evaluation, gb_put_truth *put);

/** Say which covariates have coefficient 0 without which part, if any. */
void gb_note_lost(gb_table *table, const gb_held_parts *parts);

#endif
