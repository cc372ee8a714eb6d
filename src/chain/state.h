/* chain/state.h - the state of a chain between two sweeps: saved and loaded.
 *
 * Saved are the arrays that the lists of a chain's components call state (base/arrays.h), and the number of sweeps.  All else
 * follows from them: counts from topics, scores from topics and coefficients, weights of documents from psi.  Random
 * numbers have no state, they are keyed by sweep.  So a chain that was loaded goes on with the same bits, on any number of
 * threads and with any instruction set. */
#ifndef GB_CHAIN_STATE_H
#define GB_CHAIN_STATE_H

#include "chain/chain.h"
#include "store/store.h"

/**
 * Add a chain's state to a file: an array for each of those that are state, and "sweep", their names with `prefix` before.
 * Topics are in the order of the corpus.
 *
 * The writer gets copies: the chain may go on before the file is saved.
 *
 * @param w  at other ranks than 0 NULL: they take part, and rank 0 saves what all have
 * @return GB_OK, GB_ENOMEM, GB_ERANK, or GB_EARGUMENT for names that the file has already
 */
gb_status gb_chain_save_state(const gb_chain *chain, gb_store_writer *w, const char *prefix, gb_error *err);

/**
 * Set a chain that was allocated for the same corpus and description, started or not, to a state from a file.
 *
 * Names, types, shapes and values are checked: what is accepted cannot make the chain read or write where it must not.
 *
 * Every rank reads the file, and takes what is its own; by how many ranks it was saved does not matter.
 *
 * @return GB_OK, GB_EFORMAT (the message names file and array), GB_ENOMEM or GB_ERANK; after a failure the chain can only be freed
 */
gb_status gb_chain_load_state(gb_chain *chain, const gb_store *s, const char *prefix, gb_error *err);

/** Bytes of a chain's state, as gb_chain_save_state() copies it. */
uint64_t gb_chain_state_bytes(const gb_chain *chain);

#endif
