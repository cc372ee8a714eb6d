/* dealt_parts.h - the parts of a corpus dealt out to ranks, some of which may get none. */
#ifndef DEALT_PARTS_H
#define DEALT_PARTS_H

#include "team/portion.h"

enum { MOST_PARTS = 64 };

typedef struct dealt_parts {
    gb_portion portion;
    uint64_t start[MOST_PARTS + 1]; /* what the portion points to */
} dealt_parts;

/* Where part i of n_parts begins; some are larger than others. */
static inline uint64_t part_of_corpus(uint64_t n_docs, size_t n_parts, size_t i)
{
    return n_docs * i * (i + n_parts) / (2 * n_parts * n_parts);
}

/* What the team's rank gets.  `out` stays where it is. */
static inline void deal_parts(gb_team *team, uint64_t n_docs, size_t n_parts, dealt_parts *out)
{
    const size_t rank = gb_team_rank(team), size = gb_team_size(team), first = n_parts * rank / size,
                 last = n_parts * (rank + 1) / size;
    const uint64_t first_doc = part_of_corpus(n_docs, n_parts, first);
    for (size_t i = first; i <= last; i++)
        out->start[i - first] = part_of_corpus(n_docs, n_parts, i) - first_doc;
    out->portion = (gb_portion){.team = team,
                                .first_doc = first_doc,
                                .n_docs = out->start[last - first],
                                .n_parts = last - first,
                                .part_start = out->start};
}

#endif
