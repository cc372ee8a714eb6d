/* evaluation/tfidf.h - documents as vectors of TF-IDF.
 *
 * With n_dw how often word w occurs in document d, and df_w in how many of the D training documents:
 *
 *     x_dw = (1 + log n_dw) idf_w / |x_d|,    idf_w = 1 + log((1 + D) / (1 + df_w))
 *
 * A word that no training document has is left out: idf_w = 0.  A document without words is 0. */
#ifndef GB_EVALUATION_TFIDF_H
#define GB_EVALUATION_TFIDF_H

#include "corpus/data/corpus.h"

/** Entries of row i are start[i] .. start[i + 1] - 1, columns ascending. */
typedef struct gb_sparse_rows {
    uint64_t n_rows, *start; /* n_rows + 1 */
    uint32_t *column;
    double *value;
} gb_sparse_rows;

void gb_sparse_rows_clear(gb_sparse_rows *rows);

/** Product of a row with a vector of all columns. */
static inline double gb_sparse_rows_dot(const gb_sparse_rows *rows, uint64_t row, const double *vector)
{
    double sum = 0;
    for (uint64_t i = rows->start[row]; i < rows->start[row + 1]; i++)
        sum += rows->value[i] * vector[rows->column[i]];
    return sum;
}

/** @param idf  receives n_words numbers, free it with gb_free() */
gb_status gb_tfidf_learn(const gb_corpus *training, double **idf, gb_error *err);

/** The documents as rows.
 *
 * @param docs  in the vocabulary of the training documents
 * @param out   receives the rows, clear it with gb_sparse_rows_clear(); untouched on failure */
gb_status gb_tfidf_rows(const gb_corpus *docs, const double *idf, gb_sparse_rows *out, gb_error *err);

#endif
