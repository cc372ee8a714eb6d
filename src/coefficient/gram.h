/* coefficient/gram.h - the inner loops of the block draw, for a few outputs side by side.
 *
 * All outputs share the features of the documents, so each index is read once for all of them.  Outputs lie next to each
 * other, padded to a width that fills vectors; no output's sums depend on the others or on the width. */
#ifndef GB_COEFFICIENT_GRAM_H
#define GB_COEFFICIENT_GRAM_H

#include <stddef.h>
#include <stdint.h>

enum { GB_GRAM_WIDTH = 24 }; /* largest; widths are 1, 2, 4, 8, 16, 24 */

/** Where a feature of a document is. */
typedef struct gb_gram_entry {
    uint32_t doc, at;
} gb_gram_entry;

/** The features of some documents, by document and by feature. */
typedef struct gb_gram_block {
    size_t n_docs;
    const uint32_t *doc_start; /* n_docs + 1 */
    const uint32_t *feature;   /* of each entry, ascending in a document */
    const double *value;
    const uint32_t *feature_start; /* n_features + 1 */
    const gb_gram_entry *entry;    /* by feature, documents ascending */
} gb_gram_block;

typedef struct gb_gram_kernel {
    /** row[k][l] += sum_d omega_dl f_dj f_dk for k >= j; omega is n_docs x width, row n_features x width. */
    void (*row)(const gb_gram_block *b, size_t j, size_t width, const double *omega, double *row);
    /** h[k][l] += sum_d kappa_dl f_dk */
    void (*sums)(const gb_gram_block *b, size_t width, const double *kappa, double *h);
} gb_gram_kernel;

extern const gb_gram_kernel gb_gram_plain, gb_gram_avx2, gb_gram_avx512;

#endif
