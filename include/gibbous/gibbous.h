/* gibbous/gibbous.h - supervised topic models with exact, reproducible Markov chain Monte Carlo.
 *
 * The only header that a program includes.  It includes the others in reading order.  What holds for all of them:
 *
 *   Objects are opaque.  A function makes one through its argument `out`, which is untouched when the function fails; the
 *   matching *_free() or *_close() frees it and accepts NULL.  Memory of which a function says so is freed by gb_free().
 *   A name, text or array that a function returns belongs to the object that was asked, and lives as long as that.
 *
 *   Functions that can fail return a gb_status and fill a gb_error, which may be NULL.  A number out of range (of a topic, a
 *   class, a document) is answered with NULL, 0, NaN or false, and with GB_EARGUMENT where there is a status.  Pointers must
 *   not be NULL unless their description allows it.
 *
 *   The library never prints, never exits, and keeps no state outside of its objects.  Functions on different objects may run
 *   at the same time.  So may functions that take an object as const, on the same object: one corpus or one model serves
 *   many threads.  A function that takes an object without const must be alone with it.
 *
 *   A callback runs on the thread that called the function which takes it, and not again once it has said stop.
 *
 *   Structs that the library allocates may have more members at their end in later versions; those that begin with a
 *   member `size` may grow in the caller's memory too; all others keep their layout (docs/c-api). */
#ifndef GIBBOUS_H
#define GIBBOUS_H

/* In reading order. */
/* clang-format off */
#include "gibbous/status.h"
#include "gibbous/output.h"
#include "gibbous/options.h"
#include "gibbous/corpus.h"
#include "gibbous/plan.h"
#include "gibbous/chain.h"
#include "gibbous/model.h"
#include "gibbous/train.h"
#include "gibbous/apply.h"
#include "gibbous/effects.h"
#include "gibbous/evaluate.h"
#include "gibbous/cross_validation.h"
/* clang-format on */

#endif
