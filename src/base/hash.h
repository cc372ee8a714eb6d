/* base/hash.h - XXH3, compiled into whoever includes this: many of what is hashed are a few bytes, and there is nothing to link with. */
#ifndef GB_BASE_HASH_H
#define GB_BASE_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
