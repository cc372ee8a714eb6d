/* bench/speed/exchange.h - documents and assignments as text, for programs that are compared.
 *
 * A line per document.  Documents are numbers of words ("17 4 4"); an assignment has a topic for each token, in any order
 * inside a document ("4:0 17:3 4:0"). */
#ifndef GB_BENCH_EXCHANGE_H
#define GB_BENCH_EXCHANGE_H

#include "corpus/data/corpus.h"

gb_status bench_tokens_write(const gb_corpus *corpus, const char *path, gb_error *err);

gb_status bench_assignment_write(const gb_corpus *corpus, const uint16_t *topic, const char *path, gb_error *err);

/**
 * @param word, topic  receive n_tokens each, in the order of the file
 * @return GB_OK, GB_EIO, or GB_EFORMAT when its documents do not have the corpus's words, or a topic is not below n_topics
 */
gb_status bench_assignment_read(const gb_corpus *corpus, size_t n_topics, const char *path, uint32_t *word,
                                uint16_t *topic, gb_error *err);

#endif
