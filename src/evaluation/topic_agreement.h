/* evaluation/topic_agreement.h - whether two models have the same topics, told by their top words. */
#ifndef GB_EVALUATION_TOPIC_AGREEMENT_H
#define GB_EVALUATION_TOPIC_AGREEMENT_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/** The top words of the topics of a model, the most probable first. */
typedef struct gb_top_words {
    size_t n_topics, n_top;
    const uint32_t *word; /* n_topics x n_top numbers of one list of words for both models */
} gb_top_words;

/**
 * Agreement of two lists of topics, from 0 to 1 (Greene, O'Callaghan and Cunningham 2014, ECML PKDD, section 3).
 *
 * Two topics are as similar as the mean over t = 1 .. n_top of the Jaccard index of their t top words.  Topics are paired so that
 * the sum of the similarities of pairs is the largest, and the agreement is the mean similarity of the pairs.
 *
 * @param out      receives the agreement; NaN without topics or words
 * @return GB_OK, GB_EARGUMENT (the models differ in the number of topics or words) or GB_ENOMEM
 *
 * Cost: up to K^3 steps and K^2 n_top^2 for K topics.  Memory: 16 bytes for each pair of topics.
 */
gb_status gb_topic_agreement(const gb_top_words *a, const gb_top_words *b, double *out, gb_error *err);

#endif
