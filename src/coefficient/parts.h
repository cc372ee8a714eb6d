/* coefficient/parts.h - draws of some of the features given the others, for the sampler made of both. */
#ifndef GB_COEFFICIENT_PARTS_H
#define GB_COEFFICIENT_PARTS_H

#include "coefficient/coefficient.h"

/** Topics and intercept at once, given the columns' part of the scores: column_score[d * n_outputs + l]. */
gb_status gb_block_draw_topics(const gb_regression *regression, const double *column_score, double *eta,
                               gb_error *err);

/** Columns one after the other, given all else.  Takes its numbers from other streams than the block. */
gb_status gb_coordinate_draw_columns(const gb_regression *regression, double *eta, gb_error *err);

#endif
