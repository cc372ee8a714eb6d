/* diagnose/chance.h - which R-hat is more than chance. */
#ifndef GB_DIAGNOSE_CHANCE_H
#define GB_DIAGNOSE_CHANCE_H

#include <stddef.h>

/**
 * The R-hat that `n_numbers` quantities stay below, all of them, in 99 of 100 runs of independent draws; at least 1.05.
 *
 * @param n_chains, n_draws  n_draws of each chain
 * @return infinity for fewer than 4 draws
 */
double gb_r_hat_limit(size_t n_chains, size_t n_draws, size_t n_numbers);
/** The same for r_hat_within. */
double gb_r_hat_within_limit(size_t n_chains, size_t n_draws, size_t n_numbers);

/** How many standard errors the farthest of `n_numbers` may be away from 0 by chance: as seldom beyond as one number is beyond 3. */
double gb_most_errors(size_t n_numbers);

#endif
