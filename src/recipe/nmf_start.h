/* recipe/nmf_start.h - topics to start from that are the same for every seed. */
#ifndef GB_RECIPE_NMF_START_H
#define GB_RECIPE_NMF_START_H

#include "corpus/data/corpus.h"
#include "model/consensus.h"

/** Topics of all documents by a factorisation of their TF-IDF (recipe/nmf.h).
 * @param out  receives as many topics with n_topics counts of words, free it with gb_consensus_free(); no chain has found them
 * @return GB_OK, GB_EARGUMENT (an outline of a corpus), GB_ENOMEM or GB_ESTOP */
gb_status gb_nmf_start_find(const gb_corpus *corpus, size_t n_topics, size_t n_threads, gb_consensus **out,
                            gb_error *err);

/** Bytes that it takes while it works. */
uint64_t gb_nmf_start_bytes(const gb_corpus *corpus, size_t n_topics, size_t n_threads);

#endif
