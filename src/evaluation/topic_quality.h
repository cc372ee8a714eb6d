/* evaluation/topic_quality.h - how good topics are by their most probable words: exclusivity, diversity and coherence. */
#ifndef GB_EVALUATION_TOPIC_QUALITY_H
#define GB_EVALUATION_TOPIC_QUALITY_H

#include "gibbous/model.h"

/**
 * Exclusivity: of a topic's top words, the mean of phi_kw / sum over topics j of phi_jw, in draws of the first chain.
 *
 * The value is 1 if no other topic has these words, and 1 / n_topics if all topics have them equally.
 *
 * @param n_top        number of words of each topic, 1 to gb_model_n_words()
 * @param word         n_topics x n_top: as from gb_model_words_of_topics() for output 0
 * @param probability  n_topics x n_top: as from the same call
 * @param out          receives n_topics values
 * @return GB_OK, GB_EARGUMENT (a word out of range) or GB_ENOMEM
 */
gb_status gb_topic_exclusivity(const gb_model *model, uint64_t n_top, const uint64_t *word, const double *probability,
                               double *out, gb_error *err);

/** Diversity: the share of different words among the top words of all topics, from 1 / n_topics to 1.
 *
 * @param out  receives the value
 * @return GB_OK, GB_EARGUMENT (a word out of range) or GB_ENOMEM */
gb_status gb_topic_diversity(uint64_t n_words, uint64_t n_topics, uint64_t n_top, const uint64_t *word, double *out,
                             gb_error *err);

/** Counts of the documents, or windows of documents, in which the top words of topics occur alone and in pairs. */
typedef struct gb_coherence gb_coherence;

/**
 * Make empty counts.
 *
 * @param n_words  size of the vocabulary
 * @param n_top    number of words of each topic
 * @param word     n_topics x n_top word numbers below n_words, the most probable first; copied
 * @param window   number of tokens in a window; 0: windows are whole documents
 * @param out      receives the counts, free them with gb_coherence_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (a word out of range, too many words) or GB_ENOMEM
 */
gb_status gb_coherence_create(uint64_t n_words, uint64_t n_topics, uint64_t n_top, const uint64_t *word,
                              uint64_t window, gb_coherence **out, gb_error *err);
/** Free the counts; accepts NULL. */
void gb_coherence_free(gb_coherence *coherence);

/** Count more documents, in the same vocabulary.  With 0 for `n_threads`, all processors that the process may use are taken.
 * Cost: a pass over the tokens.  @return GB_OK, GB_EARGUMENT (a vocabulary of another size) or GB_ENOMEM */
gb_status gb_coherence_add(gb_coherence *coherence, const gb_corpus *docs, uint64_t n_threads, gb_error *err);

/** Number of documents that were counted; documents without words are not. */
uint64_t gb_coherence_n_docs(const gb_coherence *coherence);

/** UMass coherence (Mimno and others 2011): the mean over pairs of the topic's words of log (D(v, w) + 1) / D(w), w the more
 * probable one, D the number of documents that have them.  Pairs with D(w) = 0 are left out; NaN if no pair is left. */
double gb_coherence_umass(const gb_coherence *coherence, uint64_t topic);
/** Normalised pointwise mutual information (Bouma 2009): the mean over pairs of log (p(v, w) / p(v) p(w)) / -log p(v, w), p a
 * share of windows.  -1: never together, 0: independent, 1: always together.  Pairs with a word that no window has are left
 * out; NaN if no pair is left. */
double gb_coherence_npmi(const gb_coherence *coherence, uint64_t topic);
/** C_V (Roeder, Both and Hinneburg 2015): each word is a vector of its normalised pointwise mutual information with all words of the topic,
 * and the value is the mean cosine of these vectors with their sum; literature takes windows of 110 tokens.  Words that no window
 * has are left out; NaN if no word is left. */
double gb_coherence_cv(gb_coherence *coherence, uint64_t topic);

#endif
