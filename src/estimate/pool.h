/* estimate/pool.h - one posterior of an effect from those of several folds. */
#ifndef GB_ESTIMATE_POOL_H
#define GB_ESTIMATE_POOL_H

#include "gibbous/effects.h"

/** The posterior of an effect given the documents of one fold and its share of the prior, as a normal one. */
typedef struct gb_fold_posterior {
    double mean, variance;
} gb_fold_posterior;

/** What folds say together. */
typedef struct gb_pooled {
    double mean, sd, q05, median, q95, p_positive;
    double between; /* posterior mean of the standard deviation between folds */
} gb_pooled;

/**
 * Pool the posteriors of n > 0 folds: see pool.c for the law.
 *
 * Everything is NaN but the mean if a variance is not above 0, and `between` if n is 1.
 *
 * Cost: a few thousand values of the error function.
 */
gb_pooled gb_pool_folds(const gb_fold_posterior *fold, size_t n);
/** Mean, sd and between of it; the others are NaN.  Cost: a few hundred roots and exponentials. */
gb_pooled gb_pool_moments(const gb_fold_posterior *fold, size_t n);

#endif
