/* gibbous/plan.h - settings decided against a corpus.
 *
 * Settings leave much open: what a field holds, how many blocks suit the corpus, which sampler is fast.  A plan decides all
 * of this before any sampling, and every decision can be read.  Chains and models are made from a plan. */
#ifndef GIBBOUS_PLAN_H
#define GIBBOUS_PLAN_H

#include "gibbous/corpus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A run with everything decided.  It never changes, so any number of threads may read it at the same time. */
typedef struct gb_plan gb_plan;

/**
 * Decide everything that depends on the corpus.
 *
 * @param corpus    borrowed: it must live as long as the plan and everything made from the plan
 * @param settings  options of the groups model, sampler and run; copied
 * @param out       receives the plan, free it with gb_plan_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (options that do not go together), GB_EFORMAT (labels do not suit the task) or GB_ENOMEM
 *
 * Cost: a pass over the fields, and one over the lengths of the documents.
 */
GB_API gb_status gb_plan_create(const gb_corpus *corpus, const gb_settings *settings, gb_plan **out, gb_error *err);
/** Free a plan, after all chains that were made from it; accepts NULL. */
GB_API void gb_plan_free(gb_plan *plan);

/** Number of decisions: one for each option of training, with its value in this run, and some that no option sets
 * ("outputs", "columns", "kept-draws", "threads-per-chain", "chains-at-once", "instruction-set"). */
GB_API size_t gb_plan_n_decisions(const gb_plan *plan);
/** Name of a decision: the option's name without dashes, or one of the names above; owned by the plan.  NULL if `index` is not below
 * gb_plan_n_decisions(). */
GB_API const char *gb_plan_decision_name(const gb_plan *plan, size_t index);
/** Its value as text, as the command line takes it; several values of one option are joined by commas.  Owned by the plan; NULL
 * if `index` is not below gb_plan_n_decisions(). */
GB_API const char *gb_plan_decision_value(const gb_plan *plan, size_t index);
/** The value of the decision with that name, or NULL; owned by the plan. */
GB_API const char *gb_plan_value(const gb_plan *plan, const char *name);

/** Number of topics. */
GB_API uint64_t gb_plan_n_topics(const gb_plan *plan);
/** Scores per document, all responses together. */
GB_API uint64_t gb_plan_n_outputs(const gb_plan *plan);
/**
 * All chains of the run.  Chains 0 .. gb_plan_n_model_chains() - 1 give draws to the model; with the strategy one-vs-rest,
 * each class has the same number of them, class after class.  The chains after them are for calibration (option "calibrate"):
 * each learns without the labels of one fold.
 */
GB_API uint64_t gb_plan_n_chains(const gb_plan *plan);
/** Chains that give draws to the model. */
GB_API uint64_t gb_plan_n_model_chains(const gb_plan *plan);
/** Sweeps of a chain, burn-in included; the most, if the option "sweeps" is auto: see gb_chain_is_done(). */
GB_API uint64_t gb_plan_n_sweeps(const gb_plan *plan);
/** Sweeps before the first draw may be kept; the most, if the option "sweeps" is auto: see gb_chain_burn_in(). */
GB_API uint64_t gb_plan_burn_in(const gb_plan *plan);
/** Draws that a chain gives to the model. */
GB_API uint64_t gb_plan_n_draws(const gb_plan *plan);
/** True if the state after this sweep is kept as a draw; sweeps are numbered from 1.  If the option "sweeps" is auto, each chain knows:
 * gb_chain_keeps(). */
GB_API bool gb_plan_keeps(const gb_plan *plan, uint64_t sweep);
/** Seed of the random numbers. */
GB_API uint64_t gb_plan_seed(const gb_plan *plan);
/** Threads of the run.  Divided by gb_plan_threads_per_chain(), it is the number of chains that run side by side. */
GB_API uint64_t gb_plan_n_threads(const gb_plan *plan);
/** Threads that work on one chain. */
GB_API uint64_t gb_plan_threads_per_chain(const gb_plan *plan);

/**
 * Peak memory of a process that runs gb_train(), program and corpus included; on several ranks, of the one with most tokens.  For
 * corpora of some megabytes and more, the estimate is within a tenth.
 *
 * @param out  receives the number of bytes
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_plan_memory(const gb_plan *plan, uint64_t *out, gb_error *err);

/** One line for the user: "500 documents, ...; 20 classes (multiclass), hinge with cost 1; 50 topics, ...".
 *
 * @param out  receives the text, free it with gb_free()
 * @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_plan_describe(const gb_plan *plan, char **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
