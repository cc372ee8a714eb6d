/* random/slice.h - one number from a law that is known by its density. */
#ifndef GB_RANDOM_SLICE_H
#define GB_RANDOM_SLICE_H

#include "random/random.h"

/** Logarithm of a density but for a constant; may be -infinity or NaN where the density is 0. */
typedef double gb_log_density(void *context, double x);

/**
 * Leave the law of that density as it is.
 *
 * @param x            where it is now
 * @param log_density  there
 * @param width        of the first interval; must not depend on x.  A few standard deviations are best
 * @return the new x; the density was evaluated there last
 */
double gb_random_slice(gb_log_density *density, void *context, double x, double log_density, double width,
                       gb_random *random);

#endif
