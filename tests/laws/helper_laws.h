/* tests/laws/helper_laws.h - checks of random variates against their law.
 *
 * Every check looks once at draws from a fixed key and fails the test, naming law and statistic, unless the
 * statistic is within LAW_LIMIT standard errors; nothing is ever drawn again.  Kolmogorov-Smirnov and chi-square
 * statistics are put on that scale by their probability. */
#ifndef GB_TESTS_HELPER_LAWS_H
#define GB_TESTS_HELPER_LAWS_H

#include "random/random.h"

#include <stddef.h>

#define LAW_LIMIT 5.0
enum { LAW_DRAWS = 200000 };

/** A stream of its own for each case of a test program. */
gb_random law_stream(uint64_t item);
/** Room for n numbers; the test fails when there is none. */
double *law_room(size_t n);

/** Fail unless |z| < LAW_LIMIT. */
void law_check_z(const char *law, const char *statistic, double z);
/** The mean of f(x[i]), or of x[i] when f is NULL, with the standard error of the sample. */
void law_check_mean(const char *law, const char *statistic, size_t n, const double *x, double (*f)(double),
                    double mean);
/** Mean and second moment about the exact mean, with their exact standard errors. */
void law_check_moments(const char *law, size_t n, const double *x, double mean, double variance,
                       double fourth_cumulant);

/** A distribution function and its parameters. */
typedef double law_cdf(double x, const void *parameters);
/** Kolmogorov-Smirnov at up to 400 points of the sample, which is sorted. */
void law_check_cdf(const char *law, size_t n, double *x, law_cdf *cdf, const void *parameters);
/** A distribution function on the points low + i / per_unit, straight lines between them. */
typedef struct law_table {
    double low, per_unit;
    size_t n;
    double *cdf;
} law_table;

/** A table of zeros; free(table.cdf) when done. */
law_table law_table_make(double low, double per_unit, size_t n);
double law_table_point(const law_table *table, size_t i);
/** Densities at the points, up to a factor, become the distribution function (trapezoid rule). */
void law_table_add_up(law_table *table);
/** A law_cdf; the parameters are the table. */
double law_table_cdf(double x, const void *table);
double law_table_quantile(const law_table *table, double u);

/** Two samples of one law, Kolmogorov-Smirnov; both are sorted. */
void law_check_same(const char *law, size_t n, double *x, size_t m, double *y);
/** Counts against cell probabilities, chi-square; cells are joined until 20 draws are expected in each. */
void law_check_counts(const char *law, size_t n_cells, const double *count, const double *probability);

/** log of the standard normal distribution function, accurate far in the lower tail. */
double law_log_normal_cdf(double x);
/** The regularised lower incomplete gamma function P(a, exp(log_x)): the distribution function of log Gamma(a, 1). */
double law_gamma_cdf(double a, double log_x);

#endif
