/* model/consensus.h - what the topics of several chains have in common. */
#ifndef GB_MODEL_CONSENSUS_H
#define GB_MODEL_CONSENSUS_H

#include "model/model.h"

/** As many topics as a chain has, each pooled from topics of several chains, or known otherwise. */
typedef struct gb_consensus {
    size_t n_topics, n_chains;
    uint64_t n_words;
    uint64_t *word_start; /* n_words + 1 */
    uint16_t *topic;      /* of word w: word_start[w] .. word_start[w + 1] - 1, topics ascending */
    uint32_t *count;      /* n_kw, added up over the topics that were pooled */
    uint64_t *n_k;        /* n_topics: its sums */
    uint32_t *n_members;  /* n_topics: topics that were pooled */
    uint32_t *n_found;    /* n_topics: chains that have such a topic */
} gb_consensus;

/**
 * Pool the topics of the last snapshot of each chain.
 *
 * @param model    has a snapshot of each chain
 * @param n_named  topics 0 .. n_named - 1 have names, and are the same in all chains
 * @param out      receives the pooled topics, free it with gb_consensus_free()
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: the words times the square of the topics that have them, and the square of all topics of all chains.
 */
gb_status gb_consensus_find(const gb_model *model, size_t n_named, gb_consensus **out, gb_error *err);
/** Room for so many entries; all numbers are 0.  @return GB_OK or GB_ENOMEM */
gb_status gb_consensus_create(size_t n_topics, uint64_t n_words, uint64_t n_entries, gb_consensus **out,
                              gb_error *err);
void gb_consensus_free(gb_consensus *consensus);

/** Bytes that gb_consensus_find() takes. */
uint64_t gb_consensus_bytes(size_t n_chains, size_t n_topics, uint64_t n_entries);

#endif
