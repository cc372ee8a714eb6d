/* helper_polya_gamma.h - the density of a Polya-Gamma variable, coded from its series. */
#ifndef GB_TESTS_HELPER_POLYA_GAMMA_H
#define GB_TESTS_HELPER_POLYA_GAMMA_H

/** Density of PG(b, 0) at x by its alternating series (Polson, Scott and Windle 2013, section 2). */
double polya_gamma_density(double b, double x);

#endif
