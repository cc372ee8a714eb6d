/* prior/mean_shares.h - expected topic shares of a document whose log weights are normal: E softmax(psi).
 *
 *   psi_t ~ N(mean_t, 1 / precision_t) independently, or psi ~ N(mean, Sigma), t = 1..K-1;  psi_K = 0
 *   share_k = E[exp(psi_k) / sum_j exp(psi_j)]                                                              (1)
 * What depends on the spread is made once; then any number of means may be asked for. */
#ifndef GB_PRIOR_MEAN_SHARES_H
#define GB_PRIOR_MEAN_SHARES_H

#include "base/status.h"

#include <stddef.h>

typedef struct gb_mean_shares gb_mean_shares;

/**
 * Independent weights: (1) by quadrature, to about 1e-6.
 *
 * @param n_free       K - 1 >= 1
 * @param n_precisions 1: the same for all; n_free: one for each
 */
gb_status gb_mean_shares_create(gb_mean_shares **out, size_t n_free, size_t n_precisions, const double *precision,
                                gb_error *err);
/**
 * Correlated weights: (1) as the mean over documents that are the same for every covariance and mean.
 *
 * @param root  n_free x n_free by rows: lower triangle L of L L' = Sigma
 */
gb_status gb_mean_shares_create_full(gb_mean_shares **out, size_t n_free, const double *root, gb_error *err);
void gb_mean_shares_free(gb_mean_shares *m);

/** (1) for one mean.
 * @param mean   n_free numbers; with one that is not finite the shares are NaN
 * @param room   n_free + 1 numbers of scratch memory
 * @param share  receives n_free + 1 numbers */
void gb_mean_shares_at(const gb_mean_shares *m, const double *mean, double *room, double *share);

#endif
