/* chain/start.h - the state that a chain starts from. */
#ifndef GB_CHAIN_START_H
#define GB_CHAIN_START_H

#include "chain/chain.h"

/** Whether document d takes part in the pass over tokens that is under way; all do but while a chain starts. */
bool gb_chain_takes_part(const gb_chain *c, uint64_t d);

/** Give all tokens their first topics.  @return GB_OK or GB_ENUMERIC */
gb_status gb_chain_start(gb_chain *c, gb_error *err);

#endif
