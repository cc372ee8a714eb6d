/* answer/doubt.h - what must not be believed of effects in the training. */
#ifndef GB_ANSWER_DOUBT_H
#define GB_ANSWER_DOUBT_H

#include "base/status.h"
#include "gibbous/model.h"

/** Why the intervals of a model's effects are too narrow, with options in backquotes; "" if they are not.
 * @param out  receives a constant  @return GB_OK or GB_ENOMEM */
gb_status gb_find_doubt(const gb_model *model, const char **out, gb_error *err);

#endif
