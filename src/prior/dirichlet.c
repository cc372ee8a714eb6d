/* prior/dirichlet.c - Dirichlet proportions, integrated out.
 *
 *   theta_d ~ Dir(alpha):  a token's document factor is n_dk^{-n} + alpha_k                              (1)
 *   log p(Z) = sum_d [ lgamma(abar) - lgamma(N_d + abar)
 *                      + sum_k ( lgamma(n_dk + alpha_k) - lgamma(alpha_k) ) ]                            (2)
 *
 * Learning alpha (Minka 2000; Wallach 2008), dg the digamma function:
 *   alpha_k <- alpha_k sum_d [dg(n_dk + alpha_k) - dg(alpha_k)] / sum_d [dg(N_d + abar) - dg(abar)]      (3)
 * A fixed point has zero derivative of (2).  Steps (3) make the burn-in a stochastic EM; they stop when it ends,
 * so the kept draws come from a chain with fixed alpha.  Documents without a topic add nothing to its sum, and
 * those with the same count add the same, so the sums run over the tally of the counts that are not zero.  alpha_k stays
 * in [1e-8, 1e4]: an unused topic drives it to 0. */
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

/* Sum over documents with topic k of f(n_dk + alpha) - f(alpha). */
static double sum_over_documents(const gb_proportions *z, size_t k, double alpha, double f(double))
{
    const uint32_t *n_docs = z->n_docs_with + k * GB_TALLY_WIDTH;
    double sum = 0;
    const double at_zero = f(alpha);
    for (size_t n = 1; n < GB_TALLY_WIDTH; n++)
        if (n_docs[n] > 0)
            sum += n_docs[n] * (f((double)n + alpha) - at_zero);
    for (size_t i = z->large_start[k]; i < z->large_start[k + 1]; i++)
        sum += f(z->large[i].count + alpha) - at_zero;
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
            double alpha =
                prior->alpha[k] * sum_over_documents(z, k, prior->alpha[k], gb_digamma) / denominator; /* (3) */
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
    for (size_t k = 0; k < prior->n_topics; k++)
        sum += sum_over_documents(z, k, prior->alpha[k], gb_log_gamma);
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
