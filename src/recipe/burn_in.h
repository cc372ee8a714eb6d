/* recipe/burn_in.h - when the burn-in of a chain is over, if nobody has said how long it lasts. */
#ifndef GB_RECIPE_BURN_IN_H
#define GB_RECIPE_BURN_IN_H

#include "chain/chain.h"

/**
 * Whether a trace gains little by now: no number of it still gains (chain/trace.h).
 *
 * @param n_sweeps  sweeps of it that are looked at, at least 40
 * @param width     numbers of a row
 * @param row       its rows, see chain/trace.h
 * @param n_tokens  of the corpus
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_trace_gains_little(uint64_t n_sweeps, size_t width, const double *row, uint64_t n_tokens, bool *out,
                                gb_error *err);

/** The chain does not find out itself, before its first sweep or before its state is loaded. */
void gb_chain_follow(gb_chain *chain);
/** What another chain has found out for it; it may be told early. */
void gb_chain_take_burn_in(gb_chain *chain, uint64_t burn_in);

/** After a sweep and its row of the trace: decide whether burn-in is over.  @return GB_OK or GB_ENOMEM */
gb_status gb_chain_decide(gb_chain *chain, gb_error *err);

/** After its state was loaded: the decision that its trace led to.  @return GB_OK or GB_ENOMEM */
gb_status gb_chain_decide_again(gb_chain *chain, gb_error *err);

#endif
