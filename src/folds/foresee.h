/* folds/foresee.h - what trainings without a part would fail of, found out before the first of them. */
#ifndef GB_FOLDS_FORESEE_H
#define GB_FOLDS_FORESEE_H

#include "folds/parts.h"
#include "plan/spec.h"

/**
 * Look at each training, and at the documents held out of it, as far as settings and documents tell.
 *
 * @param parts     receive what varies in none of their training documents
 * @param settings  n of them: of the trainings without each part
 * @param whole     covariates of all documents; NULL: there are none
 * @param failed    receives which settings failed, if some did
 * @return GB_OK, or what gb_train() and gb_predict() would return; the message names the part
 *
 * Cost: a copy of the documents for each part, and for each of the settings that of gb_spec_resolve().
 */
gb_status gb_held_parts_foresee(gb_held_parts *parts, const gb_corpus *corpus, size_t n,
                                const gb_settings *const *settings, const gb_coding *whole, size_t *failed,
                                gb_error *err);

/** Unless the user says otherwise, a level that no document of a training has is taken as none: its coefficient is 0 there. */
gb_status gb_folds_take_unknown_levels(gb_settings *settings, gb_error *err);

#endif
