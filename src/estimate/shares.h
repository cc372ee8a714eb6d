/* estimate/shares.h - what the words of documents say of their topics, under the snapshots of a chain. */
#ifndef GB_ESTIMATE_SHARES_H
#define GB_ESTIMATE_SHARES_H

#include "corpus/data/corpus.h"

/** Counts of topics in draws of the topics of documents, given their words. */
typedef struct gb_estimate_shares {
    const gb_corpus *docs; /* borrowed */
    size_t n_topics;
    size_t n_passes;  /* draws of a snapshot */
    size_t n_kept;    /* of them, the last ones, which are kept */
    size_t n_rooms;   /* snapshots of a chain, at most */
    size_t n_used;    /* snapshots so far */
    uint32_t *count;  /* n_rooms x n_docs x n_topics: of all passes under a snapshot */
    uint32_t *half;   /* n_docs x n_topics: of the first half of the passes under the last snapshot */
    uint16_t *topic;  /* n_rooms x n_kept x n_tokens: draws that are kept */
    uint32_t *total;  /* n_docs x n_topics: of all snapshots */
    double *length;   /* n_docs: sum of each document's total */
    double *of_empty; /* n_topics: shares of a document without words */
} gb_estimate_shares;

/**
 * @param docs    borrowed
 * @param n_kept  draws of a snapshot to keep, 1 to n_passes
 * @param out     clear it with gb_estimate_shares_clear(), also on failure
 * @return GB_OK, GB_EARGUMENT (more passes than can be counted) or GB_ENOMEM
 */
gb_status gb_estimate_shares_create(gb_estimate_shares *out, const gb_corpus *docs, size_t n_topics, size_t n_passes,
                                    size_t n_kept, size_t n_rooms, gb_error *err);
/** Bytes of the arrays. */
uint64_t gb_estimate_shares_bytes(const gb_corpus *docs, size_t n_topics, size_t n_kept, size_t n_rooms);
void gb_estimate_shares_clear(gb_estimate_shares *s);

/** Begin with the first snapshot of another chain. */
void gb_estimate_shares_restart(gb_estimate_shares *s);
/** The next snapshot. */
void gb_estimate_shares_begin(gb_estimate_shares *s);
/** A draw of a document's topics under the snapshot.  Safe for several documents at a time. */
void gb_estimate_shares_add(gb_estimate_shares *s, uint64_t d, size_t pass, const uint16_t *topic);

/** Sum up all snapshots.  A document without words has the mean shares of the others: count 2^20. */
void gb_estimate_shares_finish(gb_estimate_shares *s);

/** A kept draw of the topics of a document; 0 <= draw < n_used x n_kept. */
static inline const uint16_t *gb_estimate_shares_draw(const gb_estimate_shares *s, size_t draw, uint64_t d)
{
    return s->topic + draw * s->docs->n_tokens + s->docs->doc_start[d];
}

/** By how much the mean shares under snapshot i differ from the mean over all; nothing in a document without words.
 * @param share  receives n_topics values */
void gb_estimate_shares_deviation(const gb_estimate_shares *s, size_t i, uint64_t d, double *share);

#endif
