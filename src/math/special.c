/* math/special.c - the special functions that the models need beyond libm.
 *
 *   digamma(x) = digamma(x + 1) - 1 / x                                                        (1)
 *              ~ log x - 1 / (2 x) - sum over n of B_2n / (2 n x^(2 n))                        (2)
 *   (1) carries x to at least 10, where the eight terms of (2) used leave an error under 1e-17.
 *
 *   log Phi(x) = -x^2 / 2 - log(2 pi) / 2 - log(t + 1 / (t + 2 / (t + 3 / ...))),  t = -x             (3)
 *   is used for x < -20, where twelve levels are enough.
 *
 *   (1), (2): Abramowitz & Stegun 6.3.5, 6.3.18.  (3): the same, 26.2.14.
 *   Absolute error of digamma about 1e-15 times the larger of 1 and its value. */
#include "math/special.h"

#include <math.h>

double gb_log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

double gb_digamma(double x)
{
    /* B_2n / (2 n), n = 1..8 */
    static const double coefficient[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                         1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
    const int n_terms = sizeof coefficient / sizeof coefficient[0];
    double shift = 0;
    if (!(x > 0))
        return NAN;
    for (; x < 10; x++)
        shift += 1 / x; /* (1) */
    double inverse_square = 1 / (x * x);
    double sum = 0;
    for (int n = n_terms - 1; n >= 0; n--)
        sum = (sum + coefficient[n]) * inverse_square; /* (2) */
    return log(x) - 0.5 / x - sum - shift;
}

double gb_log_sum_exp(size_t n, const double *x)
{
    double max = -INFINITY;
    for (size_t i = 0; i < n; i++)
        max = fmax(max, x[i]);
    if (isinf(max)) /* no term, all terms zero, or one infinite */
        return max;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += exp(x[i] - max);
    return max + log(sum);
}

double gb_log1p_exp(double x)
{
    return fmax(x, 0) + log1p(exp(-fabs(x)));
}

double gb_sigmoid(double x)
{
    if (x >= 0)
        return 1 / (1 + exp(-x));
    double e = exp(x);
    return e / (1 + e);
}

double gb_log_sigmoid(double x)
{
    return -gb_log1p_exp(-x);
}

double gb_log_normal_cdf(double x)
{
    const double half_log_2pi = 0.91893853320467274178;
    const int n_levels = 12;
    if (x >= 0)
        return log1p(-0.5 * erfc(x * M_SQRT1_2));
    if (!(x < -20))
        return log(0.5 * erfc(-x * M_SQRT1_2));
    double fraction = -x;
    for (int k = n_levels; k > 0; k--)
        fraction = -x + k / fraction; /* (3) */
    return -0.5 * x * x - half_log_2pi - log(fraction);
}
