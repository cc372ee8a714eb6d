/* chain/start.h - the state that a chain starts from. */
#ifndef GB_CHAIN_START_H
#define GB_CHAIN_START_H

#include "chain/chain.h"
#include "chain/seeded_start.h"

/** What a chain has while its tokens get their first topics.  Documents join one group after the other; those of the groups
 * first..last take part in a pass. */
struct gb_chain_start {
    const uint8_t *group; /* n_docs; NULL: all documents are in group 0 */
    unsigned first, last;
    const gb_seeded_start *seeded; /* NULL without seed words */
};

/** Whether document d takes part in the pass over tokens that is under way; all do but while a chain starts. */
static inline bool gb_chain_takes_part(const gb_chain *c, uint64_t d)
{
    return c->start == NULL || c->start->group == NULL ||
           (c->start->first <= c->start->group[d] && c->start->group[d] <= c->start->last);
}

/** A chain whose tokens have no topics begins to get them.  @param start  borrowed until gb_chain_close_start() */
void gb_chain_open_start(gb_chain *chain, const gb_chain_start *start);
/** Give the tokens of the documents that take part their first topics, each given those assigned before it.
 * @return GB_OK, GB_ENUMERIC, GB_ENOMEM or GB_ESTOP */
gb_status gb_chain_start_tokens(gb_chain *chain, gb_error *err);
/** Redraw them, without labels.  @param number  keys the random numbers: none of another pass, nor of a sweep  @return likewise */
gb_status gb_chain_restart_tokens(gb_chain *chain, uint32_t number, gb_error *err);
/** All tokens have topics: the document prior settles on them.  @return GB_OK or what the prior returns */
gb_status gb_chain_finish_start(gb_chain *chain, gb_error *err);
/** Also after a failure. */
void gb_chain_close_start(gb_chain *chain);

/** Begin with these topics (n_tokens, in the order of the corpus) instead.  @return GB_OK or GB_ENOMEM */
gb_status gb_chain_start_with(gb_chain *chain, const uint16_t *topic, gb_error *err);

/** Back to a chain whose tokens have no topics, after a start that was given up. */
void gb_chain_reset(gb_chain *chain);

#endif
