/* counts/covariates.h - covariates of documents as features x_dj beside the topic shares: numbers, and a column
 * for each level of a factor.
 *
 * Sparse, and held twice: by document (columns ascending) and by column (documents
 * ascending), so that sums over documents of one column run in a fixed order whoever does them.  Features of an
 * output are, everywhere in this order, the K topics, the P columns, and the intercept if there is one. */
#ifndef GB_COUNTS_COVARIATES_H
#define GB_COUNTS_COVARIATES_H

#include "base/arrays.h"

typedef struct gb_covariates {
    uint64_t n_docs;
    size_t n_columns; /* P */
    uint64_t n_entries;
    uint64_t *doc_start;    /* n_docs + 1: entries of document d */
    uint32_t *column;       /* by document */
    double *value;          /* by document */
    uint64_t *column_start; /* n_columns + 1: entries of column j */
    uint64_t *column_doc;   /* by column: the document */
    uint64_t *column_entry; /* by column: position of the entry in column[] and value[] */
    double *column_value;   /* by column */
} gb_covariates;

/** One value; cells that are not named are 0. */
typedef struct gb_covariate_entry {
    uint64_t doc;
    uint32_t column;
    double value;
} gb_covariate_entry;

/**
 * Sort entries both ways.
 *
 * @param entry  n_entries of them in any order, each cell at most once; doc < n_docs, column < n_columns
 * @param out    receives the covariates, clear them with gb_covariates_clear(); untouched on failure
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_covariates_create(gb_covariates *out, uint64_t n_docs, size_t n_columns, uint64_t n_entries,
                               const gb_covariate_entry *entry, gb_error *err);
void gb_covariates_clear(gb_covariates *x);

/** A gb_list_arrays; for estimates n_docs, n_columns and n_entries are enough. */
void gb_covariates_list(void *covariates, const gb_array_visitor *v);

#endif
