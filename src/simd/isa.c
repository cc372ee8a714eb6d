/* simd/isa.c - which vector instructions this processor has. */
#include "simd/isa.h"

bool gb_isa_available(gb_isa isa)
{
    switch (isa) {
    case GB_ISA_PLAIN:
        return true;
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case GB_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    default:
        return false;
    }
}

gb_isa gb_isa_best(void)
{
    for (int isa = GB_N_ISAS - 1; isa > GB_ISA_PLAIN; isa--)
        if (gb_isa_available((gb_isa)isa))
            return (gb_isa)isa;
    return GB_ISA_PLAIN;
}

const char *gb_isa_name(gb_isa isa)
{
#if defined(__aarch64__)
    static const char *const names[GB_N_ISAS] = {"neon", "avx2", "avx512"};
#else
    static const char *const names[GB_N_ISAS] = {"plain", "avx2", "avx512"};
#endif
    return names[isa];
}
