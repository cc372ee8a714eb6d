/* gibbous/train.h - from a corpus and settings to a model, in one call. */
#ifndef GIBBOUS_TRAIN_H
#define GIBBOUS_TRAIN_H

#include "gibbous/chain.h"
#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One line about the run, for the user, as gb_plan_describe() of a plan made from these settings.
 *
 * @param out  receives the text, free it with gb_free(); untouched on failure
 * @return as gb_plan_create() */
GB_API gb_status gb_train_describe(const gb_corpus *corpus, const gb_settings *settings, char **out, gb_error *err);

/**
 * Choose the cost of the labels as gb_train() does: by short trials on some of the documents, whose labels are held out in part.
 *
 * Trials of the cost are run if the option "cost" is "auto", the only response is gaussian or insensitive, and at least 400 documents have
 * its target, not all the same; never with the strategy one-vs-rest or the option "two-stage".  Without trials the cost is not changed, and
 * a plan takes the default of the response.
 *
 * If "variance" has none of words and there is one response, the variance of words follows from the penalty of linear models, chosen on
 * documents held out among at most 5,000.  Under the probit, for ordinal categories, counts, and numbers with cost 1 it is sampled instead.
 *
 * @param settings  receives "cost", and what goes with it unless it is given: in "variance" that of topics and words, and with a cost
 *                  other than 1 "noise-variance"
 * @param on_sweep  as in gb_train(); the progress has no state, and sweep 0.  May be NULL
 * @param told      receives a line for the user about the trials or the variance of words, free it with gb_free(); NULL if there
 *                  was neither.  May be NULL
 * @return as gb_train(); on failure the settings may have changed
 *
 * Cost: 60 sweeps for each of three trials, over at most 2,000 documents.  The result depends on corpus, settings and seed.
 */
GB_API gb_status gb_train_choose_cost(const gb_corpus *corpus, gb_settings *settings, gb_on_sweep *on_sweep,
                                      void *user, char **told, gb_error *err);

/**
 * Start a new chain from a model: the first topic of every token is drawn by the model's topics, in place of the start that the
 * first step would make.  Documents and words may be new.  gb_train() does this if the option "init-from" is set.
 *
 * @return GB_OK, GB_EARGUMENT (another number of topics; the chain has started) or GB_ENOMEM
 *
 * Cost: proportional to tokens times topics.
 */
GB_API gb_status gb_chain_init_from(gb_chain *chain, const gb_model *model, gb_error *err);

/** From inside a callback, ask gb_train() to write a checkpoint as soon as all its chains are between two sweeps.
 * @return false if there will be none: the option "checkpoint" is not set, or the chain is not run by gb_train() */
GB_API bool gb_progress_request_checkpoint(const gb_progress *progress);

/**
 * Set options as in the run of a checkpoint: all that the result depends on and that are not set yet, with burn-in and thin as
 * that run decided them.  gb_train() does this if the option "resume" is set.  Callers do it first, because the options also
 * decide how the corpus is read.
 *
 * @return GB_OK; GB_EFORMAT (not a checkpoint, damaged, of another version, or an option other than "sweeps" is set to
 * another value than in that run; the message names the option), GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_settings_resume(gb_settings *settings, const char *path, gb_error *err);

/** Whether a model may come from the run of a plan, stopped earlier or to be extended: the documents are the same, the settings are the
 * same except for sweeps, and the model has no more draws than the plan keeps.
 *
 * Cost: a pass over the corpus. */
GB_API bool gb_plan_may_have_made(const gb_plan *plan, const gb_model *model);

/** What a checkpoint says about its run, as one JSON object: "sweeps_done" and "draws" of each chain (for a chain
 * without the labels of a fold, "draws" counts the sweeps whose scores were kept), "version" of the library that wrote it, and
 * "settings": the settings that were given, and the seed, sweeps, burn-in and thin of the run, each with a list of values.
 *
 * @param out  receives the text, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (no checkpoint, or a damaged one), GB_EIO or GB_ENOMEM */
GB_API gb_status gb_checkpoint_notes(const char *path, char **out, gb_error *err);

/**
 * Fit a model.
 *
 * @param settings  options of the groups model, sampler, output (draws) and run
 * @param on_sweep  see gb_on_sweep; if chains run in parallel, it is called for the chains that the calling thread runs, and
 *                  for others only while this thread has no chain to run.  May be NULL
 * @param out       receives the model, free it with gb_model_free(); untouched on failure, with one exception: if the
 *                  run was stopped (GB_ESTOP), or its checkpoint or the file of its draws could not be written (GB_EIO, or
 *                  another status), and draws have been kept, it receives a model of these draws
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (labels do not suit the task), GB_ENUMERIC (the message names
 * sweep and document), GB_ENOMEM, GB_EIO (draws file or checkpoint) or GB_ESTOP
 *
 * The result depends on corpus, settings and seed, never on the number of threads.
 */
GB_API gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                          gb_model **out, gb_error *err);

/**
 * The same with chains that begin with the topics of a model, and with a file of draws that gets its name together with the model.
 *
 * @param begin_with  as gb_chain_init_from() begins chains, and the option "init-from" with a model in a file; may be NULL
 * @param draws       receives the file of the option "draws", to be ended by gb_model_write_with(), gb_out_file_commit() or
 *                    gb_out_file_discard(); NULL if the option is not set, on other ranks than 0, or if it could not be written.  If
 *                    `draws` is NULL, as in gb_train(), the file gets its name at once, when the model is not written yet
 */
GB_API gb_status gb_train_from(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                               gb_on_sweep *on_sweep, void *user, gb_model **out, gb_out_file **draws, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
