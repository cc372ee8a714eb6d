/* token/numbers.h - random numbers of tokens, in the vectors of each instruction set.
 *
 * Included after simd/floats.h.  The numbers are the same as from gb_random_block(): Philox4x32-10 (Salmon and others 2011),
 * eight blocks at once.  What lies above the lower 32 bits of a number is not looked at. */
#ifndef GB_TOKEN_NUMBERS_H
#define GB_TOKEN_NUMBERS_H

#include "simd/floats.h"
#include "token/token.h"

enum { BLOCKS_AT_ONCE = 8 };

/* Blocks first, first + 1, ... of a document's stream: number[j][i] is number j of block first + i. */
ALWAYS_INLINE void draw_blocks(const gb_document *document, uint64_t first, uint64_t number[4][BLOCKS_AT_ONCE])
{
    const vw multiplier0 = all_wide(0xD2511F53U), multiplier1 = all_wide(0xCD9E8D57U);
    uint32_t key0 = document->key.k[0], key1 = document->key.k[1];
    vw c0 = ascending_wide(first), c1 = all_wide((uint32_t)document->doc),
       c2 = all_wide((uint32_t)document->purpose << 24 | (uint32_t)(document->doc >> 32)),
       c3 = all_wide(document->sweep);
    for (int round = 0; round < 10; round++, key0 += 0x9E3779B9U, key1 += 0xBB67AE85U) {
        const vw p0 = mul_lower(c0, multiplier0), p1 = mul_lower(c2, multiplier1);
        c0 = upper_xor(p1, c1, all_wide(key0));
        c1 = p1;
        c2 = upper_xor(p0, c3, all_wide(key1));
        c3 = p0;
    }
    store_wide(number[0], c0);
    store_wide(number[1], c1);
    store_wide(number[2], c2);
    store_wide(number[3], c3);
}

#endif
