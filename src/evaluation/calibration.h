/* evaluation/calibration.h - probabilities for scores that have none (Platt scaling).
 *
 *     P(y = +1 | s) = sigma(a s + b),   sigma(x) = 1 / (1 + e^-x)                            (1)
 *
 * a and b are fitted to scores of documents that the model was not trained on: scores of training documents are further
 * from 0 than the scores of new ones, and would make the probabilities too sure.
 *
 * a >= 0, so a document with a larger score never has a smaller probability. */
#ifndef GB_EVALUATION_CALIBRATION_H
#define GB_EVALUATION_CALIBRATION_H

#include <stddef.h>

/**
 * Fit (1) to one output.
 *
 * @param n       documents
 * @param stride  y and score of document d are at [d * stride]
 * @param y       +1 or -1; NaN: missing, left out
 * @param score   finite
 * @param a, b    receive the slope and the intercept, both finite whatever the data.  Without any label a = b = 0;
 *                with labels of one kind only, or scores that are all the same or point the wrong way, a = 0 and b
 *                gives the share of +1, drawn a little towards 1/2
 *
 * Cost: O(n), some ten passes over the data.
 */
void gb_calibration_fit(size_t n, size_t stride, const double *y, const double *score, double *a, double *b);

/** Probability (1) of a score. */
double gb_calibration_apply(double a, double b, double score);

/**
 * Probabilities of a document that has exactly one of n classes: (1) of each class against the rest, divided by
 * their sum.  They add up to 1 also where each of them underflows.
 *
 * @param a, b, score  one per class
 * @param probability  receives one per class; may be the array of scores
 */
void gb_calibration_classes(size_t n, const double *a, const double *b, const double *score, double *probability);

#endif
