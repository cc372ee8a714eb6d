/* counts/covariates.c - two counting sorts: by column, then by document, which leaves columns in order. */
#include "counts/covariates.h"

#include "base/memory.h"

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

static void count(gb_covariates *x, uint64_t n_entries, const gb_covariate_entry *entry)
{
    for (uint64_t i = 0; i < n_entries; i++) {
        x->doc_start[entry[i].doc + 1]++;
        x->column_start[entry[i].column + 1]++;
    }
    add_up(x->doc_start, x->n_docs);
    add_up(x->column_start, x->n_columns);
}

/* Entries to documents, columns ascending; `order` has the entries by column. */
static void fill_documents(gb_covariates *x, uint64_t n_entries, const gb_covariate_entry *entry,
                           const uint64_t *order)
{
    for (uint64_t i = 0; i < n_entries; i++) {
        const gb_covariate_entry *e = &entry[order[i]];
        const uint64_t at = x->doc_start[e->doc]++;
        x->column[at] = e->column;
        x->value[at] = e->value;
    }
    shift_back(x->doc_start, x->n_docs);
}

static void fill_columns(gb_covariates *x)
{
    for (uint64_t d = 0; d < x->n_docs; d++) {
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++) {
            const uint64_t at = x->column_start[x->column[i]]++;
            x->column_doc[at] = d;
            x->column_entry[at] = i;
            x->column_value[at] = x->value[i];
        }
    }
    shift_back(x->column_start, x->n_columns);
}

void gb_covariates_list(void *covariates, const gb_array_visitor *v)
{
    gb_covariates *x = covariates;
    GB_ARRAY(v, "covariate_document_starts", x->doc_start, GB_DERIVED, GB_BY_DOCUMENT, x->n_docs + 1);
    GB_ARRAY(v, "covariate_columns", x->column, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
    GB_ARRAY(v, "covariate_values", x->value, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
    GB_ARRAY(v, "covariate_column_starts", x->column_start, GB_DERIVED, GB_REPLICATED, x->n_columns + 1);
    GB_ARRAY(v, "covariate_documents", x->column_doc, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
    GB_ARRAY(v, "covariate_entries", x->column_entry, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
    GB_ARRAY(v, "covariate_column_values", x->column_value, GB_DERIVED, GB_BY_DOCUMENT, x->n_entries);
}

gb_status gb_covariates_create(gb_covariates *out, uint64_t n_docs, size_t n_columns, uint64_t n_entries,
                               const gb_covariate_entry *entry, gb_error *err)
{
    gb_status st;
    const char *what = "covariates";
    uint64_t *order = NULL;
    gb_covariates x = {.n_docs = n_docs, .n_columns = n_columns, .n_entries = n_entries};
    GB_TRY(gb_alloc(&order, n_entries, sizeof *order, what, err));
    GB_TRY(gb_arrays_allocate(gb_covariates_list, &x, what, err));
    count(&x, n_entries, entry);
    for (uint64_t i = 0; i < n_entries; i++)
        order[x.column_start[entry[i].column]++] = i;
    shift_back(x.column_start, n_columns);
    fill_documents(&x, n_entries, entry, order);
    fill_columns(&x);
    *out = x;
    x = (gb_covariates){0};
done:
    gb_free(order);
    gb_covariates_clear(&x);
    return st;
}

void gb_covariates_clear(gb_covariates *x)
{
    gb_arrays_free(gb_covariates_list, x);
    *x = (gb_covariates){0};
}
