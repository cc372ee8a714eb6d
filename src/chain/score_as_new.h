/* chain/score_as_new.h - the scores that documents of a chain would have if they were new to it. */
#ifndef GB_CHAIN_SCORE_AS_NEW_H
#define GB_CHAIN_SCORE_AS_NEW_H

#include "chain/chain.h"

/** On several ranks all of them call it, each with documents of its own.
 *
 * @param doc    n_docs documents
 * @param score  receives n_docs x gb_late_width(): gb_response_pooled_score(), and the variance of scores from pass to pass
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 *
 * Cost: of a document, its tokens times the topics that it has, eleven times, and its words times all topics once. */
gb_status gb_chain_score_as_new(gb_chain *chain, uint64_t n_docs, const uint64_t *doc, double *score, gb_error *err);

#endif
