/* diagnose/series.h - how well chains have mixed, from the draws of one number; the steps of gibbous/diagnose.h.
 *
 * A block of draws is n_series series of n numbers each, one series after the other.  No number is NaN or infinite. */
#ifndef GB_DIAGNOSE_SERIES_H
#define GB_DIAGNOSE_SERIES_H

#include "gibbous/diagnose.h"

#include <stddef.h>

bool gb_are_finite(size_t n, const double *value);

/** Independent values below which half a trace says nothing. */
enum { GB_LEAST_SIZE = 15 };

/** Each number becomes a normal quantile of its rank among all; equal numbers have the mean of their ranks.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_normal_scores(size_t n, const double *value, double *score, gb_error *err);

/** Gelman and Rubin's ratio of the pooled standard deviation to the one inside the series; NaN if the numbers are all equal,
 * infinite if they differ only between series.  n_series > 1, n > 1. */
double gb_plain_r_hat(size_t n_series, size_t n, const double *value);
/** The same of the two halves of each chain, as if there were no other chains: series 0 and 1, 2 and 3, ... */
double gb_halves_r_hat(size_t n_series, size_t n, const double *value);
typedef double gb_ratio(size_t n_series, size_t n, const double *value);

/** What is known of draws that say nothing: NaN. */
gb_mixing gb_mixing_unknown(uint64_t n_chains, uint64_t n_draws);

/** Number of independent draws that give a mean of the same error.  n > 1.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_effective_size(size_t n_series, size_t n, const double *value, double *out, gb_error *err);

#endif
