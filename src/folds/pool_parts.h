/* folds/pool_parts.h - the documents that were held out of all parts, scored together. */
#ifndef GB_FOLDS_POOL_PARTS_H
#define GB_FOLDS_POOL_PARTS_H

#include "evaluation/pool.h"
#include "folds/parts.h"

/** @param part  one evaluation for each part
 * @param out   clear it with gb_pooled_clear(), also on failure */
gb_status gb_pool_parts(const gb_held_parts *parts, uint64_t n_docs, gb_evaluation *const *part, uint64_t seed,
                        gb_pooled *out, gb_error *err);

#endif
