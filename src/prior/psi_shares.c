/* prior/psi_shares.c - expected topic shares of documents with given metadata.
 *
 *   share_k = mean over rows and over e of softmax(Gamma' f + C e)_k,   C C' = Q^{-1} + variances of random effects      (1)
 *
 * where e runs over pairs of normal vectors e, -e, the same for each row, draw and set of rows: differences between sets of rows, as
 * they are and as they would be, have hardly any noise of their own.  The level of a random effect is a new one: its effect has
 * mean 0 and its variance. */
#include "base/memory.h"
#include "prior/psi_state.h"

#include <math.h>
#include <string.h>

enum { N_PAIRS = 32 };

typedef struct mixture {
    const gb_psi_law *law;
    const gb_psi_regression *regression;
    const gb_prior_values *values;
    size_t n_free, n_topics;
    double *mean, *extra, *noise, *psi; /* n_free each: Gamma'f; variances of random effects; C e; psi, n_topics */
} mixture;

static bool is_random(const gb_psi_regression *regression, uint32_t column, size_t *part)
{
    const gb_formula *f = regression->formula;
    for (size_t i = 0; i < gb_formula_n_terms(f); i++) {
        const gb_term *term = gb_formula_term(f, i);
        if (term->kind == GB_TERM_RANDOM && column >= term->first && column < term->first + term->n) {
            *part = regression->parts.of[column];
            return true;
        }
    }
    return false;
}

static void begin_row(const mixture *m, const gb_sparse_columns *rows, uint64_t row)
{
    const double *gamma = m->values->table[GB_PSI_MEAN].value;
    memset(m->mean, 0, m->n_free * sizeof *m->mean);
    memset(m->extra, 0, m->n_free * sizeof *m->extra);
    for (uint64_t i = rows->doc_start[row]; i < rows->doc_start[row + 1]; i++) {
        const double x = rows->value[i];
        size_t part;
        if (is_random(m->regression, rows->column[i], &part)) {
            const double *variance = m->values->table[GB_PSI_VARIANCE].value + part * m->n_free;
            for (size_t t = 0; t < m->n_free; t++)
                m->extra[t] += x * x * variance[t];
            continue;
        }
        for (size_t t = 0; t < m->n_free; t++)
            m->mean[t] += x * gamma[rows->column[i] * m->n_free + t];
    }
}

/* C e: what is of Q^{-1}, and what is of random effects. */
static void draw_noise(const mixture *m, gb_random *random)
{
    const size_t n = m->n_free;
    for (size_t t = 0; t < n; t++)
        m->noise[t] = gb_random_normal(random);
    for (size_t t = n; t-- > 0;) {
        double sum = 0;
        for (size_t j = 0; m->law->full != NULL && j <= t; j++)
            sum += m->law->root[t * n + j] * m->noise[j];
        if (m->law->full == NULL)
            m->noise[t] *= sqrt(1 / m->law->precision[t] + m->extra[t]);
        else
            m->noise[t] = sum;
    }
    for (size_t t = 0; m->law->full != NULL && t < n; t++)
        m->noise[t] += sqrt(m->extra[t]) * gb_random_normal(random);
}

static void add_side(const mixture *m, int side, double weight, double *share)
{
    double most = m->law->is_symmetric ? -INFINITY : 0, sum = 0;
    for (size_t t = 0; t < m->n_free; t++) {
        m->psi[t] = m->mean[t] + side * m->noise[t];
        most = fmax(most, m->psi[t]);
    }
    if (!m->law->is_symmetric)
        m->psi[m->n_free] = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        sum += m->psi[k] = exp(m->psi[k] - most);
    for (size_t k = 0; k < m->n_topics; k++)
        share[k] += weight * m->psi[k] / sum;
}

static void average(const mixture *m, const gb_sparse_columns *rows, double *share)
{
    const double weight = 0.5 / (double)(rows->n_docs * N_PAIRS);
    memset(share, 0, m->n_topics * sizeof *share);
    for (uint64_t row = 0; row < rows->n_docs; row++) {
        gb_random random = gb_random_open(gb_key_make(0, 0), 0, GB_DRAW_GROUP_SHARES, row);
        begin_row(m, rows, row);
        for (size_t i = 0; i < N_PAIRS; i++) {
            draw_noise(m, &random);
            add_side(m, 1, weight, share);
            add_side(m, -1, weight, share);
        }
    }
}

gb_status gb_psi_shares_of_rows(const gb_prior_setup *setup, const gb_prior_values *values,
                                const gb_sparse_columns *rows, double *share, gb_error *err)
{
    gb_status st;
    gb_prior prior = {0};
    double *room = NULL;
    GB_TRY(gb_prior_create(&prior, setup, values, NULL, 0, 1, gb_isa_best(), err));
    const gb_psi_state *s = prior.state;
    const size_t n = s->n_free;
    GB_TRY(gb_alloc(&room, 4 * n + 1, sizeof *room, "expected topic shares", err));
    const mixture m = {.law = &s->law,
                       .regression = ((const gb_psi_setup *)setup->own)->regression,
                       .values = values,
                       .n_free = n,
                       .n_topics = setup->n_topics,
                       .mean = room,
                       .extra = room + n,
                       .noise = room + 2 * n,
                       .psi = room + 3 * n};
    average(&m, rows, share);
done:
    gb_free(room);
    gb_prior_clear(&prior);
    return st;
}
