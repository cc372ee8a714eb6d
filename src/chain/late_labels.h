/* chain/late_labels.h - labels that a chain gets late in its burn-in. */
#ifndef GB_CHAIN_LATE_LABELS_H
#define GB_CHAIN_LATE_LABELS_H

#include "chain/chain.h"

/** At the beginning of a sweep: give the chain the late labels, if burn-in is nearly over.
 * @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_chain_give_late_labels(gb_chain *chain, gb_error *err);

/** At the end of a sweep: add to the mean scores of documents whose labels are to be given soon.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_chain_note_late_scores(gb_chain *chain, gb_error *err);

/** How many sweeps a chain did before it was given the late labels; 0: it has none yet, or there are none. */
uint64_t gb_chain_n_before_late(const gb_chain *chain);

/** Scores of documents with late labels, n_late x n_outputs: means over some sweeps without these labels; NULL if there are none. */
const double *gb_chain_late_scores(const gb_chain *chain);

#endif
