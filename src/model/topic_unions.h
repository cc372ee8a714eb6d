/* model/topic_unions.h - which topics count as one, as a model's description has it. */
#ifndef GB_MODEL_TOPIC_UNIONS_H
#define GB_MODEL_TOPIC_UNIONS_H

#include "gibbous/effects.h"
#include "model/model.h"

/** Whether this is an array of as many numbers: for each topic the first of its union, or -1. */
bool gb_topic_unions_are_sound(const json_t *unions, size_t n_topics);

/** Give a model these, which are sound, or none (NULL); they replace what it has. */
gb_status gb_model_set_unions(gb_model *model, json_t *unions, gb_error *err);

/** The share of some topics together: of a training document, the mean over the documents, in the draws of the first chain.
 *
 * @return GB_OK, GB_EARGUMENT (no topics, or no such topic) or GB_ENOMEM */
gb_status gb_model_topics_share(const gb_model *model, uint64_t n, const uint64_t *topic, gb_effect *out,
                                gb_error *err);

/** Topics over words, n_topics x n_words: a union, as the mean of its topics weighted by their shares, in the row of its first topic; rows of its
 * other topics are 0, and topics that are left out keep theirs.  @return as gb_model_topic_distributions() */
gb_status gb_model_union_distributions(const gb_model *model, uint64_t output, double *out, gb_error *err);

/** The topics of the union of a topic, ascending; the topic alone if it is left out.
 * @param topics  receives up to n_topics numbers.  @return how many there are */
uint64_t gb_model_topics_of_union(const gb_model *model, uint64_t topic, uint64_t *topics);

/** The name of the first topic of the union that has one; "" if none has.  Owned by the model. */
const char *gb_model_union_name(const gb_model *model, uint64_t topic);

/** gb_model_rank_words() for unions of the first chain: the row of a union's first topic has the words of the union, rows of its other topics
 * are to be ignored, and topics that are left out have their own words.  "lift", "relevance" and "frex" compare a union with other unions
 * and topics that are in none. */
gb_status gb_model_rank_union_words(const gb_model *model, const char *by, double weight, uint64_t n, uint64_t *word,
                                    double *probability, uint64_t *n_found, gb_error *err);

#endif
