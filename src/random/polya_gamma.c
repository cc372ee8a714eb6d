#include "random/random.h"

#include <math.h>
#include <stdbool.h>

enum { MAX_PIECES = PIECES, HEAD_TERMS = TERMS };

static bool accept(gb_random *r, double b, double x)
{
    if (x > 40 + 8 * b)
        return false;
    double u = gb_random_uniform(r);
#ifdef QUICK
    if (b <= 1 && x > 4 && u > 0.12) return false;
#endif
    double y = -2 / x;
    double decay = exp(y * (1 + b));
    double term = (b + 2) * decay;
    double sum = 1 - term;
    if (u <= sum)
        return true;
    double step = exp(2 * y);
    for (double n = 1;; n++) {
        decay *= step;
        double ratio = (n + b) * (2 * n + 2 + b) / ((n + 1) * (2 * n + b)) * decay;
        term = -ratio * term;
        sum -= term;
        if (ratio > 1) continue;
        if (term > 0 && u <= sum)
            return true;
        if (term < 0 && u > sum)
            return false;
        if (term == 0) return u <= sum;
    }
}

static double by_rejection(gb_random *r, double b, double z)
{
    double mean = z > 0 ? 2 / (b * z) : INFINITY;
    for (;;) {
        double x = b * b * gb_random_inverse_gaussian(r, mean);
        if (accept(r, b, x))
            return 0.25 * x;
    }
}

static void moments(double z, double e, double *mean, double *variance)
{
    if (z < 0.25) {
        double s = z * z;
        *mean = 1.0 / 4 - s * (1.0 / 48 - s * (1.0 / 480 - s * (17.0 / 80640)));
        *variance = 1.0 / 24;
    } else {
        double tanh_half = (1 - e) / (1 + e);
        double sech_square = 4 * e / ((1 + e) * (1 + e));
        *mean = tanh_half / (2 * z);
        *variance = (2 * tanh_half - z * sech_square) / (4 * z * z * z);
    }
}

static double by_series(gb_random *r, double b, double z, double e)
{
    const double two_pi_square = 19.739208802178717238;
    double mean, variance, sum = 0;
    moments(z, e, &mean, &variance);
    for (int k = 0; k < HEAD_TERMS; k++) {
        double scale = 1 / (two_pi_square * (k + 0.5) * (k + 0.5) + 0.5 * z * z);
        sum += scale * gb_random_gamma(r, b);
        mean -= scale;
        variance -= scale * scale;
    }
    double shape = b * b * mean * mean * mean / variance;
    return sum + shape * gb_random_inverse_gaussian(r, variance / (b * mean * mean));
}

double gb_random_polya_gamma(gb_random *r, double b, double z)
{
    z = fabs(z);
    if (b <= 1)
        return by_rejection(r, b, z);
    double e = exp(-z);
    double pieces = ceil(b * e);
    if (pieces > MAX_PIECES)
        return by_series(r, b, z, e);
    double sum = 0;
    for (double i = 0; i < pieces; i++)
        sum += by_rejection(r, b / pieces, z);
    return sum;
}
