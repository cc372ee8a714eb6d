/* math/cholesky.c - a draw from a normal given its precision, by LAPACK. */
#include "math/cholesky.h"

#include <cblas.h>
#include <lapacke.h>

bool gb_draw_normal_by_precision(size_t n, double *lambda, double *h, const double *e)
{
    const int order = (int)n;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, lambda, order) != 0)
        return false;
    /* Lambda = L L':  solve L m = h, add e, solve L' x = m + e */
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, order, lambda, order, h, 1);
    for (size_t i = 0; i < n; i++)
        h[i] += e[i];
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, order, lambda, order, h, 1);
    return true;
}
