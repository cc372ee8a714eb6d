/* evaluation/linear_choice.h - how good the scores of linear models are on documents that choose between them. */
#ifndef GB_EVALUATION_LINEAR_CHOICE_H
#define GB_EVALUATION_LINEAR_CHOICE_H

#include "evaluation/linear_targets.h"

/**
 * The loss of scores, which is what the evaluation of the response looks at: the share of wrong classes; of levels the mean distance;
 * of numbers the mean squared error; with several labels 1 - micro F1.
 *
 * @param n      documents
 * @param doc    n numbers of documents with a value
 * @param score  n x problems
 * @param cut    several labels: receives the score above which a class counts as predicted, the same for all classes, that
 *               makes micro F1 largest; else 0
 */
gb_status gb_linear_loss_of(const gb_linear_targets *targets, uint64_t n, const uint64_t *doc, const double *score,
                            double *loss, double *cut, gb_error *err);

#endif
