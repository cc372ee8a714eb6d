/* model/empty_topics.h - topics that hold nothing: what would be said of them is said of their prior. */
#ifndef GB_MODEL_EMPTY_TOPICS_H
#define GB_MODEL_EMPTY_TOPICS_H

#include "gibbous/model.h"

#include <stdbool.h>

/** True if topics with this share of the training tokens together have less than one token, or less than a hundredth of what one of the model's
 * topics would have if all had the same.  False for NaN. */
bool gb_share_is_empty(const gb_model *model, double share);
/** The same of a topic of the leading chain (one-vs-rest: of the first class), in its stored draws. */
bool gb_model_topic_is_empty(const gb_model *model, uint64_t topic);

#endif
