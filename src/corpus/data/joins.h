/* corpus/data/joins.h - which tokens stand directly behind the token before them in the text: one bit for each. */
#ifndef GB_CORPUS_DATA_JOINS_H
#define GB_CORPUS_DATA_JOINS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Start from {0}; release with gb_joins_free(). */
typedef struct gb_joins {
    uint64_t *bits;
    size_t capacity, count;
} gb_joins;

/** The next token.  Without one before it in its document, `is_joined` is false. */
gb_status gb_joins_add(gb_joins *j, bool is_joined, gb_error *err);
bool gb_joins_at(const gb_joins *j, uint64_t token);
void gb_joins_free(gb_joins *j);

#endif
