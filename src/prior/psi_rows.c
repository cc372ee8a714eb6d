/* prior/psi_rows.c - documents outside a chain whose means are a regression on metadata: each has a mean of its own.
 *
 * A level of a random effect that training did not have counts as an average one, with effect 0.  Until rows are set, every document has
 * the mean of the constant alone; that is so for good where the question is what words alone say (permute). */
#include "base/memory.h"
#include "prior/new_groups_parts.h"
#include "prior/psi_state.h"

static gb_status constant_columns(uint64_t n_docs, size_t n_columns, gb_sparse_columns *out, gb_error *err)
{
    const gb_status st = gb_sparse_columns_allocate(out, n_docs, n_columns, n_docs, err);
    for (uint64_t d = 0; d < n_docs && st == GB_OK; d++) {
        out->doc_start[d + 1] = d + 1;
        out->column[d] = 0;
        out->value[d] = 1;
    }
    return st;
}

gb_status gb_psi_rows_find(gb_new_groups **out, const gb_prior_setup *setup, const gb_new_groups_how *how,
                           const gb_corpus *corpus, uint32_t *group, gb_error *err)
{
    gb_status st;
    const gb_psi_regression *regression = ((const gb_psi_setup *)setup->own)->regression;
    gb_new_groups *g = NULL;
    GB_TRY(gb_alloc(&g, 1, sizeof *g, "columns of documents", err));
    g->n_free = gb_psi_n_free(setup);
    if (how->settings != NULL && *gb_settings_text(how->settings, "permute") != '\0')
        GB_TRY(constant_columns(corpus->n_docs, regression->parts.n_columns, &g->columns, err));
    else
        GB_TRY(gb_formula_apply(regression->formula, corpus, how->settings, how->first_row, &g->columns, err));
    GB_TRY(gb_alloc(&g->mean, corpus->n_docs * g->n_free, sizeof *g->mean, "means of documents", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        group[d] = (uint32_t)d;
    *out = g;
    g = NULL;
done:
    gb_new_groups_free(g);
    return st;
}

gb_status gb_psi_rows_set(gb_new_groups *groups, gb_prior *prior, gb_error *err)
{
    (void)err;
    gb_psi_state *s = prior->state;
    for (uint64_t d = 0; d < groups->columns.n_docs; d++)
        gb_prevalence_mean(&groups->columns, d, groups->n_free, prior->values.table[GB_PSI_MEAN].value,
                           groups->mean + d * groups->n_free);
    s->law.mean = groups->mean;
    return GB_OK;
}
