/* apply/nearest.h - documents that have the same topics. */
#ifndef GB_APPLY_NEAREST_H
#define GB_APPLY_NEAREST_H

#include "base/status.h"

/**
 * The nearest documents by their topics: of each row of `share` those rows of `other` with the largest affinity, the sum over topics of
 * sqrt(p_k q_k): 1 for the same shares, 0 for no topic in common.
 *
 * @param share    n rows of n_topics shares, as gb_infer() gives them
 * @param other    n_other rows
 * @param n_best   1 to n_other
 * @param best     receives n x n_best rows of `other`, the nearest first; of equal ones the first
 * @param affinity receives as many affinities
 * @return GB_OK, GB_EARGUMENT (n_best out of range) or GB_ENOMEM
 */
gb_status gb_nearest_documents(uint64_t n_topics, uint64_t n, const double *share, uint64_t n_other,
                               const double *other, uint64_t n_best, uint64_t *best, double *affinity, gb_error *err);

#endif
