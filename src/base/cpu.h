/* base/cpu.h - which vector instructions this processor has.  Every path gives the same bits. */
#ifndef GB_BASE_CPU_H
#define GB_BASE_CPU_H

#include <stdbool.h>

typedef enum gb_isa { GB_ISA_PLAIN, GB_ISA_AVX2, GB_ISA_AVX512, GB_N_ISAS } gb_isa;

bool gb_isa_available(gb_isa isa);
/** The widest one that is available. */
gb_isa gb_isa_best(void);
const char *gb_isa_name(gb_isa isa);

#endif
