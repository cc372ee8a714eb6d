/* token/dense.c - the dense sampler: weigh all K topics, vectorised.  The kernel is token/dense_kernel.h,
 * compiled once per instruction set. */
#include "token/dense.h"

static gb_draw_tokens *kernel(gb_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return gb_dense_draw_avx2;
    case GB_ISA_AVX512:
        return gb_dense_draw_avx512;
#endif
    default:
        return gb_dense_draw_plain;
    }
}

const gb_token_sampler gb_token_dense = {.name = "dense", .kernel = kernel};
