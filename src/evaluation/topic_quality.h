/* evaluation/topic_quality.h - how much topics differ from each other, by their most probable words. */
#ifndef GB_EVALUATION_TOPIC_QUALITY_H
#define GB_EVALUATION_TOPIC_QUALITY_H

#include "model/model.h"

/**
 * Exclusivity: of the topic's top words, the mean of phi_kw / sum over topics j of phi_jw, in draws of the first chain.
 *
 * 1: no other topic has these words; 1 / n_topics: all topics have them alike.
 *
 * @param n_top        words of each topic
 * @param word         n_topics x n_top: gb_model_words_of_topics() of output 0
 * @param probability  n_topics x n_top: of the same
 * @param out          receives n_topics values
 */
gb_status gb_topic_exclusivity(const gb_model *model, size_t n_top, const uint64_t *word, const double *probability,
                               double *out, gb_error *err);

/** Diversity: share of different words among the top words of all topics, 1 / n_topics to 1. */
gb_status gb_topic_diversity(uint64_t n_words, size_t n_topics, size_t n_top, const uint64_t *word, double *out,
                             gb_error *err);

#endif
