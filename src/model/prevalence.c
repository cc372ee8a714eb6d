/* model/prevalence.c - topic shares of documents by their metadata. */
#include "model/prevalence.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "gibbous/topic_unions.h"

#include <string.h>

static const char what[] = "topic shares by metadata";

const gb_formula *gb_model_formula(const gb_model *m)
{
    return gb_prior_formula(&m->prior);
}

/* ---- metadata with fields set ---- */

static bool is_set(const gb_coding *coding, const gb_metadata_setting *s, uint32_t column)
{
    for (size_t i = 0; i < s->n; i++) {
        const gb_columns c = gb_coding_field_columns(coding, s->set[i].field);
        if (column >= c.first && column < c.first + c.n)
            return true;
    }
    return false;
}

/* The entry of a field that is set; false if it is 0. */
static bool entry_of(const gb_coding *coding, const gb_set_field *f, uint64_t doc, gb_sparse_entry *out)
{
    const gb_columns c = gb_coding_field_columns(coding, f->field);
    if (c.kind == GB_COLUMNS_NUMBER && c.n > 0)
        *out = (gb_sparse_entry){doc, (uint32_t)c.first,
                                 (f->number - gb_coding_column_centre(coding, c.first)) /
                                     gb_coding_column_scale(coding, c.first)};
    else if (c.kind != GB_COLUMNS_NUMBER && f->column != SIZE_MAX)
        *out = (gb_sparse_entry){doc, (uint32_t)f->column, 1};
    else
        return false;
    return out->value != 0;
}

static gb_status set_fields(const gb_formula *f, const gb_metadata_setting *s, gb_sparse_columns *out, gb_error *err)
{
    gb_status st;
    gb_sparse_entry *entry = NULL;
    const gb_sparse_columns *x = gb_formula_sample(f);
    const gb_coding *coding = gb_formula_coding(f);
    uint64_t n = 0;
    GB_TRY(gb_alloc(&entry, x->n_entries + x->n_docs * GB_MOST_SET_FIELDS, sizeof *entry, what, err));
    for (uint64_t d = 0; d < x->n_docs; d++) {
        for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
            if (!is_set(coding, s, x->column[i]))
                entry[n++] = (gb_sparse_entry){d, x->column[i], x->value[i]};
        for (size_t i = 0; i < s->n; i++)
            n += entry_of(coding, &s->set[i], d, &entry[n]);
    }
    st = gb_sparse_columns_create(out, x->n_docs, x->n_columns, n, entry, err);
done:
    gb_free(entry);
    return st;
}

/* Columns of the formula of documents with fields set. */
static gb_status make_rows(const gb_formula *f, const gb_metadata_setting *s, gb_sparse_columns *out, gb_error *err)
{
    gb_status st;
    gb_sparse_columns x = {0};
    GB_TRY(set_fields(f, s, &x, err));
    st = gb_formula_expand(f, &x, out, err);
done:
    gb_sparse_columns_clear(&x);
    return st;
}

bool gb_model_field_is_fixed(const gb_model *m, size_t field)
{
    return !gb_formula_only_groups(gb_model_formula(m), field);
}

/* ---- shares ---- */

typedef struct shares {
    const gb_model *m;
    size_t n;
    gb_sparse_columns *rows; /* of each setting */
    double *share;
} shares;

static void unite(const gb_model *m, double *share)
{
    for (size_t k = 0; k < m->n_topics && gb_model_has_topic_unions(m); k++) {
        const uint64_t first = gb_model_topic_union(m, k);
        if (first != GB_LEFT_OUT && first != k)
            share[first] += share[k];
    }
}

/* Of one draw. */
static gb_status find_one(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    const shares *s = context;
    const gb_draw draw = gb_model_kept(s->m, task);
    double *share = s->share + task * s->n * s->m->n_topics;
    const gb_status st =
        s->m->prior.ops->groups->shares_of_rows(&s->m->prior, &draw.prior, s->n, s->rows, share, err);
    for (size_t i = 0; i < s->n; i++)
        unite(s->m, share + i * s->m->n_topics);
    return st;
}

gb_status gb_model_shares_at(const gb_model *m, size_t n_draws, size_t n, const gb_metadata_setting *setting,
                             size_t n_threads, double *share, gb_error *err)
{
    gb_status st;
    shares s = {.m = m, .n = n, .share = share};
    GB_TRY(gb_alloc(&s.rows, n, sizeof *s.rows, what, err));
    for (size_t i = 0; i < n; i++)
        GB_TRY(make_rows(gb_model_formula(m), &setting[i], &s.rows[i], err));
    GB_TRY(gb_parallel_for(n_draws, n_threads, find_one, &s, err));
done:
    for (size_t i = 0; i < n && s.rows != NULL; i++)
        gb_sparse_columns_clear(&s.rows[i]);
    gb_free(s.rows);
    return st;
}
