/* counts/proportions.h - topic counts n_dk of documents, from the topics of their tokens, or given.
 *
 * Two views, made on demand.  By document, sparse: the features zbar_dk = n_dk / N_d of the responses; chains without
 * a response never make it.  As a tally, how many documents have count n of topic k: what the laws of topics given a
 * document prior need, since they are sums over documents of functions of (k, n_dk). */
#ifndef GB_COUNTS_PROPORTIONS_H
#define GB_COUNTS_PROPORTIONS_H

#include "base/arrays.h"
#include "team/team.h"

enum { GB_DOCS_PER_CHUNK = 256 };

/** The documents of a chunk, one after the other: topics ascending, counts > 0. */
typedef struct gb_proportions_chunk {
    uint16_t *topic;
    uint32_t *count;
    size_t topic_capacity, count_capacity;
} gb_proportions_chunk;

enum { GB_TALLY_WIDTH = 32 };

/** A count too large for the table, and how many documents have it. */
typedef struct gb_large_count {
    uint32_t topic, count, n_docs;
} gb_large_count;

typedef struct gb_proportions {
    uint64_t n_docs, n_tokens;
    size_t n_topics;
    const uint64_t *doc_len_start; /* n_docs + 1: N_d = doc_len_start[d + 1] - doc_len_start[d]; borrowed */
    const double *given_length; /* n_docs: N_d of counts that were given, borrowed; NULL: they are those of tokens */
    bool by_document, tallies;  /* which of the views there is memory for */
    uint64_t n_entries;         /* different topics of documents, added up: an estimate, before any were counted */
    size_t n_chunks;
    gb_proportions_chunk *chunk;
    uint32_t *doc_end; /* n_docs: where the entries of a document end in its chunk */

    /* The tally: documents with count n of topic k are n_docs_with[k x GB_TALLY_WIDTH + n] for 0 < n < width; one
     * entry of `large` for each greater count that there is, ascending. */
    gb_team *team; /* it is over the documents of all its ranks; borrowed; NULL: all documents are here */
    uint32_t *n_docs_with;
    gb_large_count *large;
    size_t large_capacity;
    size_t *large_start; /* n_topics + 1: where topic k begins */

    size_t max_threads;
    struct gb_proportions_worker *worker; /* max_threads */
} gb_proportions;

gb_status gb_proportions_create(gb_proportions *out, uint64_t n_docs, size_t n_topics, const uint64_t *doc_len_start,
                                size_t n_threads, gb_error *err);
/** Count by document from the assignments (topic of each token, documents as in doc_len_start). */
gb_status gb_proportions_count(gb_proportions *z, const uint16_t *assignment, gb_error *err);
/** Make the tally from the assignments; independent of gb_proportions_count().
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_proportions_tally(gb_proportions *z, const uint16_t *assignment, gb_error *err);
/** Take counts by document that are given, in place of those of assignments: for shares that are no counts of tokens.
 * @param count   n_docs x n_topics
 * @param length  n_docs: their sums, > 0; borrowed
 * @return GB_OK or GB_ENOMEM */
gb_status gb_proportions_give(gb_proportions *z, const uint32_t *count, const double *length, gb_error *err);
void gb_proportions_clear(gb_proportions *z);

/** The topics of a document, ascending, and their counts. */
typedef struct gb_document_topics {
    size_t n;
    const uint16_t *topic;
    const uint32_t *count;
} gb_document_topics;

/** Document d as of the last gb_proportions_count(). */
static inline gb_document_topics gb_proportions_of(const gb_proportions *z, uint64_t d)
{
    const gb_proportions_chunk *chunk = &z->chunk[d / GB_DOCS_PER_CHUNK];
    const size_t first = d % GB_DOCS_PER_CHUNK == 0 ? 0 : z->doc_end[d - 1];
    return (gb_document_topics){z->doc_end[d] - first, chunk->topic + first, chunk->count + first};
}

/** N_d. */
static inline double gb_proportions_length(const gb_proportions *z, uint64_t d)
{
    return z->given_length != NULL ? z->given_length[d] : (double)(z->doc_len_start[d + 1] - z->doc_len_start[d]);
}

/** The same as gb_proportions_create() makes, without memory: for estimates of it.  by_document, tallies and n_entries are
 * the caller's to set. */
gb_proportions gb_proportions_size(uint64_t n_docs, size_t n_topics, const uint64_t *doc_len_start, size_t n_threads);
/** A gb_list_arrays. */
void gb_proportions_list(void *proportions, const gb_array_visitor *v);

#endif
