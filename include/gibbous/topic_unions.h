/* gibbous/topic_unions.h - topics that count as one, and topics that are left out of lists. */
#ifndef GIBBOUS_TOPIC_UNIONS_H
#define GIBBOUS_TOPIC_UNIONS_H

#include "gibbous/effects.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In place of a topic: it is left out of lists and tables. */
#define GB_LEFT_OUT UINT64_MAX

/** True if topics of the model are united, or some are left out. */
GB_API bool gb_model_has_topic_unions(const gb_model *model);
/** The first topic of a topic's union, which identifies the union; the topic itself if it is in none; GB_LEFT_OUT if it is left out. */
GB_API uint64_t gb_model_topic_union(const gb_model *model, uint64_t topic);
/**
 * Copy a model and unite topics.  Nothing else differs: draws, predictions and everything that is said of single topics stay what they are.
 *
 * @param label  n_topics numbers below n_topics, or GB_LEFT_OUT: topics with the same number are a union
 * @param out    receives the copy, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no such number; every topic left out; a model in which each class has topics of its own) or GB_ENOMEM
 *
 * A union has the tokens of its topics: in every draw its share is the sum of its topics' shares, and its effect the mean of
 * their coefficients, weighted by their shares; its words are the mean of their words, weighted by their shares of the tokens.  The effect
 * is that of a document about the union in which its topics have the proportions that they have in the training documents.
 */
GB_API gb_status gb_model_unite_topics(const gb_model *model, const uint64_t *label, gb_model **out, gb_error *err);
/**
 * The same with a table, whose groups become unions with these names.
 *
 * @param path  CSV, or TSV by the name, with the columns `topic`, a number from 1, and `group`; others are passed over.  Topics with the same
 *              text are a union, those with an empty one are alone, and those that are not in it stay as they are
 * @return as gb_model_unite_topics(), GB_EIO, and GB_EFORMAT with file and line
 */
GB_API gb_status gb_model_read_topic_unions(const gb_model *model, const char *path, gb_model **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
