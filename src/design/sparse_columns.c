/* design/sparse_columns.c - two counting sorts: by column, then by document, which leaves columns in order. */
#include "design/sparse_columns.h"

#include "base/memory.h"

static const char *const what = "covariates";

/* start[i + 1] holds the number of entries of i; turn that into where each begins. */
static void add_up(uint64_t *start, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        start[i + 1] += start[i];
}

/* After filling, start[i] is where i ends: shift it back. */
static void shift_back(uint64_t *start, uint64_t n)
{
    for (uint64_t i = n; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* Numbers of entries, those of a column together. */
static gb_status order_by_column(size_t n_columns, uint64_t n_entries, const gb_sparse_entry *entry, uint64_t *order,
                                 gb_error *err)
{
    uint64_t *start = NULL;
    const gb_status st = gb_alloc(&start, n_columns + 1, sizeof *start, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t i = 0; i < n_entries; i++)
        start[entry[i].column + 1]++;
    add_up(start, n_columns);
    for (uint64_t i = 0; i < n_entries; i++)
        order[start[entry[i].column]++] = i;
    gb_free(start);
    return GB_OK;
}

/* Entries to documents, columns ascending; `order` has the entries by column. */
static void fill_documents(gb_sparse_columns *x, uint64_t n_entries, const gb_sparse_entry *entry,
                           const uint64_t *order)
{
    for (uint64_t i = 0; i < n_entries; i++)
        x->doc_start[entry[i].doc + 1]++;
    add_up(x->doc_start, x->n_docs);
    for (uint64_t i = 0; i < n_entries; i++) {
        const gb_sparse_entry *e = &entry[order[i]];
        const uint64_t at = x->doc_start[e->doc]++;
        x->column[at] = e->column;
        x->value[at] = e->value;
    }
    shift_back(x->doc_start, x->n_docs);
}

void gb_sparse_columns_list(void *columns, const gb_array_visitor *v)
{
    gb_sparse_columns *x = columns;
    const uint64_t n_listed = x->by_column ? x->n_entries : 0;
    GB_ARRAY(v, "covariate_document_starts", x->doc_start, GB_DERIVED, GB_BY_DOCUMENT, x->n_docs + 1);
    GB_ARRAY(v, "covariate_columns", x->column, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
    GB_ARRAY(v, "covariate_values", x->value, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
    GB_ARRAY(v, "covariate_column_starts", x->column_start, GB_DERIVED, GB_REPLICATED,
             x->by_column ? x->n_columns + 1 : 0);
    GB_ARRAY(v, "covariate_documents", x->column_doc, GB_DERIVED, GB_BY_DOCUMENT, n_listed);
    GB_ARRAY(v, "covariate_column_values", x->column_value, GB_DERIVED, GB_BY_DOCUMENT, n_listed);
}

gb_status gb_sparse_columns_allocate(gb_sparse_columns *out, uint64_t n_docs, size_t n_columns, uint64_t n_entries,
                                     gb_error *err)
{
    gb_sparse_columns x = {.n_docs = n_docs, .n_columns = n_columns, .n_entries = n_entries};
    if (n_docs > UINT32_MAX)
        return gb_fail(err, GB_EARGUMENT, "covariates of more than %u documents", UINT32_MAX);
    const gb_status st = gb_arrays_allocate(gb_sparse_columns_list, &x, what, err);
    if (st == GB_OK)
        *out = x;
    else
        gb_sparse_columns_clear(&x);
    return st;
}

gb_status gb_sparse_columns_create(gb_sparse_columns *out, uint64_t n_docs, size_t n_columns, uint64_t n_entries,
                                   const gb_sparse_entry *entry, gb_error *err)
{
    gb_status st;
    uint64_t *order = NULL;
    gb_sparse_columns x = {.n_docs = 0};
    GB_TRY(gb_alloc(&order, n_entries, sizeof *order, what, err));
    GB_TRY(gb_sparse_columns_allocate(&x, n_docs, n_columns, n_entries, err));
    GB_TRY(order_by_column(n_columns, n_entries, entry, order, err));
    fill_documents(&x, n_entries, entry, order);
    *out = x;
    x = (gb_sparse_columns){0};
done:
    gb_free(order);
    gb_sparse_columns_clear(&x);
    return st;
}

gb_status gb_sparse_columns_index(gb_sparse_columns *x, gb_error *err)
{
    if (x->by_column)
        return GB_OK;
    x->by_column = true;
    const gb_status st = gb_arrays_allocate(gb_sparse_columns_list, x, what, err); /* what is not there yet */
    if (st != GB_OK)
        return st;
    for (uint64_t i = 0; i < x->n_entries; i++)
        x->column_start[x->column[i] + 1]++;
    add_up(x->column_start, x->n_columns);
    for (uint64_t d = 0; d < x->n_docs; d++) {
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++) {
            const uint64_t at = x->column_start[x->column[i]]++;
            x->column_doc[at] = (uint32_t)d;
            x->column_value[at] = x->value[i];
        }
    }
    shift_back(x->column_start, x->n_columns);
    return GB_OK;
}

void gb_sparse_columns_clear(gb_sparse_columns *x)
{
    gb_arrays_free(gb_sparse_columns_list, x);
    *x = (gb_sparse_columns){0};
}
