/* coefficient/scores.c - which kernel scores documents. */
#include "coefficient/scores.h"

static gb_scores *scores_for(gb_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return gb_scores_avx2;
    case GB_ISA_AVX512:
        return gb_scores_avx512;
#endif
    default:
        return gb_scores_plain;
    }
}

void gb_score_documents(const gb_scoring *scoring, gb_isa isa, uint64_t first, uint64_t last, double *score)
{
    scores_for(isa)(scoring, first, last, score);
}
