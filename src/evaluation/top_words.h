/* evaluation/top_words.h - the most probable words of topics, as callers give them. */
#ifndef GB_EVALUATION_TOP_WORDS_H
#define GB_EVALUATION_TOP_WORDS_H

#include "base/status.h"

/** @param word  n_topics x n_top  @return GB_EARGUMENT unless all are below n_words and pairs of them can be counted */
gb_status gb_check_top_words(uint64_t n_words, uint64_t n_topics, uint64_t n_top, const uint64_t *word,
                             gb_error *err);

#endif
