/* evaluation/linear.h - linear models of the words: what they need. */
#ifndef GB_EVALUATION_LINEAR_H
#define GB_EVALUATION_LINEAR_H

#include "corpus/data/corpus.h"
#include "plan/target.h"

/** Bytes that gb_linear_fit() takes for a response, beside the documents; at most, since a word may occur several times in a
 * document. */
uint64_t gb_linear_bytes(const gb_corpus *training, const gb_target *target);

#endif
