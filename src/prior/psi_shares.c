/* prior/psi_shares.c - expected topic shares of documents with given metadata.
 *
 *   share_k = mean over rows and over e of softmax(Gamma' f + C e)_k,   C C' = Q^{-1} + variances of random effects      (1)
 *
 * where e runs over pairs of normal vectors e, -e, the same for each row, draw and set of rows: differences between sets of rows, as
 * they are and as they would be, have hardly any noise of their own.  Sets of rows share e, and so exp(C e): a set costs products.  The level of a random effect is a new one: its effect has
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
    /* n_free each: Gamma'f; variances of random effects; e, and what random effects have in addition; C e */
    double *mean, *extra, *unit, *unit_extra, *noise;
    /* n_topics each: psi; exp(Gamma'f); exp(C e), exp(-C e); each divided by its largest number */
    double *psi, *scale, *up, *down;
} mixture;

/* Mean, variances and scale of a set; the others are those of the set at hand. */
static mixture of_set(const mixture *all, size_t set)
{
    mixture m = *all;
    m.mean += set * m.n_free;
    m.extra += set * m.n_free;
    m.scale += set * m.n_topics;
    return m;
}

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

static void draw_unit(const mixture *m, gb_random *random)
{
    for (size_t t = 0; t < m->n_free; t++)
        m->unit[t] = gb_random_normal(random);
    for (size_t t = 0; m->law->full != NULL && t < m->n_free; t++)
        m->unit_extra[t] = gb_random_normal(random);
}

/* exp(side * noise), divided by its largest number. */
static void exponentiate(const mixture *m, int side, double *out)
{
    double most = m->law->is_symmetric ? -INFINITY : 0;
    for (size_t t = 0; t < m->n_free; t++)
        most = fmax(most, side * m->noise[t]);
    for (size_t t = 0; t < m->n_free; t++)
        out[t] = exp(side * m->noise[t] - most);
    if (!m->law->is_symmetric)
        out[m->n_free] = exp(-most);
}

/* C e: what is of Q^{-1}, and what is of random effects. */
static void find_noise(const mixture *m)
{
    const size_t n = m->n_free;
    for (size_t t = 0; t < n; t++) {
        double sum = 0;
        for (size_t j = 0; m->law->full != NULL && j <= t; j++)
            sum += m->law->root[t * n + j] * m->unit[j];
        m->noise[t] = m->law->full == NULL ? m->unit[t] * sqrt(1 / m->law->precision[t] + m->extra[t])
                                           : sum + sqrt(m->extra[t]) * m->unit_extra[t];
    }
    exponentiate(m, 1, m->up);
    exponentiate(m, -1, m->down);
}

/* softmax(Gamma'f + side * C e), where products of exponentials are too small. */
static void add_small(const mixture *m, int side, double weight, double *share)
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

static void add_side(const mixture *m, int side, double weight, double *share)
{
    const double *factor = side > 0 ? m->up : m->down;
    double sum = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        sum += m->psi[k] = m->scale[k] * factor[k];
    if (!(sum > 1e-200)) {
        add_small(m, side, weight, share);
        return;
    }
    const double per_unit = weight / sum;
    for (size_t k = 0; k < m->n_topics; k++)
        share[k] += per_unit * m->psi[k];
}

/* exp(Gamma'f), divided by its largest number. */
static void find_scale(const mixture *m)
{
    double most = m->law->is_symmetric ? -INFINITY : 0;
    for (size_t t = 0; t < m->n_free; t++)
        most = fmax(most, m->mean[t]);
    for (size_t t = 0; t < m->n_free; t++)
        m->scale[t] = exp(m->mean[t] - most);
    if (!m->law->is_symmetric)
        m->scale[m->n_free] = exp(-most);
}

/* One row of every set. */
static void add_row(const mixture *all, size_t n_sets, const gb_sparse_columns *set, uint64_t row, double *share)
{
    const double weight = 0.5 / (double)(set->n_docs * N_PAIRS);
    gb_random random = gb_random_open(gb_key_make(0, 0), 0, GB_DRAW_GROUP_SHARES, row);
    for (size_t i = 0; i < n_sets; i++) {
        const mixture m = of_set(all, i);
        begin_row(&m, &set[i], row);
        find_scale(&m);
    }
    for (size_t pair = 0; pair < N_PAIRS; pair++) {
        draw_unit(all, &random);
        for (size_t i = 0; i < n_sets; i++) {
            const mixture m = of_set(all, i);
            if (i == 0 || memcmp(m.extra, m.extra - all->n_free, all->n_free * sizeof *m.extra) != 0)
                find_noise(&m);
            add_side(&m, 1, weight, share + i * m.n_topics);
            add_side(&m, -1, weight, share + i * m.n_topics);
        }
    }
}

gb_status gb_psi_shares_of_rows(const gb_prior_setup *setup, const gb_prior_values *values, size_t n_sets,
                                const gb_sparse_columns *set, double *share, gb_error *err)
{
    gb_status st;
    gb_prior prior = {0};
    double *room = NULL;
    GB_TRY(gb_prior_create(&prior, setup, values, NULL, 0, 1, gb_isa_best(), err));
    const gb_psi_state *s = prior.state;
    const size_t n = s->n_free, k = setup->n_topics;
    GB_TRY(gb_alloc(&room, n_sets * (2 * n + k) + 3 * n + 3 * k, sizeof *room, "expected topic shares", err));
    double *shared = room + n_sets * (2 * n + k);
    const mixture all = {.law = &s->law,
                         .regression = ((const gb_psi_setup *)setup->own)->regression,
                         .values = values,
                         .n_free = n,
                         .n_topics = k,
                         .mean = room,
                         .extra = room + n_sets * n,
                         .scale = room + n_sets * 2 * n,
                         .unit = shared,
                         .unit_extra = shared + n,
                         .noise = shared + 2 * n,
                         .psi = shared + 3 * n,
                         .up = shared + 3 * n + k,
                         .down = shared + 3 * n + 2 * k};
    memset(share, 0, n_sets * k * sizeof *share);
    for (uint64_t row = 0; row < set->n_docs; row++)
        add_row(&all, n_sets, set, row, share);
done:
    gb_free(room);
    gb_prior_clear(&prior);
    return st;
}
