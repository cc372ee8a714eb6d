/* evaluation/records.h - what scores ask of documents, kept so that any of them can be scored again. */
#ifndef GB_EVALUATION_RECORDS_H
#define GB_EVALUATION_RECORDS_H

#include "base/status.h"

#include <jansson.h>

/** Rows of numbers, of any length; starts zeroed. */
typedef struct gb_records {
    size_t n, n_values, room, start_room, value_room;
    uint64_t *row; /* n: the document that a record is of */
    size_t *start; /* n: its first number */
    double *value; /* n_values */
} gb_records;

gb_status gb_records_add(gb_records *records, uint64_t row, size_t n, const double *value, gb_error *err);
void gb_records_clear(gb_records *records);

static inline size_t gb_records_length(const gb_records *r, size_t i)
{
    return (i + 1 < r->n ? r->start[i + 1] : r->n_values) - r->start[i];
}

/** A list of lists, each a row and its numbers; a NaN is null.  NULL when memory runs out. */
json_t *gb_records_to_json(const gb_records *records);
/** @param out  zeroed; clear it also on failure.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_records_from_json(const json_t *list, gb_records *out, gb_error *err);

#endif
