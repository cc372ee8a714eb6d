/* design/formula_sample.c - metadata of some training documents, which a model keeps: what is expected of documents is averaged over
 * them. */
#include "base/memory.h"
#include "design/formula_private.h"

#include <math.h>

enum { MOST_DOCUMENTS = 128 };

static const char what[] = "metadata of some documents";

gb_status gb_formula_take_sample(const gb_sparse_columns *x, gb_sparse_columns *out, gb_error *err)
{
    gb_status st;
    gb_sparse_entry *entry = NULL;
    const uint64_t n = x->n_docs < MOST_DOCUMENTS ? x->n_docs : MOST_DOCUMENTS;
    uint64_t n_entries = 0;
    GB_TRY(gb_alloc(&entry, x->n_entries, sizeof *entry, what, err));
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t d = (2 * i + 1) * x->n_docs / (2 * n);
        for (uint64_t j = x->doc_start[d]; j < x->doc_start[d + 1]; j++)
            entry[n_entries++] = (gb_sparse_entry){i, x->column[j], x->value[j]};
    }
    st = gb_sparse_columns_create(out, n, x->n_columns, n_entries, entry, err);
done:
    gb_free(entry);
    return st;
}

/* [[column, value, column, value, ...], ...] */
json_t *gb_formula_sample_to_json(const gb_sparse_columns *sample)
{
    json_t *list = json_array();
    bool is_whole = list != NULL;
    for (uint64_t d = 0; d < sample->n_docs && is_whole; d++) {
        json_t *row = json_array();
        for (uint64_t i = sample->doc_start[d]; i < sample->doc_start[d + 1] && is_whole; i++)
            is_whole = json_array_append_new(row, json_integer(sample->column[i])) == 0 &&
                       json_array_append_new(row, json_real(sample->value[i])) == 0;
        is_whole = json_array_append_new(list, row) == 0 && is_whole;
    }
    if (is_whole)
        return list;
    json_decref(list);
    return NULL;
}

static gb_status damaged(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "damaged model file: %s cannot be what it has", what);
}

static bool read_entry(const json_t *row, size_t i, size_t n_columns, gb_sparse_entry *out)
{
    const json_t *column = json_array_get(row, 2 * i), *value = json_array_get(row, 2 * i + 1);
    const json_int_t number = json_is_integer(column) ? json_integer_value(column) : -1;
    out->value = json_number_value(value);
    if (!json_is_number(value) || !isfinite(out->value) || number < 0 || (uint64_t)number >= n_columns ||
        (i > 0 && (uint32_t)number <= out->column))
        return false;
    out->column = (uint32_t)number;
    return true;
}

static gb_status read_rows(const json_t *list, size_t n_columns, gb_sparse_columns *out, gb_error *err)
{
    gb_status st;
    gb_sparse_entry *entry = NULL, next;
    size_t n = 0;
    for (size_t d = 0; d < json_array_size(list); d++)
        n += json_array_size(json_array_get(list, d)) / 2;
    GB_TRY(gb_alloc(&entry, n, sizeof *entry, what, err));
    n = 0;
    for (size_t d = 0; d < json_array_size(list); d++) {
        const json_t *row = json_array_get(list, d);
        next = (gb_sparse_entry){.doc = d};
        if (!json_is_array(row) || json_array_size(row) % 2 != 0)
            st = damaged(err);
        for (size_t i = 0; i < json_array_size(row) / 2 && st == GB_OK; i++)
            if (read_entry(row, i, n_columns, &next))
                entry[n++] = next;
            else
                st = damaged(err);
        GB_TRY(st);
    }
    st = gb_sparse_columns_create(out, json_array_size(list), n_columns, n, entry, err);
done:
    gb_free(entry);
    return st;
}

gb_status gb_formula_sample_from_json(const json_t *list, size_t n_columns, gb_sparse_columns *out, gb_error *err)
{
    if (!json_is_array(list) || json_array_size(list) == 0 || json_array_size(list) > MOST_DOCUMENTS)
        return damaged(err);
    return read_rows(list, n_columns, out, err);
}
