/* chain/start.h - the state that a chain starts from. */
#ifndef GB_CHAIN_START_H
#define GB_CHAIN_START_H

#include "chain/chain.h"

/** Stages of a chain's start before the last one; 0: topics do not grow. */
unsigned gb_chain_count_stages(const gb_chain *c);

/** Whether document d takes part in the pass over tokens that is under way; all do but while a chain starts. */
bool gb_chain_takes_part(const gb_chain *c, uint64_t d);

/** Give all tokens of a new chain their first topics: each is drawn given those assigned before it.
 * @return GB_OK, GB_ENUMERIC or GB_ENOMEM */
gb_status gb_chain_start(gb_chain *c, gb_error *err);

/** Begin with these topics (n_tokens, in the order of the corpus) instead.  @return GB_OK or GB_ENOMEM */
gb_status gb_chain_start_with(gb_chain *c, const uint16_t *topic, gb_error *err);

/** Back to a chain whose tokens have no topics, after a start that was given up. */
void gb_chain_reset(gb_chain *c);

/** Create a chain and start it. */
gb_status gb_chain_begin(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number,
                         gb_error *err);

#endif
