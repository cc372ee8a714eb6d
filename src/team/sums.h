/* team/sums.h - sums over the documents of all ranks, with the same bits on any number of them. */
#ifndef GB_TEAM_SUMS_H
#define GB_TEAM_SUMS_H

#include "team/portion.h"

/** Add what documents first .. last - 1, numbered as on this rank, contribute to each of the sums. */
typedef void gb_add_documents(const void *context, uint64_t first, uint64_t last, double *sum);

/**
 * Add up over all documents: in order in each part, then part after part.
 *
 * @param n_docs  here
 * @param width   of the sums, at all ranks the same
 * @param sum     holds what is added to before the first document of the corpus, mostly 0; receives the sums
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_sum_documents(const gb_portion *portion, uint64_t n_docs, gb_add_documents *add, const void *context,
                           size_t width, double *sum, gb_error *err);

#endif
