/* estimate/pool_words.h - the effects of words, pooled over folds. */
#ifndef GB_ESTIMATE_POOL_WORDS_H
#define GB_ESTIMATE_POOL_WORDS_H

#include "model/cross_fitted.h"

/** Pool what folds have found of each word; nothing is kept of the folds.  @return GB_OK or GB_ENOMEM */
gb_status gb_pool_words(gb_cross_fitted *c, size_t n_threads, gb_error *err);

#endif
