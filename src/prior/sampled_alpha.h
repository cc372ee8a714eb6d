/* prior/sampled_alpha.h - a Dirichlet prior's parameters drawn given the topics of all documents. */
#ifndef GB_PRIOR_SAMPLED_ALPHA_H
#define GB_PRIOR_SAMPLED_ALPHA_H

#include "options/gamma_law.h"
#include "prior/prior.h"

/** Topics that keywords name keep at least this part of the mean alpha of all topics. */
#define GB_LEAST_ALPHA_OF_NAMED 0.25

/** How alpha_k, independent but for named topics' bounds, are distributed before any document is seen. */
typedef struct gb_alpha_law {
    gb_gamma_law gamma;
    bool is_symmetric; /* one alpha for all topics */
} gb_alpha_law;

/**
 * Draw alpha given the topics.
 *
 * @param sweep  its tally is made
 * @param alpha  n_topics: as it was, and receives what was drawn
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_alpha_draw(const gb_alpha_law *law, const gb_prior *prior, const gb_prior_sweep *sweep, double *alpha,
                        gb_error *err);

/** log of the density of log alpha, but for a constant where named topics have bounds. */
double gb_alpha_log_density(const gb_alpha_law *law, size_t n_topics, const double *alpha);

#endif
