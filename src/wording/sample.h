/* wording/sample.h - draws of the words of a topic at the nodes of a tree, from a snapshot: (1) of wording/tree.h, for some words.
 *
 * By the aggregation property of the Dirichlet some words and all others as one have the same law, so a draw costs as much as there are words
 * asked for. */
#ifndef GB_WORDING_SAMPLE_H
#define GB_WORDING_SAMPLE_H

#include "random/random.h"
#include "wording/mean.h"

typedef struct gb_wording_sample {
    const gb_wording_draw *draw; /* opened */
    size_t topic, n;             /* n: words */
    double *customers;           /* nodes x (n + 1): of each word, and of all others */
    double *shape, *value;       /* n + 1; nodes x (n + 1) */
} gb_wording_sample;

/** @param word  n different words */
gb_status gb_wording_sample_open(gb_wording_sample *s, const gb_wording_draw *draw, size_t topic, size_t n,
                                 const uint64_t *word, gb_error *err);
void gb_wording_sample_close(gb_wording_sample *s);
/** Draw the probabilities of the words, and of all others: value[node][word]. */
void gb_wording_sample_next(gb_wording_sample *s, gb_random *random);

#endif
