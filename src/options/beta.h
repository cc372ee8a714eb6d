/* options/beta.h - the option `beta`: a number, or a prior that it is drawn from. */
#ifndef GB_OPTIONS_BETA_H
#define GB_OPTIONS_BETA_H

#include "base/status.h"
#include "options/gamma_law.h"

typedef struct gb_beta {
    bool is_auto, is_sampled;
    double value;     /* given; sampled: where chains start, the mean of the prior */
    gb_gamma_law law; /* of a sampled one */
} gb_beta;

/** Whether it is between 1e-6 and 1e6. */
bool gb_beta_is_possible(double beta);

/** The nearest that is possible. */
double gb_beta_bounded(double beta);

/** What suits real corpora (docs/measured/defaults.md), and the mean of the prior of `sample`. */
#define GB_DEFAULT_BETA 0.05

/**
 * "auto", "sample", "gamma:C,D" or a number.
 *
 * @param automatic  the value of auto
 * @return GB_OK, or GB_EARGUMENT
 */
gb_status gb_beta_read(const char *text, double automatic, gb_beta *out, gb_error *err);

#endif
