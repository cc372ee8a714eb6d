/* corpus/text/merge_stems.h - words with the same stem become one. */
#ifndef GB_CORPUS_TEXT_MERGE_STEMS_H
#define GB_CORPUS_TEXT_MERGE_STEMS_H

#include "corpus/data/words.h"

/** Give all words of the documents that share a stem the number of the most frequent among them, and of equally frequent ones
 * that of the first in the order of bytes.  @return GB_OK, GB_ENOMEM, or as gb_stemmer_create() */
gb_status gb_merge_stems(const char *language, const gb_words *words, gb_corpus_builder *documents, gb_error *err);

#endif
