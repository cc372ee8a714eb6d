/* prior/part_tasks.h - documents in tasks of so many, each of one part: what tasks add up is put together in their order, and
 * is the same on any number of ranks. */
#ifndef GB_PRIOR_PART_TASKS_H
#define GB_PRIOR_PART_TASKS_H

#include "team/portion.h"

/** Documents first .. end - 1 of this rank. */
typedef struct gb_document_range {
    uint64_t first, end;
} gb_document_range;

static inline size_t gb_tasks_of(uint64_t n_docs, uint64_t size)
{
    return (size_t)((n_docs + size - 1) / size);
}

/** Tasks of at most `size` documents. */
static inline size_t gb_part_tasks(const gb_portion *portion, uint64_t n_docs, uint64_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < gb_portion_n_parts(portion); i++)
        n += gb_tasks_of(gb_portion_part(portion, n_docs, i + 1) - gb_portion_part(portion, n_docs, i), size);
    return n;
}

/** The documents of one of them. */
static inline gb_document_range gb_part_task(const gb_portion *portion, uint64_t n_docs, uint64_t size, size_t task)
{
    uint64_t first = 0, end = 0;
    for (size_t i = 0; i < gb_portion_n_parts(portion); i++) {
        first = gb_portion_part(portion, n_docs, i);
        end = gb_portion_part(portion, n_docs, i + 1);
        const size_t n = gb_tasks_of(end - first, size);
        if (task < n)
            break;
        task -= n;
    }
    first += task * size;
    return (gb_document_range){first, end - first < size ? end : first + size};
}

#endif
