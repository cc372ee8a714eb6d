/* recipe/late_labels.h - labels that a chain gets late in its burn-in. */
#ifndef GB_RECIPE_LATE_LABELS_H
#define GB_RECIPE_LATE_LABELS_H

#include "chain/chain.h"

/** Sweeps of burn-in; none without late labels. */
typedef struct gb_late_sweeps {
    uint64_t n_settling; /* the last ones, which have these labels too */
    uint64_t n_noted;    /* before these, in which scores are noted: */
    uint64_t note_every; /* the last one of them, and each so many before it */
} gb_late_sweeps;

gb_late_sweeps gb_late_sweeps_of(const gb_spec *spec);

/** Before a sweep: give the chain the late labels, if burn-in is nearly over.
 * @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_chain_give_late_labels(gb_chain *chain, gb_error *err);

/** After a sweep: add to the mean scores of documents whose labels are to be given soon.
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_chain_note_late_scores(gb_chain *chain, gb_error *err);

/** After its state was loaded: the chain sees the labels that it had then.  @return as gb_chain_hide_labels() */
gb_status gb_chain_hide_late_labels_again(gb_chain *chain, gb_error *err);

/** How many sweeps a chain did before it was given the late labels; 0: it has none yet, or there are none. */
uint64_t gb_chain_n_before_late(const gb_chain *chain);

/** Scores of documents with late labels, n_late x n_outputs: means over some sweeps without these labels; NULL if there are none. */
const double *gb_chain_late_scores(const gb_chain *chain);

#endif
