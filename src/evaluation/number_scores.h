/* evaluation/number_scores.h - how good predicted numbers are.
 *
 * Of targets y, predictions f and reported intervals [low, high]:
 *
 *     r2       = 1 - sum (y - f)^2 / sum (y - ybar)^2,   ybar the mean of the y that are evaluated
 *     mae      = mean of |y - f|
 *     rmse     = square root of the mean of (y - f)^2
 *     coverage = share of y with low <= y <= high
 *
 * r2 is the predictive R^2 of Blei and McAuliffe 2007, NIPS 20.  It is 0 for whoever knows ybar and nothing else,
 * so it is negative for predictions that are worse than that; it is NaN when all y are the same.
 *
 * Memory does not grow with the number of targets. */
#ifndef GB_EVALUATION_NUMBER_SCORES_H
#define GB_EVALUATION_NUMBER_SCORES_H

#include <stdint.h>

/** Sums over targets; all zero at the start. */
typedef struct gb_number_scores {
    uint64_t n, n_inside, n_intervals;
    double mean, spread; /* of the targets: ybar and sum (y - ybar)^2 */
    double squared_error, absolute_error;
} gb_number_scores;

/** Add a target that is known, its prediction and its interval, `weight` times; low and high NaN where there is none. */
void gb_number_scores_add(gb_number_scores *scores, double target, double predicted, double low, double high,
                          uint64_t weight);

typedef struct gb_number_summary {
    uint64_t n; /* targets */
    double r2, mae, rmse;
    double coverage; /* NaN unless every target had an interval */
} gb_number_summary;

/** Of the targets so far; all scores are NaN without targets. */
gb_number_summary gb_number_scores_summary(const gb_number_scores *scores);

#endif
