/* math/ldl_solve_kernel.h - ldl_solve.h, included once per instruction set with GB_LDL_SOLVE_KERNEL naming the table.
 *
 *   L x = b   column by column: x_i -= L_ik x_k, i > k                                                          (1)
 *   L' x = b  from the last on: x_k -= sum_i L_ik x_i                                                           (2)
 *
 * for eight vectors side by side.  Each lane is computed alike, by a product and a difference that are rounded apart: every
 * instruction set gives the same bits. */
#include "math/ldl_solve.h"
#include "math/sparse_ldl.h"
#include "simd/registers.h"

enum { N = GB_LDL_LANES * sizeof(double) / sizeof(longest) };

static void forward(const gb_ldl_columns *l, double *x)
{
    for (int k = 0; k < l->n; k++) {
        longest xk[N];
        for (int j = 0; j < N; j++)
            xk[j] = ((const longest *)x)[(long)k * N + j];
        for (int p = l->start[k]; p < l->start[k + 1]; p++) {
            longest *xi = (longest *)x + (long)l->row[p] * N;
            const double value = l->value[p];
            for (int j = 0; j < N; j++)
                xi[j] -= value * xk[j]; /* (1) */
        }
    }
}

static void backward(const gb_ldl_columns *l, double *x)
{
    for (int k = l->n - 1; k >= 0; k--) {
        longest xk[N];
        for (int j = 0; j < N; j++)
            xk[j] = ((const longest *)x)[(long)k * N + j];
        for (int p = l->start[k]; p < l->start[k + 1]; p++) {
            const longest *xi = (const longest *)x + (long)l->row[p] * N;
            const double value = l->value[p];
            for (int j = 0; j < N; j++)
                xk[j] -= value * xi[j]; /* (2) */
        }
        for (int j = 0; j < N; j++)
            ((longest *)x)[(long)k * N + j] = xk[j];
    }
}

const gb_ldl_solve GB_LDL_SOLVE_KERNEL = {forward, backward};
