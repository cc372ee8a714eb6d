/* folds/evaluate_part.h - a model on documents that were held out of its training. */
#ifndef GB_FOLDS_EVALUATE_PART_H
#define GB_FOLDS_EVALUATE_PART_H

#include "evaluation/evaluation.h"

/**
 * Predict documents, estimate how probable their words are if that is wanted, and list the scores.
 *
 * @param first_row   number of the first of the documents among all rows that are scored: no two have the same random numbers
 * @param likelihood  receives the likelihood, free it with gb_held_out_free(); NULL: none is wanted
 * @param evaluation  receives the evaluation with its scores, free it with gb_evaluation_free().  Both may be set on failure too
 */
gb_status gb_evaluate_part(const gb_model *model, const gb_corpus *docs, const uint64_t *n_unknown,
                           uint64_t first_row, const gb_settings *settings, gb_on_apply *on_apply, void *user,
                           gb_held_out **likelihood, gb_evaluation **evaluation, gb_error *err);

#endif
