/* coefficient/shrinkage.h - how much of each coefficient is the prior's work. */
#ifndef GB_COEFFICIENT_SHRINKAGE_H
#define GB_COEFFICIENT_SHRINKAGE_H

#include "coefficient/coefficient.h"

/**
 * Share of shrinkage of the coefficients of topics and columns (shrinkage.c), under the scales and the augmentation of
 * one state of a chain.
 *
 * @param portion  NULL: all documents, in one part
 * @param term     n_docs x n_outputs
 * @param out      receives n_outputs x (features but the constant) numbers from 0 (left alone) to 1 (held at 0)
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_coefficient_shrinkage(const gb_portion *portion, const gb_coefficient_scales *scales,
                                   const gb_design *design, const gb_score_term *term, double *out, gb_error *err);

#endif
