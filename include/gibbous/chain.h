/* gibbous/chain.h - a Markov chain, and what it tells about itself while it runs. */
#ifndef GIBBOUS_CHAIN_H
#define GIBBOUS_CHAIN_H

#include "gibbous/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gb_chain;

/** What a running chain tells about itself, once per sweep. */
typedef struct gb_progress {
    uint64_t chain, n_chains; /* from 0 */
    uint64_t sweep, n_sweeps; /* sweeps done in this chain, and wanted */
    bool in_burn_in;
    double seconds;           /* wall time since training began */
    double tokens_per_second; /* of the last sweep */
    struct gb_chain *state;   /* for the two functions below; valid during the call that receives the progress */
} gb_progress;

/** log p(w, z) + log pseudo-likelihood of the labels + log p(eta) after this sweep; NaN when memory runs out.  Costs up to
 * a tenth of a sweep: call it for what is shown, not for every sweep. */
GB_API double gb_progress_log_joint(const gb_progress *progress);

/** Share of labelled documents (of several labels: of documents and labels) that the scores after this sweep get wrong;
 * NaN without labels.  Costs a pass over the scores. */
GB_API double gb_progress_training_error(const gb_progress *progress);

/** Called after each sweep; return false to stop (gb_train() then returns GB_ESTOP). */
typedef bool gb_on_sweep(const gb_progress *progress, void *user);

#ifdef __cplusplus
}
#endif

#endif
