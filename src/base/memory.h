/* base/memory.h - allocation that checks the product of count and size, and growing arrays. */
#ifndef GB_BASE_MEMORY_H
#define GB_BASE_MEMORY_H

#include "base/status.h"

#include <stddef.h>
#include <stdlib.h>

/**
 * Allocate `count * size` zeroed bytes, aligned to 64 so that vector kernels may read whole lines.
 *
 * @param out      receives the block, free it with gb_free() (gibbous/status.h); NULL and GB_OK when the product is zero
 * @param purpose  named in the message when memory runs out
 * @return GB_OK or GB_ENOMEM (also when the product overflows)
 */
gb_status gb_alloc(void *out, size_t count, size_t size, const char *purpose, gb_error *err);

/**
 * Make room for at least `need` elements in a growing array; capacity at least doubles.  The contents are
 * kept, new room is not zeroed.
 *
 * @param array     address of the array pointer (may point to NULL), replaced on success, untouched on
 * failure
 * @param capacity  elements that fit; updated on success
 */
gb_status gb_grow(void *array, size_t *capacity, size_t need, size_t size, const char *purpose, gb_error *err);

/** An array from element `n` on, where no array (NULL, which is what an array of no elements is) has none: NULL plus 0 is not defined. */
#define GB_FROM(array, n) ((array) == NULL ? NULL : (array) + (n))

/** memcpy(), which allows no null pointers, not even for no bytes. */
void gb_copy_bytes(void *to, const void *from, size_t n_bytes);

/** A copy of `length` bytes of text with a terminating NUL; not aligned as gb_alloc() does it: names are many, and short. */
gb_status gb_copy_text(char **out, const char *text, size_t length, gb_error *err);

#endif
