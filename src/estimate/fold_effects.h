/* estimate/fold_effects.h - the effects of one fold's estimate, in the rows of a model. */
#ifndef GB_ESTIMATE_FOLD_EFFECTS_H
#define GB_ESTIMATE_FOLD_EFFECTS_H

#include "gibbous/estimate.h"
#include "model/cross_fitted.h"

/** What a fold has found. */
typedef struct gb_fold_found {
    const gb_model *model; /* trained without the fold; its words are those of the reference, some missing */
    const gb_estimate *estimate;
} gb_fold_found;

/**
 * Room for the effects of all folds.  Their regressions have the same responses and parameters: those of the first one.
 *
 * @param out  receives it, free it with gb_cross_fitted_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_fold_effects_open(const gb_model *reference, const gb_model *m, size_t n_folds, gb_cross_fitted **out,
                               gb_error *err);

/**
 * Put the effects of a fold where they belong: outputs by field and class, columns by name, topics by the numbers of the fold.
 * Rows that the fold does not have stay as they are.
 *
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_fold_effects_put(const gb_cross_fitted *c, const gb_model *reference, size_t fold,
                              const gb_fold_found *found, gb_error *err);

#endif
