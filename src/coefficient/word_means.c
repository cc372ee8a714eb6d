/* coefficient/word_means.c - the expected coefficients of words, given everything else.
 *
 * With X the words of documents, o the rest of their scores, Lambda the prior's precisions and G = Omega^{1/2} X,
 *
 *   E(eta_w | rest) = (Lambda + G' G)^{-1} G' b = Lambda^{-1} G' h                                          (1)
 *   A h = b,   A = I + G Lambda^{-1} G',   b = Omega^{-1/2} (kappa - Omega o)                               (2)
 *
 * (2) has a row for each document and is solved by conjugate gradients with the diagonal of A as preconditioner, as in
 * conjugate.c: documents of very different omega, as with the hinge, take no more iterations there.  The coefficients of a step
 * of h are added up as they come.
 *
 * Let r be what is left of (2).  The coefficients found are off by e with e' (Lambda + G' G) e <= r' r.  The noise of a draw of p words
 * makes p of that, and what it adds to the scores of D documents at most D.  The iterations end when r' r is TOLERANCE^2 times the
 * smaller one.
 *
 * Numbers are in single precision, which is 10^5 times finer than that; (2) is scaled so that it does not matter how large omega is.
 * Sums over documents are in double precision.
 *
 *   Cost: 5 to 25 iterations, each four times the entries of the words for each output. */
#include "coefficient/word_means.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "coefficient/column_sums.h"
#include "coefficient/word_products.h"
#include "team/sums.h"

#include <math.h>

#include <string.h>

enum { MOST_ITERATIONS = 200, WIDEST = GB_WIDEST_WORD_GROUP };

static const double TOLERANCE = 0.1;

/* Of Omega^{1/2}: beyond them a label says all or nothing. */
static const double LEAST_ROOT = 1e-10, LARGEST_ROOT = 1e10;

typedef struct means {
    const gb_regression *in;
    const gb_sparse_columns *x;
    const gb_word_products *products;
    gb_column_sums sums;
    const double *eta;
    uint64_t n_docs; /* here */
    size_t n_words, first_word, n_features, n_tasks;
    double largest_square;                        /* of |r| at the end */
    size_t first, n, width;                       /* outputs at hand */
    double *precision;                            /* n_features: of an output */
    double *sum;                                  /* n_words x width: G' p */
    float *root, *inverse, *residual, *direction; /* n_docs x width: Omega^{1/2}, 1 / diag A, r, p */
    float *image;                                 /* n_docs x width: Omega^{1/2} p, then A p */
    float *variance, *w, *solution;               /* n_words x width: Lambda^{-1}, Lambda^{-1} G' p, the means */
} means;

static size_t width_of(size_t n_outputs)
{
    size_t width = 1;
    while (width < n_outputs && width < WIDEST)
        width *= 2;
    return width;
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    means *m = component;
    GB_ARRAY(v, "precisions", m->precision, GB_SCRATCH, GB_REPLICATED, m->n_features);
    GB_ARRAY(v, "sums_of_words", m->sum, GB_SCRATCH, GB_REPLICATED, m->n_words, m->width);
    GB_ARRAY(v, "roots_of_omega", m->root, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "preconditioner", m->inverse, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "residuals", m->residual, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "directions", m->direction, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "images", m->image, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "prior_variances", m->variance, GB_SCRATCH, GB_REPLICATED, m->n_words, m->width);
    GB_ARRAY(v, "numbers_of_words", m->w, GB_SCRATCH, GB_REPLICATED, m->n_words, m->width);
    GB_ARRAY(v, "means_of_words", m->solution, GB_SCRATCH, GB_REPLICATED, m->n_words, m->width);
    gb_column_sums_list(&m->sums, v);
}

/* ---- products ---- */

static uint64_t first_doc(size_t task)
{
    return (uint64_t)task * GB_DOCS_PER_TASK;
}

static uint64_t last_doc(const means *m, size_t task)
{
    const uint64_t end = first_doc(task + 1);
    return end < m->n_docs ? end : m->n_docs;
}

static void sum_columns(const void *context, const gb_doc_parts *parts, size_t first, size_t last, double *w)
{
    const means *m = context;
    m->products->transposed(m->x, m->width, parts, m->image, first, last, w);
}

/* w = Lambda^{-1} X' y, with y where images are */
static gb_status transpose(means *m, gb_error *err)
{
    const gb_status st = gb_column_sums_find(&m->sums, sum_columns, m, m->sum, err);
    for (size_t i = 0; st == GB_OK && i < m->n_words * m->width; i++)
        m->w[i] = (float)(m->variance[i] * m->sum[i]);
    return st;
}

/* A p = p + Omega^{1/2} X w */
static gb_status multiply_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *m = context;
    const uint64_t first = first_doc(task), last = last_doc(m, task), at = first * m->width;
    m->products->times(m->x, m->width, m->w, first, last, m->image);
    m->products->add_image((last - first) * m->width, m->direction + at, m->root + at, m->image + at);
    return GB_OK;
}

/* ---- the system ---- */

/* Lanes without an output are 0 throughout. */
static void take_words(means *m)
{
    memset(m->variance, 0, m->n_words * m->width * sizeof *m->variance);
    memset(m->w, 0, m->n_words * m->width * sizeof *m->w);
    memset(m->solution, 0, m->n_words * m->width * sizeof *m->solution);
    for (size_t l = 0; l < m->n; l++) {
        const double *eta = m->eta + (m->first + l) * m->n_features + m->first_word;
        m->in->scales->prior->ops->precision(m->in->scales, m->first + l, m->precision);
        for (size_t j = 0; j < m->n_words; j++) {
            m->variance[j * m->width + l] = (float)(1 / m->precision[m->first_word + j]);
            m->w[j * m->width + l] = (float)eta[j];
        }
    }
}

/* b, with the words' part of the score where images are.  A document without omega, as without a label, says nothing. */
static void take_document(const means *m, uint64_t d)
{
    const gb_score_term *term = m->in->term + d * m->in->n_outputs + m->first;
    const double *score = m->in->score + d * m->in->n_outputs + m->first;
    for (size_t l = 0; l < m->width; l++) {
        const size_t at = d * m->width + l;
        const bool says = l < m->n && term[l].omega > 0;
        const double root = says ? fmin(fmax(sqrt(term[l].omega), LEAST_ROOT), LARGEST_ROOT) : 0;
        m->root[at] = (float)root;
        m->residual[at] =
            says ? (float)(term[l].slope / root + root * (term[l].centre - (score[l] - m->image[at]))) : 0;
    }
}

/* b, the preconditioner and the first direction. */
static gb_status take_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *m = context;
    const uint64_t first = first_doc(task), last = last_doc(m, task);
    m->products->times(m->x, m->width, m->w, first, last, m->image);
    for (uint64_t d = first; d < last; d++)
        take_document(m, d);
    m->products->squares(m->x, m->width, m->variance, first, last, m->inverse);
    for (uint64_t i = first * m->width; i < last * m->width; i++) {
        m->inverse[i] = 1 / (1 + m->root[i] * m->root[i] * m->inverse[i]);
        m->direction[i] = m->inverse[i] * m->residual[i];
        m->image[i] = m->root[i] * m->direction[i];
    }
    return GB_OK;
}

/* ---- conjugate gradients ---- */

/* p' A p of each output. */
static void add_curvature(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const means *m = context;
    const uint64_t at = first * m->width;
    m->products->dot(m->width, last - first, m->direction + at, m->image + at, sum);
}

/* r' r / diag A of each output, then r' r. */
static void add_residual(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const means *m = context;
    const uint64_t at = first * m->width;
    m->products->squares_of(m->width, last - first, m->inverse + at, m->residual + at, sum);
}

static gb_status add_up(const means *m, gb_add_documents *add, size_t n, double *sum, gb_error *err)
{
    memset(sum, 0, n * sizeof *sum);
    return gb_sum_documents(m->in->portion, m->n_docs, add, m, n, sum, err);
}

/* Of the sums over residuals. */
static bool is_solved(const means *m, const double *sum, size_t l)
{
    return sum[m->width + l] <= m->largest_square;
}

/* An output that is solved takes no further step, so it does not depend on the others of its group. */
static gb_status iterate(means *m, double *sum, gb_error *err)
{
    gb_status st;
    double curvature[WIDEST];
    float alpha[WIDEST], minus[WIDEST], beta[WIDEST];
    GB_TRY(transpose(m, err));
    GB_TRY(gb_parallel_for(m->n_tasks, m->in->n_threads, multiply_documents, m, err));
    GB_TRY(add_up(m, add_curvature, m->width, curvature, err));
    for (size_t l = 0; l < m->width; l++) {
        alpha[l] = is_solved(m, sum, l) ? 0 : (float)(sum[l] / curvature[l]);
        minus[l] = -alpha[l];
        curvature[l] = sum[l]; /* as it was */
    }
    m->products->add_multiple(m->width, m->n_words, alpha, m->w, m->solution);
    m->products->add_multiple(m->width, m->n_docs, minus, m->image, m->residual);
    GB_TRY(add_up(m, add_residual, 2 * m->width, sum, err));
    for (size_t l = 0; l < m->width; l++)
        beta[l] = is_solved(m, sum, l) ? 0 : (float)(sum[l] / curvature[l]);
    m->products->turn(m->width, m->n_docs, beta, m->inverse, m->residual, m->root, m->direction, m->image);
done:
    return st;
}

static bool all_are_solved(const means *m, const double *sum)
{
    bool all = true;
    for (size_t l = 0; l < m->n; l++)
        all &= is_solved(m, sum, l);
    return all;
}

static gb_status check_sums(const means *m, const double *sum, gb_error *err)
{
    for (size_t l = 0; l < m->n; l++)
        if (!isfinite(sum[l]) || !isfinite(sum[m->width + l]))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: an expected coefficient is not finite",
                           m->in->sweep, m->first + l + 1);
    return GB_OK;
}

static gb_status solve_group(means *m, double *mean, gb_error *err)
{
    gb_status st;
    double sum[2 * WIDEST];
    take_words(m);
    GB_TRY(gb_parallel_for(m->n_tasks, m->in->n_threads, take_documents, m, err));
    GB_TRY(add_up(m, add_residual, 2 * m->width, sum, err));
    GB_TRY(check_sums(m, sum, err));
    for (size_t i = 0; i < MOST_ITERATIONS && !all_are_solved(m, sum); i++) {
        GB_TRY(iterate(m, sum, err));
        GB_TRY(check_sums(m, sum, err));
    }
    for (size_t l = 0; l < m->n; l++)
        for (size_t j = 0; j < m->n_words; j++)
            mean[(m->first + l) * m->n_words + j] = m->solution[j * m->width + l];
done:
    return st;
}

/* Of all ranks, at most one for each word. */
static gb_status find_largest_square(means *m, gb_error *err)
{
    int64_t n = (int64_t)m->n_docs;
    const gb_status st = gb_team_sum(gb_portion_team(m->in->portion), &n, 1, err);
    m->largest_square = TOLERANCE * TOLERANCE * fmin((double)n, (double)m->n_words);
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
               .n_features = layout->n_features,
               .products = GB_KERNEL_FOR(in->isa, &gb_word_products)};
    if (words == NULL)
        return GB_OK;
    m.n_words = words->n;
    m.first_word = words->first;
    m.n_tasks = (size_t)((m.n_docs + GB_DOCS_PER_TASK - 1) / GB_DOCS_PER_TASK);
    m.width = width_of(in->n_outputs);
    m.sums = gb_column_sums_make(in->portion, m.n_docs, m.n_words, m.width, in->n_threads);
    GB_TRY(gb_arrays_allocate(list_arrays, &m, "the means of words", err));
    GB_TRY(find_largest_square(&m, err));
    for (m.first = 0; m.first < in->n_outputs; m.first += WIDEST) {
        m.n = in->n_outputs - m.first < WIDEST ? in->n_outputs - m.first : WIDEST;
        m.width = m.sums.width = width_of(m.n);
        GB_TRY(solve_group(&m, mean, err));
    }
done:
    gb_arrays_free(list_arrays, &m);
    return st;
}

uint64_t gb_word_means_bytes(const gb_regression_size *size)
{
    const gb_block *words = gb_layout_find(&size->layout, GB_WORDS_BLOCK);
    means m = {.n_docs = size->n_docs, .n_features = size->layout.n_features, .width = width_of(size->n_outputs)};
    if (words == NULL)
        return 0;
    m.n_words = words->n;
    m.sums = (gb_column_sums){
        .n_columns = m.n_words, .width = m.width, .n_parts = size->n_parts, .has_team = size->has_team};
    return gb_arrays_bytes(list_arrays, &m);
}
