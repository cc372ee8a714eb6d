/* evaluation/records.c - what scores ask of documents, kept so that any of them can be scored again. */
#include "evaluation/records.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char what[] = "the documents that were scored";

gb_status gb_records_add(gb_records *r, uint64_t row, size_t n, const double *value, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_grow(&r->row, &r->room, r->n + 1, sizeof *r->row, what, err));
    GB_TRY(gb_grow(&r->start, &r->start_room, r->n + 1, sizeof *r->start, what, err));
    GB_TRY(gb_grow(&r->value, &r->value_room, r->n_values + n, sizeof *r->value, what, err));
    r->row[r->n] = row;
    r->start[r->n++] = r->n_values;
    memcpy(r->value + r->n_values, value, n * sizeof *value);
    r->n_values += n;
done:
    return st;
}

void gb_records_clear(gb_records *r)
{
    gb_free(r->row);
    gb_free(r->start);
    gb_free(r->value);
}

/* Whole numbers are shorter as such. */
static json_t *number_to_json(double x)
{
    return isnan(x) ? json_null() : x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
}

json_t *gb_records_to_json(const gb_records *r)
{
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < r->n; i++) {
        json_t *one = json_array();
        bool is_lost = json_array_append_new(one, json_integer((json_int_t)r->row[i])) != 0;
        for (size_t j = 0; j < gb_records_length(r, i); j++)
            is_lost |= json_array_append_new(one, number_to_json(r->value[r->start[i] + j])) != 0;
        if (json_array_append_new(list, one) != 0 || is_lost) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static gb_status fail_records(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "a fit in the file of `results` has damaged documents");
}

static gb_status read_record(const json_t *list, double *value, gb_records *out, gb_error *err)
{
    const size_t n = json_array_size(list);
    const json_t *row = json_array_get(list, 0);
    if (n < 2 || !json_is_integer(row) || json_integer_value(row) < 0)
        return fail_records(err);
    for (size_t j = 1; j < n; j++) {
        const json_t *number = json_array_get(list, j);
        if (!json_is_number(number) && !json_is_null(number))
            return fail_records(err);
        value[j - 1] = json_is_null(number) ? (double)NAN : json_number_value(number);
    }
    return gb_records_add(out, (uint64_t)json_integer_value(row), n - 1, value, err);
}

gb_status gb_records_from_json(const json_t *list, gb_records *out, gb_error *err)
{
    gb_status st = GB_OK;
    double *value = NULL;
    size_t room = 0;
    if (!json_is_array(list))
        return fail_records(err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        GB_TRY(gb_grow(&value, &room, json_array_size(one) + 1, sizeof *value, what, err));
        GB_TRY(read_record(one, value, out, err));
    }
done:
    gb_free(value);
    return st;
}
