/* coefficient/word_means.h - the expected coefficients of words, given everything else.
 *
 * Draws of many coefficients that the labels hardly know are mostly noise: the score of a document by ten draws of 50,000 words is
 * off by more than what tells classes apart.  What is expected of them given topics and latent variables has no such noise, and
 * its mean over draws is the posterior mean too (Rao-Blackwell). */
#ifndef GB_COEFFICIENT_WORD_MEANS_H
#define GB_COEFFICIENT_WORD_MEANS_H

#include "coefficient/coefficient.h"

/**
 * All ranks take part.
 *
 * @param in    its score is of the coefficients `eta`
 * @param eta   n_outputs x n_features
 * @param mean  n_outputs x words; receives the means
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_word_means(const gb_regression *in, const double *eta, double *mean, gb_error *err);

/** Bytes that this takes for as long as it runs. */
uint64_t gb_word_means_bytes(const gb_regression_size *size);

#endif
