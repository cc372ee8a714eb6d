/* bench/speed/simulate.h - a corpus of any size with the statistics of text. */
#ifndef GB_BENCH_SIMULATE_H
#define GB_BENCH_SIMULATE_H

#include "corpus/data/corpus.h"

/**
 * Draw a corpus: documents, mean length, vocabulary size and classes from the settings of that name.
 *
 * @param n_topics  of the model that it is drawn from
 * Memory: 8 bytes per topic and word, and what the corpus needs.
 */
gb_status bench_simulate(const gb_settings *settings, size_t n_topics, gb_corpus **out, gb_error *err);

#endif
