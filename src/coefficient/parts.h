/* coefficient/parts.h - draws of some of the features given the others, for the sampler made of both. */
#ifndef GB_COEFFICIENT_PARTS_H
#define GB_COEFFICIENT_PARTS_H

#include "coefficient/coefficient.h"

/* The block draw mixes best; its matrices cost n_features^3, which counts from here on. */
enum { GB_MOST_FEATURES_IN_BLOCK = 400 };

/** Some of the features of an output, ascending. */
typedef struct gb_feature_list {
    size_t n;
    const size_t *feature;
} gb_feature_list;

/**
 * Some features at once, given the others' part of the scores.
 *
 * @param part   their design
 * @param place  where each of its features is among all
 * @param fixed  n_docs x n_outputs: the part of the scores that stays
 */
gb_status gb_block_draw_part(const gb_regression *in, const gb_design *part, const size_t *place, const double *fixed,
                             double *eta, gb_error *err);

/** Some columns one after the other, given all else.  Takes its numbers from other streams than the block. */
gb_status gb_coordinate_draw_columns(const gb_regression *in, gb_feature_list columns, double *eta, gb_error *err);

/** The same columns all at once, by conjugate gradients. */
gb_status gb_conjugate_draw_columns(const gb_regression *in, gb_feature_list columns, double *eta, gb_error *err);
uint64_t gb_conjugate_bytes(const gb_regression_size *size);

#endif
