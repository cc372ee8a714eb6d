/* gibbous/train.h - from a corpus and settings to a model, in one call. */
#ifndef GIBBOUS_TRAIN_H
#define GIBBOUS_TRAIN_H

#include "gibbous/chain.h"
#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** gb_plan_describe() of a plan made from these settings.  @return as gb_plan_create() */
GB_API gb_status gb_train_describe(const gb_corpus *corpus, const gb_settings *settings, char **out, gb_error *err);

/**
 * Give all tokens of a new chain their first topics by those of a model, in place of the start that the first step would
 * make: documents and words may be new.  gb_train() does so when the option `init-from` is set.
 *
 * @return GB_OK, GB_EARGUMENT (another number of topics; the chain has started) or GB_ENOMEM
 *
 * Cost: tokens times topics.
 */
GB_API gb_status gb_chain_init_from(gb_chain *chain, const gb_model *model, gb_error *err);

/** Ask the training that calls to write a checkpoint as soon as all its chains are between two sweeps.
 * @return false if it writes none: the option `checkpoint` is not set, or the chain belongs to no training */
GB_API bool gb_progress_request_checkpoint(const gb_progress *progress);

/**
 * Take over the options of a checkpoint that are not set: those that the result depends on, with burn-in and thin as its
 * run decided them.  gb_train() does so by itself when the option `resume` is set; a caller who reads the corpus needs them
 * before.
 *
 * @return GB_OK; GB_EFORMAT (no checkpoint, a damaged one, one of another version, or its run had another value of an option
 * that is set: the message names it; only `sweeps` may differ), GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_settings_resume(gb_settings *settings, const char *path, gb_error *err);

/**
 * Fit a model.
 *
 * @param settings  options of the groups model, sampler, output (draws) and run
 * @param on_sweep  see gb_on_sweep; where chains run side by side it hears of those that the calling thread runs, and
 *                  of others only while that thread has none.  May be NULL
 * @param out       receives the model, free it with gb_model_free(); untouched on failure, with one exception: when the
 *                  status is GB_ESTOP or GB_EIO and draws have been kept, it receives the model of these draws
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (labels do not suit the task), GB_ENUMERIC (names sweep and
 * document), GB_ENOMEM, GB_EIO (draws file, checkpoint) or GB_ESTOP
 *
 * The result depends on corpus, settings and seed, never on the number of threads.
 */
GB_API gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                          gb_model **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
