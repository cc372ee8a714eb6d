/* evaluation/score_mean.h - scores of several parts of the documents in one table. */
#ifndef GB_EVALUATION_SCORE_MEAN_H
#define GB_EVALUATION_SCORE_MEAN_H

#include "evaluation/score_table.h"

/**
 * Every score that some part has, in the order of the parts: its mean over the parts that have it, with the standard error of the
 * mean; a count is added up.  Errors within a part say nothing about the mean of several, and are left out then.
 *
 * @param part  n_parts tables, with the sections of the first in the same order; borrowed, as are the names of their scores
 * @param out   receives the table, free it with gb_score_table_free(); untouched on failure
 */
gb_status gb_score_table_mean(size_t n_parts, const gb_score_table *const *part, gb_score_table **out, gb_error *err);

#endif
