/* helper_laws.h - checks of random variates against their law.
 *
 * Every test draws a fixed number of variates from a fixed key and looks once: a statistic of more than LAW_LIMIT
 * standard errors fails.  Nothing is drawn again. */
#ifndef GB_TESTS_HELPER_LAWS_H
#define GB_TESTS_HELPER_LAWS_H

#include "random/random.h"

#include <stdbool.h>
#include <stddef.h>

#define LAW_LIMIT 5.0

/** A stream of its own for each case of a test program. */
gb_random law_stream(uint64_t item);

/** A distribution function with its parameters. */
typedef double law_cdf(double x, const void *parameters);

/** Fail, naming law and statistic, unless |z| < LAW_LIMIT. */
void law_check_z(const char *law, const char *statistic, double z);

/** Fail unless the mean of f over the sample is `mean` within LAW_LIMIT standard errors, taken from the sample.
 * f NULL is the identity. */
void law_check_mean(const char *law, const char *statistic, size_t n, const double *x, double (*f)(double),
                    double mean);

/** Mean and central second moment, with standard errors from the exact variance and fourth cumulant. */
void law_check_moments(const char *law, size_t n, const double *x, double mean, double variance,
                       double fourth_cumulant);

/** Sort the sample and compare it with the distribution function at up to 400 of its points (Kolmogorov-Smirnov). */
void law_check_cdf(const char *law, size_t n, double *x, law_cdf *cdf, const void *parameters);

/** Two samples of one law (Kolmogorov-Smirnov); sorts both. */
void law_check_same(const char *law, size_t n, double *x, size_t m, double *y);

/** Counts against cell probabilities (chi-square); cells with few expected are joined with their neighbours. */
void law_check_counts(const char *law, size_t n_cells, const double *count, const double *probability);

/** Number of statistics checked since the program began and how many of them failed. */
void law_report(void);
/** True when no statistic has failed since the last call. */
bool law_all_passed(void);

/** log of the standard normal distribution function, accurate far in the lower tail. */
double law_log_normal_cdf(double x);
/** log of the regularised lower incomplete gamma function P(a, exp(log_x)). */
double law_log_gamma_cdf(double a, double log_x);
/** 1 - P(a, exp(log_x)), for the upper half. */
double law_gamma_cdf(double a, double log_x);

#endif
