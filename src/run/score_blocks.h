/* run/score_blocks.h - how much of the differences between scores is topics, covariates, words.
 *
 * With s_dl the score of document d and s_dlb the part of it that block b adds,
 *
 *     share_lb = cov_d(s_dlb, s_dl) / var_d(s_dl)                                                        (1)
 *
 * over the training documents.  The shares of an output add up to 1.  A share is below 0 where a block takes back what the others
 * say too much of.  Where all documents have the same score the shares are 0. */
#ifndef GB_RUN_SCORE_BLOCKS_H
#define GB_RUN_SCORE_BLOCKS_H

#include "chain/chain.h"

/** (1) of the chain's scores as a sweep leaves them.
 *
 * @param score  n_outputs x 2: mean and standard deviation of the scores
 * @param out    receives n_outputs x blocks beside the constant, free it with gb_free(); NULL if there are not several blocks
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_score_blocks(const gb_chain *chain, const double *score, double **out, gb_error *err);

#endif
