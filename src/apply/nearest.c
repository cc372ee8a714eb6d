/* apply/nearest.c - documents that have the same topics. */
#include "apply/nearest.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Into the best so far, which are in falling order; of equal ones the first stays before. */
static void insert(uint64_t n_best, uint64_t *n_found, uint64_t row, double value, uint64_t *best, double *affinity)
{
    if (*n_found == n_best && !(value > affinity[n_best - 1]))
        return;
    uint64_t i = *n_found < n_best ? (*n_found)++ : n_best - 1;
    for (; i > 0 && affinity[i - 1] < value; i--) {
        affinity[i] = affinity[i - 1];
        best[i] = best[i - 1];
    }
    affinity[i] = value;
    best[i] = row;
}

gb_status gb_nearest_documents(uint64_t n_topics, uint64_t n, const double *share, uint64_t n_other,
                               const double *other, uint64_t n_best, uint64_t *best, double *affinity, gb_error *err)
{
    gb_status st;
    double *root = NULL;
    if (n_best == 0 || n_best > n_other)
        return gb_fail(err, GB_EARGUMENT, "the %llu nearest of %llu documents", (unsigned long long)n_best,
                       (unsigned long long)n_other);
    GB_TRY(gb_alloc(&root, n_other * n_topics, sizeof *root, "shares of topics", err));
    for (uint64_t i = 0; i < n_other * n_topics; i++)
        root[i] = sqrt(other[i]);
    for (uint64_t d = 0; d < n; d++) {
        uint64_t n_found = 0;
        for (uint64_t j = 0; j < n_other; j++) {
            double sum = 0;
            for (uint64_t k = 0; k < n_topics; k++)
                sum += sqrt(share[d * n_topics + k]) * root[j * n_topics + k];
            insert(n_best, &n_found, j, sum, best + d * n_best, affinity + d * n_best);
        }
    }
done:
    gb_free(root);
    return st;
}
