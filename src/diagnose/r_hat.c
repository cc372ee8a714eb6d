/* diagnose/r_hat.c - do series agree?
 *
 *   W = mean of the variances of the series, B / n = variance of their means        both with the number less 1
 *   R = sqrt( ((n - 1) / n W + B / n) / W )                                         Gelman and Rubin 1992 */
#include "diagnose/series.h"

#include <math.h>

/* A sum of differences, so that the mean of equal numbers is that number. */
static double mean_of(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] - x[0];
    return x[0] + sum / (double)n;
}

static double squares_around(size_t n, const double *x, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

double gb_plain_r_hat(size_t n_series, size_t n, const double *value)
{
    const double mean = mean_of(n_series * n, value);
    double within = 0, between = 0;
    for (size_t s = 0; s < n_series; s++) {
        const double own = mean_of(n, value + s * n);
        within += squares_around(n, value + s * n, own) / (double)(n - 1) / (double)n_series;
        between += (own - mean) * (own - mean) / (double)(n_series - 1);
    }
    return sqrt(between / within + (double)(n - 1) / (double)n);
}
