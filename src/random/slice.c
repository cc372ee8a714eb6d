/* random/slice.c - one number from a law that is known by its density: slice sampling with stepping out and shrinking.
 *
 * Given a level below the density at x, uniform in height, the new x is uniform on the part of the line where the density is
 * above it.  An interval of a fixed width is laid around x at random and its ends step out until they are below the level, at most
 * MOST_STEPS times, shared out at random between them; points in it that are below the level cut it off.
 *
 *   Neal 2003, Annals of Statistics 31, figures 3 and 5.
 *   The width must not depend on x.  A NaN is below every level. */
#include "random/slice.h"

#include <float.h>

enum { MOST_STEPS = 64 };

double gb_random_slice(gb_log_density *density, void *context, double x, double log_density, double width,
                       gb_random *random)
{
    const double level = log_density - gb_random_exponential(random);
    double low = x - width * gb_random_uniform(random), high = low + width;
    uint64_t left = gb_random_below(random, MOST_STEPS), right = MOST_STEPS - 1 - left;
    while (left-- > 0 && density(context, low) > level)
        low -= width;
    while (right-- > 0 && density(context, high) > level)
        high += width;
    while (high - low > DBL_EPSILON * width) {
        const double x_new = low + (high - low) * gb_random_uniform(random);
        if (density(context, x_new) > level || x_new == x)
            return x_new;
        if (x_new < x)
            low = x_new;
        else
            high = x_new;
    }
    (void)density(context, x); /* it is so large that no level fits below it */
    return x;
}
