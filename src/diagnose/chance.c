/* diagnose/chance.c - which R-hat is more than chance.
 *
 * Of independent normal draws in m series of n (the split chains),
 *
 *   B / W ~ F(m - 1, m (n - 1)),    R^2 = (n - 1) / n + (B / W) / n                                   (1)
 *
 * and within chains, where B is a mean over m / 2 pairs, B / W ~ F(m / 2, m (n - 1)).
 *
 * With ten draws a fixed limit such as 1.01 or 1.05 would be passed by chance most of the time.  The limit is the value that
 * (1) passes with probability 0.01, shared out evenly among the numbers that are looked at, or 1.05 if that is more:
 * what is below 1.05 does not matter in practice.  R-hat is the larger one of two, folded and not, which doubles the
 * probability at most. */
#include "diagnose/chance.h"

#include "math/special.h"

#include <math.h>

static const double PROBABILITY = 0.01, LEAST_LIMIT = 1.05;

/* P(F > x) for a, b degrees of freedom: I_{b / (b + a x)}(b / 2, a / 2). */
static double upper_tail(double a, double b, double x)
{
    const double total = b + a * x;
    return gb_beta_distribution(0.5 * b, 0.5 * a, log(b / total), log(a * x / total));
}

/* By bisection of log x. */
static double upper_quantile(double a, double b, double p)
{
    double low = -20, high = 60;
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (upper_tail(a, b, exp(middle)) > p)
            low = middle;
        else
            high = middle;
    }
    return exp(high);
}

/* (1) with `freedom` in place of m - 1. */
static double limit_of(double freedom, size_t n_chains, size_t n_draws, size_t n_numbers)
{
    const size_t half = n_draws / 2;
    const double m = 2 * (double)n_chains, n = (double)half;
    if (n_draws < 4 || n_numbers == 0)
        return INFINITY;
    const double f = upper_quantile(freedom, m * (n - 1), PROBABILITY / (double)n_numbers);
    return fmax(LEAST_LIMIT, sqrt((n - 1) / n + f / n));
}

double gb_r_hat_limit(size_t n_chains, size_t n_draws, size_t n_numbers)
{
    return limit_of(2 * (double)n_chains - 1, n_chains, n_draws, n_numbers);
}

double gb_r_hat_within_limit(size_t n_chains, size_t n_draws, size_t n_numbers)
{
    return limit_of((double)n_chains, n_chains, n_draws, n_numbers);
}

double gb_most_errors(size_t n_numbers)
{
    const double beyond_three = gb_erfc(3 / sqrt(2));
    return gb_normal_quantile(1 - beyond_three / 2 / (double)n_numbers);
}
