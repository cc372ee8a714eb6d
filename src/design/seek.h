/* design/seek.h - where in a column's documents a part of all documents begins. */
#ifndef GB_DESIGN_SEEK_H
#define GB_DESIGN_SEEK_H

#include "simd/inline.h"

#include <stdint.h>

/** The first entry of an ascending list, from `low` to `high` - 1, that is of document `first` or later; `high` if there is none. */
ALWAYS_INLINE uint64_t gb_seek_document(const uint32_t *doc, uint64_t low, uint64_t high, uint64_t first)
{
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (doc[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
