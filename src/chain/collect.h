/* chain/collect.h - what ranks have of their documents, put together at rank 0. */
#ifndef GB_CHAIN_COLLECT_H
#define GB_CHAIN_COLLECT_H

#include "chain/chain.h"

/**
 * What is kept of each document, of all documents.  All ranks call it.
 *
 * @param here  `size` bytes for each document of this rank
 * @param all   at rank 0 receives those of all documents, to be freed with gb_free(); NULL at the others
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_collect_documents(const gb_chain *c, const void *here, size_t size, void **all, gb_error *err);

/** The topics of all tokens, in the order of the corpus; likewise. */
gb_status gb_collect_topics(const gb_chain *c, uint16_t **all, gb_error *err);

#endif
