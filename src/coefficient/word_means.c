/* coefficient/word_means.c - the expected coefficients of words, given everything else.
 *
 *   E(eta_w | rest) = Q^{-1} b,   Q = Lambda + X' Omega X,   b = X' (kappa - Omega o)                      (1)
 *
 * with X the words of documents, o the rest of their scores and Lambda the prior's precisions.  From the coefficients now and the
 * scores s that they give, the step to it is
 *
 *   Q delta = X' (slope + Omega (centre - s)) - Lambda eta                                                  (2)
 *
 * solved by conjugate gradients with the diagonal M of Q as preconditioner.  The noise of a draw makes about 1 of r_j^2 / M_j for
 * residuals r; the iterations end when it is TOLERANCE^2 on average.  What is left is as small against the noise of a draw, which is
 * what the means are there to avoid.
 *
 *   Cost: 10 to 30 iterations, each four times the entries of the words for each output. */
#include "coefficient/word_means.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "coefficient/column_sums.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 8, MOST_ITERATIONS = 200 }; /* WIDTH: outputs at a time */

static const double TOLERANCE = 0.1;

typedef struct means {
    const gb_regression *in;
    const gb_sparse_columns *x;
    const gb_products *products;
    gb_column_sums sums;
    const double *eta;
    uint64_t n_docs; /* here */
    size_t n_words, first_word, n_features;
    size_t first, n;                                                /* outputs at hand */
    double *precision;                                              /* n_features: of an output */
    double *omega, *y;                                              /* n_docs x WIDTH */
    double *prior, *inverse, *delta, *residual, *direction, *image; /* n_words x WIDTH */
} means;

static void list_arrays(void *component, const gb_array_visitor *v)
{
    means *m = component;
    GB_ARRAY(v, "precisions", m->precision, GB_SCRATCH, GB_REPLICATED, m->n_features);
    GB_ARRAY(v, "omega", m->omega, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, WIDTH);
    GB_ARRAY(v, "numbers_of_documents", m->y, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, WIDTH);
    GB_ARRAY(v, "prior_precisions", m->prior, GB_SCRATCH, GB_REPLICATED, m->n_words, WIDTH);
    GB_ARRAY(v, "preconditioner", m->inverse, GB_SCRATCH, GB_REPLICATED, m->n_words, WIDTH);
    GB_ARRAY(v, "steps", m->delta, GB_SCRATCH, GB_REPLICATED, m->n_words, WIDTH);
    GB_ARRAY(v, "residuals", m->residual, GB_SCRATCH, GB_REPLICATED, m->n_words, WIDTH);
    GB_ARRAY(v, "directions", m->direction, GB_SCRATCH, GB_REPLICATED, m->n_words, WIDTH);
    GB_ARRAY(v, "images", m->image, GB_SCRATCH, GB_REPLICATED, m->n_words, WIDTH);
    gb_column_sums_list(&m->sums, v);
}

/* ---- products ---- */

/* Sums over documents: x_dj y_d, or x_dj^2 y_d. */
typedef struct transposition {
    const means *m;
    bool squared;
    const double *y;
} transposition;

static void sum_columns(const void *context, const gb_doc_parts *parts, size_t first, size_t last, double *w)
{
    const transposition *t = context;
    const gb_products *products = t->m->products;
    (t->squared ? products->transposed_squares : products->transposed)(t->m->x, WIDTH, parts, t->y, first, last, w);
}

static gb_status transpose(means *m, bool squared, const double *y, double *out, gb_error *err)
{
    const transposition t = {m, squared, y};
    return gb_column_sums_find(&m->sums, sum_columns, &t, out, err);
}

/* y = Omega X p */
static gb_status multiply_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *m = context;
    const uint64_t first = (uint64_t)task * GB_DOCS_PER_TASK, end = first + GB_DOCS_PER_TASK;
    const uint64_t last = end < m->n_docs ? end : m->n_docs;
    memset(m->y + first * WIDTH, 0, (size_t)(last - first) * WIDTH * sizeof *m->y);
    m->products->times(m->x, WIDTH, m->direction, first, last, m->y);
    for (uint64_t i = first * WIDTH; i < last * WIDTH; i++)
        m->y[i] *= m->omega[i];
    return GB_OK;
}

static void dot(const means *m, const double *a, const double *b, double *out)
{
    memset(out, 0, WIDTH * sizeof *out);
    for (size_t j = 0; j < m->n_words; j++)
        for (size_t l = 0; l < WIDTH; l++)
            out[l] += a[j * WIDTH + l] * b[j * WIDTH + l];
}

/* ---- conjugate gradients ---- */

static void begin_documents(means *m)
{
    const size_t n_outputs = m->in->n_outputs;
    for (uint64_t d = 0; d < m->n_docs; d++)
        for (size_t l = 0; l < WIDTH; l++) {
            const size_t at = d * n_outputs + m->first + l;
            const gb_score_term t = l < m->n ? m->in->term[at] : (gb_score_term){0};
            m->omega[d * WIDTH + l] = t.omega;
            m->y[d * WIDTH + l] = l < m->n ? t.slope + t.omega * (t.centre - m->in->score[at]) : 0;
        }
}

/* (2), M^{-1} and the first direction.  @param square  r' M^{-1} r */
static gb_status begin(means *m, double *square, gb_error *err)
{
    gb_status st;
    begin_documents(m);
    GB_TRY(transpose(m, true, m->omega, m->inverse, err));
    GB_TRY(transpose(m, false, m->y, m->residual, err));
    memset(m->prior, 0, m->n_words * WIDTH * sizeof *m->prior);
    memset(m->delta, 0, m->n_words * WIDTH * sizeof *m->delta);
    memset(m->direction, 0, m->n_words * WIDTH * sizeof *m->direction);
    for (size_t l = 0; l < m->n; l++) {
        const double *eta = m->eta + (m->first + l) * m->n_features + m->first_word;
        m->in->scales->prior->ops->precision(m->in->scales, m->first + l, m->precision);
        for (size_t j = 0; j < m->n_words; j++) {
            const size_t at = j * WIDTH + l;
            m->prior[at] = m->precision[m->first_word + j];
            m->residual[at] -= m->prior[at] * eta[j];
            m->inverse[at] = 1 / (m->prior[at] + m->inverse[at]);
            m->direction[at] = m->inverse[at] * m->residual[at];
        }
    }
    dot(m, m->residual, m->direction, square);
done:
    return st;
}

static bool is_solved(const means *m, double square)
{
    return !(square > TOLERANCE * TOLERANCE * (double)m->n_words);
}

/* delta += alpha p, r -= alpha Q p, p = M^{-1} r + beta p; an output that is solved stays as it is. */
static void step(means *m, double *square)
{
    double total[WIDTH], after[WIDTH] = {0};
    for (size_t i = 0; i < m->n_words * WIDTH; i++)
        m->image[i] += m->prior[i] * m->direction[i];
    dot(m, m->direction, m->image, total);
    for (size_t l = 0; l < WIDTH; l++)
        total[l] = is_solved(m, square[l]) || !(total[l] > 0) ? 0 : square[l] / total[l];
    for (size_t j = 0; j < m->n_words; j++)
        for (size_t l = 0; l < WIDTH; l++) {
            const size_t at = j * WIDTH + l;
            m->delta[at] += total[l] * m->direction[at];
            m->residual[at] -= total[l] * m->image[at];
            after[l] += l < m->n ? m->inverse[at] * m->residual[at] * m->residual[at] : 0;
        }
    for (size_t j = 0; j < m->n_words; j++)
        for (size_t l = 0; l < m->n; l++) {
            const size_t at = j * WIDTH + l;
            if (total[l] > 0)
                m->direction[at] = m->inverse[at] * m->residual[at] + after[l] / square[l] * m->direction[at];
        }
    for (size_t l = 0; l < WIDTH; l++)
        square[l] = total[l] > 0 ? after[l] : 0;
}

static bool all_are_solved(const means *m, const double *square)
{
    bool all = true;
    for (size_t l = 0; l < m->n; l++)
        all &= is_solved(m, square[l]);
    return all;
}

static gb_status solve_group(means *m, double *mean, gb_error *err)
{
    gb_status st;
    double square[WIDTH];
    const size_t n_tasks = (size_t)((m->n_docs + GB_DOCS_PER_TASK - 1) / GB_DOCS_PER_TASK);
    GB_TRY(begin(m, square, err));
    for (size_t i = 0; i < MOST_ITERATIONS && !all_are_solved(m, square); i++) {
        GB_TRY(gb_parallel_for(n_tasks, m->in->n_threads, multiply_documents, m, err));
        GB_TRY(transpose(m, false, m->y, m->image, err));
        step(m, square);
    }
    for (size_t l = 0; l < m->n; l++)
        for (size_t j = 0; j < m->n_words; j++)
            mean[(m->first + l) * m->n_words + j] =
                m->eta[(m->first + l) * m->n_features + m->first_word + j] + m->delta[j * WIDTH + l];
done:
    return st;
}

gb_status gb_word_means(const gb_regression *in, const double *eta, double *mean, gb_error *err)
{
    gb_status st;
    const gb_layout *layout = &in->design->layout;
    const gb_block *words = gb_layout_find(layout, GB_WORDS_BLOCK);
    means m = {.in = in,
               .x = in->design->x[GB_WORDS_BLOCK],
               .eta = eta,
               .n_docs = in->design->n_docs,
               .n_features = layout->n_features};
    if (words == NULL)
        return GB_OK;
    m.products = gb_products_for(in->isa);
    m.n_words = words->n;
    m.first_word = words->first;
    m.sums = gb_column_sums_make(in->portion, m.n_docs, m.n_words, WIDTH, in->n_threads);
    GB_TRY(gb_arrays_allocate(list_arrays, &m, "the means of words", err));
    for (m.first = 0; m.first < in->n_outputs; m.first += WIDTH) {
        m.n = in->n_outputs - m.first < WIDTH ? in->n_outputs - m.first : WIDTH;
        GB_TRY(solve_group(&m, mean, err));
    }
done:
    gb_arrays_free(list_arrays, &m);
    return st;
}

uint64_t gb_word_means_bytes(const gb_regression_size *size)
{
    const gb_block *words = gb_layout_find(&size->layout, GB_WORDS_BLOCK);
    means m = {.n_docs = size->n_docs, .n_features = size->layout.n_features};
    if (words == NULL)
        return 0;
    m.n_words = words->n;
    m.sums = (gb_column_sums){
        .n_columns = m.n_words, .width = WIDTH, .n_parts = size->n_parts, .has_team = size->has_team};
    return gb_arrays_bytes(list_arrays, &m);
}
