/* diagnose/normal_scores.c - numbers by their ranks, on the scale of a normal distribution.
 *
 *   score = Phi^-1( (rank - 3/8) / (N + 1/4) )       Blom 1958; ranks from 1
 *
 * so that diagnostics exist for numbers without a mean or variance, and do not depend on the scale. */
#include "diagnose/series.h"

#include "base/memory.h"
#include "math/special.h"

#include <stdlib.h>

typedef struct ranked {
    double value;
    size_t at;
} ranked;

static int ascending(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

gb_status gb_normal_scores(size_t n, const double *value, double *score, gb_error *err)
{
    ranked *r;
    gb_status st = gb_alloc(&r, n, sizeof *r, "the ranks of draws", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < n; i++)
        r[i] = (ranked){value[i], i};
    qsort(r, n, sizeof *r, ascending);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && !(r[end].value > r[first].value);)
            end++;
        const double rank = 0.5 * (double)(first + 1 + end);
        const double score_of_equals = gb_normal_quantile((rank - 0.375) / ((double)n + 0.25));
        for (size_t i = first; i < end; i++)
            score[r[i].at] = score_of_equals;
    }
    gb_free(r);
    return st;
}
