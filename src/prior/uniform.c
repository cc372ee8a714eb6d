/* prior/uniform.c - every document uses all topics alike: theta_dk = 1/K fixed, so the document factor of a
 * token is the same for every topic.  The baseline "GibbsUniform" of Mimno, Wallach and McCallum 2008,
 * section 6. */
#include "prior/prior.h"

#include <math.h>

static void base(const gb_prior *prior, uint64_t doc, double *weight)
{
    (void)doc;
    for (size_t k = 0; k < prior->n_topics; k++)
        weight[k] = 1;
}

static void update(gb_prior *prior, const gb_proportions *z, bool in_burn_in)
{
    (void)prior, (void)z, (void)in_burn_in;
}

static double log_probability(const gb_prior *prior, const gb_proportions *z)
{
    return -(double)z->n_tokens * log((double)prior->n_topics);
}

static void mean(const gb_prior *prior, double *share)
{
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = 1 / (double)prior->n_topics;
}

const gb_prior_ops gb_prior_uniform = {.name = "uniform",
                                       .unit = 0,
                                       .base_is_shared = true,
                                       .base = base,
                                       .update = update,
                                       .log_probability = log_probability,
                                       .mean = mean};
