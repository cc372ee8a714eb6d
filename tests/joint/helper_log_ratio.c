/* helper_log_ratio.c - a state of tiny size, and its log joint density. */
#include "helper_log_ratio.h"

#include <math.h>

const uint64_t ratio_doc_start[D + 1] = {0, 4, 5, 5, 11, N_TOKENS};

gb_random ratio_stream(uint32_t number)
{
    return gb_random_open(gb_key_make(20240607, 0), number, GB_DRAW_TEST, 0);
}

size_t ratio_block_of(uint32_t word)
{
    return word % B;
}

double ratio_uniform_between(gb_random *r, double low, double high)
{
    return low + (high - low) * gb_random_uniform(r);
}

ratio_state ratio_random_state(gb_random *r, size_t n_outputs, double omega)
{
    ratio_state s = {
        .n_outputs = n_outputs, .unit = (double)gb_random_below(r, 2), .given_phi = gb_random_below(r, 2)};
    s.beta = ratio_uniform_between(r, 0.01, 2);
    for (size_t k = 0; k < K; k++) {
        s.base[k] = ratio_uniform_between(r, 0.05, 3);
        for (size_t b = 0; b < B; b++)
            s.mass[b][k] = ratio_uniform_between(r, 0.01, 1);
        for (size_t w = 0; w < V; w++)
            s.phi[w * STRIDE + k] = (float)ratio_uniform_between(r, 0.001, 1);
    }
    for (size_t i = 0; i < N_TOKENS; i++) {
        s.word[i] = (uint32_t)gb_random_below(r, V);
        s.topic[i] = (uint16_t)gb_random_below(r, K);
    }
    for (size_t l = 0; l < n_outputs; l++) {
        s.intercept[l] = gb_random_normal(r);
        for (size_t k = 0; k < K; k++)
            s.eta[l][k] = 2 * gb_random_normal(r);
        for (size_t d = 0; d < D; d++)
            if (gb_random_below(r, 5) > 0) /* else no label: no factor */
                s.term[d][l] = (gb_score_term){.slope = 2 * gb_random_normal(r),
                                               .omega = omega * gb_random_exponential(r),
                                               .centre = gb_random_normal(r)};
    }
    return s;
}

double ratio_score_of(const ratio_state *s, size_t d, size_t l)
{
    double sum = 0;
    for (uint64_t i = ratio_doc_start[d]; i < ratio_doc_start[d + 1]; i++)
        sum += s->eta[l][s->topic[i]];
    return (ratio_doc_start[d + 1] > ratio_doc_start[d] ? sum / (double)(ratio_doc_start[d + 1] - ratio_doc_start[d])
                                                        : 0) +
           s->intercept[l];
}

/* ---- the log joint, (1) ---- */

static double log_of_documents(const ratio_state *s)
{
    double log_p = 0;
    for (size_t d = 0; d < D; d++) {
        double n[K] = {0};
        for (uint64_t i = ratio_doc_start[d]; i < ratio_doc_start[d + 1]; i++)
            n[s->topic[i]]++;
        for (size_t k = 0; k < K; k++) /* Dirichlet proportions integrated out, or fixed ones */
            log_p += s->unit > 0 ? lgamma(n[k] + s->base[k]) - lgamma(s->base[k]) : n[k] * log(s->base[k]);
    }
    return log_p;
}

static double log_of_words(const ratio_state *s)
{
    double n_kw[K][V] = {{0}}, n_kb[K][B] = {{0}}, beta_b[B] = {0}, log_p = 0;
    for (uint32_t w = 0; w < V; w++)
        beta_b[ratio_block_of(w)] += s->beta;
    for (size_t i = 0; i < N_TOKENS; i++) {
        n_kw[s->topic[i]][s->word[i]]++;
        n_kb[s->topic[i]][ratio_block_of(s->word[i])]++;
    }
    for (size_t k = 0; k < K; k++) {
        for (size_t w = 0; w < V; w++)
            log_p += s->given_phi ? n_kw[k][w] * log(s->phi[w * STRIDE + k])
                                  : lgamma(n_kw[k][w] + s->beta) - lgamma(s->beta);
        for (size_t b = 0; b < B && !s->given_phi; b++)
            log_p += n_kb[k][b] * log(s->mass[b][k]) + lgamma(beta_b[b]) - lgamma(n_kb[k][b] + beta_b[b]);
    }
    return log_p;
}

/* kappa s - omega s^2/2 with the square completed: omega may be huge. */
double ratio_log_of_responses(const ratio_state *s)
{
    double log_p = 0;
    for (size_t d = 0; d < D; d++) {
        for (size_t l = 0; l < s->n_outputs; l++) {
            const double score = ratio_score_of(s, d, l), distance = s->term[d][l].centre - score;
            log_p += s->term[d][l].slope * score - s->term[d][l].omega * distance * distance / 2;
        }
    }
    return log_p;
}

double ratio_log_joint(const ratio_state *s)
{
    return log_of_documents(s) + log_of_words(s) + ratio_log_of_responses(s);
}
