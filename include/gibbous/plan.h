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

/**
 * One decision: there is one for each option of training, with its value in this run, and some that no option sets ("outputs",
 * "columns", "kept-draws", "threads-per-chain", "chains-at-once", "instruction-set").
 *
 * @param index  from 0
 * @param name   receives the option's name without dashes, or one of the names above; owned by the plan
 * @param value  receives its value as text, as the command line takes it; several values of one option are joined by commas.  Owned
 *               by the plan
 * @return false, and nothing is received, if there is no such decision
 */
GB_API bool gb_plan_decision(const gb_plan *plan, size_t index, const char **name, const char **value);
/** The value of the decision with that name, or NULL; owned by the plan. */
GB_API const char *gb_plan_value(const gb_plan *plan, const char *name);

/** Numbers of a plan.  Later versions may add members at the end. */
typedef struct gb_plan_facts {
    uint64_t n_topics;
    uint64_t n_outputs; /* scores per document, all responses together */
    /* All chains of the run.  Chains 0 .. n_model_chains - 1 give draws to the model; with the strategy one-vs-rest, each class has
     * the same number of them, class after class.  The chains after them are for calibration (option "calibrate"): each learns
     * without the labels of one fold. */
    uint64_t n_chains, n_model_chains;
    /* Of a chain: its sweeps, burn-in included; its sweeps of burn-in, after which draws are kept; draws that it gives to the model.  If
     * the option "sweeps" is auto, each chain finds its burn-in, and the first two are upper limits: see gb_chain_facts. */
    uint64_t n_sweeps, burn_in, n_draws;
    uint64_t seed;                         /* of the random numbers */
    uint64_t n_threads, threads_per_chain; /* n_threads / threads_per_chain chains run in parallel */
} gb_plan_facts;

/** The numbers of a plan, owned by it. */
GB_API const gb_plan_facts *gb_plan_facts_of(const gb_plan *plan);

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
