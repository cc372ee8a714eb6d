/* corpus/data/cut.h - documents cut into runs of about as many tokens: parts of a chain (plan/document_parts.h), shards of a file.
 *
 * Cuts lie at multiples of GB_DOCS_PER_TASK documents; a task is so many documents, the last one fewer. */
#ifndef GB_CORPUS_DATA_CUT_H
#define GB_CORPUS_DATA_CUT_H

#include "corpus/data/corpus.h"
#include "team/portion.h"

static inline uint64_t gb_n_tasks(uint64_t n_docs)
{
    return n_docs / GB_DOCS_PER_TASK + (n_docs % GB_DOCS_PER_TASK > 0);
}

/** How many tokens are before each task: n_tasks + 1 numbers, free them with gb_free(). */
gb_status gb_tokens_before_tasks(const gb_corpus *corpus, uint64_t **out, gb_error *err);

/** Cut into n runs, n <= n_tasks, each with a task at least.  All cuts into a power of two are cuts into any larger one, if there are
 * many tasks in each run.
 *
 * @param tokens_before  of each task, n_tasks + 1
 * @param start          receives the first document of each run, and n_docs */
void gb_cut_documents_evenly(const uint64_t *tokens_before, uint64_t n_docs, size_t n, uint64_t *start);

#endif
