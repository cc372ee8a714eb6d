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

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

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
void gb_calibration_fit_one(size_t n, size_t stride, const double *y, const double *score, double *a, double *b);

/**
 * Fit (1) to several outputs that are alike, the classes of one field: a curve for all of them first, then each class its own
 * near that one, the nearer the fewer labels it has.  With one output as gb_calibration_fit_one().
 *
 * @param y, score  n x n_outputs, as there
 * @param curve      receives a and b of each output, one after another
 *
 * Cost: O(n n_outputs), some twenty passes over the data.
 */
void gb_calibration_fit_classes(size_t n, size_t n_outputs, const double *y, const double *score, double *curve);

/**
 * Move the curves of classes of which a document has exactly one so that their probabilities, to a power and divided by their sum, suit
 * the labels: all slopes times one factor, all shifts by one number.
 *
 * @param y, score  as there; a document of which no class is +1 is left out
 * @param curve     in and out
 * @param power     receives the power, above 0
 * @return the negative log likelihood, with the priors
 *
 * Cost: O(n n_outputs), some ten passes over at most 5,000 documents.
 */
double gb_calibration_fit_together(size_t n, size_t n_outputs, const double *y, const double *score, double *curve,
                                   double *power);

/** Texts with their labels and scores. */
typedef struct gb_calibration_texts {
    size_t n;
    double *y;          /* n x n_outputs, as above */
    double *score;      /* n x n_outputs */
    uint64_t *n_tokens; /* n */
} gb_calibration_texts;

/**
 * All of the above for one field: how much less the scores of short documents count, a curve for each class, and, of classes of which a document
 * has exactly one, the power.
 *
 * @param whole     on return its scores are times their gb_target_score_weight()
 * @param cut       the first words of some of these documents, which only say how much less short documents count; may be NULL
 * @param curve     receives a and b of each output, for such scores
 * @param power     receives the power; NULL: a document may have several classes, or there is one output
 * @param length    receives the number of tokens of which a document's score counts about half
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: nine times what the parts cost.
 */
gb_status gb_calibration_fit(size_t n_outputs, gb_calibration_texts *whole, const gb_calibration_texts *cut,
                             double *curve, double *power, double *length, gb_error *err);

/**
 * Probabilities above which classes are to be predicted for a large F1, of documents with several classes.
 *
 * The expected F1 of a class is largest if it is predicted above half of that largest value; likewise micro F1, with one cut-off for all
 * classes.  A class has the geometric mean of the two: its own alone predicts rare classes too often, the common one hardly ever.
 *
 * @param y, score, curve  as for gb_calibration_fit_classes(); only which documents have labels matters of y
 * @param cut_off          receives one for each output, between 0 and 1/2
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: O(n n_outputs log n).
 */
gb_status gb_calibration_cut_offs(size_t n, size_t n_outputs, const double *y, const double *score,
                                  const double *curve, double *cut_off, gb_error *err);

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
