/* team/portion.h - the documents that this rank has, and how they are cut.
 *
 * Documents of a corpus are cut into parts, which belong to the corpus: whoever adds doubles over documents adds them up in
 * each part, or in tasks of GB_DOCS_PER_TASK documents, and then puts parts or tasks together in order
 * (gb_team_add_rows()).  A rank has some parts, one after the other, and numbers its documents from 0.  Parts begin at
 * multiples of GB_DOCS_PER_TASK, so no task is cut either. */
#ifndef GB_TEAM_PORTION_H
#define GB_TEAM_PORTION_H

#include "team/team.h"

enum { GB_DOCS_PER_TASK = 256 }; /* work unit of loops over documents */

typedef struct gb_portion {
    gb_team *team;              /* NULL: all documents are here */
    uint64_t first_doc;         /* of the corpus: documents' random numbers are named by first_doc + d */
    uint64_t n_docs;            /* here */
    size_t n_parts;             /* here */
    const uint64_t *part_start; /* n_parts + 1, from 0 to n_docs; borrowed */
} gb_portion;

/* NULL stands for all documents in one part. */

static inline gb_team *gb_portion_team(const gb_portion *portion)
{
    return portion == NULL ? NULL : portion->team;
}

static inline uint64_t gb_portion_first(const gb_portion *portion)
{
    return portion == NULL ? 0 : portion->first_doc;
}

static inline size_t gb_portion_n_parts(const gb_portion *portion)
{
    return portion == NULL ? 1 : portion->n_parts;
}

/** Where part i <= n_parts begins, of n_docs documents. */
static inline uint64_t gb_portion_part(const gb_portion *portion, uint64_t n_docs, size_t i)
{
    return portion != NULL ? portion->part_start[i] : i == 0 ? 0 : n_docs;
}

/** Whether a sum over the one part that is here is the sum over all documents. */
static inline bool gb_portion_is_one_part(const gb_portion *portion)
{
    return gb_portion_team(portion) == NULL && gb_portion_n_parts(portion) == 1;
}

#endif
