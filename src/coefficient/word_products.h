/* coefficient/word_products.h - words times numbers in single precision, for up to 16 outputs side by side.
 *
 * As design/products.h has it for fewer outputs in double precision: what takes time is to fetch the numbers of a word or document,
 * and here a line of the cache has those of 16 outputs.  `width` is 1, 2, 4, 8 or 16.  Every instruction set gives the same bits. */
#ifndef GB_COEFFICIENT_WORD_PRODUCTS_H
#define GB_COEFFICIENT_WORD_PRODUCTS_H

#include "coefficient/word_list.h"

enum { GB_WIDEST_WORD_GROUP = 16 };

typedef struct gb_word_products {
    /** y_d = sum_j x_dj v_j, documents first..last-1; `value`: the x_dj in the order of x */
    void (*times)(const gb_sparse_columns *x, const float *value, size_t width, const float *v, uint64_t first,
                  uint64_t last, float *y);
    /** likewise with x_dj^2 */
    void (*squares)(const gb_sparse_columns *x, const float *value, size_t width, const float *v, uint64_t first,
                    uint64_t last, float *y);
    /** w_j += sum_d x_dj y_d over the documents of a piece: documents in order, then their sum in double precision */
    void (*add_runs)(const gb_word_piece *piece, size_t width, const float *y, double *w);

    /* ---- vectors: n documents or words of `width` numbers ---- */

    /** image = p + root image */
    void (*add_image)(uint64_t n, const float *p, const float *root, float *image);
    /** sum[l] += a_l b_l over documents */
    void (*dot)(size_t width, uint64_t n, const float *a, const float *b, double *sum);
    /** sum[l] += weight_l r_l^2, sum[width + l] += r_l^2 over documents */
    void (*squares_of)(size_t width, uint64_t n, const float *weight, const float *r, double *sum);
    /** r += a_l x, then as squares_of() */
    void (*step)(size_t width, uint64_t n, const float *a, const float *x, const float *weight, float *r,
                 double *sum);
    /** y += a_l x */
    void (*add_multiple)(size_t width, uint64_t n, const float *a, const float *x, float *y);
    /** p = inverse r + beta_l p,  y = root p */
    void (*turn)(size_t width, uint64_t n, const float *beta, const float *inverse, const float *r, const float *root,
                 float *p, float *y);
} gb_word_products;

extern const gb_word_products gb_word_products_plain, gb_word_products_avx2, gb_word_products_avx512;

#endif
