/* evaluation/coherence.h - do the most probable words of a topic occur together? */
#ifndef GB_EVALUATION_COHERENCE_H
#define GB_EVALUATION_COHERENCE_H

#include "corpus/data/corpus.h"

/** Counts of how many documents and windows have the top words of topics, alone and in pairs. */
typedef struct gb_coherence gb_coherence;

/**
 * @param n_words  of the vocabulary
 * @param n_top    words of each topic
 * @param word     n_topics x n_top: word numbers, the most probable first; copied
 * @param window   tokens of a window; 0: windows are whole documents
 */
gb_status gb_coherence_create(gb_coherence **out, uint64_t n_words, size_t n_topics, size_t n_top,
                              const uint64_t *word, size_t window, gb_error *err);
void gb_coherence_free(gb_coherence *c);

/** Count in some more documents, whose words have the numbers of that vocabulary.  Cost: a pass over their tokens. */
gb_status gb_coherence_add(gb_coherence *c, const gb_corpus *docs, size_t n_threads, gb_error *err);

/** Documents counted: those with a word. */
uint64_t gb_coherence_n_docs(const gb_coherence *c);

/** Mean over pairs of the topic's words of log (D(v, w) + 1) / D(w), w the more probable one, D how many documents have
 * them.  Pairs with D(w) = 0 do not count; NaN if there is no other. */
double gb_coherence_umass(const gb_coherence *c, size_t topic);
/** Mean over pairs of log (p(v, w) / p(v) p(w)) / -log p(v, w), p a share of windows: -1 never together, 0 independent, 1
 * always together.  Pairs with a word that no window has do not count; NaN if there is no other. */
double gb_coherence_npmi(const gb_coherence *c, size_t topic);

#endif
