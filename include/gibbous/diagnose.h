/* gibbous/diagnose.h - whether chains have run long enough. */
#ifndef GIBBOUS_DIAGNOSE_H
#define GIBBOUS_DIAGNOSE_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The evidence whether chains have run long enough: of a model, or of a run that goes on. */
typedef struct gb_diagnosis gb_diagnosis;

/** How much is computed. */
typedef enum gb_diagnosis_depth {
    GB_DIAGNOSE_RUN, /* traces, log joint and losses: what `gibbous train` prints at its end */
    GB_DIAGNOSE_ALL  /* also topics, scores, covariates and so on: what `gibbous diagnose` prints */
} gb_diagnosis_depth;

/**
 * Diagnose the chains of a model.
 *
 * @param out  receives the diagnosis, free it with gb_diagnosis_free(); it does not need the model any more.  Untouched on failure
 * @return GB_OK or GB_ENOMEM
 *
 * Of chains with different numbers of draws the last draws count, as many as the shortest chain has.
 *
 * Cost: for each number some passes over its draws; with several chains the match of their topics.
 */
GB_API gb_status gb_diagnosis_create(const gb_model *model, gb_diagnosis_depth depth, gb_diagnosis **out,
                                     gb_error *err);
/**
 * Diagnose a training that goes on, or was stopped, from its checkpoint and the draws beside it; neither is changed.  Names of
 * fields and the topics are known only when there is a model.
 *
 * @return GB_OK, GB_EFORMAT (no checkpoint, or damaged), GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_diagnosis_create_from_checkpoint(const char *path, gb_diagnosis **out, gb_error *err);
/** Free a diagnosis; accepts NULL. */
GB_API void gb_diagnosis_free(gb_diagnosis *diagnosis);

#ifdef __cplusplus
}
#endif

#endif
