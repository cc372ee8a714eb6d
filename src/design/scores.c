/* design/scores.c - which kernel scores documents. */
#include "design/scores.h"

static gb_scores *scores_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, gb_scores);
}

void gb_score_documents(const gb_scoring *scoring, gb_isa isa, uint64_t first, uint64_t last, double *score)
{
    scores_for(isa)(scoring, first, last, score);
}
