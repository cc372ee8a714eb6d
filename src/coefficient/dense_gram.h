/* coefficient/dense_gram.h - the products of an embedding's columns, summed over documents once and kept from sweep to sweep.
 *
 * The block draw needs sum_d omega_d e_d e_d' of each output.  Where omega is the same number in all labelled documents (probit;
 * a gaussian without weights) that is omega times sum_d e_d e_d', which no sweep changes and all outputs share. */
#ifndef GB_COEFFICIENT_DENSE_GRAM_H
#define GB_COEFFICIENT_DENSE_GRAM_H

#include "coefficient/coefficient.h"

struct gb_dense_gram {
    uint64_t n_docs;
    size_t n, n_outputs; /* n: columns; 0: none are kept */
    bool is_known;       /* `sum` is that of the documents with `counts` */
    uint8_t *counts;     /* n_docs: omega is not 0 */
    double *omega;       /* n_outputs: of documents that count; 0 if none does */
    double *sum;         /* n x n by rows: the upper triangle */
};

/** A gb_list_arrays. */
void gb_dense_gram_list(void *gram, const gb_array_visitor *v);

/**
 * Make the sums for the terms of a draw, unless they are known.
 *
 * @param applies  receives false if omega is not one number; the same at all ranks
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_dense_gram_update(gb_dense_gram *gram, const gb_regression *in, bool *applies, gb_error *err);

#endif
