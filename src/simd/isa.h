/* simd/isa.h - which vector instructions this processor has.  Every path gives the same bits. */
#ifndef GB_SIMD_ISA_H
#define GB_SIMD_ISA_H

#include <stdbool.h>

/** GB_ISA_PLAIN: what every processor of its kind has, NEON on Arm and SSE2 on x86. */
typedef enum gb_isa { GB_ISA_PLAIN, GB_ISA_AVX2, GB_ISA_AVX512, GB_N_ISAS } gb_isa;

bool gb_isa_available(gb_isa isa);
/** The widest one that is available. */
gb_isa gb_isa_best(void);
const char *gb_isa_name(gb_isa isa);

/**
 * One of the kernels NAME_plain, NAME_avx2 and NAME_avx512, which are one source compiled once per instruction set
 * (cmake/kernels.cmake): GB_KERNEL_FOR(isa, gb_draw) is a function, GB_KERNEL_FOR(isa, &gb_table) the address of a table.
 */
#if defined(__x86_64__)
#define GB_KERNEL_FOR(isa, name)                                                                                     \
    ((isa) == GB_ISA_AVX512 ? name##_avx512 : (isa) == GB_ISA_AVX2 ? name##_avx2 : name##_plain)
#else
#define GB_KERNEL_FOR(isa, name) ((void)(isa), name##_plain)
#endif

#endif
