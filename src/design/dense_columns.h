/* design/dense_columns.h - features of documents that are known before a chain begins, nearly none of them 0: an embedding. */
#ifndef GB_DESIGN_DENSE_COLUMNS_H
#define GB_DESIGN_DENSE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

typedef struct gb_dense_columns {
    uint64_t n_docs;
    size_t n_columns;
    float *value; /* n_docs x n_columns */
} gb_dense_columns;

static inline const float *gb_dense_columns_row(const gb_dense_columns *x, uint64_t d)
{
    return x->value + d * x->n_columns;
}

/** Those of documents first..last-1; borrowed. */
static inline gb_dense_columns gb_dense_columns_slice(const gb_dense_columns *x, uint64_t first, uint64_t last)
{
    return (gb_dense_columns){last - first, x->n_columns, x->n_columns == 0 ? NULL : x->value + first * x->n_columns};
}

static inline uint64_t gb_dense_columns_bytes(const gb_dense_columns *x)
{
    return x->n_docs * x->n_columns * sizeof *x->value;
}

#endif
