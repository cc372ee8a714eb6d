/* chain/seeded_start.h - what seed words say of documents that have no topics yet. */
#ifndef GB_CHAIN_SEEDED_START_H
#define GB_CHAIN_SEEDED_START_H

#include "counts/topics.h"

/** The named topics of each word. */
typedef struct gb_seeded_start {
    uint32_t *start; /* n_words + 1: where the topics of a word begin */
    uint16_t *topic;
    float *said; /* what a token weighs for the topic */
} gb_seeded_start;

/** @param seed  n_seeds of them, of words below n_words
 * @param out  clear it with gb_seeded_start_clear(); untouched on failure
 * @return GB_OK or GB_ENOMEM */
gb_status gb_seeded_start_create(gb_seeded_start *out, uint64_t n_words, size_t n_seeds, const gb_seed *seed,
                                 gb_error *err);
void gb_seeded_start_clear(gb_seeded_start *seeded);

/** Add what the words of a document say to the base weights of its topics. */
void gb_seeded_start_add(const gb_seeded_start *seeded, uint64_t n_tokens, const uint32_t *word, double *base);

#endif
