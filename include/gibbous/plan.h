/* gibbous/plan.h - settings decided against a corpus, before anything is computed. */
#ifndef GIBBOUS_PLAN_H
#define GIBBOUS_PLAN_H

#include "gibbous/corpus.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The settings with everything decided that depends on the corpus: task, classes, alpha, blocks; as
 * gb_train() will use them.  One line of text for the user, e.g. "20 classes (multiclass), hinge c 8, ...".
 * Free with gb_free(). */
GB_API gb_status gb_train_describe(const gb_corpus *corpus, const gb_settings *settings, char **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
