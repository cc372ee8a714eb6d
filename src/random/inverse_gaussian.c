/* random/inverse_gaussian.c - the inverse Gaussian law with mean m and shape 1.
 *
 *   density  (2 pi x^3)^(-1/2) exp(-(x - m)^2 / (2 m^2 x)),  x > 0
 *   (x - m)^2 / (m^2 x) is chi-squared(1).  Given its value N^2, x is one of the two roots of a quadratic,
 *       x1 = 1 / s^2,   x2 = m^2 s^2,   s = (|N| + sqrt(N^2 + 4 / m)) / 2                              (1)
 *   and it is the smaller one, x1, with probability m / (m + x1)                                       (2)
 *
 *   Michael, Schucany & Haas 1976, The American Statistician 30; (1) is their smaller root written as a sum
 * of positive terms, so no digits cancel when m N^2 is large. Cost: one normal, one uniform, one square root,
 * two divisions. m infinite: 4 / m = 0 and (2) is 1, so x = 1 / N^2, the limit law. Shape c instead of 1 and
 * mean m: c times a draw with mean m / c. */
#include "random/random.h"

#include <math.h>

double gb_random_inverse_gaussian(gb_random *r, double mean)
{
    double normal = fabs(gb_random_normal(r));
    double s = 0.5 * (normal + sqrt(normal * normal + 4 / mean)); /* (1) */
    double x = 1 / (s * s);
    if (isinf(mean) || gb_random_uniform(r) * (mean + x) <= mean) /* (2) */
        return x;
    double y = mean * s;
    return y * y;
}
