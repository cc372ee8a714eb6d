/* answer/scores.h - how scores are called. */
#ifndef GB_ANSWER_SCORES_H
#define GB_ANSWER_SCORES_H

#include "gibbous/model.h"

/** The response that a score belongs to. */
uint64_t gb_response_of_output(const gb_model *model, uint64_t output);
/** True for the last score of a response. */
bool gb_is_last_output(const gb_model *model, uint64_t output);

#endif
