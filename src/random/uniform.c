/* random/uniform.c - uniform laws on the open unit interval and on 0..n-1.
 *
 *   U = (2 k + 1) / 2^53,  k uniform on 0..2^52-1:  symmetric about 1/2, from 2^-53 to 1 - 2^-53.
 *
 *   Below n: the high word of x n, with x uniform on 64 bits, takes each value for floor or ceil of 2^64 / n
 *   many x; dropping the x whose low word is less than 2^64 mod n makes the numbers equal.
 *
 *   Below: Lemire 2019, ACM Trans. Model. Comput. Simul. 29.
 *   Cost: one 64-bit number; below divides once in about 2^64 / n draws. */
#include "random/random.h"

__extension__ typedef unsigned __int128 wide;

double gb_random_uniform(gb_random *r)
{
    return ((double)(gb_random_u64(r) >> 12) + 0.5) * 0x1p-52;
}

uint64_t gb_random_below(gb_random *r, uint64_t n)
{
    wide product = (wide)gb_random_u64(r) * n;
    if ((uint64_t)product < n) {
        uint64_t surplus = -n % n; /* 2^64 mod n */
        while ((uint64_t)product < surplus)
            product = (wide)gb_random_u64(r) * n;
    }
    return (uint64_t)(product >> 64);
}
