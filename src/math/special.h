/* math/special.h - the special functions that the models need beyond libm; all are pure. */
#ifndef GB_MATH_SPECIAL_H
#define GB_MATH_SPECIAL_H

#include <stddef.h>

#define GB_LOG_2PI 1.8378770664093454836

/** log of the gamma function, x > 0.  The same bits with every C library, as of gb_erfc(). */
double gb_log_gamma(double x);
/** The complementary error function, 2 / sqrt(pi) times the integral of exp(-t^2) from x on. */
double gb_erfc(double x);
/** Derivative of gb_log_gamma(), x > 0; NaN for any other x. */
double gb_digamma(double x);
/** log(exp(x[0]) + ... + exp(x[n-1])) without overflow; minus infinity when n is 0. */
double gb_log_sum_exp(size_t n, const double *x);
/** log(1 + exp(x)) without overflow. */
double gb_log1p_exp(double x);
/** 1 / (1 + exp(-x)). */
double gb_sigmoid(double x);
/** log(1 / (1 + exp(-x))), also where the sigmoid itself underflows. */
double gb_log_sigmoid(double x);
/** log of the standard normal distribution function, also where the function itself underflows. */
double gb_log_normal_cdf(double x);
/** log of the probability that a standard normal number lies between low and high, low < high, either of them infinite;
 * also in the tails. */
double gb_log_normal_interval(double low, double high);
/** The number that a standard normal variable is below with probability p, 0 < p < 1; -infinity at 0, infinity at 1. */
double gb_normal_quantile(double p);
/**
 * Distribution function of Beta(a, b) at x, the regularised incomplete beta function I_x(a, b); a, b > 0.  x is given by
 * the logarithms of x and of 1 - x, so it may be next to either end.  Cost: up to about 3 sqrt(max(a, b)) steps.
 */
double gb_beta_distribution(double a, double b, double log_x, double log_rest);

#endif
