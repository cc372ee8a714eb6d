/* model/match.h - which topic of one chain is which topic of another. */
#ifndef GB_MODEL_MATCH_H
#define GB_MODEL_MATCH_H

#include "model/model.h"

/** Not a topic: no topic of the reference chain is near enough. */
#define GB_NO_MATCH SIZE_MAX

/** Not a word of the other model. */
#define GB_NO_WORD UINT64_MAX

/** The topics of all chains of an output, by the numbers that they have in its first chain, the reference. */
typedef struct gb_match {
    size_t n_chains, n_topics;
    uint64_t *chain;  /* n_chains: their numbers; the first is the reference */
    size_t *topic;    /* n_chains x n_topics: its number in the reference chain, or GB_NO_MATCH */
    double *distance; /* n_chains x n_topics: from the topic of the reference chain that it was paired with, 0 to 1 */
    double most;      /* a topic recurs if its distance is below this one */
} gb_match;

/**
 * Match topics between chains.
 *
 * @param output  0, or with one-vs-rest any output: the chains that have its coefficients.  0 too in a model without outputs
 * @param out     receives the match, free it with gb_match_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 *
 * The distance of two topics is the Hellinger distance of their distributions over words, each the mean over the snapshots of
 * its chain.  Each chain is paired with the reference so that the sum of distances is the smallest; a pair counts if its distance
 * is below half of the median distance between different topics of the reference.  In the reference each topic is itself, at
 * distance 0.  A chain without snapshots has no topics that match.
 *
 * Cost: for each chain, a pass over its snapshots, the number of words times the square of the topics that a word has, and
 * up to n_topics^3 steps for the pairs.  Memory: three times n_topics^2 numbers.
 */
gb_status gb_model_match(const gb_model *model, size_t output, gb_match **out, gb_error *err);
void gb_match_free(gb_match *match);

/**
 * The same, found at the first call and kept by the model.
 *
 * @param out  receives the match, which is the model's
 * @return GB_OK or GB_ENOMEM
 *
 * Safe from several threads.
 */
gb_status gb_model_matched(const gb_model *model, size_t output, const gb_match **out, gb_error *err);

/**
 * Find words of a model in a model of some of its documents.
 *
 * @param other  its words are words of `model` in the same order, some of which may be missing
 * @param out    receives for each word of `model` its number in `other`, or GB_NO_WORD; free it with gb_free()
 * @return GB_OK, GB_EARGUMENT (other words) or GB_ENOMEM
 */
gb_status gb_model_find_words(const gb_model *model, const gb_model *other, uint64_t **out, gb_error *err);

/**
 * Match the topics of two models, each by its first chain.
 *
 * @param other  as many topics, and words as for gb_model_find_words()
 * @param topic  receives for each topic of `model` the topic of `other` that is the same by the rule of gb_model_match(), or
 *               GB_NO_MATCH
 * @return GB_OK, GB_EARGUMENT (other words, or another number of topics) or GB_ENOMEM
 */
gb_status gb_model_match_other(const gb_model *model, const gb_model *other, size_t *topic, gb_error *err);

/** The place of a chain in the match by its number, or n_chains if it is not there. */
size_t gb_match_chain(const gb_match *match, uint64_t chain);

/** In how many chains a topic of the reference recurs, the reference included. */
size_t gb_match_count(const gb_match *match, size_t topic);

/** The topic of a chain (its place in the match) that is topic `topic` of the reference, or GB_NO_MATCH. */
size_t gb_match_find(const gb_match *match, size_t chain, size_t topic);

#endif
