/* evaluation/number_scores.c - how good predicted numbers are. */
#include "evaluation/number_scores.h"

#include <math.h>

/* Mean and spread of the targets grow by Welford's recurrence (1962, Technometrics 4), which, unlike the difference
 * of sum y^2 and n ybar^2, keeps its digits when the mean is large beside the spread:
 *
 *     ybar_n = ybar_{n-1} + (y_n - ybar_{n-1}) / n,    S_n = S_{n-1} + (y_n - ybar_{n-1}) (y_n - ybar_n) */
void gb_number_scores_add(gb_number_scores *s, double target, double predicted, double low, double high,
                          uint64_t weight)
{
    const double error = target - predicted, from_mean = target - s->mean, w = (double)weight;
    s->n += weight;
    s->mean += from_mean * w / (double)s->n;
    s->spread += w * from_mean * (target - s->mean);
    s->squared_error += w * error * error;
    s->absolute_error += w * fabs(error);
    s->n_intervals += !isnan(low) && !isnan(high) ? weight : 0;
    s->n_inside += low <= target && target <= high ? weight : 0;
}

gb_number_summary gb_number_scores_summary(const gb_number_scores *s)
{
    const double n = (double)s->n;
    gb_number_summary r = {s->n, NAN, NAN, NAN, NAN};
    if (s->n == 0)
        return r;
    if (s->spread > 0)
        r.r2 = 1 - s->squared_error / s->spread;
    r.mae = s->absolute_error / n;
    r.rmse = sqrt(s->squared_error / n);
    if (s->n_intervals == s->n)
        r.coverage = (double)s->n_inside / n;
    return r;
}
