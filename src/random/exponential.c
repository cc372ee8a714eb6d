/* random/exponential.c - the exponential law of rate 1: minus the logarithm of a uniform number.
 *
 *   P(-log U > x) = P(U < exp(-x)) = exp(-x).
 *
 *   Cost: one uniform and one logarithm.
 *   The draw lies between 2^-53 and 53 log 2 = 36.7; never 0. */
#include "random/random.h"

#include <math.h>

double gb_random_exponential(gb_random *r)
{
    return -log(gb_random_uniform(r));
}
