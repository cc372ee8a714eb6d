/* math/eigen.h - eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef GB_MATH_EIGEN_H
#define GB_MATH_EIGEN_H

#include <stddef.h>

/**
 * Jacobi's rotations: some 10 n^3 operations for each of a few rounds.
 *
 * @param a       n x n, symmetric; overwritten
 * @param value   receives n, ascending
 * @param vector  receives n x n; row j is the eigenvector of value j, of length 1.  Of its entries with the largest magnitude (within
 *                a millionth) the first is positive
 */
void gb_symmetric_eigen(size_t n, double *a, double *value, double *vector);

#endif
