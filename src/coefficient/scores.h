/* coefficient/scores.h - scores of documents from coefficients by feature. */
#ifndef GB_COEFFICIENT_SCORES_H
#define GB_COEFFICIENT_SCORES_H

#include "counts/proportions.h"
#include "design/sparse_columns.h"
#include "simd/isa.h"

#include <stdbool.h>

/** What scores are made of. */
typedef struct gb_scoring {
    const gb_proportions *z;
    const gb_sparse_columns *x; /* NULL: none */
    bool intercept;
    size_t n_outputs;
    const double *eta; /* n_features x n_outputs; features: topics, columns, intercept */
} gb_scoring;

/** s_dl = eta_l0 + sum_k eta_lk n_dk / N_d + sum_p eta_lp x_dp of documents first..last-1; score is n_docs x n_outputs.
 * Documents without tokens have no topics' part.  Every instruction set gives the same bits. */
void gb_score_documents(const gb_scoring *scoring, gb_isa isa, uint64_t first, uint64_t last, double *score);

typedef void gb_scores(const gb_scoring *scoring, uint64_t first, uint64_t last, double *score);
gb_scores gb_scores_plain, gb_scores_avx2, gb_scores_avx512;

#endif
