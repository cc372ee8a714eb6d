/* diagnose/series.h - how well chains have mixed, from the draws of one number; the steps of gibbous/diagnose.h.
 *
 * A block of draws is n_series series of n numbers each, one series after the other.  No number is NaN or infinite. */
#ifndef GB_DIAGNOSE_SERIES_H
#define GB_DIAGNOSE_SERIES_H

#include "diagnose/order.h"
#include "gibbous/diagnose.h"

#include <stddef.h>

bool gb_are_finite(size_t n, const double *value);

/** Independent values below which half a trace says nothing. */
enum { GB_LEAST_SIZE = 15 };

/** Values first .. end - 1 of a trace are left out (none if they are equal), and those from `end` on may have another level than those
 * before.  {0}: no step. */
typedef struct gb_step {
    uint64_t first, end;
} gb_step;

/** gb_levelled_of() for a trace with a step: one drift, two levels.  Of a part with fewer than 3 values nothing is used.
 * out->mean is the level of the last part, out->since counts from the first one's. */
gb_status gb_levelled_with_step(uint64_t n, const double *value, gb_step step, gb_levelled *out, gb_error *err);

/** The scores of the ranks 1 .. n. */
void gb_normal_scores_of_ranks(size_t n, double *out);
/** Each number becomes a normal quantile of its rank among all; equal numbers have the mean of their ranks.
 * @param of_rank  what gb_normal_scores_of_ranks() gives for n
 * @param score    the score of sorted[i] goes to score[sorted[i].at] */
void gb_normal_scores(size_t n, const gb_ranked *sorted, const double *of_rank, double *score);

/** Gelman and Rubin's ratio of the pooled standard deviation to the one inside the series; NaN if the numbers are all equal,
 * infinite if they differ only between series.  n_series > 1, n > 1. */
double gb_plain_r_hat(size_t n_series, size_t n, const double *value);
/** The same of the two halves of each chain, as if there were no other chains: series 0 and 1, 2 and 3, ... */
double gb_halves_r_hat(size_t n_series, size_t n, const double *value);
typedef double gb_ratio(size_t n_series, size_t n, const double *value);

/** What is known of draws that say nothing: NaN. */
gb_mixing gb_mixing_unknown(uint64_t n_chains, uint64_t n_draws);

/** Memory for gb_mixing_in(), and what is the same for all numbers with as many draws.  Begins as {0}. */
typedef struct gb_mixing_room {
    size_t n_chains, n_draws; /* what there is room for */
    /* 2 n_chains x (n_draws / 2): split values, scores of ranks, of distances from the median, and of the ranks 1, 2, ... */
    double *halves, *scores, *folded, *score_of_rank;
    gb_ranked *by_chain, *order, *spare; /* n_chains x n_draws */
} gb_mixing_room;

/** gb_mixing_of() for many numbers. */
gb_status gb_mixing_in(gb_mixing_room *room, uint64_t n_chains, uint64_t n_draws, const double *value, gb_mixing *out,
                       gb_error *err);
void gb_mixing_room_clear(gb_mixing_room *w);

/** Number of independent draws that give a mean of the same error.  n > 1.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_effective_size(size_t n_series, size_t n, const double *value, double *out, gb_error *err);

#endif
