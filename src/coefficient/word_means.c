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
    gb_word_list list;
    const double *eta;
    uint64_t n_docs; /* here */
    size_t n_words, first_word, n_features, n_tasks, width;
    double largest_square;                        /* of |r| at the end */
    double *precision;                            /* n_features: of an output */
    double *sum;                                  /* n_words x width: G' p */
    float *root, *inverse, *residual, *direction; /* n_docs x width: Omega^{1/2}, 1 / diag A, r, p */
    float *image;                                 /* n_docs x width: Omega^{1/2} p, then A p */
    float *variance, *w, *solution;               /* n_words x width: Lambda^{-1}, Lambda^{-1} G' p, the means */

    size_t output[WIDEST], n_iterations[WIDEST]; /* of the lanes; NONE: a lane has no output */
    double square[2 * WIDEST];                   /* r' r / diag A of each lane, then r' r */

    /* the outputs whose turn comes next, ready to begin */
    size_t first, n, n_taken;
    float *next_root, *next_inverse, *next_residual, *next_variance;
    double next_square[2 * WIDEST];
} means;

static const size_t NONE = SIZE_MAX;

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
    GB_ARRAY(v, "next_roots_of_omega", m->next_root, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "next_preconditioner", m->next_inverse, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "next_residuals", m->next_residual, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs, m->width);
    GB_ARRAY(v, "next_prior_variances", m->next_variance, GB_SCRATCH, GB_REPLICATED, m->n_words, m->width);
    gb_column_sums_list(&m->sums, v);
    gb_word_list_list(&m->list, v);
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

static void weigh_words(const means *m, size_t first, size_t last)
{
    for (size_t i = first * m->width; i < last * m->width; i++)
        m->w[i] = (float)(m->variance[i] * m->sum[i]);
}

/* Words of whole tasks; where all parts are here, they are weighed while they are at hand. */
static void sum_columns(const void *context, const gb_doc_parts *parts, size_t first, size_t last, double *w)
{
    const means *m = context;
    const size_t first_part = (size_t)(parts->start - gb_column_sums_starts(&m->sums));
    memset(w + first * m->width, 0, (last - first) * m->width * sizeof *w);
    for (size_t task = first / GB_COLUMNS_PER_TASK; task * GB_COLUMNS_PER_TASK < last; task++)
        for (size_t p = first_part; p < first_part + parts->n; p++) {
            const gb_word_piece piece = gb_word_list_piece(&m->list, task, p);
            m->products->add_runs(&piece, m->width, m->image, w);
        }
    if (!m->sums.has_team)
        weigh_words(m, first, last);
}

/* w = Lambda^{-1} X' y, with y where images are */
static gb_status transpose(means *m, gb_error *err)
{
    const gb_status st = gb_column_sums_find(&m->sums, sum_columns, m, m->sum, err);
    if (st == GB_OK && m->sums.has_team)
        weigh_words(m, 0, m->n_words);
    return st;
}

/* A p = p + Omega^{1/2} X w */
static gb_status multiply_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *m = context;
    const uint64_t first = first_doc(task), last = last_doc(m, task), at = first * m->width;
    m->products->times(m->x, m->list.value_by_doc, m->width, m->w, first, last, m->image);
    m->products->add_image((last - first) * m->width, m->direction + at, m->root + at, m->image + at);
    return GB_OK;
}

static gb_status for_documents(means *m, gb_task *run, gb_error *err)
{
    return gb_parallel_for(m->n_tasks, m->in->n_threads, run, m, err);
}

/* ---- the outputs that come next ----
 *
 * Lanes without an output are 0 throughout. */

/* The words' coefficients, for now where their variances will be. */
static void take_coefficients(means *m)
{
    memset(m->next_variance, 0, m->n_words * m->width * sizeof *m->next_variance);
    for (size_t l = 0; l < m->n; l++) {
        const double *eta = m->eta + (m->first + l) * m->n_features + m->first_word;
        for (size_t j = 0; j < m->n_words; j++)
            m->next_variance[j * m->width + l] = (float)eta[j];
    }
}

static void take_variances(means *m)
{
    for (size_t l = 0; l < m->n; l++) {
        m->in->scales->prior->ops->precision(m->in->scales, m->first + l, m->precision);
        for (size_t j = 0; j < m->n_words; j++)
            m->next_variance[j * m->width + l] = (float)(1 / m->precision[m->first_word + j]);
    }
}

/* b, with the words' part of the score where the preconditioner will be.  A document without omega, as without a label, says nothing. */
static void take_document(const means *m, uint64_t d)
{
    const gb_score_term *term = m->in->term + d * m->in->n_outputs + m->first;
    const double *score = m->in->score + d * m->in->n_outputs + m->first;
    for (size_t l = 0; l < m->width; l++) {
        const size_t at = d * m->width + l;
        const bool says = l < m->n && term[l].omega > 0;
        const double root = says ? fmin(fmax(sqrt(term[l].omega), LEAST_ROOT), LARGEST_ROOT) : 0;
        m->next_root[at] = (float)root;
        m->next_residual[at] =
            says ? (float)(term[l].slope / root + root * (term[l].centre - (score[l] - m->next_inverse[at]))) : 0;
    }
}

static gb_status take_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *m = context;
    const uint64_t first = first_doc(task), last = last_doc(m, task);
    m->products->times(m->x, m->list.value_by_doc, m->width, m->next_variance, first, last, m->next_inverse);
    for (uint64_t d = first; d < last; d++)
        take_document(m, d);
    return GB_OK;
}

static gb_status precondition_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *m = context;
    const uint64_t first = first_doc(task), last = last_doc(m, task);
    m->products->squares(m->x, m->list.value_by_doc, m->width, m->next_variance, first, last, m->next_inverse);
    for (uint64_t i = first * m->width; i < last * m->width; i++)
        m->next_inverse[i] = 1 / (1 + m->next_root[i] * m->next_root[i] * m->next_inverse[i]);
    return GB_OK;
}

static gb_status add_up(const means *m, gb_add_documents *add, size_t n, double *sum, gb_error *err)
{
    memset(sum, 0, n * sizeof *sum);
    return gb_sum_documents(m->in->portion, m->n_docs, add, m, n, sum, err);
}

/* r' r / diag A of each output, then r' r. */
static void add_next_residual(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const means *m = context;
    const uint64_t at = first * m->width;
    m->products->squares_of(m->width, last - first, m->next_inverse + at, m->next_residual + at, sum);
}

/* The outputs behind those that were ready; false: there are no more. */
static gb_status make_ready(means *m, bool *any, gb_error *err)
{
    gb_status st = GB_OK;
    m->first += m->n;
    m->n = m->in->n_outputs - m->first < m->width ? m->in->n_outputs - m->first : m->width;
    m->n_taken = 0;
    *any = m->n > 0;
    if (m->n == 0)
        return st;
    take_coefficients(m);
    GB_TRY(for_documents(m, take_documents, err));
    take_variances(m);
    GB_TRY(for_documents(m, precondition_documents, err));
    GB_TRY(add_up(m, add_next_residual, 2 * m->width, m->next_square, err));
done:
    return st;
}

/* ---- lanes ---- */

static void begin_lane(means *m, size_t l)
{
    const size_t from = m->n_taken++, width = m->width;
    m->output[l] = m->first + from;
    m->n_iterations[l] = 0;
    m->square[l] = m->next_square[from];
    m->square[width + l] = m->next_square[width + from];
    for (uint64_t d = 0; d < m->n_docs; d++) {
        const uint64_t at = d * width + l, next = d * width + from;
        m->root[at] = m->next_root[next];
        m->inverse[at] = m->next_inverse[next];
        m->residual[at] = m->next_residual[next];
        m->direction[at] = m->inverse[at] * m->residual[at];
        m->image[at] = m->root[at] * m->direction[at];
    }
    for (uint64_t j = 0; j < m->n_words; j++) {
        m->variance[j * width + l] = m->next_variance[j * width + from];
        m->solution[j * width + l] = 0;
    }
}

static void leave_lane(means *m, size_t l)
{
    m->output[l] = NONE;
    m->square[l] = m->square[m->width + l] = 0;
    for (uint64_t i = l; i < m->n_docs * m->width; i += m->width)
        m->residual[i] = m->direction[i] = m->image[i] = 0;
}

static bool is_solved(const means *m, size_t l)
{
    return m->square[m->width + l] <= m->largest_square;
}

static gb_status check_lane(const means *m, size_t l, gb_error *err)
{
    if (isfinite(m->square[l]) && isfinite(m->square[m->width + l]))
        return GB_OK;
    return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: an expected coefficient is not finite", m->in->sweep,
                   m->output[l] + 1);
}

/* An output that is solved leaves its lane to the next, so that no lane waits for the slowest. */
static gb_status go_on_with_lane(means *m, size_t l, double *mean, gb_error *err)
{
    gb_status st;
    for (;;) {
        bool is_next = m->n_taken < m->n;
        GB_TRY(check_lane(m, l, err));
        if (m->output[l] != NONE && !is_solved(m, l) && m->n_iterations[l] < MOST_ITERATIONS)
            return GB_OK;
        for (size_t j = 0; m->output[l] != NONE && j < m->n_words; j++)
            mean[m->output[l] * m->n_words + j] = m->solution[j * m->width + l];
        if (!is_next)
            GB_TRY(make_ready(m, &is_next, err));
        if (!is_next) {
            leave_lane(m, l);
            return GB_OK;
        }
        begin_lane(m, l);
    }
done:
    return st;
}

/* ---- conjugate gradients ---- */

/* p' A p of each output. */
static void add_curvature(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const means *m = context;
    const uint64_t at = first * m->width;
    m->products->dot(m->width, last - first, m->direction + at, m->image + at, sum);
}

typedef struct residual_step {
    const means *m;
    float minus_alpha[WIDEST];
} residual_step;

/* r -= alpha A p, and the sums over it. */
static void add_stepped_residual(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const residual_step *step = context;
    const means *m = step->m;
    const uint64_t at = first * m->width;
    m->products->step(m->width, last - first, step->minus_alpha, m->image + at, m->inverse + at, m->residual + at,
                      sum);
}

static gb_status iterate(means *m, gb_error *err)
{
    gb_status st;
    double curvature[WIDEST], before[WIDEST] = {0};
    float alpha[WIDEST], beta[WIDEST];
    residual_step step = {.m = m};
    GB_TRY(transpose(m, err));
    GB_TRY(for_documents(m, multiply_documents, err));
    GB_TRY(add_up(m, add_curvature, m->width, curvature, err));
    for (size_t l = 0; l < m->width; l++) {
        alpha[l] = is_solved(m, l) ? 0 : (float)(m->square[l] / curvature[l]);
        step.minus_alpha[l] = -alpha[l];
        before[l] = m->square[l];
    }
    m->products->add_multiple(m->width, m->n_words, alpha, m->w, m->solution);
    memset(m->square, 0, 2 * m->width * sizeof *m->square);
    GB_TRY(gb_sum_documents(m->in->portion, m->n_docs, add_stepped_residual, &step, 2 * m->width, m->square, err));
    for (size_t l = 0; l < m->width; l++) {
        beta[l] = is_solved(m, l) ? 0 : (float)(m->square[l] / before[l]);
        m->n_iterations[l]++;
    }
    m->products->turn(m->width, m->n_docs, beta, m->inverse, m->residual, m->root, m->direction, m->image);
done:
    return st;
}

static gb_status solve(means *m, double *mean, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t l = 0; l < m->width; l++)
        m->output[l] = NONE;
    for (;;) {
        bool any = false;
        for (size_t l = 0; l < m->width; l++) {
            GB_TRY(go_on_with_lane(m, l, mean, err));
            any |= m->output[l] != NONE;
        }
        if (!any)
            return GB_OK;
        GB_TRY(iterate(m, err));
    }
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
    GB_TRY(gb_word_list_create(&m.list, m.x, &m.sums, in->n_threads, err));
    GB_TRY(gb_arrays_allocate(list_arrays, &m, "the means of words", err));
    GB_TRY(find_largest_square(&m, err));
    GB_TRY(solve(&m, mean, err));
done:
    gb_word_list_clear(&m.list);
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
    m.list = gb_word_list_size(size->n_column_entries, m.n_words, size->n_parts);
    return gb_arrays_bytes(list_arrays, &m);
}
