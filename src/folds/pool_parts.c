/* folds/pool_parts.c - the documents that were held out of all parts, scored together. */
#include "folds/pool_parts.h"

#include "base/memory.h"

gb_status gb_pool_parts(const gb_held_parts *parts, uint64_t n_docs, gb_evaluation *const *part, uint64_t seed,
                        gb_pooled *out, gb_error *err)
{
    uint64_t **unit = NULL, n_units = 0;
    gb_status st = gb_held_parts_units(parts, n_docs, &unit, &n_units, err);
    if (st == GB_OK)
        st = gb_pool_evaluations(parts->n, part, unit, n_units, seed, out, err);
    for (size_t i = 0; unit != NULL && i < parts->n; i++)
        gb_free(unit[i]);
    gb_free(unit);
    return st;
}
