/* gibbous/chain.h - a Markov chain, and what it tells about itself while it runs. */
#ifndef GIBBOUS_CHAIN_H
#define GIBBOUS_CHAIN_H

#include "gibbous/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One Markov chain of a plan: topics of all tokens, and everything else that is drawn.
 *
 * A chain is used by one thread at a time.  Different chains, also those of one plan, may be used by different threads at the
 * same time; each step uses gb_plan_threads_per_chain() threads.  The result of a chain depends on corpus, settings, seed and
 * the chain's number, never on threads or on how its sweeps are divided into steps.
 */
typedef struct gb_chain gb_chain;

/** What a running chain tells about itself.  The library fills it; later versions may add members at its end. */
typedef struct gb_progress {
    uint64_t chain, n_chains; /* number of the chain, from 0; chains of the plan */
    uint64_t sweep, n_sweeps; /* sweeps done in this chain, and wanted by the plan */
    bool in_burn_in;
    double seconds;           /* wall time since training, or this step, began */
    double tokens_per_second; /* of the last sweep; 0 before there is one */
    gb_chain *state;          /* for the functions below; valid during the call that receives the progress */
    bool is_partial;          /* called from inside the start of a chain (sweep is 0) or inside a sweep */
    struct gb_run *run;       /* the training that the chain belongs to; NULL for a chain that the caller steps */
} gb_progress;

/** gb_chain_log_joint() of this state: NaN when it fails, and inside a start or a sweep.  Costs up to a tenth of a sweep: call it
 * for what is shown, not for every sweep. */
GB_API double gb_progress_log_joint(const gb_progress *progress);

/** gb_chain_training_error() of this state; NaN also inside a start or a sweep. */
GB_API double gb_progress_training_error(const gb_progress *progress);

/**
 * Called after each sweep, and about four times a second from inside a start or a long sweep, always from the thread that
 * called the library.
 *
 * @return false to stop: a start is given up at once, a sweep is finished first.  It is then not called again.
 */
typedef bool gb_on_sweep(const gb_progress *progress, void *user);

/**
 * Allocate a chain; no token has a topic yet.
 *
 * @param plan    borrowed: it must live as long as the chain
 * @param number  from 0, below gb_plan_n_chains(): it keys the random numbers, and says which classes and labels the chain sees
 * @param out     receives the chain, free it with gb_chain_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no such number) or GB_ENOMEM
 *
 * Cost: one pass over the tokens.
 */
GB_API gb_status gb_chain_create(const gb_plan *plan, uint64_t number, gb_chain **out, gb_error *err);
/** Accepts NULL. */
GB_API void gb_chain_free(gb_chain *chain);

/**
 * Do that many sweeps; the first call gives all tokens their first topics before.  0 sweeps: only that.
 *
 * @param on_sweep  see gb_on_sweep; may be NULL
 * @return GB_OK; GB_ESTOP (the callback said so: the chain may be stepped further, a start that was given up begins anew);
 * GB_ENUMERIC or GB_ENOMEM, after which the chain can only be freed
 *
 * Steps may go past the sweeps of the plan.
 */
GB_API gb_status gb_chain_step(gb_chain *chain, uint64_t n_sweeps, gb_on_sweep *on_sweep, void *user, gb_error *err);

/** Its number in the plan. */
GB_API uint64_t gb_chain_number(const gb_chain *chain);
/** Sweeps done. */
GB_API uint64_t gb_chain_n_sweeps(const gb_chain *chain);
/** The plan that it was made from. */
GB_API const gb_plan *gb_chain_plan(const gb_chain *chain);

/**
 * log p(z) + log p(w | z) + sum of log pseudo-likelihoods of the labels + log p(eta, scales), topics and augmentation
 * integrated out.  Natural logarithm, constants included.
 *
 * @return GB_OK, GB_EARGUMENT (not started), GB_ENUMERIC (it is not finite) or GB_ENOMEM
 *
 * Cost: up to a tenth of a sweep.
 */
GB_API gb_status gb_chain_log_joint(gb_chain *chain, double *out, gb_error *err);

/** Share of labelled documents (of several labels: of documents and labels) that the current scores get wrong, over all
 * responses with classes; NaN without labels.  Costs a pass over the scores. */
GB_API double gb_chain_training_error(const gb_chain *chain);

#ifdef __cplusplus
}
#endif

#endif
