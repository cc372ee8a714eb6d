/* counts/proportions.h - topic counts per document, sparse: the features zbar_dk = n_dk / N_d of the
 * responses.
 *
 * Held twice: by document (topics ascending) and by topic (documents ascending), so that sums over documents
 * of one topic run in a fixed order whoever does them. */
#ifndef GB_COUNTS_PROPORTIONS_H
#define GB_COUNTS_PROPORTIONS_H

#include "base/status.h"

typedef struct gb_proportions {
    uint64_t n_docs, n_tokens;
    size_t n_topics;
    const uint64_t *doc_len_start; /* n_docs + 1: N_d = doc_len_start[d + 1] - doc_len_start[d]; borrowed */
    uint64_t *doc_start;           /* n_docs + 1: entries of document d */
    uint16_t *topic;               /* by document */
    uint32_t *count;
    uint64_t *topic_start; /* n_topics + 1: entries of topic k */
    uint64_t *entry_doc;   /* by topic: the document */
    uint64_t *entry;       /* by topic: position of the entry in topic[] and count[] */
    size_t capacity, capacity_doc, capacity_entry;
    size_t max_threads;
    uint32_t *scratch; /* max_threads x n_topics counts, all zero between uses */
} gb_proportions;

gb_status gb_proportions_create(gb_proportions *out, uint64_t n_docs, size_t n_topics, const uint64_t *doc_len_start,
                                size_t n_threads, gb_error *err);
/** Count again from the assignments (topic of each token, documents as in doc_len_start). */
gb_status gb_proportions_count(gb_proportions *z, const uint16_t *assignment, gb_error *err);
void gb_proportions_clear(gb_proportions *z);

/** Bytes in use when the documents have that many different topics, added up. */
uint64_t gb_proportions_bytes(uint64_t n_entries, uint64_t n_docs, size_t n_topics, size_t n_threads);

#endif
