/* model/topic_names.h - names that users give topics, as a model's description has them. */
#ifndef GB_MODEL_TOPIC_NAMES_H
#define GB_MODEL_TOPIC_NAMES_H

#include "corpus/data/view.h"
#include "gibbous/model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** Whether this is an array of as many texts, none with the character 0. */
bool gb_topic_names_are_sound(const json_t *names, size_t n_topics);

/** GB_EFORMAT if a text cannot be the name of a topic (from 0). */
gb_status gb_topic_name_check(uint64_t topic, const char *name, gb_error *err);

/** A topic as users write it, from 1.  @param out  receives its number from 0.  @return GB_OK or GB_EFORMAT */
gb_status gb_topic_number(gb_view text, size_t n_topics, size_t *out, gb_error *err);

/** The model of the same file: it shares nothing with the first. */
gb_status gb_model_copy(const gb_model *m, gb_model **out, gb_error *err);

#endif
