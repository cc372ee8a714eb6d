/* gibbous/chain.h - a Markov chain: step it, watch it, save it, read its state. */
#ifndef GIBBOUS_CHAIN_H
#define GIBBOUS_CHAIN_H

#include "gibbous/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One Markov chain of a plan: the topic of every token, and everything else that is sampled.
 *
 * A chain is used by one thread at a time.  Different chains, also of one plan, may be used by different threads at the same
 * time; each step uses `threads_per_chain` of gb_plan_facts threads.  The result of a chain depends on corpus, settings, seed and
 * the chain's number, never on threads or on how its sweeps are divided into steps.
 *
 * With gb_settings_use_team() several ranks draw the chain together.  Then all of them make every call of this header that takes a chain and
 * can return GB_ERANK, and gb_chain_training_error(), in the same order; GB_ERANK: another rank has failed.
 */
typedef struct gb_chain gb_chain;

/** The progress of a running chain.  The library fills it; later versions may add members at its end. */
typedef struct gb_progress {
    uint64_t chain, n_chains; /* number of the chain, from 0; chains of the plan */
    uint64_t sweep, n_sweeps; /* sweeps that this chain has done, and that it will do; see is_open */
    bool in_burn_in;
    double seconds;           /* wall time since gb_train() or gb_chain_step() was called */
    double tokens_per_second; /* of the chain's last sweep; 0 before there is one */
    gb_chain *state; /* the chain; valid until the callback returns.  While is_partial, threads may be at work on it:
                               * only gb_chain_facts_of() and the two functions below may be called.  NULL in the
                               * trials of gb_train_choose_cost() */
    bool is_partial; /* the call comes from the middle of a sweep, or of a chain's start (sweep is 0) */
    struct gb_run *run;     /* the training that the chain belongs to; NULL for a chain that the caller steps */
    uint64_t n_checkpoints; /* checkpoints that this training has written */
    uint64_t n_done,
        n_left; /* sweeps of all chains: done since `seconds` began to count, and still to do; chains may run side
                              * by side, so `seconds` x n_left / n_done is the time that is left */
    uint64_t bytes_sent; /* in this sweep by this rank to others (gb_settings_use_team()); 0 if is_partial */
    bool is_open; /* the chain has not found out yet how long its burn-in is: n_sweeps and n_left are upper limits */
} gb_progress;

/** gb_chain_log_joint() of this state; on several ranks, of this sweep or one shortly before it.  NaN if it fails, or if `is_partial`.
 * It costs up to a tenth of a sweep, so call it only for the sweeps that are shown. */
GB_API double gb_progress_log_joint(const gb_progress *progress);

/** gb_chain_training_error() of this state; NaN also if `is_partial`, and on several ranks, since one of them cannot know it. */
GB_API double gb_progress_training_error(const gb_progress *progress);

/**
 * Called after each sweep, and about four times a second during a chain's start or a long sweep, always on the thread that
 * called the library.
 *
 * @return false to stop: a start is abandoned at once, a sweep is finished first, or given up by a training without a checkpoint where that
 * would take long.  The callback is then not called again.
 */
typedef bool gb_on_sweep(const gb_progress *progress, void *user);

/**
 * Allocate a chain; no token has a topic yet.  It will start by itself, without the short chains of the option "pool".
 *
 * @param plan    borrowed: it must live as long as the chain
 * @param number  of the chain, below `n_chains` of gb_plan_facts: it keys the random numbers, and decides which classes and labels the
 *                chain sees
 * @param out     receives the chain, free it with gb_chain_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no such number), GB_ENOMEM or GB_ERANK
 *
 * Cost: one pass over the tokens.
 */
GB_API gb_status gb_chain_create(const gb_plan *plan, uint64_t number, gb_chain **out, gb_error *err);
/** Free a chain; accepts NULL. */
GB_API void gb_chain_free(gb_chain *chain);

/**
 * Do `n_sweeps` sweeps.  The first call starts the chain: it gives every token its first topic.  With 0 sweeps it does only that.
 *
 * @param on_sweep  see gb_on_sweep; may be NULL
 * @return GB_OK; GB_ESTOP (the callback returned false; the chain may be stepped further, and an abandoned start begins anew);
 * GB_ENUMERIC, GB_ENOMEM or GB_ERANK, after which the chain can only be freed
 *
 * A chain may do more sweeps than the plan says.
 */
GB_API gb_status gb_chain_step(gb_chain *chain, uint64_t n_sweeps, gb_on_sweep *on_sweep, void *user, gb_error *err);

/** How far a chain is.  Later versions may add members at the end. */
typedef struct gb_chain_facts {
    uint64_t number;   /* of the chain in its plan */
    uint64_t n_sweeps; /* that it has done */
    /* Sweeps of burn-in.  With the option "sweeps" at auto, each chain ends its burn-in when the log joint and the losses gain little; until
     * then this is the upper limit, `burn_in` of gb_plan_facts. */
    uint64_t burn_in;
    bool burn_in_is_found; /* the burn-in has ended by that rule */
    bool keeps;            /* gb_train() keeps the state after the last sweep as a draw */
    bool is_done;          /* the chain has done all its sweeps, burn-in and draws */
} gb_chain_facts;

/** How far the chain is now: owned by the chain, and valid until the next call. */
GB_API const gb_chain_facts *gb_chain_facts_of(gb_chain *chain);

/**
 * The log joint density of the state: log p(z) + log p(w | z) + sum of log pseudo-likelihoods of the labels + log p(eta, scales),
 * with topic-word distributions and augmentation variables integrated out.  Natural logarithm, constants included.
 *
 * @return GB_OK, GB_EARGUMENT (the chain has not started), GB_ENUMERIC (the result is not finite), GB_ENOMEM or GB_ERANK
 *
 * Cost: up to a tenth of a sweep.
 */
GB_API gb_status gb_chain_log_joint(gb_chain *chain, double *out, gb_error *err);

/** Share of labelled documents whose class the current scores get wrong, over all responses with classes; with several labels
 * per document, the share of all pairs of a document and a class that they get wrong.  NaN without labels.  Costs a pass over the scores. */
GB_API double gb_chain_training_error(const gb_chain *chain);

/* ---- files ---- */

/**
 * Write the state of a chain to a file (docs/format.md).  The file has a checksum and appears whole or not at all.
 *
 * On several ranks, rank 0 writes what all have; every rank reads it.
 *
 * @param force  overwrite an existing file
 * @return GB_OK, GB_EARGUMENT (the chain has not started; the file exists), GB_EIO, GB_ENOMEM or GB_ERANK
 */
GB_API gb_status gb_chain_save(const gb_chain *chain, const char *path, bool force, gb_error *err);

/**
 * Load a chain that was saved.  Stepped further, it gives the same bits as if it had never been saved, with any number of
 * threads and any instruction set.
 *
 * @param plan  for the same documents, model and seed; sweeps, burn-in and thin may differ.  Borrowed, as in gb_chain_create()
 * @param out   receives the chain, free it with gb_chain_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (not a saved chain, damaged, or of other documents, another plan or another version), GB_EIO, GB_ENOMEM or GB_ERANK
 */
GB_API gb_status gb_chain_load(const gb_plan *plan, const char *path, gb_chain **out, gb_error *err);

/* ---- reading the state ---- */

/** An array of a chain, row-major with the given strides; for reading only, between steps.  Later versions may add members at the
 * end. */
typedef struct gb_array_view {
    const char *name;    /* "coefficients"; no two arrays of a chain have the same name */
    const char *type;    /* unsigned "U8", "U16", "U32", "U64"; signed "I32", "I64"; floating point "F32", "F64" */
    const void *data;    /* NULL for an array without elements */
    size_t n_dimensions; /* 1 to 3 */
    uint64_t shape[3];
    uint64_t stride[3]; /* bytes from one element of the dimension to the next */
    bool is_state;      /* gb_chain_save() writes it; otherwise it is computed from arrays that are written */
    bool
        is_fixed; /* its memory stays where it is until the chain is freed, and steps change what is in it; otherwise a step may free
                    * the memory */
} gb_array_view;

/** Number of arrays of a chain, empty ones included; the same for all chains of a plan. */
GB_API uint64_t gb_chain_n_arrays(const gb_chain *chain);
/** Array number `index`: owned by the chain, valid until its next step or until the next call of this function or
 * gb_chain_find_array(); NULL if `index` is out of range or memory runs out.
 *
 * "coefficients" (outputs x features: topics, columns of covariates and words, intercept), "scores" (documents x outputs), "targets"
 * (documents x outputs, coded, NaN if missing), "augmentation" (documents x outputs x 3), "own_parameters" (noise
 * variances, dispersions, cut points), "topics" (tokens, in the order of the corpus; without meaning before the first step), and
 * the arrays of the document prior, the coefficient prior and the topic sampler. */
GB_API const gb_array_view *gb_chain_array(gb_chain *chain, uint64_t index);
/** The array with this name, as gb_chain_array(); NULL if there is none or it is empty. */
GB_API const gb_array_view *gb_chain_find_array(gb_chain *chain, const char *name);

#ifdef __cplusplus
}
#endif

#endif
