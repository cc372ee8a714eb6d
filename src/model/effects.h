/* model/effects.h - what the posteriors of coefficients and of groups share: statistics of draws. */
#ifndef GB_MODEL_EFFECTS_H
#define GB_MODEL_EFFECTS_H

#include "gibbous/effects.h"
#include "model/model.h"

/** Statistics of n > 0 values, which are sorted. */
gb_effect gb_effect_of(double *value, uint64_t n);

/** Those of the n largest values, with their places, largest first; of equals the first.
 * @param index, most  receive min(n, n_values) */
void gb_find_most(const double *value, uint64_t n_values, uint64_t n, uint64_t *index, double *most);

/** An output's value in a draw, in the units of its field, of a document with these topic shares whose covariates are left
 * out: numbers at their mean in training, and no levels. */
double gb_model_expected(const gb_model *model, const gb_draw *draw, uint64_t output, const double *share);

#endif
