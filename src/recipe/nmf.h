/* recipe/nmf.h - documents as sums of a few parts that are not negative. */
#ifndef GB_RECIPE_NMF_H
#define GB_RECIPE_NMF_H

#include "design/sparse_columns.h"

/** x_dw is about the sum over parts of document_dk word_wk. */
typedef struct gb_nmf {
    size_t n_parts;
    float *document; /* n_docs x n_parts, >= 0 */
    float *word;     /* n_columns x n_parts, >= 0 */
} gb_nmf;

/**
 * Factorise a matrix, always in the same way.
 *
 * @param x    of words, >= 0, listed by column too
 * @param out  clear it with gb_nmf_clear(); untouched on failure.  Parts beyond the rank of x are 0
 * @return GB_OK, GB_ENOMEM or GB_ESTOP (by gb_parallel_watch())
 *
 * Cost: some 40 times, the entries times the parts, and documents and words times the square of the parts; 10 times the cube of the
 * parts for the eigenvectors.
 */
gb_status gb_nmf_find(const gb_sparse_columns *x, size_t n_parts, size_t n_threads, gb_nmf *out, gb_error *err);
void gb_nmf_clear(gb_nmf *nmf);

/** Bytes that it takes, for its result and while it works. */
uint64_t gb_nmf_bytes(uint64_t n_docs, uint64_t n_words, size_t n_parts, size_t n_threads);

#endif
