/* design/formula_expand.c - from columns of fields to columns of a formula. */
#include "base/memory.h"
#include "design/formula_private.h"

#include <math.h>

/* A document's columns of the coding, by field, and what follows from them. */
typedef struct expansion {
    const gb_formula *formula;
    const gb_sparse_columns *x;
    uint64_t row; /* of the document, from 1, for messages */
    uint64_t doc;
    uint64_t *field_start; /* of each field: where its entries begin in x; one more: the end of the last */
    double *bends;         /* of each variable: GB_SMOOTH_MOST_DF */
    gb_sparse_entry *entry;
    uint64_t n_entries;
    size_t capacity;
    gb_error *err;
} expansion;

static void find_fields(expansion *e)
{
    const gb_coding *coding = e->formula->coding;
    uint64_t at = e->x->doc_start[e->doc];
    for (size_t i = 0; i < coding->n_fields; i++) {
        e->field_start[i] = at;
        while (at < e->x->doc_start[e->doc + 1] &&
               e->x->column[at] < coding->field[i].first_column + coding->field[i].n_columns)
            at++;
    }
    e->field_start[coding->n_fields] = at;
}

static double number_of(const expansion *e, size_t field)
{
    return e->field_start[field] < e->field_start[field + 1] ? e->x->value[e->field_start[field]] : 0;
}

static void find_bends(expansion *e)
{
    const gb_formula *f = e->formula;
    for (size_t v = 0; v < f->parsed.n_variables; v++) {
        const size_t i = f->parsed.variable[v].field;
        const gb_coding_field *field = &f->coding->field[i];
        if (f->smooth[v].df > 0)
            gb_smooth_row(&f->smooth[v], field->centre + field->scale * number_of(e, i),
                          &e->bends[v * GB_SMOOTH_MOST_DF]);
    }
}

static gb_status add_entry(expansion *e, size_t column, double value)
{
    if (!isfinite(value))
        return gb_fail(e->err, GB_EFORMAT, "document %llu: the column \"%s\" is out of range",
                       (unsigned long long)e->row, e->formula->column_name[column]);
    const gb_status st =
        gb_grow(&e->entry, &e->capacity, (size_t)e->n_entries + 1, sizeof *e->entry, "columns of a formula", e->err);
    if (st == GB_OK)
        e->entry[e->n_entries++] = (gb_sparse_entry){e->doc, (uint32_t)column, value};
    return st;
}

/* The products of what variables `i` and later have in the document, times `value`.  @param column  the first of these products */
static gb_status multiply(expansion *e, const gb_term *term, const gb_term_plan *plan, size_t i, size_t column,
                          double value)
{
    gb_status st = GB_OK;
    if (i == plan->n_variables)
        return value != 0 || term->kind == GB_TERM_RANDOM ? add_entry(e, term->first + column, value) : GB_OK;
    const gb_formula *f = e->formula;
    const gb_term_variable *v = &plan->variable[i];
    const size_t number = f->parsed.variable[v->variable].field, first = column * v->width;
    const gb_coding_field *field = &f->coding->field[number];
    if (f->smooth[v->variable].df > 0) {
        for (size_t j = 0; j < v->width; j++)
            GB_TRY(multiply(e, term, plan, i + 1, first + j, value * e->bends[v->variable * GB_SMOOTH_MOST_DF + j]));
        return GB_OK;
    }
    if (field->kind == GB_COVARIATE_NUMBER)
        return multiply(e, term, plan, i + 1, first, value * number_of(e, number));
    for (uint64_t k = e->field_start[number]; k < e->field_start[number + 1]; k++) {
        const size_t at = e->x->column[k];
        if (v->has_contrasts && at == f->reference[number])
            continue;
        const size_t shift = v->has_contrasts && at > f->reference[number] ? 1 : 0;
        GB_TRY(multiply(e, term, plan, i + 1, first + (at - field->first_column) - shift, value * e->x->value[k]));
    }
done:
    return st;
}

static gb_status expand(const gb_formula *f, const gb_sparse_columns *x, uint64_t first_row, gb_sparse_columns *out,
                        gb_error *err)
{
    gb_status st;
    expansion e = {.formula = f, .x = x, .err = err};
    GB_TRY(gb_alloc(&e.field_start, f->coding->n_fields + 1, sizeof *e.field_start, "columns of a formula", err));
    GB_TRY(
        gb_alloc(&e.bends, f->parsed.n_variables * GB_SMOOTH_MOST_DF, sizeof *e.bends, "columns of a formula", err));
    for (e.doc = 0; e.doc < x->n_docs; e.doc++) {
        e.row = first_row + e.doc + 1;
        find_fields(&e);
        find_bends(&e);
        for (size_t i = 0; i < f->n_terms; i++)
            GB_TRY(multiply(&e, &f->term[i], &f->plan[i], 0, 0, 1));
    }
    st = gb_sparse_columns_create(out, x->n_docs, f->n_columns, e.n_entries, e.entry, err);
done:
    gb_free(e.field_start);
    gb_free(e.bends);
    gb_free(e.entry);
    return st;
}

gb_status gb_formula_expand(const gb_formula *f, const gb_sparse_columns *x, gb_sparse_columns *out, gb_error *err)
{
    return expand(f, x, 0, out, err);
}

gb_status gb_formula_apply(const gb_formula *f, const gb_corpus *corpus, const gb_settings *settings,
                           uint64_t first_row, gb_sparse_columns *out, gb_error *err)
{
    gb_sparse_columns x = {.n_docs = 0};
    gb_status st = gb_coding_apply(f->coding, corpus, settings, first_row, &x, err);
    if (st == GB_OK)
        st = expand(f, &x, first_row, out, err);
    gb_sparse_columns_clear(&x);
    return st;
}
