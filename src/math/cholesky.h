/* math/cholesky.h - dense linear algebra: a draw from a normal given its precision, and triangular factors of a covariance.  All are safe
 * from several threads, allocate nothing, and give the same bits on every processor. */
#ifndef GB_MATH_CHOLESKY_H
#define GB_MATH_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Draw from N(Lambda^{-1} h, Lambda^{-1}): Lambda = R'R, return R^{-1} (R'^{-1} h + e).
 *
 * @param n       dimension
 * @param lambda  n x n, by rows, the upper triangle: row j from column j on; all is overwritten
 * @param h       n values on entry, the draw on return
 * @param e       n independent standard normals
 * @return false if Lambda is not positive definite
 */
bool gb_draw_normal_by_precision(size_t n, double *lambda, double *h, const double *e);

/** sum += A' A, its upper triangle, for A with n_rows x n by rows; what is below is overwritten. */
void gb_add_products(size_t n_rows, size_t n, const double *a, double *sum);

/* Matrices below are n x n by rows. */

/** Replace A, of which the lower triangle is read, by its lower triangular factor L, A = L L', zeros above.
 * @return false if A is not positive definite */
bool gb_cholesky(size_t n, double *a);
/** Replace a lower triangular L by (L L')^{-1}, both triangles.  @return false if L is singular */
bool gb_cholesky_inverse(size_t n, double *l);
/** L <- L B^{-1}, both lower triangular with zeros above. */
void gb_divide_triangular(size_t n, double *l, const double *b);
/** product = L L', both triangles, L lower triangular. */
void gb_multiply_triangular(size_t n, const double *l, double *product);

#endif
