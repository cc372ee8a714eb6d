/* gibbous/evaluate.h - scores of predictions. */
#ifndef GIBBOUS_EVALUATE_H
#define GIBBOUS_EVALUATE_H

#include "gibbous/apply.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nothing is public here yet. */

#ifdef __cplusplus
}
#endif

#endif
