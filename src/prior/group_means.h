/* prior/group_means.h - means of groups of documents as a Gaussian Markov random field.
 *
 * Topic t of n_free (the last topic's psi is 0 and has no mean).  mu_gt is the mean of group g, psi_dt the log weight of
 * document d in group g(d); Lap_r is the weighted Laplacian of the edges of type r, component c has |c| groups:
 *     log p(mu_.t) = const - sum_r k_r/2 mu' Lap_r mu - sum_c k_0/2 (mean_c(mu) - m_0)^2
 *                  + 1/2 log pdet(sum_r k_r Lap_r) + (number of components)/2 log k_0                         (1)
 *     psi_dt | mu ~ N(mu_{g(d),t}, 1/k_o)                                                                     (2)
 * With a covariance Sigma = C C' of the topics (full covariance), (1) and (2) hold for the rows of mu C'^{-1} and of
 * psi C'^{-1}, with m_0 C'^{-1} as the level and k_o = 1. */
#ifndef GB_PRIOR_GROUP_MEANS_H
#define GB_PRIOR_GROUP_MEANS_H

#include "base/arrays.h"
#include "base/watch.h"
#include "counts/proportions.h"
#include "prior/group_graph.h"
#include "random/random.h"
#include "team/portion.h"

/** A precision: fixed at `value`, or with a Gamma(shape, rate) prior and starting at `value`. */
typedef struct gb_precision {
    double value; /* above 0 */
    bool is_fixed;
    double shape, rate; /* both above 0 */
} gb_precision;

/** log p(x); 0 if it is fixed. */
double gb_precision_log_density(const gb_precision *prior, double x);

typedef struct gb_group_means_settings {
    gb_precision evolution;   /* k_r, of every edge type on its own */
    gb_precision observation; /* k_o */
    double level_precision;   /* k_0, above 0: without it the posterior may have no total */
    double level_mean;        /* m_0 */
    bool per_topic;           /* every topic has precisions of its own; not with a full covariance */
} gb_group_means_settings;

typedef struct gb_group_means {
    gb_group_means_settings settings;
    const gb_graph *graph;
    const gb_portion *portion; /* borrowed; NULL: all documents are here */
    uint64_t n_docs;           /* here */
    uint64_t n_docs_of_all;    /* on all ranks */
    size_t n_free;
    size_t n_sets;       /* of precisions: 1, or n_free (per_topic) */
    double *mean;        /* n_groups x n_free; the state */
    double *evolution;   /* n_sets x n_types; the state */
    double *observation; /* n_sets; the state */
    struct gb_group_means_work *work;
} gb_group_means;

/**
 * Means at m_0, precisions at their start.  Analyses the graph once (ordering and symbolic factor).
 *
 * All ranks have the same means and precisions.  What is added up over documents below is so over those of all ranks, which
 * make the same calls, and may fail with GB_ERANK.
 *
 * @param graph     borrowed
 * @param portion   which documents are here; borrowed; NULL: all
 * @param n_docs    here
 * @param group_of  group of each document here, n_docs numbers; read during this call only
 * @return GB_OK, GB_EFORMAT (weights of edges so far apart that the graph's matrix is singular), GB_ENOMEM or GB_ERANK
 */
gb_status gb_group_means_create(gb_group_means **out, const gb_graph *graph, const gb_portion *portion,
                                uint64_t n_docs, const uint32_t *group_of, size_t n_free,
                                const gb_group_means_settings *settings, size_t n_threads, gb_error *err);
void gb_group_means_free(gb_group_means *m);
/** A gb_list_arrays; what takes no list (the factor) is estimated. */
void gb_group_means_list(void *means, const gb_array_visitor *v);

/**
 * Draw all means given psi and the precisions.
 *
 * @param psi     n_docs x n_free
 * @param factor  NULL, or C: n_free x n_free by rows, lower triangle; then k_o is not used
 * @return GB_OK, GB_ENUMERIC (a precision matrix that is not positive definite, a mean that is not finite) or GB_ENOMEM
 */
gb_status gb_group_means_draw(gb_group_means *m, const double *psi, const double *factor, gb_key key, uint32_t sweep,
                              gb_error *err);
/** The same without documents: from (1). */
gb_status gb_group_means_draw_prior(gb_group_means *m, const double *factor, gb_key key, uint32_t sweep,
                                    gb_error *err);

/**
 * Redraw all means together with psi: psi_dt - mu_{g(d),t} stays as it is (group_shift.c).  For a diagonal covariance.
 *
 * @param z       counts by document
 * @param psi     n_docs x n_free
 * @param weight  n_docs x (n_free + 1): exp(psi) but for a factor of each document; changed likewise, but not scaled again
 */
bool gb_group_means_shift_is_due(const gb_group_means *m, uint32_t sweep);
gb_status gb_group_means_shift(gb_group_means *m, const gb_proportions *z, double *psi, double *weight, gb_key key,
                               uint32_t sweep, gb_error *err);

/** Who is asked from now on whether to go on, where factors take long: a draw that is to stop ends with GB_ESTOP, after which means may be those
 * of before or new, and precisions are those of before.
 * @param watch  borrowed; NULL: nobody */
void gb_group_means_watch(gb_group_means *m, gb_watch *watch);

/** Draw the precisions that are not fixed given means and psi; `factor` as above, when k_o stays as it is. */
gb_status gb_group_means_draw_precisions(gb_group_means *m, const double *psi, const double *factor, gb_key key,
                                         uint32_t sweep, gb_error *err);
/** The same from their Gamma priors. */
void gb_group_means_draw_precisions_prior(gb_group_means *m, gb_key key, uint32_t sweep);

/**
 * Into `out` (n_free x n_free by rows, symmetric) what an inverse-Wishart covariance of the topics sees of documents and means:
 *     sum_d (psi_d - mu_g(d)) (psi_d - mu_g(d))' + sum_r k_r mu' Lap_r mu + k_0 sum_c l_c l_c',   l_c = mean_c(mu) - m_0
 * Its degrees of freedom grow by n_docs_of_all + n_groups.
 */
gb_status gb_group_means_scatter(const gb_group_means *m, const double *psi, double *out, gb_error *err);

/** log p(mu | precisions), with all constants; -infinity never. */
gb_status gb_group_means_log_density(gb_group_means *m, const double *factor, double *out, gb_error *err);
/** log p(precisions that are not fixed). */
double gb_group_means_log_prior(const gb_group_means *m, bool with_observation);

#endif
