/* corpus/data/copy.h - some documents of a corpus, one after the other, copied. */
#ifndef GB_CORPUS_DATA_COPY_H
#define GB_CORPUS_DATA_COPY_H

#include "corpus/data/corpus.h"

/** Documents first..last-1, with words, fields and classes of the whole corpus under its numbers; all starts count from 0.
 *
 * @param out  receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM */
gb_status gb_corpus_copy_documents(const gb_corpus *c, uint64_t first, uint64_t last, gb_corpus **out, gb_error *err);

#endif
