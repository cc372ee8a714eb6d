/* random/gamma.c - the gamma law with any shape a > 0 and rate 1, and its logarithm.
 *
 *   a >= 1: with d = a - 1/3, c = 1 / sqrt(9 d) and N standard normal, propose d (1 + c N)^3; accept with
 *       probability  exp(N^2 / 2 + d (1 - v + log v)),  v = (1 + c N)^3 > 0                            (1)
 *   a < 1:  G(a) = G(a + 1) U^(1/a)                                                                    (2)
 *
 *   Marsaglia & Tsang 2000, ACM Trans. Math. Softw. 26, with their squeeze U < 1 - 0.0331 N^4.
 *   Cost: one normal and one uniform, rejected less than 5 % of the time; a logarithm (2 % of draws) and,
 *   for a < 1, one more uniform, a logarithm and an exponential.
 *   For small a the power in (2) underflows (a = 0.01: 6 draws in 10^4), so whoever forms ratios of draws
 *   takes logarithms:  log G(a) = log G(a + 1) + log(U) / a,  finite for a > 1e-306.
 *   A shape that is no positive number (a NaN from elsewhere) gives NaN instead of an endless loop. */
#include "random/random.h"

#include <math.h>

/* d (1 - v + log v) for v = (1 + t)^3, in a form that keeps its digits when d is large and t small. */
static double log_acceptance(double d, double t)
{
    return d * (3 * (log1p(t) - t) - t * t * (3 + t));
}

static double at_least_one(gb_random *r, double shape)
{
    double d = shape - 1.0 / 3;
    double c = 1 / sqrt(9 * d);
    for (;;) {
        double normal = gb_random_normal(r);
        double t = c * normal;
        if (t <= -1)
            continue;
        double u = gb_random_uniform(r);
        double square = normal * normal;
        if (u < 1 - 0.0331 * square * square || log(u) < 0.5 * square + log_acceptance(d, t)) /* (1) */
            return d * (1 + t) * (1 + t) * (1 + t);
    }
}

double gb_random_gamma(gb_random *r, double shape)
{
    if (!(shape > 0))
        return NAN;
    if (shape >= 1)
        return at_least_one(r, shape);
    double g = at_least_one(r, shape + 1);
    return g * exp(log(gb_random_uniform(r)) / shape); /* (2) */
}

double gb_random_log_gamma(gb_random *r, double shape)
{
    if (!(shape > 0))
        return NAN;
    if (shape >= 1)
        return log(at_least_one(r, shape));
    double g = at_least_one(r, shape + 1);
    return log(g) + log(gb_random_uniform(r)) / shape; /* (2) */
}
