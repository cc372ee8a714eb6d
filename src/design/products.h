/* design/products.h - the columns of a design times numbers, for a few outputs side by side.
 *
 * Columns are the features between topics and constant, numbered from 0.  They do not change while a chain runs.  A caller that has
 * no use for an embedding may take it out of a copy of the design (dense NULL): its columns are then 0.  Numbers of a
 * document or column are `width` next to each other: 1, 2, 4 or 8.  Every instruction set gives the same bits. */
#ifndef GB_DESIGN_PRODUCTS_H
#define GB_DESIGN_PRODUCTS_H

#include "design/design.h"
#include "simd/isa.h"

/** Documents in parts: those of part i are start[i] .. start[i + 1] - 1. */
typedef struct gb_doc_parts {
    size_t n;
    const uint64_t *start; /* n + 1 */
} gb_doc_parts;

/** How columns are multiplied, sparse and dense ones. */
typedef struct gb_products {
    /** y_d += sum_j x_dj v_j, documents first..last-1 */
    void (*times)(const gb_sparse_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                  double *y);
    /** likewise with x_dj^2 */
    void (*squares)(const gb_sparse_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                    double *y);
    /** w_j = sum over parts of sum_d x_dj y_d, columns first..last-1 */
    void (*transposed)(const gb_sparse_columns *x, size_t width, const gb_doc_parts *parts, const double *y,
                       size_t first, size_t last, double *w);
    /** likewise with x_dj^2 */
    void (*transposed_squares)(const gb_sparse_columns *x, size_t width, const gb_doc_parts *parts, const double *y,
                               size_t first, size_t last, double *w);
    /* the same of an embedding, but for the last */
    void (*dense_times)(const gb_dense_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                        double *y);
    void (*dense_squares)(const gb_dense_columns *x, size_t width, const double *v, uint64_t first, uint64_t last,
                          double *y);
    void (*dense_transposed)(const gb_dense_columns *x, size_t width, const gb_doc_parts *parts, const double *y,
                             size_t first, size_t last, double *w);
} gb_products;

extern const gb_products gb_products_plain, gb_products_avx2, gb_products_avx512;

const gb_products *gb_products_for(gb_isa isa);

/** The number of columns, and of features before them. */
size_t gb_layout_n_columns(const gb_layout *layout);
size_t gb_layout_first_column(const gb_layout *layout);

/** y_d = sum_j x_dj v_j of documents first..last-1: columns in order. */
void gb_columns_times(const gb_design *design, gb_isa isa, size_t width, const double *v, uint64_t first,
                      uint64_t last, double *y);

/** y_d = sum_j x_dj^2 v_j, likewise. */
void gb_columns_squares(const gb_design *design, gb_isa isa, size_t width, const double *v, uint64_t first,
                        uint64_t last, double *y);

/** w_j = sum_d x_dj y_d of columns first..last-1: documents in order in each part, then part after part.  Columns are listed by
 * column (gb_sparse_columns_index()). */
void gb_columns_transposed(const gb_design *design, gb_isa isa, size_t width, const gb_doc_parts *parts,
                           const double *y, size_t first, size_t last, double *w);

#endif
