/* random/poisson.c - the Poisson law with any mean m >= 0.
 *
 *   p(k) = m^k exp(-m) / k!
 *   m < 10: the smallest k with U < p(0) + ... + p(k).
 *   m >= 10: transformed rejection.  With U uniform on (-1/2, 1/2) and s = 1/2 - |U|,
 *       k = floor((2 a / s + b) U + m + 0.43)
 *   is accepted when  V < p(k) (a / s^2 + b) / scale,  V uniform on (0, 1)                             (1)
 *   and at once, without p(k), in a rectangle that lies inside (1).
 *   For large k, log p(k) = -log(2 pi k) / 2 - remainder(k) - (k log(k / m) + m - k), with Stirling's
 * remainder 1 / (12 k) - ...: a sum of small terms, where m^k and k! would cancel and leave no digits. (2)
 *
 *   (1): Hoermann 1993, Insurance: Mathematics and Economics 12, algorithm PTRS, with its constants.
 *   (2): Loader 2000, Fast and accurate computation of binomial probabilities.
 *   Cost: m < 10: about m steps; else two uniforms, 1.1 to 1.4 times.
 *   Means beyond 2^53 give draws on the grid of doubles, and draws beyond 2^64 - 1 that value. */
#include "math/special.h"
#include "random/random.h"

#include <math.h>

static uint64_t by_inversion(gb_random *r, double mean)
{
    /* Beyond this k the probability left is under 2^-64 for every mean < 10; rounding alone could get there.
     */
    const uint64_t limit = 64;
    double u = gb_random_uniform(r);
    double p = exp(-mean);
    double sum = p;
    uint64_t k = 0;
    while (u >= sum && k < limit) {
        k++;
        p *= mean / (double)k;
        sum += p;
    }
    return k;
}

/* log p(k) for whole k >= 0 and mean >= 10, (2). */
static double log_probability(double k, double mean)
{
    if (k < 10) {
        double p = 1;
        for (double i = 1; i <= k; i++)
            p *= mean / i;
        return log(p) - mean;
    }
    double inverse = 1 / k;
    double square = inverse * inverse;
    double remainder = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
    double excess = (k - mean) / mean;
    double deviance = mean * ((1 + excess) * log1p(excess) - excess);
    return -0.5 * GB_LOG_2PI - 0.5 * log(k) - remainder - deviance;
}

static uint64_t by_rejection(gb_random *r, double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean);
    double a = -0.059 + 0.02483 * b;
    double log_scale = log(1.1239 + 1.1328 / (b - 3.4));
    double height = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = gb_random_uniform(r) - 0.5;
        double v = gb_random_uniform(r);
        double s = 0.5 - fabs(u);
        double k = floor((2 * a / s + b) * u + mean + 0.43);
        if (s >= 0.07 && v <= height)
            return k < 0x1p64 ? (uint64_t)k : UINT64_MAX;
        if (k < 0 || (s < 0.013 && v > s))
            continue;
        if (log(v) + log_scale - log(a / (s * s) + b) <= log_probability(k, mean)) /* (1) */
            return k < 0x1p64 ? (uint64_t)k : UINT64_MAX;
    }
}

uint64_t gb_random_poisson(gb_random *r, double mean)
{
    if (!(mean > 0))
        return 0;
    return mean < 10 ? by_inversion(r, mean) : by_rejection(r, mean);
}
