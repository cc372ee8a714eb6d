/* coefficient/groups.h - outputs a few at a time: numbers of a document or column lie side by side for the outputs of a group, and
 * are one or two vectors. */
#ifndef GB_COEFFICIENT_GROUPS_H
#define GB_COEFFICIENT_GROUPS_H

#include <stddef.h>

enum { GB_GROUP_WIDTH = 8 }; /* largest; widths are 1, 2, 4, 8 */

static inline size_t gb_n_groups(size_t n_outputs)
{
    return (n_outputs + GB_GROUP_WIDTH - 1) / GB_GROUP_WIDTH;
}

/** Outputs of group i. */
static inline size_t gb_group_size(size_t n_outputs, size_t i)
{
    const size_t n = n_outputs - i * GB_GROUP_WIDTH;
    return n < GB_GROUP_WIDTH ? n : GB_GROUP_WIDTH;
}

/** They, rounded up to a power of two. */
static inline size_t gb_group_width(size_t n_outputs, size_t i)
{
    size_t width = 1;
    while (width < gb_group_size(n_outputs, i))
        width *= 2;
    return width;
}

#endif
