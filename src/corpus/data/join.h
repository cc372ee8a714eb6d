/* corpus/data/join.h - documents of several corpora that have the same words and classes, as one corpus.
 *
 * Documents are copied, so that a corpus can be closed as soon as its documents are added. */
#ifndef GB_CORPUS_DATA_JOIN_H
#define GB_CORPUS_DATA_JOIN_H

#include "corpus/data/corpus.h"

typedef struct gb_join gb_join;

/**
 * Begin a corpus without documents.
 *
 * @param frame  gives vocabulary, fields with their classes, and notes; copied, and its documents do not count
 * @param out    receives the joining, free it with gb_join_free(); untouched on failure
 */
gb_status gb_join_create(gb_join **out, const gb_corpus *frame, gb_error *err);
/** Add documents first..last-1 of a corpus that has the words, fields and classes of the frame under the same numbers. */
gb_status gb_join_add(gb_join *j, const gb_corpus *c, uint64_t first, uint64_t last, gb_error *err);
/** The corpus, to be freed with gb_corpus_free(); the joining is freed. */
gb_corpus *gb_join_finish(gb_join *j);
/** Accepts NULL. */
void gb_join_free(gb_join *j);

/** Documents first..last-1 of a corpus, whose starts count from 0 there. */
gb_status gb_corpus_copy_documents(const gb_corpus *c, uint64_t first, uint64_t last, gb_corpus **out, gb_error *err);

#endif
