/* plan/class_index.h - classes to be found by their names. */
#ifndef GB_PLAN_CLASS_INDEX_H
#define GB_PLAN_CLASS_INDEX_H

#include "corpus/data/view.h"

typedef struct gb_named_class {
    gb_view name; /* borrowed */
    uint32_t number;
} gb_named_class;

/** Start from {0}. */
typedef struct gb_class_index {
    size_t n;
    gb_named_class *class; /* sorted by name */
} gb_class_index;

/** @param name  n names, borrowed
 * @param out   clear it with gb_class_index_clear(); untouched on failure
 *
 * Cost: n log n comparisons, and log n for each class that is looked for: there may be hundreds of thousands. */
gb_status gb_class_index_create(size_t n, char *const *name, gb_class_index *out, gb_error *err);
void gb_class_index_clear(gb_class_index *index);

/** @param name  as gb_name_of() gives it, but also with another spelling of the same number
 * @return the number of the class with this name, or GB_NO_CLASS */
uint32_t gb_class_index_find(const gb_class_index *index, gb_view name);

#endif
