/* evaluation/score_mean.h - scores of several parts of the documents in one table. */
#ifndef GB_EVALUATION_SCORE_MEAN_H
#define GB_EVALUATION_SCORE_MEAN_H

#include "evaluation/score_table.h"

/**
 * Add sections of scores that are no scores of documents, such as those of topics.  Every score that some part has, in the order of the
 * parts: its mean over the parts that have it, with the standard error of the mean; a count is added up.
 *
 * @param part   n_parts tables, with the sections of the first in the same order; borrowed, as are the names of their scores
 * @param first  the first of these sections; the table has those before
 */
gb_status gb_score_table_add_means(size_t n_parts, const gb_score_table *const *part, uint64_t first,
                                   gb_score_table *table, gb_error *err);

#endif
