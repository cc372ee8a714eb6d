/* math/ldl_solve_kernel.h - ldl_solve.h, included once per instruction set with GB_LDL_SOLVE_KERNEL naming the table.
 *
 *   L x = b   column by column: x_i -= L_ik x_k, i > k                                                          (1)
 *   L' x = b  from the last on: x_k -= sum_i L_ik x_i                                                           (2)
 *
 * for eight vectors side by side.  Each lane is computed alike, by a product and a difference that are rounded apart: every
 * instruction set gives the same bits. */
#include "math/ldl_solve.h"
#include "math/sparse_ldl.h"

#if defined(__AVX512F__)
typedef double vector __attribute__((vector_size(64), aligned(64), may_alias));
#elif defined(__AVX__)
typedef double vector __attribute__((vector_size(32), aligned(32), may_alias));
#else
typedef double vector __attribute__((vector_size(16), aligned(16), may_alias));
#endif
enum { N = GB_LDL_LANES * sizeof(double) / sizeof(vector) };

static void forward(const gb_ldl_columns *l, double *x)
{
    for (int k = 0; k < l->n; k++) {
        vector xk[N];
        for (int j = 0; j < N; j++)
            xk[j] = ((const vector *)x)[(long)k * N + j];
        for (int p = l->start[k]; p < l->start[k + 1]; p++) {
            vector *xi = (vector *)x + (long)l->row[p] * N;
            const double value = l->value[p];
            for (int j = 0; j < N; j++)
                xi[j] -= value * xk[j]; /* (1) */
        }
    }
}

static void backward(const gb_ldl_columns *l, double *x)
{
    for (int k = l->n - 1; k >= 0; k--) {
        vector xk[N];
        for (int j = 0; j < N; j++)
            xk[j] = ((const vector *)x)[(long)k * N + j];
        for (int p = l->start[k]; p < l->start[k + 1]; p++) {
            const vector *xi = (const vector *)x + (long)l->row[p] * N;
            const double value = l->value[p];
            for (int j = 0; j < N; j++)
                xk[j] -= value * xi[j]; /* (2) */
        }
        for (int j = 0; j < N; j++)
            ((vector *)x)[(long)k * N + j] = xk[j];
    }
}

const gb_ldl_solve GB_LDL_SOLVE_KERNEL = {forward, backward};
