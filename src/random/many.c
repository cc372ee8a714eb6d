/* random/many.c - which kernel draws many numbers at once. */
#include "random/many.h"

const gb_lanes *gb_lanes_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_lanes);
}

void gb_random_inverse_gaussians(const gb_random_streams *s, size_t first, uint32_t block, size_t n,
                                 const double *rate, double *out)
{
    gb_lanes_for(s->isa)->inverse_gaussians(s, first, block, n, rate, out);
}

void gb_random_gammas(const gb_random_streams *s, size_t first, uint32_t block, size_t n, const double *shape,
                      double *out)
{
    gb_lanes_for(s->isa)->gammas(s, first, block, n, shape, out);
}

void gb_random_polya_gammas(const gb_random_streams *s, size_t first, size_t n, const double *b, const double *z,
                            double *out)
{
    gb_lanes_for(s->isa)->polya_gammas(s, NULL, first, n, b, z, out);
}

void gb_random_polya_gammas_of(const gb_random_streams *s, const uint64_t *item, size_t n, const double *b,
                               const double *z, double *out)
{
    gb_lanes_for(s->isa)->polya_gammas(s, item, 0, n, b, z, out);
}
