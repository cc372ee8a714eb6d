/* random/inverse_gamma.c - the inverse gamma law with any shape a > 0 and scale b > 0.
 *
 *   density  b^a / Gamma(a) x^(-a - 1) exp(-b / x),  x > 0;   X = b / G,  G ~ Gamma(a, 1)
 *
 *   Cost: one gamma number; for a < 1 its logarithm and an exponential.
 *   Small shapes: G underflows long before b / G leaves the range of a double, so log G is used.  The law has
 *   infinite mean for a <= 1 and tails like x^-a: for a = 0.01 half of the draws exceed 1e30 b, and those beyond the
 *   largest double are infinite. */
#include "random/random.h"

#include <math.h>

double gb_random_inverse_gamma(gb_random *r, double shape, double scale)
{
    if (!(scale > 0))
        return NAN;
    if (shape >= 1)
        return scale / gb_random_gamma(r, shape);
    return exp(log(scale) - gb_random_log_gamma(r, shape));
}
