/* chain/ring.h - word blocks that go from rank to rank.
 *
 * Of all ranks one has the counts of a bundle of word blocks (counts/topics.h): the one that draws tokens of it, or was the last to do
 * so.  All ranks know which one. */
#ifndef GB_CHAIN_RING_H
#define GB_CHAIN_RING_H

#include "chain/chain.h"

/** Bring bundles where they are needed next.
 * @param to  n_bundles: the rank that shall have each
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_ring_bring(gb_chain *c, const uint32_t *to, gb_error *err);

/* The same piece by piece, so that a bundle travels while others are worked on. */

/** Start to send a bundle that is here, and not needed here any more.  @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_ring_send(gb_chain *c, size_t bundle, size_t to, gb_error *err);
/** Start to receive the bundles that this rank shall have and has not; the ranks that have them send them.  All ranks call it.
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_ring_expect(gb_chain *c, const uint32_t *to, gb_error *err);
/** Wait until a bundle has come, or has gone.  @return GB_OK or GB_ERANK */
gb_status gb_ring_wait(gb_chain *c, size_t bundle, gb_error *err);
/** Wait for all, after the calls above have ended with `st`.  If this rank has failed by itself it ends the others' calls as well.
 * @return `st`; if that is GB_OK, GB_OK or GB_ERANK */
gb_status gb_ring_finish(gb_chain *c, gb_status st, gb_error *err);

/** Share what all ranks have to know between passes over the tokens: tokens of topics in word blocks, and with drawn topics all
 * counts.
 * @return GB_OK or GB_ERANK */
gb_status gb_ring_share(gb_chain *c, gb_error *err);

/** Count all tokens by word and word block, from topics in the order of the corpus: the same counts, and lists in the same
 * order, on any number of ranks.
 * @param topic  of the tokens that are here
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_ring_count(gb_chain *c, const uint32_t *word, const uint16_t *topic, gb_error *err);

/** The topics that words have, and how often, of all words.
 * @param at_all  all ranks get them; else only rank 0, and others receive NULL for topic and count
 * @param start   receives n_words + 1 numbers: where a word's entries begin
 * @param topic, count  receive the entries, topics ascending; all three: free with gb_free()
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_ring_gather(const gb_chain *c, bool at_all, uint64_t **start, uint16_t **topic, uint32_t **count,
                         gb_error *err);

#endif
