/* evaluation/held_out_scores.c - held-out likelihood per token, from the likelihood of documents.
 *
 * With l_d the log likelihood of document d and n_d its scored tokens, of D documents that have any,
 *
 *   L = sum_d l_d / sum_d n_d                                                                              (1)
 *   se^2 = D / (D - 1) sum_d (l_d - L n_d)^2 / (sum_d n_d)^2                                               (2)
 *
 * (2) is the error of a ratio of sums (Cochran 1977, section 2.11).  Monte Carlo errors of documents are independent. */
#include "evaluation/held_out_scores.h"

#include <math.h>

void gb_held_out_scores_add(gb_held_out_scores *s, uint64_t n_scored, double log_likelihood, double standard_error,
                            uint64_t weight)
{
    const double length = (double)n_scored, w = (double)weight;
    s->n += weight;
    if (n_scored == 0) {
        s->n_empty += weight;
        return;
    }
    s->n_tokens += weight * n_scored;
    s->n_rough += standard_error > GB_ROUGH ? weight : 0;
    s->sum += w * log_likelihood;
    s->squares += w * log_likelihood * log_likelihood;
    s->products += w * log_likelihood * length;
    s->squared_lengths += w * length * length;
    s->variance += w * standard_error * standard_error;
}

gb_held_out_summary gb_held_out_scores_summary(const gb_held_out_scores *s)
{
    const double n_tokens = (double)s->n_tokens, n_docs = (double)(s->n - s->n_empty);
    const double mean = n_tokens > 0 ? s->sum / n_tokens : NAN;
    const double squares = s->squares - 2 * mean * s->products + mean * mean * s->squared_lengths;
    return (gb_held_out_summary){.log_likelihood = mean,
                                 .se = n_docs > 1 ? sqrt(n_docs / (n_docs - 1) * fmax(squares, 0)) / n_tokens : NAN,
                                 .mc_se = n_tokens > 0 ? sqrt(s->variance) / n_tokens : NAN,
                                 .perplexity = exp(-mean)};
}
