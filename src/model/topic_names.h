/* model/topic_names.h - names that users give topics, as a model's description has them. */
#ifndef GB_MODEL_TOPIC_NAMES_H
#define GB_MODEL_TOPIC_NAMES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** Whether this is an array of as many texts, none with the character 0. */
bool gb_topic_names_are_sound(const json_t *names, size_t n_topics);

#endif
