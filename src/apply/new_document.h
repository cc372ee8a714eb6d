/* apply/new_document.h - a document that training did not have, as its prior sees it.
 *
 * A token of it takes topic k with probability proportional to (base_k + unit n_k^{-n}) phi_kw, as in prior/prior.h.  Where
 * the proportions are integrated out (unit 1) the base never changes; a prior that keeps them as a state (unit 0) has
 * them drawn anew in turn with the tokens. */
#ifndef GB_APPLY_NEW_DOCUMENT_H
#define GB_APPLY_NEW_DOCUMENT_H

#include "prior/prior.h"

/** Numbers that a document keeps; see gb_prior_ops. */
static inline size_t gb_new_document_numbers(const gb_prior_setup *setup)
{
    return gb_prior_document_numbers(setup) + gb_prior_scratch(setup);
}

/**
 * Start a document with a state from the prior: the first of the steps of gb_new_document_redraw().
 *
 * @param numbers  gb_new_document_numbers() values
 * @param base     receives n_topics base weights
 */
void gb_new_document_start(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base);

/** Start a document where its first topics are drawn best: with gb_prior_first_unit(), then gb_new_document_adopt(). */
void gb_new_document_begin(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base);
void gb_new_document_adopt(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base);

/** A step that leaves p(state | counts of topics) as it is. */
void gb_new_document_redraw(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base);

#endif
