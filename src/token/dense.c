/* token/dense.c - the dense sampler: weigh all K topics, vectorised.  The kernel is token/dense_kernel.h,
 * compiled once per instruction set. */
#include "token/dense.h"

static gb_draw_tokens *kernel(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, gb_dense_draw);
}

const gb_token_sampler gb_token_dense = {.name = "dense", .kernel = kernel};
