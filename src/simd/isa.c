/* simd/isa.c - which vector instructions this processor has. */
#include "simd/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/* What CPUID says in leaves 1 and 7, and which registers the system saves (XCR0).  Compilers have a function for it that not all of
 * their libraries have. */
enum {
    KNOWN = 1,
    HAS_AVX2 = 2,
    HAS_AVX512 = 4,
    OSXSAVE = 1 << 27,
    FMA = 1 << 12,
    AVX2 = 1 << 5,
    YMM_SAVED = 0x06,
    ZMM_SAVED = 0xe6
};
static const unsigned AVX512_F_DQ_BW_VL = 1U << 16 | 1U << 17 | 1U << 30 | 1U << 31;

static int ask_processor(void)
{
    unsigned a, b, c, d, saved, high;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & OSXSAVE) == 0 || (c & FMA) == 0 ||
        __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0)
        return KNOWN;
    __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    const bool has_avx2 = (b & AVX2) != 0 && (saved & YMM_SAVED) == YMM_SAVED;
    const bool has_avx512 = (b & AVX512_F_DQ_BW_VL) == AVX512_F_DQ_BW_VL && (saved & ZMM_SAVED) == ZMM_SAVED;
    return KNOWN | (has_avx2 ? HAS_AVX2 : 0) | (has_avx512 ? HAS_AVX512 : 0);
}

/* It takes microseconds in a virtual machine, and never changes. */
static bool processor_has(int what)
{
    static atomic_int answer;
    int known = atomic_load_explicit(&answer, memory_order_relaxed);
    if (known == 0) {
        known = ask_processor();
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return (known & what) != 0;
}
#endif

bool gb_isa_available(gb_isa isa)
{
    switch (isa) {
    case GB_ISA_PLAIN:
        return true;
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return processor_has(HAS_AVX2);
    case GB_ISA_AVX512:
        return processor_has(HAS_AVX512);
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
