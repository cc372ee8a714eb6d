/* corpus/data/pairs.h - numbers for pairs of numbers: a set that gives each new pair the next number, from 0. */
#ifndef GB_CORPUS_DATA_PAIRS_H
#define GB_CORPUS_DATA_PAIRS_H

#include "base/status.h"

#include <stdint.h>

#define GB_NO_PAIR UINT32_MAX

/** Start from {0}; release with gb_pairs_free(). */
typedef struct gb_pairs {
    uint64_t *pair; /* by number: the first of the two in the upper half */
    uint32_t *slot; /* number + 1, or 0; a power of two, at least twice as many as there are pairs */
    size_t n_slots, capacity;
    uint32_t count;
} gb_pairs;

/** The number of a pair, which is added if it is new. */
gb_status gb_pairs_add(gb_pairs *p, uint32_t first, uint32_t second, uint32_t *number, gb_error *err);
/** The number of a pair, or GB_NO_PAIR. */
uint32_t gb_pairs_find(const gb_pairs *p, uint32_t first, uint32_t second);
/** The first number of a pair. */
uint32_t gb_pairs_first(const gb_pairs *p, uint32_t number);
/** The second number of a pair. */
uint32_t gb_pairs_second(const gb_pairs *p, uint32_t number);
/** A number that looks like chance, the same for equal pairs: to divide them into parts. */
uint64_t gb_pair_hash(uint32_t first, uint32_t second);
/** Leave no pair, and keep the memory. */
void gb_pairs_clear(gb_pairs *p);
void gb_pairs_free(gb_pairs *p);

#endif
