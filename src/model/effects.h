/* model/effects.h - what the posteriors of coefficients and of groups share: statistics of draws. */
#ifndef GB_MODEL_EFFECTS_H
#define GB_MODEL_EFFECTS_H

#include "gibbous/effects.h"
#include "model/model.h"

/** Statistics of n > 0 values, which are sorted. */
gb_effect gb_effect_of(double *value, uint64_t n);

/** A quantile of n > 0 values in ascending order, interpolated linearly. */
double gb_sorted_quantile(const double *value, uint64_t n, double p);

/** Those of the n largest values, with their places, largest first; of equals the first.
 * @param index, most  receive min(n, n_values) */
void gb_find_most(const double *value, uint64_t n_values, uint64_t n, uint64_t *index, double *most);

/** An output's value in a draw, in the units of its field, of a document with these topic shares whose covariates are left
 * out: numbers at their mean in training, and no levels. */
double gb_model_expected(const gb_model *model, const gb_draw *draw, uint64_t output, const double *share);

/**
 * One set of topics, or of levels of a field, minus another.
 *
 * @param a, n_a  features, numbered as in gb_model_effect(): all topics, or all levels of one field; at least one
 * @param b, n_b  the same for what is subtracted; none: the average document
 * @return GB_OK, GB_EARGUMENT (no such output; features that cannot be compared) or GB_ENOMEM
 *
 * The value of a set is the mean of its features, weighted by their shares of the training documents in the draw; so two topics
 * that say the same are one, with the interval of both together.  Draws of chains that lack one of the topics are not used.
 */
gb_status gb_model_contrast(const gb_model *model, uint64_t output, uint64_t n_a, const uint64_t *a, uint64_t n_b,
                            const uint64_t *b, gb_effect *out, gb_error *err);

#endif
