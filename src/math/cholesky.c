/* math/cholesky.c - dense linear algebra by LAPACK.
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

/* LAPACK sees matrices by columns: a lower triangle by rows is its upper one. */
static void copy_lower(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a[j * n + i] = a[i * n + j];
}

static void clear_upper(size_t n, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = 0;
}

bool gb_cholesky(size_t n, double *a)
{
    (void)pthread_mutex_lock(&turn);
    const bool is_done = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (int)n, a, (int)n) == 0;
    (void)pthread_mutex_unlock(&turn);
    clear_upper(n, a);
    return is_done;
}

bool gb_cholesky_inverse(size_t n, double *l)
{
    (void)pthread_mutex_lock(&turn);
    const bool is_done = LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', (int)n, l, (int)n) == 0;
    (void)pthread_mutex_unlock(&turn);
    copy_lower(n, l);
    return is_done;
}

void gb_add_products(size_t n_rows, size_t n, const double *a, double *sum)
{
    const int order = (int)n;
    (void)pthread_mutex_lock(&turn);
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, order, (int)n_rows, 1, a, order, 1, sum, order);
    (void)pthread_mutex_unlock(&turn);
}

void gb_divide_triangular(size_t n, double *l, const double *b)
{
    const int order = (int)n;
    (void)pthread_mutex_lock(&turn);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, order, order, 1, b, order, l,
                order);
    (void)pthread_mutex_unlock(&turn);
    clear_upper(n, l);
}

void gb_multiply_triangular(size_t n, const double *l, double *product)
{
    const int order = (int)n;
    (void)pthread_mutex_lock(&turn);
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, order, order, 1, l, order, 0, product, order);
    (void)pthread_mutex_unlock(&turn);
    copy_lower(n, product);
}
