/* coefficient/gram.h - the inner loop of the block draw: one row of every output's precision matrix. */
#ifndef GB_COEFFICIENT_GRAM_H
#define GB_COEFFICIENT_GRAM_H

#include "counts/covariates.h"
#include "counts/proportions.h"

#include <stdbool.h>

/** The features of the matrix: topics, columns of x, the constant 1. */
typedef struct gb_gram_features {
    const gb_proportions *z;
    const gb_covariates *x; /* NULL: none */
    bool intercept;
} gb_gram_features;

/**
 * Row j, a topic or a column, of sum_d omega_dl f_d f_d' for all outputs of a range, from column j on.
 *
 * @param omega     n_docs x n_outputs
 * @param kappa     n_docs x n_outputs
 * @param row       n_features x n_outputs, zero on entry; entry [k][l] receives the sum for features j and k >= j
 * @param h         n_outputs, zero on entry; receives sum_d kappa_dl f_dj
 * Documents are added in ascending order, so the sums do not depend on threads.
 */
typedef void gb_gram_row(const gb_gram_features *f, size_t j, size_t n_outputs, const double *omega,
                         const double *kappa, double *row, double *h);

gb_gram_row gb_gram_row_plain, gb_gram_row_avx2, gb_gram_row_avx512;

#endif
