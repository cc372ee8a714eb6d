/* random/polya_gamma.c - the Polya-Gamma law PG(b, z) for every real b > 0 and real z.
 *
 *   X = sum over k >= 1 of g_k / d_k,   d_k = 2 pi^2 (k - 1/2)^2 + z^2 / 2,   g_k ~ Gamma(b, 1)            (1)
 *   E exp(-t X) = (cosh(z / 2) / cosh(s))^b,   s^2 = z^2 / 4 + t / 2
 *   PG(b, z) is the sum of n independent PG(b / n, z).                                                    (2)
 *
 *   Rejection.  Expanding cosh(s)^-b = 2^b exp(-b s) (1 + exp(-2 s))^-b in powers of exp(-2 s) gives the density
 *   of J = 4 X as a multiple of
 *       x^(-3/2) exp(-b^2 / (2 x) - z^2 x / 8) S(x),   S = 1 - c_1 + c_2 - ...                             (3)
 *       c_n = b (b + 1) ... (b + n - 1) / n! (2 n + b) / b exp(-2 n (n + b) / x),   c_0 = 1
 *   Without S this is b^2 times the inverse Gaussian law with mean 2 / (b |z|), shape 1.  Draw from that and
 *   accept with probability S(x).
 *   - S <= 1: put p = exp(-s) / (2 cosh s), 1 - p = exp(s) / (2 cosh s), b = m + f, m whole, 0 <= f < 1.  What is
 *     rejected has the transform exp(-b s) (1 - (1 - p)^b), and
 *         1 - (1 - p)^b = p (1 + (1 - p) + ... + (1 - p)^(m - 1)) + (1 - p)^m (1 - (1 - p)^f),
 *     the last factor a series in p with positive coefficients.  Every product, such as
 *     exp(-b s) (1 - p)^m = exp(-f s) (2 cosh s)^-m, is the transform of a positive law.
 *   - c_{n+1} / c_n decreases in n, so from the first ratio under 1 on the partial sums enclose S and a uniform
 *     number is compared with S exactly, after a few terms.
 *   - The probability to accept is (1 + exp(-|z|))^-b.  So (2) with n = ceil(b exp(-|z|)) keeps it above 1/e;
 *     for b = 1 it is 1/2 at z = 0 and rises to 1 with |z|.
 *
 *   Series.  When that n is large, |z| is small beside log b: the first HEAD_TERMS terms of (1) are drawn and the
 *   rest is replaced by one inverse Gaussian draw with the exact mean and variance of the rest,
 *       mean X = b tanh(|z|/2) / (2 |z|),   var X = b (2 tanh(|z|/2) - |z| / cosh^2(z/2)) / (4 |z|^3)      (4)
 *   less the sums of b / d_k and b / d_k^2.  This part alone is not exact.  It is first wrong in the third
 *   cumulant: by a factor 1.6e-6 of that of X at z = 0, and the skewness of X is wrong by less than 8e-6
 *   wherever the series is used (2.2e-6 at b = 2, z = 0; less for larger b), its distribution function by about
 *   5e-7.  To see that takes 10^12 draws.  (A gamma tail would be 2.7 times worse at z = 0: cumulants of the
 *   rest satisfy k_3 k_1 / k_2^2 -> 3.6, an inverse Gaussian has 3, a gamma 2; for large |z| the ratio is 3.)
 *
 *   (1), (2): Polson, Scott & Windle 2013, JASA 108.  (3) for z = 0: Biane, Pitman & Yor 2001, Bull. AMS 38;
 *   comparing with partial sums: Devroye 2009, Statistics & Probability Letters 79.
 *   Cost: one inverse Gaussian, a uniform and one or two exponentials per proposal, at most MAX_PIECES e proposals
 *   on average; or HEAD_TERMS gammas, one inverse Gaussian and one exponential.
 *   z = 0: the proposal has infinite mean, b^2 / N^2.  Neither part overflows for large |z|: only exp(-|z|) occurs.
 *   b < 1e-154: draws underflow to 0. */
#include "random/random.h"

#include <math.h>
#include <stdbool.h>

enum { MAX_PIECES = 2, HEAD_TERMS = 3 };

/* True with probability S(x), (3). */
static bool accept(gb_random *r, double b, double x)
{
    if (x > 40 + 8 * b) /* S < 2^-53, the smallest uniform number */
        return false;
    double u = gb_random_uniform(r);
    double decay = exp(-2 * (1 + b) / x);
    double c = (b + 2) * decay;
    double sum = 1 - c;
    if (u <= sum)
        return true;
    double step = exp(-4 / x);
    bool sum_is_above = true;
    for (double n = 1;; n++) {
        decay *= step;
        double ratio = (n + b) * (2 * n + 2 + b) / ((n + 1) * (2 * n + b)) * decay;
        c *= ratio;
        sum += sum_is_above ? c : -c;
        if (ratio <= 1 && (u <= sum) != sum_is_above)
            return !sum_is_above;
        sum_is_above = !sum_is_above;
    }
}

static double by_rejection(gb_random *r, double b, double z)
{
    double mean = z > 0 ? 2 / (b * z) : INFINITY;
    double x;
    do
        x = b * b * gb_random_inverse_gaussian(r, mean);
    while (!accept(r, b, x));
    return 0.25 * x;
}

/* (4) for b = 1; z >= 0, e = exp(-z). */
static void moments(double z, double e, double *mean, double *variance)
{
    if (z < 0.1) { /* the closed forms lose digits: Taylor series in q = (z / 2)^2 */
        double q = 0.25 * z * z;
        *mean = (1 - q * (1.0 / 3 - q * (2.0 / 15 - q * (17.0 / 315 - q * (62.0 / 2835))))) / 4;
        *variance = (2.0 / 3 - q * (8.0 / 15 - q * (34.0 / 105 - q * (496.0 / 2835 - q * (2764.0 / 31185))))) / 16;
        return;
    }
    double tanh_half = (1 - e) / (1 + e);
    double inverse_cosh_square = 4 * e / ((1 + e) * (1 + e));
    *mean = tanh_half / (2 * z);
    *variance = (2 * tanh_half - z * inverse_cosh_square) / (4 * z * z * z);
}

static double by_series(gb_random *r, double b, double z, double e)
{
    const double two_pi_square = 19.739208802178717238;
    double mean, variance;
    moments(z, e, &mean, &variance);
    double sum = 0;
    for (int k = 1; k <= HEAD_TERMS; k++) {
        double weight = 1 / (two_pi_square * (k - 0.5) * (k - 0.5) + 0.5 * z * z); /* 1 / d_k */
        sum += weight * gb_random_gamma(r, b);
        mean -= weight;
        variance -= weight * weight;
    }
    /* The rest has mean b m and variance b v: inverse Gaussian with shape b^2 m^3 / v. */
    double shape = b * b * mean * mean * mean / variance;
    return sum + shape * gb_random_inverse_gaussian(r, variance / (b * mean * mean));
}

double gb_random_polya_gamma(gb_random *r, double b, double z)
{
    if (isnan(b) || isnan(z))
        return NAN;
    z = fabs(z);
    if (b <= 1)
        return by_rejection(r, b, z);
    double e = exp(-z);
    double pieces = fmax(1, ceil(b * e));
    if (pieces > MAX_PIECES)
        return by_series(r, b, z, e);
    double sum = 0;
    for (double i = 0; i < pieces; i++)
        sum += by_rejection(r, b / pieces, z);
    return sum;
}
