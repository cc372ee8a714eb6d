/* diagnose/order.h - draws in order of their size. */
#ifndef GB_DIAGNOSE_ORDER_H
#define GB_DIAGNOSE_ORDER_H

#include <stddef.h>

typedef struct gb_ranked {
    double value;
    size_t at; /* where it came from */
} gb_ranked;

/** Ascending; the order of equal values is not said. */
void gb_ranked_sort(size_t n, gb_ranked *r);

/**
 * Sort what consists of sorted runs of `length` each, the last one perhaps shorter.
 *
 * @param length  at least 1
 * @param r       n values, overwritten
 * @param spare   room for n
 * @return r or spare, whichever has the result
 */
gb_ranked *gb_ranked_merge(size_t n, size_t length, gb_ranked *r, gb_ranked *spare);

/** Of sorted values, n > 0. */
double gb_ranked_median(size_t n, const gb_ranked *sorted);

/** Distances of sorted values from `centre`, sorted. */
void gb_ranked_fold(size_t n, const gb_ranked *sorted, double centre, gb_ranked *out);

#endif
