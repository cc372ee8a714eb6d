/* corpus/data/slice.h - some documents of a corpus, one after the other, as a corpus of their own. */
#ifndef GB_CORPUS_DATA_SLICE_H
#define GB_CORPUS_DATA_SLICE_H

#include "corpus/data/corpus.h"

/**
 * Documents first..last-1, which become 0, 1, ...; the vocabulary and the classes stay whole.  Only an index of its tokens is new,
 * all else is shared: `corpus` must live as long as the slice.
 *
 * @param out  clear it with gb_corpus_clear_slice(), not gb_corpus_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_corpus_slice(const gb_corpus *corpus, uint64_t first, uint64_t last, gb_corpus *out, gb_error *err);
/** Accepts a slice of zeros. */
void gb_corpus_clear_slice(gb_corpus *slice);

#endif
