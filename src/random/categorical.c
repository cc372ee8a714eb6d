/* random/categorical.c - an index with probability proportional to its weight, by the cumulative sum.
 *
 *   The draw is the first i with  U sum_j w_j < w_0 + ... + w_i.
 *
 *   Cost: one uniform and two passes over the weights.
 *   A cell of weight 0 is never returned: not by the search, which needs the cumulative sum to grow, and not
 *   when rounding carries it past the end, where the last positive cell is the answer. */
#include "random/random.h"

size_t gb_random_categorical(gb_random *r, size_t n, const double *weight)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight[i];
    double target = gb_random_uniform(r) * sum;
    double cumulative = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        cumulative += weight[i];
        if (target < cumulative)
            return i;
        if (weight[i] > 0)
            last = i;
    }
    return last;
}
