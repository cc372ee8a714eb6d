/* random/stream.c - keyed streams: where the numbers of all laws come from.
 *
 *   Philox4x32-10 is a bijection of 128-bit counters chosen by a 64-bit key; the stream is its values at
 *       counter[0] = block                       counter[2] = purpose * 2^24 + item / 2^32
 *       counter[1] = item mod 2^32               counter[3] = sweep
 *   so two streams of one chain never share a block, and any block can be had without those before it.
 *
 *   The key is mix(mix(seed) + chain), where mix is a bijection of 64-bit words: for one seed all chains have
 *   different keys, and for one chain all seeds have.
 *
 *   Philox: Salmon, Moraes, Dror & Shaw 2011, Proc. SC11 (Random123).  mix: the finaliser of
 *   SplitMix64, Steele, Lea & Flood 2014, OOPSLA.
 *   Cost: one Philox per four numbers of 32 bits.
 *   After 2^32 blocks a stream begins again. */
#include "random/random.h"

enum { BLOCK_SIZE = 4, N_ROUNDS = 10 };

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

gb_key gb_key_make(uint64_t seed, uint64_t chain)
{
    uint64_t key = mix(mix(seed) + chain);
    return (gb_key){{(uint32_t)key, (uint32_t)(key >> 32)}};
}

uint64_t gb_random_item(size_t n, const uint32_t *value)
{
    uint64_t item = mix(n);
    for (size_t i = 0; i < n; i++)
        item = mix(item ^ value[i]);
    return item >> 8;
}

static void philox(gb_key key, const uint32_t counter[4], uint32_t out[4])
{
    uint32_t c[BLOCK_SIZE] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k0 = key.k[0], k1 = key.k[1];
    for (int round = 0; round < N_ROUNDS; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];
        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ k0;
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ k1;
        c[3] = (uint32_t)a;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    for (int i = 0; i < BLOCK_SIZE; i++)
        out[i] = c[i];
}

gb_random gb_random_open(gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item)
{
    gb_random r = {.key = key, .used = BLOCK_SIZE};
    r.counter[1] = (uint32_t)item;
    r.counter[2] = (uint32_t)purpose << 24 | (uint32_t)(item >> 32);
    r.counter[3] = sweep;
    return r;
}

void gb_random_block(gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item, uint32_t index, uint32_t out[4])
{
    gb_random r = gb_random_open(key, sweep, purpose, item);
    r.counter[0] = index;
    philox(key, r.counter, out);
}

gb_random_streams gb_random_streams_open(gb_key key, uint32_t sweep, gb_purpose purpose, uint64_t item,
                                         size_t skipped, size_t per_item, gb_isa isa)
{
    const gb_random r = gb_random_open(key, sweep, purpose, item);
    gb_random_streams s = {.key = key, .per_item = per_item, .isa = isa};
    for (int i = 1; i < BLOCK_SIZE; i++)
        s.counter[i] = r.counter[i];
    s.counter[0] = (uint32_t)(skipped * GB_BLOCKS_EACH);
    return s;
}

gb_random_streams gb_random_split(gb_random *r, size_t n, gb_isa isa)
{
    gb_random_streams s = {.key = r->key, .per_item = n, .isa = isa};
    for (int i = 0; i < BLOCK_SIZE; i++)
        s.counter[i] = r->counter[i];
    r->counter[0] += (uint32_t)(n * GB_BLOCKS_EACH);
    r->used = BLOCK_SIZE;
    return s;
}

gb_key gb_random_branch(gb_random *r)
{
    const uint32_t first = gb_random_u32(r);
    return (gb_key){{first, gb_random_u32(r)}};
}

gb_random gb_random_of(const gb_random_streams *s, size_t i)
{
    const uint64_t item = ((uint64_t)(s->counter[2] & 0xffffff) << 32 | s->counter[1]) + i / s->per_item;
    gb_random r = gb_random_open(s->key, s->counter[3], (gb_purpose)(s->counter[2] >> 24), item);
    r.counter[0] = s->counter[0] + (uint32_t)(i % s->per_item * GB_BLOCKS_EACH);
    return r;
}

static void refill(gb_random *r)
{
    philox(r->key, r->counter, r->block);
    r->counter[0]++;
    r->used = 0;
}

uint32_t gb_random_u32(gb_random *r)
{
    if (r->used == BLOCK_SIZE)
        refill(r);
    return r->block[r->used++];
}

uint64_t gb_random_u64(gb_random *r)
{
    if (r->used == BLOCK_SIZE)
        refill(r);
    uint64_t low = r->block[r->used++];
    if (r->used == BLOCK_SIZE)
        refill(r);
    uint64_t high = r->block[r->used++];
    return high << 32 | low;
}
