/* diagnose/normal_scores.c - numbers by their ranks, on the scale of a normal distribution.
 *
 *   score = Phi^-1( (rank - 3/8) / (N + 1/4) )       Blom 1958; ranks from 1
 *
 * so that diagnostics exist for numbers without a mean or variance, and do not depend on the scale. */
#include "diagnose/series.h"

#include "math/special.h"

static double score_of_rank(double rank, size_t n)
{
    return gb_normal_quantile((rank - 0.375) / ((double)n + 0.25));
}

void gb_normal_scores_of_ranks(size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = score_of_rank((double)(i + 1), n);
}

void gb_normal_scores(size_t n, const gb_ranked *sorted, const double *of_rank, double *score)
{
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && !(sorted[end].value > sorted[first].value);)
            end++;
        const size_t twice = first + 1 + end; /* the mean rank of equal numbers */
        const double s = twice % 2 == 0 ? of_rank[twice / 2 - 1] : score_of_rank(0.5 * (double)twice, n);
        for (size_t i = first; i < end; i++)
            score[sorted[i].at] = s;
    }
}
