/* simd/registers.h - vectors of double as wide as a register, once per instruction set.  Their arithmetic is by lanes, so the
 * same bits come from every width. */
#ifndef GB_SIMD_REGISTERS_H
#define GB_SIMD_REGISTERS_H

typedef double v1;
typedef double v2 __attribute__((vector_size(16), aligned(16), may_alias));

/* The longest vector that there are registers for, and what four numbers are made of: compilers split longer ones badly. */
#if defined(__AVX512F__)
typedef double v4 __attribute__((vector_size(32), aligned(32), may_alias));
typedef double longest __attribute__((vector_size(64), aligned(64), may_alias));
#elif defined(__AVX__)
typedef double v4 __attribute__((vector_size(32), aligned(32), may_alias));
typedef v4 longest;
#else
typedef v2 v4, longest;
#endif

#endif
