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
    uint64_t n_checkpoints;   /* written so far by this training */
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

/* ---- files ---- */

/**
 * Write the state of a chain between two steps (docs/format.md): whole or not at all, with a checksum.
 *
 * @param force  overwrite a file that exists
 * @return GB_OK, GB_EARGUMENT (the chain has not started; a file is there already), GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_chain_save(const gb_chain *chain, const char *path, bool force, gb_error *err);

/**
 * Go on with a chain that was saved: the same bits, with any number of threads and any instruction set.
 *
 * @param plan  of the same documents, model and seed; sweeps, burn-in and thin may differ.  Borrowed, as for gb_chain_create()
 * @param out   receives the chain, free it with gb_chain_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (no saved chain, damaged, of other documents, of another plan or version), GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_chain_load(const gb_plan *plan, const char *path, gb_chain **out, gb_error *err);

/* ---- looking at the state ---- */

/** An array of a chain.  Row-major with the strides given; to be read only, between steps.  Later versions may add members at the
 * end. */
typedef struct gb_array_view {
    const char *name; /* "coefficients"; no two arrays of a chain have the same */
    const char
        *type; /* "U8", "U16", "U32", "U64", "I32", "I64", "F32" or "F64": unsigned, signed, floating point; bits */
    const void *data;    /* NULL for an array without elements */
    size_t n_dimensions; /* 1 to 3 */
    uint64_t shape[3];
    uint64_t stride[3]; /* bytes from one element of the dimension to the next */
    bool is_state;      /* part of what gb_chain_save() writes; otherwise it follows from the rest */
} gb_array_view;

/** Arrays of a chain, those without elements included; the same for all chains of a plan. */
GB_API uint64_t gb_chain_n_arrays(const gb_chain *chain);
/** Array `index`: owned by the chain, valid until its next step or the next call; NULL if `index` is not below
 * gb_chain_n_arrays(), or memory runs out.
 *
 * "coefficients" (outputs x features: topics, columns of covariates, intercept), "scores" (documents x outputs), "targets"
 * (documents x outputs, coded, NaN if missing), "augmentation" (documents x outputs x 3), "own_parameters", and what the
 * document prior, the coefficient prior and the topic sampler keep.  "topics" (tokens) is in the order of the corpus, and
 * before the first step without meaning. */
GB_API const gb_array_view *gb_chain_array(gb_chain *chain, uint64_t index);
/** The array of that name; NULL if there is none, or it has no elements.  Else as gb_chain_array(). */
GB_API const gb_array_view *gb_chain_find_array(gb_chain *chain, const char *name);

/** Topics of a document's tokens in the order of the corpus.
 *
 * @param document  below gb_corpus_n_docs()
 * @param out       receives as many values as the document has tokens */
GB_API void gb_chain_assignment(const gb_chain *chain, uint64_t document, uint16_t *out);

#ifdef __cplusplus
}
#endif

#endif
