/* random/dirichlet.c - the Dirichlet law: gamma draws divided by their sum.
 *
 *   g_i ~ Gamma(a_i, 1) independent,  out_i = g_i / sum_j g_j = exp(l_i - m) / sum_j exp(l_j - m),
 *   l = log g,  m = max l.
 *
 *   Cost: one log-gamma draw and one exponential per cell.
 *   With small a all gammas may underflow at once; the largest logarithm never does, so the sum is at least 1
 *   and no cell becomes NaN.  A single cell may still round to 0 beside a far larger one. */
#include "random/random.h"

#include <math.h>

void gb_random_dirichlet(gb_random *r, size_t n, const double *a, double *out)
{
    double max = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        out[i] = gb_random_log_gamma(r, a[i]);
        if (out[i] > max)
            max = out[i];
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = exp(out[i] - max);
        sum += out[i];
    }
    for (size_t i = 0; i < n; i++)
        out[i] /= sum;
}
