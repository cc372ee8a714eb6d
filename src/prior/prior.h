/* prior/prior.h - document priors: how topics are shared out within a document.
 *
 * A document prior hands out one weight per topic; a token takes topic k with probability proportional to
 *     weight_k x (word factor) x (response factor),   weight_k = base_k + unit n_dk^{-n}                   (1)
 * Dirichlet: base = alpha, unit = 1 (proportions integrated out).  Priors that keep their proportions as a
 * state (uniform; logistic-normal) have unit = 0.  Samplers see base and unit and nothing else of a prior. */
#ifndef GB_PRIOR_PRIOR_H
#define GB_PRIOR_PRIOR_H

#include "base/status.h"
#include "counts/proportions.h"

#include <stdbool.h>

typedef struct gb_prior_ops gb_prior_ops;

typedef struct gb_prior {
    const gb_prior_ops *ops;
    size_t n_topics;
    double *alpha;       /* n_topics; parameters (1 for uniform); owned */
    bool optimise_alpha; /* Dirichlet: learn alpha during burn-in */
} gb_prior;

struct gb_prior_ops {
    const char *name;
    double unit;         /* of (1) */
    bool base_is_shared; /* base weights are the same for all documents */
    /** Base weights of one document, n_topics values. */
    void (*base)(const gb_prior *prior, uint64_t doc, double *base);
    /** Update the prior's own parameters given the topic counts of all documents; `in_burn_in` tells whether
     * steps that only a burn-in may take are allowed. */
    void (*update)(gb_prior *prior, const gb_proportions *z, bool in_burn_in);
    /** log p(Z | parameters). */
    double (*log_probability)(const gb_prior *prior, const gb_proportions *z);
    /** Expected topic shares of a document of which nothing is known, n_topics values. */
    void (*mean)(const gb_prior *prior, double *share);
};

const gb_prior_ops *gb_prior_find(const char *name);

/** @param alpha  n_topics values, copied */
gb_status gb_prior_create(gb_prior *out, const gb_prior_ops *ops, size_t n_topics, const double *alpha,
                          bool optimise_alpha, gb_error *err);
void gb_prior_clear(gb_prior *prior);

extern const gb_prior_ops gb_prior_dirichlet, gb_prior_uniform;

#endif
