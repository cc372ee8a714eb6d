/* gibbous/gibbous.h - supervised topic models with exact, reproducible Markov chain Monte Carlo.
 *
 * The only header a program includes.  It includes the others in reading order.  Every object is opaque, made by a function
 * whose last but one argument receives it, and freed by the matching *_free(), which accepts NULL.  The library never
 * prints, never exits and keeps no global state; functions on different objects may run at the same time. */
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
