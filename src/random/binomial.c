/* random/binomial.c - the binomial law: successes among n trials with probability p each.
 *
 *   p(k) = n! / (k! (n - k)!) p^k q^(n - k),  q = 1 - p;  for p > 1/2 failures are drawn, so let p <= 1/2
 *   n p < 10: the smallest k with U < p(0) + ... + p(k).
 *   n p >= 10: transformed rejection.  With U uniform on (-1/2, 1/2) and s = 1/2 - |U|,
 *       k = floor((2 a / s + b) U + n p + 1/2)
 *   is accepted when  V < p(k) / p(mode) (a / s^2 + b) / scale,  V uniform on (0, 1)                    (1)
 *   and at once, without p(k), in a rectangle that lies inside (1).
 *   For 0 < k < n, log p(k) is a sum of small terms: with Stirling's remainder r(k) = log k! - log(sqrt(2 pi k) (k / e)^k),
 *       r(n) - r(k) - r(n - k) - D(k, n p) - D(n - k, n q) + log(n / (2 pi k (n - k))) / 2,
 *       D(x, m) = x log(x / m) + m - x                                                                 (2)
 *
 *   (1): Hoermann 1993, Journal of Statistical Computation and Simulation 46, algorithm BTRS, with its constants.
 *   (2): Loader 2000, Fast and accurate computation of binomial probabilities.
 *   Cost: n p < 10: about n p steps; else two uniforms, 1.15 to 1.5 times.  More than 2^53 trials give draws on the grid of doubles. */
#include "math/special.h"
#include "random/random.h"

#include <math.h>

static uint64_t by_inversion(gb_random *r, uint64_t n, double p)
{
    /* Beyond this k the probability left is under 2^-64 for every n p < 10; rounding alone could get there. */
    const uint64_t limit = n < 64 ? n : 64;
    const double odds = p / (1 - p), u = gb_random_uniform(r);
    double mass = exp((double)n * log1p(-p)), sum = mass;
    uint64_t k = 0;
    while (u >= sum && k < limit) {
        mass *= (double)(n - k) / (double)(k + 1) * odds;
        sum += mass;
        k++;
    }
    return k;
}

/* r(k) for whole k > 0. */
static double remainder_of(double k)
{
    if (k < 10) {
        double product = 1;
        for (double i = 2; i <= k; i++)
            product *= i;
        return log(product) - (0.5 * (GB_LOG_2PI + log(k)) + k * log(k) - k);
    }
    const double inverse = 1 / k, square = inverse * inverse;
    return inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
}

static double deviance(double x, double mean)
{
    const double excess = (x - mean) / mean;
    return mean * ((1 + excess) * log1p(excess) - excess);
}

/* (2), and the ends. */
static double log_probability(double k, double n, double p)
{
    if (k <= 0)
        return n * log1p(-p);
    if (k >= n)
        return n * log(p);
    return remainder_of(n) - remainder_of(k) - remainder_of(n - k) - deviance(k, n * p) -
           deviance(n - k, n * (1 - p)) + 0.5 * (log(n / k / (n - k)) - GB_LOG_2PI);
}

static uint64_t by_rejection(gb_random *r, uint64_t trials, double p)
{
    const double n = (double)trials, spread = sqrt(n * p * (1 - p));
    const double b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double scale = (2.83 + 5.1 / b) * spread, height = 0.92 - 4.2 / b;
    const double log_mode = log_probability(floor((n + 1) * p), n, p);
    for (;;) {
        const double u = gb_random_uniform(r) - 0.5;
        const double v = gb_random_uniform(r);
        const double s = 0.5 - fabs(u), k = floor((2 * a / s + b) * u + n * p + 0.5);
        if (k < 0 || k > n)
            continue;
        if ((s >= 0.07 && v <= height) ||
            log(v * scale / (a / (s * s) + b)) <= log_probability(k, n, p) - log_mode) /* (1) */
            return k < n ? (uint64_t)k : trials;
    }
}

uint64_t gb_random_binomial(gb_random *r, uint64_t n, double p)
{
    if (n == 0 || !(p > 0))
        return 0;
    if (p >= 1)
        return n;
    const double least = p <= 0.5 ? p : 1 - p;
    const uint64_t k = (double)n * least < 10 ? by_inversion(r, n, least) : by_rejection(r, n, least);
    return p <= 0.5 ? k : n - k;
}
