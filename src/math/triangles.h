/* math/triangles.h - the loops of cholesky.h by instruction set.
 *
 * Matrices are n x n by rows.  Every element is a chain of fused multiply-adds in the order of its sum, so the result depends neither on
 * the instruction set nor on how the matrix is cut into tiles.  Nothing is allocated, nothing is shared. */
#ifndef GB_MATH_TRIANGLES_H
#define GB_MATH_TRIANGLES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_triangles {
    /** Replace the upper triangle of A by R, A = R'R; what is below is overwritten.  @return false if A is not positive definite */
    bool (*factor)(size_t n, double *a);
    /** x <- R'^{-1} x */
    void (*forward)(size_t n, const double *r, double *x);
    /** x <- R^{-1} x */
    void (*backward)(size_t n, const double *r, double *x);
    /** Replace the upper triangle of R, zeros below, by the upper triangle of R'R. */
    void (*square)(size_t n, double *r);
    /** L <- L B^{-1}, both lower triangular with zeros above; L keeps them. */
    void (*divide)(size_t n, double *l, const double *b);
    /** Replace L, lower triangular with zeros above, by L^{-1}. */
    void (*invert)(size_t n, double *l);
    /** Replace the lower triangle of M, zeros above, by the lower triangle of M'M; what is above is overwritten. */
    void (*square_columns)(size_t n, double *m);
    /** sum += A'A, its upper triangle, for A with n_rows x n by rows; what is below is overwritten. */
    void (*add_products)(size_t n_rows, size_t n, const double *a, double *sum);
} gb_triangles;

extern const gb_triangles gb_triangles_plain, gb_triangles_avx2, gb_triangles_avx512;

#endif
