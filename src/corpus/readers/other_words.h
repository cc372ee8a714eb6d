/* corpus/readers/other_words.h - the documents of a corpus in the vocabulary of another. */
#ifndef GB_CORPUS_READERS_OTHER_WORDS_H
#define GB_CORPUS_READERS_OTHER_WORDS_H

#include "corpus/data/corpus.h"

/**
 * @param preparation  that made the vocabulary: its stop words are left out
 * @param n_unknown    receives per document the number of words that are not in it; free it with gb_free()
 */
gb_status gb_corpus_in(const gb_corpus *corpus, const gb_texts *vocabulary, const json_t *preparation,
                       gb_corpus **out, uint64_t **n_unknown, gb_error *err);

#endif
