/* wording/mean.h - what a snapshot says of the words at the nodes of a tree: (4) of wording/tree.h. */
#ifndef GB_WORDING_MEAN_H
#define GB_WORDING_MEAN_H

#include "wording/wording.h"

/** The customers and the rest that a snapshot has; borrowed. */
typedef struct gb_wording_draw {
    const gb_wording *of;
    uint64_t n_words;
    size_t n_topics;
    double beta;
    const double *concentration; /* n_topics */
    const uint64_t *start;       /* nodes x n_words + 1: customers of word w at node n are start[n n_words + w] .. */
    const uint16_t *topic;
    const uint32_t *count;
    double *total; /* nodes x n_topics: of customers; owned */
} gb_wording_draw;

/** Add up the customers.  @return GB_OK or GB_ENOMEM */
gb_status gb_wording_draw_open(gb_wording_draw *d, gb_error *err);
void gb_wording_draw_close(gb_wording_draw *d);

/** The customers of a word.  @param count  receives nodes x n_topics numbers */
void gb_wording_draw_count(const gb_wording_draw *d, uint64_t word, double *count);
/** The mean probability of a word.  @param phi  receives nodes x n_topics numbers */
void gb_wording_draw_means(const gb_wording_draw *d, uint64_t word, double *phi);

#endif
