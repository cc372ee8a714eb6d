/* diagnose/r_hat.c - do series agree?
 *
 *   W = mean of the variances of the series, B / n = variance of their means        both with the number less 1
 *   R = sqrt( ((n - 1) / n W + B / n) / W )                                         Gelman and Rubin 1992
 *
 * Within chains, B / n is the mean over the chains of the variance of the means of two halves.  For one chain it is the same. */
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

/* W */
static double variance_within(size_t n_series, size_t n, const double *value)
{
    double sum = 0;
    for (size_t s = 0; s < n_series; s++)
        sum += squares_around(n, value + s * n, mean_of(n, value + s * n)) / (double)(n - 1) / (double)n_series;
    return sum;
}

static double ratio_of(double between, double within, size_t n)
{
    return sqrt(between / within + (double)(n - 1) / (double)n);
}

double gb_plain_r_hat(size_t n_series, size_t n, const double *value)
{
    const double mean = mean_of(n_series * n, value);
    double between = 0;
    for (size_t s = 0; s < n_series; s++) {
        const double far = mean_of(n, value + s * n) - mean;
        between += far * far / (double)(n_series - 1);
    }
    return ratio_of(between, variance_within(n_series, n, value), n);
}

double gb_halves_r_hat(size_t n_series, size_t n, const double *value)
{
    const size_t n_pairs = n_series / 2;
    double between = 0;
    for (size_t s = 0; s + 1 < n_series; s += 2) {
        const double apart = mean_of(n, value + s * n) - mean_of(n, value + (s + 1) * n);
        between += apart * apart / 2 / (double)n_pairs;
    }
    return ratio_of(between, variance_within(n_series, n, value), n);
}
