/* design/scores.h - scores of documents from coefficients by feature. */
#ifndef GB_DESIGN_SCORES_H
#define GB_DESIGN_SCORES_H

#include "design/design.h"
#include "simd/isa.h"

/** What scores are made of. */
typedef struct gb_scoring {
    const gb_design *design;
    size_t n_outputs;
    const double *eta; /* n_features x n_outputs */
} gb_scoring;

/** s_dl = sum_j f_dj eta_lj of documents first..last-1; score is n_docs x n_outputs.  The constant is added first, then block
 * after block.  Documents without tokens have no topics' part.  Every instruction set gives the same bits. */
void gb_score_documents(const gb_scoring *scoring, gb_isa isa, uint64_t first, uint64_t last, double *score);

typedef void gb_scores(const gb_scoring *scoring, uint64_t first, uint64_t last, double *score);
gb_scores gb_scores_plain, gb_scores_avx2, gb_scores_avx512;

#endif
