/* corpus/data/joins.c - which tokens stand directly behind the token before them. */
#include "corpus/data/joins.h"

#include "base/memory.h"

enum { BITS = 64 };

gb_status gb_joins_add(gb_joins *j, bool is_joined, gb_error *err)
{
    const size_t block = j->count / BITS;
    const gb_status st = gb_grow(&j->bits, &j->capacity, block + 1, sizeof j->bits[0], "neighbours of tokens", err);
    if (st != GB_OK)
        return st;
    if (j->count % BITS == 0)
        j->bits[block] = 0;
    j->bits[block] |= (uint64_t)is_joined << j->count % BITS;
    j->count++;
    return GB_OK;
}

bool gb_joins_at(const gb_joins *j, uint64_t token)
{
    return (j->bits[token / BITS] >> token % BITS & 1) != 0;
}

void gb_joins_free(gb_joins *j)
{
    gb_free(j->bits);
    *j = (gb_joins){0};
}
