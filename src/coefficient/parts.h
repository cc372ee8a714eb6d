/* coefficient/parts.h - draws of some of the features given the others, for the sampler made of both. */
#ifndef GB_COEFFICIENT_PARTS_H
#define GB_COEFFICIENT_PARTS_H

#include "coefficient/coefficient.h"

/* The block draw mixes best; its matrices cost n_features^3, which counts from here on. */
enum { GB_MOST_FEATURES_IN_BLOCK = 400 };

/** Some of the columns of covariates, ascending. */
typedef struct gb_column_set {
    size_t n;
    const size_t *column;
} gb_column_set;

/**
 * Topics, intercept and a set of columns at once, given the others' part of the scores.
 *
 * @param x      the columns of the set alone
 * @param fixed  n_docs x n_outputs: the part of the scores that stays
 */
gb_status gb_block_draw_part(const gb_regression *regression, gb_column_set set, const gb_sparse_columns *x,
                             const double *fixed, double *eta, gb_error *err);

/** The columns of a set one after the other, given all else.  Takes its numbers from other streams than the block. */
gb_status gb_coordinate_draw_columns(const gb_regression *regression, gb_column_set set, double *eta, gb_error *err);

#endif
