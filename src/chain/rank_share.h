/* chain/rank_share.h - what a rank has of a corpus and of a chain's description: its own documents, numbered from 0. */
#ifndef GB_CHAIN_RANK_SHARE_H
#define GB_CHAIN_RANK_SHARE_H

#include "corpus/data/shards.h"
#include "plan/spec.h"
#include "team/portion.h"

typedef struct gb_rank_share {
    gb_portion portion;
    uint64_t n_all_docs, n_all_tokens, n_all_late; /* of all ranks */
    uint64_t first_token;                          /* of this rank, among all */
    uint64_t first_late;                           /* documents with late labels on ranks before this one */
    const gb_corpus *whole;                        /* all documents, maybe without their tokens; borrowed */
    const gb_corpus *corpus;                       /* the same, or `slice` */
    const gb_spec *spec;                           /* borrowed, or `own` */
    gb_corpus slice;                               /* all zero if all documents are here */
    gb_shard_tokens tokens;                        /* of a corpus whose tokens are in shards; else all zero */
    gb_spec own;                                   /* likewise */
    uint64_t *part_start, *late_doc;
} gb_rank_share;

/**
 * The share of the rank of spec->team.
 *
 * @param out  borrows from corpus and spec; clear it with gb_rank_share_clear(); it must not move; untouched on failure
 * @return GB_OK or GB_ENOMEM; of an outline (corpus/data/shards.h) as gb_shards_read()
 */
gb_status gb_rank_share_create(const gb_corpus *corpus, const gb_spec *spec, gb_rank_share *out, gb_error *err);
/** Accepts a share of zeros. */
void gb_rank_share_clear(gb_rank_share *share);

/** The first part of a rank; with rank = size the number of parts. */
size_t gb_first_part(const gb_spec *spec, size_t rank);

/** The rank that has a part. */
size_t gb_rank_of_part(const gb_spec *spec, size_t part);

#endif
