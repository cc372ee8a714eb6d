/* simd/inline.h - functions of a kernel, which are part of whatever calls them: a vector in an argument would go through memory. */
#ifndef GB_SIMD_INLINE_H
#define GB_SIMD_INLINE_H

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
