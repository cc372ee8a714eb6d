/* math/cholesky.h - the one use of dense linear algebra: a draw from a normal given its precision (LAPACK).
 */
#ifndef GB_MATH_CHOLESKY_H
#define GB_MATH_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Draw from N(Lambda^{-1} h, Lambda^{-1}): Lambda = R'R, return R^{-1} (R'^{-1} h + e).
 *
 * @param n       dimension
 * @param lambda  n x n, column j in the lower triangle rows j..n-1 (LAPACK's "L"); overwritten by its factor
 * @param h       n values on entry, the draw on return
 * @param e       n independent standard normals
 * @return false if Lambda is not positive definite
 * Safe from several threads; they take turns.
 */
bool gb_draw_normal_by_precision(size_t n, double *lambda, double *h, const double *e);

#endif
