/* evaluation/held_out_scores.h - held-out likelihood per token, from the likelihood of documents (gb_held_out_likelihood()). */
#ifndef GB_EVALUATION_HELD_OUT_SCORES_H
#define GB_EVALUATION_HELD_OUT_SCORES_H

#include <stdint.h>

/* With an error like this a mean of probabilities rests on a few of its samples, and its logarithm is too low. */
#define GB_ROUGH 0.5

/** Sums; starts zeroed. */
typedef struct gb_held_out_scores {
    uint64_t n, n_empty, n_tokens; /* documents, those without a scored token, scored tokens */
    uint64_t n_rough;              /* documents whose Monte Carlo error is above GB_ROUGH */
    double sum, squares, products, squared_lengths, variance;
} gb_held_out_scores;

/** What they say; a number that does not apply is NaN. */
typedef struct gb_held_out_summary {
    double log_likelihood; /* per token, natural: sum of documents' by the number of their tokens */
    double se;             /* standard error from the choice of documents */
    double mc_se;          /* Monte Carlo standard error, given documents and model */
    double perplexity;     /* exp(-log_likelihood) */
} gb_held_out_summary;

void gb_held_out_scores_add(gb_held_out_scores *scores, uint64_t n_scored, double log_likelihood,
                            double standard_error, uint64_t weight);
gb_held_out_summary gb_held_out_scores_summary(const gb_held_out_scores *scores);

#endif
