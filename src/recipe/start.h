/* recipe/start.h - how a chain gets its first topics. */
#ifndef GB_RECIPE_START_H
#define GB_RECIPE_START_H

#include "chain/chain.h"

/** Give all tokens of a new chain their first topics: those of few documents first, where topics grow.
 * @return GB_OK, GB_ENUMERIC, GB_ENOMEM, GB_ERANK or GB_ESTOP */
gb_status gb_chain_start_topics(gb_chain *chain, gb_error *err);

/** Bytes that it takes on a rank with that many documents, and frees. */
uint64_t gb_start_bytes(const gb_spec *spec, uint64_t n_docs);

/** Create a chain and give its tokens their first topics. */
gb_status gb_chain_begin(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number,
                         gb_error *err);

#endif
