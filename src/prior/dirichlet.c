/* prior/dirichlet.c - Dirichlet proportions, integrated out.
 *
 *   theta_d ~ Dir(alpha):  a token's document factor is n_dk^{-n} + alpha_k                              (1)
 *   log p(Z) = sum_d [ lgamma(abar) - lgamma(N_d + abar)
 *                      + sum_k ( lgamma(n_dk + alpha_k) - lgamma(alpha_k) ) ]                            (2)
 *
 * Learning alpha (Minka 2000; Wallach 2008), dg the digamma function:
 *   alpha_k <- alpha_k sum_d [dg(n_dk + alpha_k) - dg(alpha_k)] / sum_d [dg(N_d + abar) - dg(abar)]      (3)
 * A fixed point has zero derivative of (2).  Steps (3) make the burn-in a stochastic EM; they stop when it ends,
 * so the kept draws come from a chain with fixed alpha.  Documents without a topic add nothing to its sum, so
 * the sums run over the counts that are not zero.  alpha_k stays in [1e-8, 1e4]: an unused topic drives it to 0. */
#include "math/special.h"
#include "prior/prior.h"

#include <math.h>

enum { STEPS_PER_SWEEP = 5 };

static void base(const gb_prior *prior, uint64_t doc, double *weight)
{
    (void)doc;
    for (size_t k = 0; k < prior->n_topics; k++)
        weight[k] = prior->alpha[k];
}

static double alpha_sum(const gb_prior *prior)
{
    double sum = 0;
    for (size_t k = 0; k < prior->n_topics; k++)
        sum += prior->alpha[k];
    return sum;
}

/* Numerator of (3) for topic k: documents without the topic contribute nothing. */
static double topic_sum(const gb_proportions *z, size_t k, double alpha)
{
    double sum = 0, at_zero = gb_digamma(alpha);
    for (uint64_t i = z->topic_start[k]; i < z->topic_start[k + 1]; i++)
        sum += gb_digamma(z->count[z->entry[i]] + alpha) - at_zero;
    return sum;
}

static double length_sum(const gb_proportions *z, double abar)
{
    double sum = 0, at_zero = gb_digamma(abar);
    for (uint64_t d = 0; d < z->n_docs; d++) {
        uint64_t length = z->doc_len_start[d + 1] - z->doc_len_start[d];
        if (length > 0)
            sum += gb_digamma((double)length + abar) - at_zero;
    }
    return sum;
}

static void update(gb_prior *prior, const gb_proportions *z, bool in_burn_in)
{
    if (!prior->optimise_alpha || !in_burn_in || z->n_tokens == 0)
        return;
    for (int step = 0; step < STEPS_PER_SWEEP; step++) {
        double denominator = length_sum(z, alpha_sum(prior));
        for (size_t k = 0; k < prior->n_topics; k++) {
            double alpha = prior->alpha[k] * topic_sum(z, k, prior->alpha[k]) / denominator; /* (3) */
            prior->alpha[k] = fmin(fmax(alpha, 1e-8), 1e4);
        }
    }
}

static double log_probability(const gb_prior *prior, const gb_proportions *z)
{
    double abar = alpha_sum(prior), sum = 0;
    for (uint64_t d = 0; d < z->n_docs; d++) {
        uint64_t length = z->doc_len_start[d + 1] - z->doc_len_start[d];
        if (length > 0)
            sum += gb_log_gamma(abar) - gb_log_gamma((double)length + abar);
    }
    for (size_t k = 0; k < prior->n_topics; k++) {
        double at_zero = gb_log_gamma(prior->alpha[k]);
        for (uint64_t i = z->topic_start[k]; i < z->topic_start[k + 1]; i++)
            sum += gb_log_gamma(z->count[z->entry[i]] + prior->alpha[k]) - at_zero;
    }
    return sum;
}

static void mean(const gb_prior *prior, double *share)
{
    double abar = alpha_sum(prior);
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = prior->alpha[k] / abar;
}

const gb_prior_ops gb_prior_dirichlet = {.name = "dirichlet",
                                         .unit = 1,
                                         .base_is_shared = true,
                                         .base = base,
                                         .update = update,
                                         .log_probability = log_probability,
                                         .mean = mean};
