/* estimate/choice.h - topics of documents given their words and their labels.
 *
 * Let z_1 .. z_N be draws of a document's topics given its words, and y its targets.  Then
 *
 *     p(z | w, y) is about proportional to p(y | z) on these draws,                                          (1)
 *
 * nearer the more there are.  A step proposes one of them, each as probable as another, and accepts it with probability
 * min(1, p(y | proposed) / p(y | present)): it leaves (1) as it is.  The augmentation is integrated out: it must be redrawn before
 * it is used. */
#ifndef GB_ESTIMATE_CHOICE_H
#define GB_ESTIMATE_CHOICE_H

#include "chain/chain.h"
#include "estimate/shares.h"

typedef struct gb_estimate_choice {
    const gb_estimate_shares *shares; /* borrowed */
    uint32_t *count;                  /* n_docs x n_topics: of the draws that were chosen */
    double *length;                   /* n_docs */
} gb_estimate_choice;

/** @param shares  finished, with draws that were kept; borrowed
 * @param out      clear it with gb_estimate_choice_clear(), also on failure */
gb_status gb_estimate_choice_create(gb_estimate_choice *out, const gb_estimate_shares *shares, gb_error *err);
/** Bytes of the arrays. */
uint64_t gb_estimate_choice_bytes(const gb_corpus *docs, size_t n_topics);
void gb_estimate_choice_clear(gb_estimate_choice *c);

/** Choose the first draws of all documents, and give them to a chain.  @return GB_OK or GB_ENOMEM */
gb_status gb_estimate_choice_start(gb_estimate_choice *c, gb_chain *chain, gb_error *err);
/** One step for each document; the scores of the chain are those of its coefficients and the present choice, as a sweep leaves them.  @return GB_OK or GB_ENOMEM */
gb_status gb_estimate_choice_step(gb_estimate_choice *c, gb_chain *chain, gb_error *err);

#endif
