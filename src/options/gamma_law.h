/* options/gamma_law.h - a gamma law as the prior of a parameter: "gamma:A,B", shape A and rate B. */
#ifndef GB_OPTIONS_GAMMA_LAW_H
#define GB_OPTIONS_GAMMA_LAW_H

#include <stdbool.h>

#define GB_GAMMA_LAW_LEAST 1e-9
#define GB_GAMMA_LAW_MOST  1e9

typedef struct gb_gamma_law {
    double shape, rate;
} gb_gamma_law;

/** Whether the text begins as one. */
bool gb_gamma_law_is_meant(const char *text);

/** @return false, and *out untouched, if it is none with numbers from GB_GAMMA_LAW_LEAST to GB_GAMMA_LAW_MOST */
bool gb_gamma_law_read(const char *text, gb_gamma_law *out);

/** log of the density of log x. */
double gb_gamma_law_log_density(const gb_gamma_law *law, double x);

#endif
