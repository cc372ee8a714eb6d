/* math/special.c - the special functions that the models need beyond libm.
 *
 *   digamma(x) = digamma(x + 1) - 1 / x                                                        (1)
 *              ~ log x - 1 / (2 x) - sum over n of B_2n / (2 n x^(2 n))                        (2)
 *   (1) carries x to at least 10, where the eight terms of (2) used leave an error under 1e-17.
 *
 *   log Phi(x) = -x^2 / 2 - log(2 pi) / 2 - log(t + 1 / (t + 2 / (t + 3 / ...))),  t = -x             (3)
 *   is used for x < -20, where twelve levels are enough.
 *
 *   I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) / (1 + d_1 / (1 + d_2 / (1 + ...))),                       (4)
 *       d_2m = m (b - m) x / ((a + 2 m - 1) (a + 2 m))
 *       d_2m+1 = -(a + m) (a + b + m) x / ((a + 2 m) (a + 2 m + 1))
 *   is used for x <= (a + 1) / (a + b + 2), and I_x(a, b) = 1 - I_1-x(b, a) beyond.
 *
 *   (1), (2): Abramowitz & Stegun 6.3.5, 6.3.18.  (3): the same, 26.2.14.  (4): the same, 26.5.8, by the method of
 *   Lentz 1976, Applied Optics 15.
 *   Absolute error of digamma about 1e-15 times the larger of 1 and its value; relative error of I_x(a, b) about
 *   1e-16 (a + b) log(a + b), from the logarithm of B(a, b). */
#include "math/special.h"

#include <math.h>

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
    const int n_levels = 12;
    if (x >= 0)
        return log1p(-0.5 * gb_erfc(x * M_SQRT1_2));
    if (!(x < -20))
        return log(0.5 * gb_erfc(-x * M_SQRT1_2));
    double fraction = -x;
    for (int k = n_levels; k > 0; k--)
        fraction = -x + k / fraction; /* (3) */
    return -0.5 * x * x - 0.5 * GB_LOG_2PI - log(fraction);
}

/* By the upper tails Q of the side where the interval lies; where both underflow, log Q(low) + log(1 - Q(high) / Q(low)). */
double gb_log_normal_interval(double low, double high)
{
    const double near = low + high < 0 ? -high : low, far = low + high < 0 ? -low : high;
    const double p = 0.5 * (gb_erfc(near * M_SQRT1_2) - gb_erfc(far * M_SQRT1_2));
    if (p > 1e-280)
        return log(p);
    const double log_near = gb_log_normal_cdf(-near);
    return log_near + log(-expm1(gb_log_normal_cdf(-far) - log_near));
}

/* Of the lower half, p <= 1/2, where the distribution function keeps its digits: a start that is right to 5e-4 (Abramowitz and
 * Stegun 26.2.23), then Halley's method, which triples the digits at each step. */
static double lower_quantile(double p)
{
    const double sqrt_2pi = 2.50662827463100050242, t = sqrt(-2 * log(p));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int i = 0; i < 3; i++) {
        const double u = (0.5 * gb_erfc(-x * M_SQRT1_2) - p) * sqrt_2pi * exp(0.5 * x * x);
        x -= u / (1 + 0.5 * x * u);
    }
    return x;
}

double gb_normal_quantile(double p)
{
    if (p <= 0 || p >= 1)
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

/* (4); x is small enough for the fraction to converge fast. */
static double beta_fraction(double a, double b, double log_x, double log_rest)
{
    const double x = exp(log_x);
    double c = 1, d = 0, product = 1, change = 0;
    for (double m = 0; fabs(change - 1) > 1e-15; m++) {
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        product *= c * d;
        const double even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2)); /* d_2(m+1) */
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        change = c * d;
        product *= change;
    }
    return exp(a * log_x + b * log_rest + gb_log_gamma(a + b) - gb_log_gamma(a) - gb_log_gamma(b)) / (a * product);
}

double gb_beta_distribution(double a, double b, double log_x, double log_rest)
{
    const double p = exp(log_x) <= (a + 1) / (a + b + 2) ? beta_fraction(a, b, log_x, log_rest)
                                                         : 1 - beta_fraction(b, a, log_rest, log_x);
    return p > 1 ? 1 : p < 0 ? 0 : p;
}
