/* design/sparse_columns.h - features of documents that are known before a chain begins, most of them 0: covariates.
 *
 * Held by document, columns ascending.  Whoever goes column by column asks for the documents of each column as well,
 * ascending, so that sums over documents of one column run in a fixed order whoever does them. */
#ifndef GB_DESIGN_SPARSE_COLUMNS_H
#define GB_DESIGN_SPARSE_COLUMNS_H

#include "base/arrays.h"

typedef struct gb_sparse_columns {
    uint64_t n_docs;
    size_t n_columns;
    uint64_t n_entries;
    bool by_column;         /* the lists of columns are there, or wanted */
    uint64_t *doc_start;    /* n_docs + 1: entries of document d */
    uint32_t *column;       /* by document */
    double *value;          /* by document */
    uint64_t *column_start; /* n_columns + 1: entries of column j */
    uint32_t *column_doc;   /* by column: the document */
    double *column_value;   /* by column */
} gb_sparse_columns;

/** One value; cells that are not named are 0. */
typedef struct gb_sparse_entry {
    uint64_t doc;
    uint32_t column;
    double value;
} gb_sparse_entry;

/**
 * Sort entries by document.
 *
 * @param entry  n_entries of them in any order, each cell at most once; doc < n_docs, column < n_columns
 * @param out    receives the columns, clear them with gb_sparse_columns_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (documents that 32 bits cannot number) or GB_ENOMEM
 */
gb_status gb_sparse_columns_create(gb_sparse_columns *out, uint64_t n_docs, size_t n_columns, uint64_t n_entries,
                                   const gb_sparse_entry *entry, gb_error *err);
/** Room for n_entries, for a caller that fills doc_start, column and value by document.  @return as above */
gb_status gb_sparse_columns_allocate(gb_sparse_columns *out, uint64_t n_docs, size_t n_columns, uint64_t n_entries,
                                     gb_error *err);
/** List them by column too.  @return GB_OK or GB_ENOMEM */
gb_status gb_sparse_columns_index(gb_sparse_columns *x, gb_error *err);
void gb_sparse_columns_clear(gb_sparse_columns *x);

/** Sum of a document's values, each times a number of its column. */
static inline double gb_sparse_columns_dot(const gb_sparse_columns *x, uint64_t d, const double *by_column)
{
    double sum = 0;
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        sum += x->value[i] * by_column[x->column[i]];
    return sum;
}

/** A gb_list_arrays; for estimates n_docs, n_columns, n_entries and by_column are enough. */
void gb_sparse_columns_list(void *columns, const gb_array_visitor *v);

#endif
