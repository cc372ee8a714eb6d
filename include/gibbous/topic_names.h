/* gibbous/topic_names.h - names that users give topics and that stay in the model. */
#ifndef GIBBOUS_TOPIC_NAMES_H
#define GIBBOUS_TOPIC_NAMES_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** True if a topic of the model has a name. */
GB_API bool gb_model_has_topic_names(const gb_model *model);
/** The name that somebody has given a topic of the leading chain (one-vs-rest: of the first class); "" without one; owned by the model.
 * It is UTF-8 without control characters, of any length, and may contain anything else: markup, quotation marks, marks that change the direction of text. */
GB_API const char *gb_model_topic_name(const gb_model *model, uint64_t topic);

/**
 * Copy a model and name its topics.  Nothing else differs; a model never changes.
 *
 * @param name  n_topics texts in UTF-8 without control characters; NULL keeps the name of a topic, "" removes it
 * @param out   receives the copy, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (a text that is no name), GB_EARGUMENT (more text than a model file can hold) or GB_ENOMEM
 *
 * Memory: twice the model's file for a moment.
 */
GB_API gb_status gb_model_name_topics(const gb_model *model, const char *const *name, gb_model **out, gb_error *err);
/**
 * The same with names from a file.
 *
 * @param path  a table, CSV, or TSV by the name, with the columns `topic`, a number from 1, and `name`; others are passed over.  Or, if it is
 *              not called a table and its first line lacks these columns, what language models answer: lines such as "3: Name", "3. Name" and
 *              "- **Topic 3**: Name", or JSON, {"3": "Name"} or objects with "topic" and "name"; lines that do not begin with a topic are passed over.
 *              "3+7" is a union of the model (gb_model_unite_topics()).  Topics that are not in it keep their names
 * @return as gb_model_name_topics(), GB_EIO, and GB_EFORMAT with file and line
 */
GB_API gb_status gb_model_read_topic_names(const gb_model *model, const char *path, gb_model **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
