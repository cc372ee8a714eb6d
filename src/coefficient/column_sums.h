/* coefficient/column_sums.h - sums over the documents of all ranks for each column, of a few outputs side by side. */
#ifndef GB_COEFFICIENT_COLUMN_SUMS_H
#define GB_COEFFICIENT_COLUMN_SUMS_H

#include "base/arrays.h"
#include "design/products.h"
#include "team/portion.h"

enum { GB_COLUMNS_PER_TASK = 256 };

typedef struct gb_column_sums {
    const gb_portion *portion; /* NULL: all documents, in one part; borrowed */
    size_t n_columns, width, n_threads;
    size_t n_parts; /* of documents, here */
    bool has_team;
    uint64_t whole[2];     /* where documents are in one part */
    const uint64_t *start; /* n_parts + 1; NULL: whole */
    double *part_sum;      /* of ranks in a team: n_parts x numbers that are exchanged */
} gb_column_sums;

/** Without memory: it has an array if there is a team, see gb_column_sums_list().  @param portion  may be NULL */
gb_column_sums gb_column_sums_make(const gb_portion *portion, uint64_t n_docs, size_t n_columns, size_t width,
                                   size_t n_threads);

/** n_parts + 1: where parts of the documents that are here begin. */
const uint64_t *gb_column_sums_starts(const gb_column_sums *sums);

/** A gb_list_arrays. */
void gb_column_sums_list(void *sums, const gb_array_visitor *v);

/** w_j = what documents of these parts give column j, of columns first..last-1; part after part. */
typedef void gb_sum_columns(const void *context, const gb_doc_parts *parts, size_t first, size_t last, double *w);

/**
 * Sums of all columns: by columns on all threads, or in a team by parts, whose sums are exchanged some columns at a time.
 *
 * @param w  n_columns x width
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_column_sums_find(gb_column_sums *sums, gb_sum_columns *sum, const void *context, double *w,
                              gb_error *err);

#endif
