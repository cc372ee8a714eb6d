/* engine/new_document.h - what a document prior says of a document that training did not have.
 *
 * A token of it takes topic k with probability proportional to (base_k + unit n_k^{-n}) phi_kw, as in prior/prior.h.  Where
 * the proportions are integrated out (unit 1) the base never changes; a prior that keeps them as a state (unit 0) has
 * them drawn anew in turn with the tokens. */
#ifndef GB_ENGINE_NEW_DOCUMENT_H
#define GB_ENGINE_NEW_DOCUMENT_H

#include "prior/prior.h"
#include "random/random.h"

/**
 * Draw topic proportions from the prior of document `doc` of the batch at hand.
 *
 * @param theta  receives n_topics values that sum to 1
 */
void gb_new_document_proportions(const gb_prior *prior, uint64_t doc, gb_random *r, double *theta);

/**
 * Base weights of document `doc`, given the topics of its tokens so far.
 *
 * A step that leaves p(state | topics) as it is; without tokens it is a draw from the prior.
 *
 * @param count   n_topics: how many tokens each topic has
 * @param length  their sum
 * @param base    receives n_topics values; what it held before is the state to start from, unless length is 0
 */
void gb_new_document_base(const gb_prior *prior, uint64_t doc, const uint32_t *count, uint64_t length, gb_random *r,
                          double *base);

#endif
