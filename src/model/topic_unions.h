/* model/topic_unions.h - which topics count as one, as a model's description has it. */
#ifndef GB_MODEL_TOPIC_UNIONS_H
#define GB_MODEL_TOPIC_UNIONS_H

#include "model/model.h"

/** Whether this is an array of as many numbers: for each topic the first of its union, or -1. */
bool gb_topic_unions_are_sound(const json_t *unions, size_t n_topics);

/** Give a model these, which are sound, or none (NULL); they replace what it has. */
gb_status gb_model_set_unions(gb_model *model, json_t *unions, gb_error *err);

#endif
