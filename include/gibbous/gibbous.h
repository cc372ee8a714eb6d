/* gibbous/gibbous.h - supervised topic models with exact, reproducible Markov chain Monte Carlo.
 *
 * The only header that a program includes.  It includes the others in reading order.  These rules hold for all of them:
 *
 *   Objects are opaque.  A function that makes one stores it in its argument `out`, which is untouched on failure; the
 *   matching *_free() or *_close() frees it and accepts NULL.  Other memory that the caller must free is freed by gb_free(),
 *   and the function says so.  A name, text or array that a function returns belongs to the object it was asked of, and is
 *   valid as long as that object, unless the function says otherwise.
 *
 *   Functions that can fail return a gb_status and fill a gb_error, which may be NULL.  A number of a topic, class, document or
 *   the like that is out of range gives NULL, 0, NaN or false, and GB_EARGUMENT where there is a status.  Pointers must not be
 *   NULL unless their description allows it.
 *
 *   The library never prints, never exits, and keeps no state outside of its objects.  Functions on different objects may run
 *   at the same time.  So may functions on the same object that take it as const: many threads may share one corpus
 *   or one model.  While a function works on an object that it takes without const, no other function may use that object.
 *
 *   A callback runs on the thread that called the library.  Once it has returned false, it is not called again.
 *
 *   Structs that the library allocates may have more members at their end in later versions; those that begin with a
 *   member `size` may grow in the caller's memory too; all others keep their layout (docs/c-api). */
#ifndef GIBBOUS_H
#define GIBBOUS_H

/* In reading order. */
/* clang-format off */
#include "gibbous/status.h"
#include "gibbous/output.h"
#include "gibbous/team.h"
#include "gibbous/options.h"
#include "gibbous/corpus.h"
#include "gibbous/plan.h"
#include "gibbous/chain.h"
#include "gibbous/model.h"
#include "gibbous/topic_names.h"
#include "gibbous/train.h"
#include "gibbous/apply.h"
#include "gibbous/predicted_draws.h"
#include "gibbous/explain.h"
#include "gibbous/export.h"
#include "gibbous/effects.h"
#include "gibbous/topic_unions.h"
#include "gibbous/draws.h"
#include "gibbous/estimate.h"
#include "gibbous/cross_fit.h"
#include "gibbous/diagnose.h"
#include "gibbous/evaluate.h"
#include "gibbous/cross_validation.h"
#include "gibbous/select.h"
#include "gibbous/answer.h"
/* clang-format on */

#endif
