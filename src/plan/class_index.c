/* plan/class_index.c - classes to be found by their names. */
#include "plan/class_index.h"

#include "base/memory.h"
#include "corpus/data/name.h"
#include "gibbous/corpus.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const gb_view x = ((const gb_named_class *)a)->name, y = ((const gb_named_class *)b)->name;
    const int order = memcmp(x.text, y.text, x.length < y.length ? x.length : y.length);
    return order != 0 ? order : (x.length > y.length) - (x.length < y.length);
}

gb_status gb_class_index_create(size_t n, char *const *name, gb_class_index *out, gb_error *err)
{
    gb_named_class *class;
    const gb_status st = gb_alloc(&class, n, sizeof *class, "the classes", err);
    if (st != GB_OK)
        return st;
    for (uint32_t c = 0; c < n; c++)
        class[c] = (gb_named_class){gb_name_trim(gb_view_of(name[c])), c}; /* of a model of an earlier version */
    qsort(class, n, sizeof *class, by_name);
    *out = (gb_class_index){n, class};
    return GB_OK;
}

void gb_class_index_clear(gb_class_index *index)
{
    gb_free(index->class);
    *index = (gb_class_index){0};
}

uint32_t gb_class_index_find(const gb_class_index *index, gb_view name)
{
    const gb_named_class wanted = {.name = gb_name_trim(name)};
    const gb_named_class *found =
        index->n == 0 ? NULL : bsearch(&wanted, index->class, index->n, sizeof wanted, by_name);
    return found == NULL ? GB_NO_CLASS : found->number;
}
