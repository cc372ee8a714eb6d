/* model/seed_shares.h - how much of a named topic is said in its seed words. */
#ifndef GB_MODEL_SEED_SHARES_H
#define GB_MODEL_SEED_SHARES_H

#include "gibbous/model.h"

#include <stdbool.h>

/** Whether topics were named with seed words. */
bool gb_model_has_seeds(const gb_model *model);
/** Whether this one was. */
bool gb_model_is_seeded(const gb_model *model, uint64_t topic);
/** Part of the training tokens of each topic that are seed words of it, over the stored draws of the first chain together.
 * @param share  receives n_topics numbers; NaN for topics without seed words and without tokens */
void gb_model_seed_shares(const gb_model *model, double *share);

#endif
