/* evaluation/reliability.h - whether probabilities say how often their events happen.
 *
 * Events with their probabilities p are sorted into bins of equal width.  Where probabilities can be trusted, the
 * share of the events of a bin that happened is near the mean of p in the bin.  Over bins b with n_b of n events,
 *
 *     ece = sum_b n_b / n |share_b - mean_b|
 *
 * the expected calibration error (Naeini, Cooper and Hauskrecht 2015, AAAI).  It says nothing about how well events
 * are told apart: the same p for all, if it is the share of all, has ece 0. */
#ifndef GB_EVALUATION_RELIABILITY_H
#define GB_EVALUATION_RELIABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GB_RELIABILITY_BINS = 10 };

/** Sums over events; all zero at the start.  Bin b is [b / 10, (b + 1) / 10), the last one with 1. */
typedef struct gb_reliability {
    uint64_t n[GB_RELIABILITY_BINS], n_happened[GB_RELIABILITY_BINS];
    double probability[GB_RELIABILITY_BINS]; /* sum */
} gb_reliability;

void gb_reliability_add(gb_reliability *reliability, double probability, bool happened);
/** Add those of another. */
void gb_reliability_add_all(gb_reliability *reliability, const gb_reliability *more, uint64_t weight);

typedef struct gb_reliability_bin {
    double low, high;
    uint64_t n;
    double mean_probability, share; /* NaN where n is 0 */
} gb_reliability_bin;

gb_reliability_bin gb_reliability_of_bin(const gb_reliability *reliability, size_t bin);

/** The expected calibration error; NaN without events. */
double gb_reliability_error(const gb_reliability *reliability);

#endif
