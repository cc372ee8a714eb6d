/* corpus/data/join.h - documents of several corpora that have the same words and classes, as one corpus. */
#ifndef GB_CORPUS_DATA_JOIN_H
#define GB_CORPUS_DATA_JOIN_H

#include "corpus/data/corpus.h"

/** Documents first..last-1 of a corpus. */
typedef struct gb_documents_run {
    const gb_corpus *corpus;
    uint64_t first, last;
} gb_documents_run;

/**
 * Copy documents into one corpus, run after run.
 *
 * @param frame  gives vocabulary, fields with their classes, and notes; its documents do not count.  All runs have the same fields in
 *               the same order, and the same words and classes
 * @param out    receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_corpus_join(const gb_corpus *frame, const gb_documents_run *run, size_t n_runs, gb_corpus **out,
                         gb_error *err);

#endif
