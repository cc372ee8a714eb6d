/* token/sparse.c - the sparse sampler, for many topics: words that are not frequent have lists of their topics, and a draw
 * looks at those only.  What the list leaves out, beta times the sum of the products of all topics, is kept as a sum and
 * looked into when the draw falls there.  With a response the draw is a proposal, accepted or not by the response's factor.
 * The kernel is token/dense_kernel.h, compiled once per instruction set. */
#include "token/dense.h"

static gb_draw_tokens *kernel(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, gb_sparse_draw);
}

const gb_token_sampler gb_token_sparse = {.name = "sparse", .lists = true, .kernel = kernel};
