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
 *   rest is replaced by a constant and one inverse Gaussian draw, with the exact first three cumulants of the rest: those
 *   of X, with q = |z| / 2, T = tanh q, S = 1 / cosh^2 q,
 *       k_1 = b T / (4 q),   k_2 = b (T - q S) / (16 q^3),   k_3 = b (3 T - 3 q S - 2 q^2 T S) / (64 q^5)   (4)
 *   less the sums of b / d_k, b / d_k^2 and 2 b / d_k^3.  An inverse Gaussian law has k_3 k_1 / k_2^2 = 3, the rest
 *   has 3.49 at z = 0 and less, but more than 3, for larger |z|: so the constant k_1 - 3 k_2^2 / k_3 is positive.
 *   This part alone is not exact, from the fourth cumulant on.  By inversion of both characteristic functions the
 *   distribution function of X is wrong by less than 1e-7 at b = 2, z = 0, by 4e-10 at b = 8 and by 5e-12 at
 *   b = 256; for z as large as the series is used for, by less than 1e-9 from b = 8 on.  To see the largest of
 *   these takes 10^14 draws.
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

typedef struct cumulants {
    double first, second, third;
} cumulants;

/* (4) for b = 1; z >= 0, e = exp(-z). */
static cumulants cumulants_of(double z, double e)
{
    const double q = 0.5 * z, square = q * q;
    if (z < 0.1) { /* the closed forms lose digits: Taylor series */
        const double x = square;
        return (cumulants){(1 - x * (1.0 / 3 - x * (2.0 / 15 - x * (17.0 / 315 - x * (62.0 / 2835))))) / 4,
                           (2.0 / 3 - x * (8.0 / 15 - x * (34.0 / 105 - x * (496.0 / 2835 - x * (2764.0 / 31185))))) /
                               16,
                           (2.0 / 15 - x * (17.0 / 105 - x * (124.0 / 945 - x * (2764.0 / 31185)))) / 8};
    }
    const double tanh_q = (1 - e) / (1 + e);
    const double inverse_cosh_square = 4 * e / ((1 + e) * (1 + e));
    const double difference = tanh_q - q * inverse_cosh_square, cube = square * q;
    return (cumulants){tanh_q / (4 * q), difference / (16 * cube),
                       (3 * difference - 2 * square * tanh_q * inverse_cosh_square) / (64 * cube * square)};
}

static double by_series(gb_random *r, double b, double z, double e)
{
    const double two_pi_square = 19.739208802178717238;
    cumulants rest = cumulants_of(z, e);
    double sum = 0;
    for (int k = 1; k <= HEAD_TERMS; k++) {
        double weight = 1 / (two_pi_square * (k - 0.5) * (k - 0.5) + 0.5 * z * z); /* 1 / d_k */
        sum += weight * gb_random_gamma(r, b);
        rest.first -= weight;
        rest.second -= weight * weight;
        rest.third -= 2 * weight * weight * weight;
    }
    /* Mean b m and variance b v of the inverse Gaussian part: its shape is b^2 m^3 / v. */
    const double v = rest.second, m = fmin(3 * v * v / rest.third, rest.first);
    const double shape = b * b * m * m * m / v;
    return sum + b * (rest.first - m) + shape * gb_random_inverse_gaussian(r, v / (b * m * m));
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
