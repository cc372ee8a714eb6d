/* corpus/data/pairs.c - numbers for pairs of numbers: a table of open addresses. */
#include "corpus/data/pairs.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 1 << 6 };

static uint64_t pair_of(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

static uint64_t hash_of(uint64_t pair)
{
    return XXH3_64bits(&pair, sizeof pair);
}

uint64_t gb_pair_hash(uint32_t first, uint32_t second)
{
    return hash_of(pair_of(first, second));
}

/* The slot of a pair, or the free one where it belongs. */
static uint32_t *find(const gb_pairs *p, uint64_t pair)
{
    for (size_t at = (size_t)hash_of(pair);; at++) {
        uint32_t *slot = &p->slot[at & (p->n_slots - 1)];
        if (*slot == 0 || p->pair[*slot - 1] == pair)
            return slot;
    }
}

/* Make room for one more. */
static gb_status widen(gb_pairs *p, gb_error *err)
{
    gb_status st;
    uint32_t *slot = NULL;
    const size_t n_slots = p->n_slots == 0 ? FIRST_SLOTS : 2 * p->n_slots;
    if (p->count == GB_NO_PAIR - 1)
        return gb_fail(err, GB_EFORMAT, "more than %u different pairs of words", GB_NO_PAIR - 1);
    GB_TRY(gb_grow(&p->pair, &p->capacity, (size_t)p->count + 1, sizeof p->pair[0], "pairs of words", err));
    if (2 * ((size_t)p->count + 1) <= p->n_slots)
        return GB_OK;
    GB_TRY(gb_alloc(&slot, n_slots, sizeof slot[0], "pairs of words", err));
    gb_free(p->slot);
    p->slot = slot;
    p->n_slots = n_slots;
    for (uint32_t i = 0; i < p->count; i++)
        *find(p, p->pair[i]) = i + 1;
done:
    return st;
}

gb_status gb_pairs_add(gb_pairs *p, uint32_t first, uint32_t second, uint32_t *number, gb_error *err)
{
    *number = gb_pairs_find(p, first, second);
    if (*number != GB_NO_PAIR)
        return GB_OK;
    const gb_status st = widen(p, err);
    if (st != GB_OK)
        return st;
    *find(p, pair_of(first, second)) = p->count + 1;
    p->pair[p->count] = pair_of(first, second);
    *number = p->count++;
    return GB_OK;
}

uint32_t gb_pairs_find(const gb_pairs *p, uint32_t first, uint32_t second)
{
    if (p->count == 0)
        return GB_NO_PAIR;
    return *find(p, pair_of(first, second)) - 1; /* 0 - 1 is GB_NO_PAIR */
}

uint32_t gb_pairs_first(const gb_pairs *p, uint32_t number)
{
    return (uint32_t)(p->pair[number] >> 32);
}

uint32_t gb_pairs_second(const gb_pairs *p, uint32_t number)
{
    return (uint32_t)p->pair[number];
}

void gb_pairs_clear(gb_pairs *p)
{
    if (p->n_slots > 0)
        memset(p->slot, 0, p->n_slots * sizeof p->slot[0]);
    p->count = 0;
}

void gb_pairs_free(gb_pairs *p)
{
    gb_free(p->pair);
    gb_free(p->slot);
    *p = (gb_pairs){0};
}
