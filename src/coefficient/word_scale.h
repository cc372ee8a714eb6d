/* coefficient/word_scale.h - the coefficients of all words of an output made larger or smaller together. */
#ifndef GB_COEFFICIENT_WORD_SCALE_H
#define GB_COEFFICIENT_WORD_SCALE_H

#include "coefficient/coefficient.h"

/**
 * Redraw the scale that the words of each output share, and their coefficients with it (word_scale.c); nothing to do for a prior
 * without one.
 *
 * @param in             in->score is not read
 * @param eta            n_outputs x n_features
 * @param eta_by_feature the same, n_features x n_outputs
 * @param score          n_docs x n_outputs: of these coefficients
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_word_scale_draw(const gb_regression *in, gb_coefficient_scales *scales, double *eta,
                             double *eta_by_feature, double *score, gb_error *err);

/** Bytes that this takes for as long as it runs. */
uint64_t gb_word_scale_bytes(const gb_regression_size *size);

#endif
