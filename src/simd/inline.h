/* simd/inline.h - functions of a kernel, which are part of whatever calls them: a vector in an argument would go through memory.  In builds
 * for finding faults they are ordinary functions, which compile in a tenth of the time. */
#ifndef GB_SIMD_INLINE_H
#define GB_SIMD_INLINE_H

#ifdef NDEBUG
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* A call for each width up to the widest, a power of two from 8 on, which the compiler then knows: CALL(1), ... */
#define GB_FOR_WIDTH(width, widest, CALL)                                                                            \
    switch (width) {                                                                                                 \
    case 1:                                                                                                          \
        CALL(1);                                                                                                     \
        break;                                                                                                       \
    case 2:                                                                                                          \
        CALL(2);                                                                                                     \
        break;                                                                                                       \
    case 4:                                                                                                          \
        CALL(4);                                                                                                     \
        break;                                                                                                       \
    case 8:                                                                                                          \
        CALL(8);                                                                                                     \
        break;                                                                                                       \
    default:                                                                                                         \
        CALL(widest);                                                                                                \
    }

#endif
