/* diagnose/series.h - how well chains have mixed, from the draws of one number; the steps of gibbous/diagnose.h.
 *
 * A block of draws is n_series series of n numbers each, one series after the other.  No number is NaN or infinite. */
#ifndef GB_DIAGNOSE_SERIES_H
#define GB_DIAGNOSE_SERIES_H

#include "diagnose/order.h"
#include "gibbous/diagnose.h"

#include <stddef.h>

/** How well the chains of one number have mixed. */
typedef struct gb_mixing {
    uint64_t n_chains, n_draws; /* n_draws: of each chain */
    double mean, sd;            /* of all draws; sd with their number less 1 in the denominator */
    double r_hat; /* 1: the chains, and the two halves of each chain, agree; above 1.01 or so they do not yet */
    double r_hat_within; /* the same of the two halves of each chain alone, wherever the other chains are */
    double ess_bulk;     /* effective sample size for the centre of the distribution */
    double ess_tail;     /* the smaller one of those for the 5 % and the 95 % quantile */
    double mcse;         /* Monte Carlo standard error of the mean */
} gb_mixing;

/** What a trace says. */
typedef enum gb_trend {
    GB_TREND_UNCLEAR, /* too few independent values to say; the chain may still be moving */
    GB_TREND_LEVEL,   /* no drift that could be told from the chain's own movement */
    GB_TREND_RISING,
    GB_TREND_FALLING
} gb_trend;

/** Whether a trace has levelled off. */
typedef struct gb_levelled {
    gb_trend trend;
    uint64_t n;      /* values that were looked at: the last half of the trace */
    double mean, sd; /* of these; sd: around their straight line */
    double slope;    /* of the line: by how much each value is above the one before */
    double drift;    /* along the line, from its first value to its last one */
    double error;    /* standard error of the drift */
    double size;     /* independent values that they are worth */
    uint64_t since;  /* the number of the first value of the whole trace, from 0, that is as near to `mean` as sd */
} gb_levelled;

bool gb_are_finite(size_t n, const double *value);

/** Independent values below which half a trace says nothing. */
enum { GB_LEAST_SIZE = 15 };

/** Values below which a whole trace says nothing. */
enum { GB_LEAST_TRACE = 20 };

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

/**
 * Diagnose the draws of one number: rank-normalised split R-hat (the larger one of the plain and the folded variant), effective
 * sample sizes by Geyer's initial monotone sequences, and the standard error of the mean (Vehtari, Gelman, Simpson, Carpenter
 * and Buerkner 2021, Bayesian Analysis 16).  The numbers are those of ArviZ to rounding.
 *
 * @param value  n_chains x n_draws numbers, one chain after the other
 * @return GB_OK, GB_EARGUMENT (no draws) or GB_ENOMEM
 *
 * Every chain is split into its first and its last half; of an odd number of draws the one in the middle is left out of r_hat and
 * the effective sizes.  So a single chain has an r_hat too, of its two halves (ArviZ gives none).  With fewer than 4 draws
 * of a chain r_hat, r_hat_within, effective sizes and mcse are NaN.  If all numbers are equal, both R-hats are NaN, the effective sizes
 * are the number of draws, and mcse is 0.  If a number is NaN or infinite, all results are NaN.
 *
 * r_hat_within ranks the draws after each chain's median was taken from them, and compares only the two halves of each chain: with B
 * the mean over the chains of the variance of their two means, W as usual.  Of one chain it is r_hat.  If it is near 1 and r_hat is
 * not, each chain has settled, but somewhere else.
 *
 * Cost: sorting, and the draws times the lags up to which they are correlated.
 */
gb_status gb_mixing_of(uint64_t n_chains, uint64_t n_draws, const double *value, gb_mixing *out, gb_error *err);

/**
 * Ask whether a trace, such as the log joint after each sweep, has levelled off.
 *
 * @param value  the trace from the chain's start on, at equal distances
 * @return GB_OK or GB_ENOMEM
 *
 * A straight line is laid through the last half of the trace.  It is rising (falling) if the line's drift over this half is more
 * than 3 standard errors and more than half of the standard deviation around the line.  The standard error counts independent
 * values: the effective sample size of what is left around the line.  If there are fewer than 15 of them the answer is unclear,
 * also with fewer than 20 values and if one of them is NaN or infinite.  Values that are all equal are level.
 *
 * Called level, unclear, rising or falling, of 2000 traces of n values each (tests/unit/test_levelled.c):
 *
 *                                                                 n = 100                         n = 1000
 *                                                           level unclear rising falling    level unclear rising falling
 *   independent values                                      0.995  0.001  0.001  0.003      0.996  0.000  0.002  0.002
 *   memory 0.5 (autoregression)                             0.906  0.073  0.011  0.011      0.993  0.000  0.003  0.004
 *   memory 0.9                                              0.098  0.727  0.087  0.088      0.970  0.008  0.010  0.013
 *   memory 0.98                                             0.036  0.601  0.191  0.173      0.227  0.670  0.051  0.052
 *   a random walk                                           0.030  0.525  0.221  0.224      0.025  0.521  0.212  0.242
 *   independent, rising by 10 sd, to 86 % at the end        0.090  0.002  0.909  0.000      0.000  0.000  1.000  0.000
 *   memory 0.9, rising by 100 sd, to 86 % at the end        0.000  0.000  1.000  0.000      0.000  0.000  1.000  0.000
 *   independent, rising by 100 sd, to 99.995 % at the end   0.976  0.001  0.023  0.000      0.533  0.000  0.467  0.000
 *
 * So a trace is seldom called level before it is; a long memory asks for a longer trace.  Who stops a chain by this rule should
 * ask it a few times only, each time after half as many sweeps again, since each answer has a chance to be wrong.
 */
gb_status gb_levelled_of(uint64_t n, const double *value, gb_levelled *out, gb_error *err);

#endif
