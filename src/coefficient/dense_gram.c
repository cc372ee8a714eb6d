/* coefficient/dense_gram.c - sums over documents of products of an embedding's columns.
 *
 * Documents are added part by part (team/portion.h), a few at a time by the linear algebra library: what is added to what depends
 * on the corpus only.
 *   Cost: n_docs n^2 / 2, once; then a look at all omega in each draw. */
#include "coefficient/dense_gram.h"

#include "base/memory.h"
#include "math/cholesky.h"
#include "team/sums.h"

#include <string.h>

enum { DOCS_AT_ONCE = 256 }; /* a number that bits depend on */

static const char *const what = "the products of embeddings";

void gb_dense_gram_list(void *gram, const gb_array_visitor *v)
{
    gb_dense_gram *g = gram;
    GB_ARRAY(v, "documents_of_products", g->counts, GB_SCRATCH, GB_BY_DOCUMENT, g->n > 0 ? g->n_docs : 0);
    GB_ARRAY(v, "omega_of_products", g->omega, GB_SCRATCH, GB_REPLICATED, g->n > 0 ? g->n_outputs : 0);
    GB_ARRAY(v, "products_of_embedding", g->sum, GB_SCRATCH, GB_REPLICATED, g->n, g->n);
}

/* ---- is omega one number? ---- */

static double first_omega(const gb_regression *in, size_t l)
{
    uint64_t d = 0;
    while (d < in->design->n_docs && !(in->term[d * in->n_outputs + l].omega > 0))
        d++;
    return d == in->design->n_docs ? 0 : in->term[d * in->n_outputs + l].omega;
}

/* Of the documents that are here: 0 or omega[l], and 0 in all outputs or in none.  *has_changed if others count than did. */
static bool is_one_number(gb_dense_gram *g, const gb_regression *in, const double *omega, bool *has_changed)
{
    const size_t n = in->n_outputs;
    bool is_one = true;
    *has_changed = !g->is_known;
    for (uint64_t d = 0; is_one && d < in->design->n_docs; d++) {
        const gb_score_term *term = in->term + d * n;
        const uint8_t counts = term[0].omega > 0;
        for (size_t l = 0; l < n; l++)
            is_one = is_one && term[l].omega == (counts ? omega[l] : 0);
        *has_changed = *has_changed || counts != g->counts[d];
    }
    return is_one;
}

/* The omega of the first rank that has any, if all ranks' are the same. */
static bool agree(const double *of_ranks, size_t size, size_t n, double *omega)
{
    bool do_agree = true;
    memset(omega, 0, n * sizeof *omega);
    for (size_t i = 0; i < size * n; i++) {
        if (omega[i % n] == 0)
            omega[i % n] = of_ranks[i];
        do_agree = do_agree && (of_ranks[i] == 0 || of_ranks[i] == omega[i % n]);
    }
    return do_agree;
}

static gb_status look(gb_dense_gram *g, const gb_regression *in, bool *applies, bool *has_changed, gb_error *err)
{
    gb_status st;
    gb_team *team = gb_portion_team(in->portion);
    const size_t n = in->n_outputs, size = gb_team_size(team), rank = gb_team_rank(team);
    double *of_ranks = NULL;
    uint64_t *start = NULL;
    GB_TRY(gb_alloc(&of_ranks, size * n, sizeof *of_ranks, what, err));
    GB_TRY(gb_alloc(&start, size + 1, sizeof *start, what, err));
    for (size_t r = 0; r <= size; r++)
        start[r] = r * n;
    for (size_t l = 0; l < n; l++)
        of_ranks[rank * n + l] = first_omega(in, l);
    int64_t count[2] = {!is_one_number(g, in, of_ranks + rank * n, has_changed), *has_changed};
    GB_TRY(gb_team_gather(team, of_ranks, sizeof *of_ranks, start, err));
    GB_TRY(gb_team_sum(team, count, 2, err));
    *applies = agree(of_ranks, size, n, g->omega) && count[0] == 0;
    *has_changed = count[1] > 0;
done:
    gb_free(of_ranks);
    gb_free(start);
    return st;
}

/* ---- sums ---- */

/* Those of some documents that count, one after the other in `row`. */
static void add_documents(const gb_dense_gram *g, const gb_dense_columns *x, uint64_t first, uint64_t last,
                          double *row, double *sum)
{
    size_t n_rows = 0;
    for (uint64_t d = first; d < last; d++) {
        if (!g->counts[d])
            continue;
        for (size_t j = 0; j < g->n; j++)
            row[n_rows * g->n + j] = gb_dense_columns_row(x, d)[j];
        n_rows++;
    }
    if (n_rows > 0)
        gb_add_products(n_rows, g->n, row, sum);
}

static gb_status add_parts(gb_dense_gram *g, const gb_regression *in, gb_error *err)
{
    gb_status st;
    gb_team *team = gb_portion_team(in->portion);
    const size_t n_parts = gb_portion_n_parts(in->portion), n_sums = g->n * g->n;
    double *row = NULL, *part = NULL;
    GB_TRY(gb_alloc(&row, DOCS_AT_ONCE * g->n, sizeof *row, what, err));
    GB_TRY(gb_alloc(&part, team == NULL ? 1 : n_parts, n_sums * sizeof *part, what, err));
    memset(g->sum, 0, n_sums * sizeof *g->sum);
    for (size_t p = 0; p < n_parts; p++) {
        double *sum = team == NULL ? part : part + p * n_sums;
        const uint64_t end = gb_portion_part(in->portion, g->n_docs, p + 1);
        memset(sum, 0, n_sums * sizeof *sum);
        for (uint64_t d = gb_portion_part(in->portion, g->n_docs, p); d < end; d += DOCS_AT_ONCE)
            add_documents(g, in->design->dense, d, end - d < DOCS_AT_ONCE ? end : d + DOCS_AT_ONCE, row, sum);
        for (size_t i = 0; team == NULL && i < n_sums; i++)
            g->sum[i] += sum[i];
    }
    if (team != NULL)
        GB_TRY(gb_team_add_rows(team, n_parts, n_sums, part, g->sum, err));
done:
    gb_free(row);
    gb_free(part);
    return st;
}

gb_status gb_dense_gram_update(gb_dense_gram *g, const gb_regression *in, bool *applies, gb_error *err)
{
    gb_status st;
    bool has_changed;
    GB_TRY(look(g, in, applies, &has_changed, err));
    if (!*applies || !has_changed)
        return GB_OK;
    g->is_known = false;
    for (uint64_t d = 0; d < g->n_docs; d++)
        g->counts[d] = in->term[d * in->n_outputs].omega > 0;
    GB_TRY(add_parts(g, in, err));
    g->is_known = true;
done:
    return st;
}
