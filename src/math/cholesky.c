/* math/cholesky.c - a draw from a normal given its precision, by LAPACK.
 *
 * The serial OpenBLAS of Debian 12 (0.3.21) keeps its work buffers in unguarded global variables: two threads inside it
 * at the same time spoil each other's factor (seen in one to two calls of a hundred, four threads, order 100).  A
 * threaded build would choose its own number of threads, and with it the order of sums.  So calls take turns. */
#include "math/cholesky.h"

#include <cblas.h>
#include <lapacke.h>
#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* guards the library's buffers, not ours */

static bool draw(int order, double *lambda, double *h, const double *e)
{
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, lambda, order) != 0)
        return false;
    /* Lambda = L L':  solve L m = h, add e, solve L' x = m + e */
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, order, lambda, order, h, 1);
    for (int i = 0; i < order; i++)
        h[i] += e[i];
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, order, lambda, order, h, 1);
    return true;
}

bool gb_draw_normal_by_precision(size_t n, double *lambda, double *h, const double *e)
{
    (void)pthread_mutex_lock(&turn);
    const bool drawn = draw((int)n, lambda, h, e);
    (void)pthread_mutex_unlock(&turn);
    return drawn;
}
