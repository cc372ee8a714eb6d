/* random/many.h - laws of many numbers at once, by instruction set; random.h says what they draw. */
#ifndef GB_RANDOM_MANY_H
#define GB_RANDOM_MANY_H

#include "random/random.h"

enum { GB_NUMBERS_AHEAD = 16 };

typedef struct gb_lanes {
    /** The numbers of 64 bits of the blocks from a counter on. */
    void (*numbers)(gb_key key, const uint32_t counter[4], uint64_t out[GB_NUMBERS_AHEAD]);
    void (*inverse_gaussians)(const gb_random_streams *s, size_t first, uint32_t block, size_t n, const double *rate,
                              double *out);
    void (*gammas)(const gb_random_streams *s, size_t first, uint32_t block, size_t n, const double *shape,
                   double *out);
    /** `item`: the item of each number; NULL: the items of the streams */
    void (*polya_gammas)(const gb_random_streams *s, const uint64_t *item, size_t first, size_t n, const double *b,
                         const double *z, double *out);
} gb_lanes;

extern const gb_lanes gb_lanes_plain, gb_lanes_avx2, gb_lanes_avx512;

const gb_lanes *gb_lanes_for(gb_isa isa);

#endif
