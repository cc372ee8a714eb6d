/* corpus/readers/arrays.h - from the caller's arrays to a corpus, of its own or in the vocabulary of a model. */
#ifndef GB_CORPUS_READERS_ARRAYS_H
#define GB_CORPUS_READERS_ARRAYS_H

#include "corpus/data/corpus.h"

/**
 * The documents of the arrays in a vocabulary that is given.
 *
 * @param preparation  that made the vocabulary: its stop words are left out
 * @param n_unknown    receives per document the number of words that are not in it; free it with gb_free()
 */
gb_status gb_corpus_from_arrays_in(const gb_corpus_arrays *arrays, const gb_texts *vocabulary,
                                   const json_t *preparation, gb_corpus **out, uint64_t **n_unknown, gb_error *err);

#endif
