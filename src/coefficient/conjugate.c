/* coefficient/conjugate.c - the coefficients of many columns of an output in one draw, without their matrix.
 *
 *   Q = Lambda + F' Omega F,   theta ~ N(Q^{-1} F' (kappa - Omega o), Q^{-1})                               (1)
 *
 * with F the columns, o the rest of the score and Lambda the prior's precisions.  Draw u ~ N(0, Lambda^{-1}) and e ~ N(0, I).
 * With G = Omega^{1/2} F,
 *
 *   A = I + G Lambda^{-1} G',   A h = Omega^{-1/2} (kappa - Omega o) - G u - e                                  (2)
 *   theta = u + Lambda^{-1} G' h                                                                             (3)
 *
 * has the law (1): u and the right side of (2) are jointly normal, and (3) is u given that the right side is 0.  Written with the scores
 * s that the coefficients now, theta_0, give, the right side is
 *
 *   Omega^{-1/2} slope + Omega^{1/2} (centre - s) - G (u - theta_0) - e                                        (4)
 *
 * (2) has a row for each document and is solved by conjugate gradients with the diagonal of A as preconditioner, two products with F
 * in an iteration.  That of Q would need hundreds of iterations where the omegas of documents differ much, as they do with the hinge:
 * scaled by the diagonal, a document of any omega is a row of about unit length here.
 *
 * Let r be what is left of (2).  The error of theta is then Lambda^{-1} G' A^{-1} r, and
 *
 *   error' Q error = r' (I - A^{-1}) r <= r' r                                                             (5)
 *
 * so a linear combination of coefficients is off by at most |r| of its standard deviation in (1).  The iterations end when
 * |r| <= TOLERANCE.  If they do not end, for rounding where weights of documents differ by many orders of magnitude, the columns are
 * drawn one after the other instead (coefficient/coordinate.c), which leaves (1) as it is, too; whether they end depends on the matrix, and
 * hardly on the noise.
 *
 *   (2), (3): Bhattacharya, Chakraborty, Mallick 2016, Biometrika 103.  Conjugate gradients for such draws: Nishimura and
 *   Suchard 2022, Journal of the American Statistical Association 118.
 *   Cost of an iteration: four times the entries of the columns for each output.
 *
 * Outputs go group after group; loops over documents and columns are shared out.  Sums over documents run as everywhere
 * (team/portion.h), so the number of iterations depends on neither threads nor ranks.  Each rank has all columns' numbers and its own
 * documents': ranks exchange F' y, some columns at a time.
 * A column that is not drawn is one with Lambda^{-1} = 0. */
#include "base/arrays.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/column_sums.h"
#include "coefficient/groups.h"
#include "coefficient/parts.h"
#include "design/products.h"
#include "team/sums.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-4;

enum {
    MOST_ITERATIONS = 2000,
    COLUMNS_PER_TASK = 256 /* random numbers follow from it */
};

typedef struct conjugate {
    const gb_regression *in;
    gb_design design; /* of the columns that are drawn, and others */
    uint64_t n_docs;
    size_t n_columns, first_column; /* first_column: features before them */
    size_t n_features, n_doc_tasks, n_column_tasks, n_outputs, n_groups;
    gb_column_sums sums;
    bool *is_drawn;    /* n_columns */
    double *precision; /* n_features: of an output */
    double *eta;
    double *
        before; /* n_outputs x n_columns: theta_0; NULL if a group is all outputs, which is drawn at the end or not at all */
    bool has_ended; /* else the iterations of some group have not */

    size_t first, n, width; /* outputs of the group at hand */
    /* n_docs x width: Omega^{1/2}, the inverse diagonal of A, h, r, p, A p, Omega^{1/2} p */
    double *root, *inverse, *solution, *residual, *direction, *image, *y;
    /* n_columns x width: Lambda^{-1}, theta - theta_0, Lambda^{-1} G' p */
    double *variance, *step, *w;
    double alpha[GB_GROUP_WIDTH], beta[GB_GROUP_WIDTH];
} conjugate;

static size_t n_tasks(uint64_t n, size_t each)
{
    return (size_t)((n + each - 1) / each);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    conjugate *c = component;
    const size_t width = c->width;
    GB_ARRAY(v, "columns_drawn", c->is_drawn, GB_SCRATCH, GB_REPLICATED, c->n_columns);
    GB_ARRAY(v, "precisions", c->precision, GB_SCRATCH, GB_REPLICATED, c->n_features);
    GB_ARRAY(v, "roots_of_omega", c->root, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "preconditioner", c->inverse, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "solution", c->solution, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "residuals", c->residual, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "directions", c->direction, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "images", c->image, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "numbers_of_documents", c->y, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, width);
    GB_ARRAY(v, "prior_variances", c->variance, GB_SCRATCH, GB_REPLICATED, c->n_columns, width);
    GB_ARRAY(v, "steps", c->step, GB_SCRATCH, GB_REPLICATED, c->n_columns, width);
    GB_ARRAY(v, "numbers_of_columns", c->w, GB_SCRATCH, GB_REPLICATED, c->n_columns, width);
    GB_ARRAY(v, "coefficients_before", c->before, GB_SCRATCH, GB_REPLICATED, c->n_groups > 1 ? c->n_outputs : 0,
             c->n_columns);
    gb_column_sums_list(&c->sums, v);
}

/* ---- tasks ---- */

static uint64_t first_doc(size_t task)
{
    return (uint64_t)task * GB_DOCS_PER_TASK;
}

static uint64_t last_doc(const conjugate *c, size_t task)
{
    const uint64_t end = first_doc(task + 1);
    return end < c->n_docs ? end : c->n_docs;
}

static size_t first_column(size_t task)
{
    return task * COLUMNS_PER_TASK;
}

static size_t last_column(const conjugate *c, size_t task)
{
    return least(first_column(task + 1), c->n_columns);
}

static gb_status for_documents(conjugate *c, gb_task *run, gb_error *err)
{
    return gb_parallel_for(c->n_doc_tasks, c->in->n_threads, run, c, err);
}

static gb_status for_columns(conjugate *c, gb_task *run, gb_error *err)
{
    return gb_parallel_for(c->n_column_tasks, c->in->n_threads, run, c, err);
}

/* Of an output, and a document or the columns of a task. */
static gb_random open_stream(const conjugate *c, gb_purpose purpose, size_t output, uint64_t i)
{
    return gb_random_open(c->in->key, c->in->sweep, purpose, (uint64_t)output << 36 | i);
}

/* ---- w = Lambda^{-1} F' y ---- */

static void sum_columns(const void *context, const gb_doc_parts *parts, size_t first, size_t last, double *w)
{
    const conjugate *c = context;
    gb_columns_transposed(&c->design, c->in->isa, c->width, parts, c->y, first, last, w);
}

static gb_status weigh_columns(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    for (size_t i = first_column(task) * c->width; i < last_column(c, task) * c->width; i++)
        c->w[i] *= c->variance[i];
    return GB_OK;
}

static gb_status transpose(conjugate *c, gb_error *err)
{
    const gb_status st = gb_column_sums_find(&c->sums, sum_columns, c, c->w, err);
    return st == GB_OK ? for_columns(c, weigh_columns, err) : st;
}

/* ---- the right side ---- */

/* u - theta_0.  A column that is not drawn takes its number too, so that the others' do not depend on it. */
static gb_status disturb_columns(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    for (size_t l = 0; l < c->n; l++) {
        const double *eta = c->eta + (c->first + l) * c->n_features + c->first_column;
        gb_random random = open_stream(c, GB_DRAW_COLUMN_NOISE, c->first + l, task);
        for (size_t j = first_column(task); j < last_column(c, task); j++) {
            const size_t at = j * c->width + l;
            const double e = gb_random_normal(&random);
            c->step[at] = c->is_drawn[j] ? sqrt(c->variance[at]) * e - eta[j] : 0;
        }
    }
    return GB_OK;
}

/* (4), with G (u - theta_0) from y.  A document without omega, as without a label, says nothing. */
static void disturb_document(const conjugate *c, uint64_t d)
{
    const gb_score_term *term = c->in->term + d * c->in->n_outputs + c->first;
    const double *score = c->in->score + d * c->in->n_outputs + c->first;
    gb_random random = open_stream(c, GB_DRAW_SCORE_NOISE, c->first, gb_portion_first(c->in->portion) + d);
    for (size_t l = 0; l < c->n; l++) {
        const size_t at = d * c->width + l;
        const double e = gb_random_normal(&random), root = sqrt(term[l].omega);
        c->root[at] = root;
        c->residual[at] = root == 0 ? 0 : term[l].slope / root + root * (term[l].centre - score[l] - c->y[at]) - e;
    }
}

/* The right side, the preconditioner and the first direction. */
static gb_status disturb_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    const uint64_t first = first_doc(task), last = last_doc(c, task);
    gb_columns_times(&c->design, c->in->isa, c->width, c->step, first, last, c->y);
    for (uint64_t d = first; d < last; d++)
        disturb_document(c, d);
    gb_columns_squares(&c->design, c->in->isa, c->width, c->variance, first, last, c->inverse);
    for (uint64_t i = first * c->width; i < last * c->width; i++) {
        c->inverse[i] = 1 / (1 + c->root[i] * c->root[i] * c->inverse[i]);
        c->solution[i] = 0;
        c->direction[i] = c->inverse[i] * c->residual[i];
        c->y[i] = c->root[i] * c->direction[i];
    }
    return GB_OK;
}

/* Lanes without an output are 0 throughout. */
static void take_prior(conjugate *c)
{
    memset(c->variance, 0, c->n_columns * c->width * sizeof *c->variance);
    memset(c->step, 0, c->n_columns * c->width * sizeof *c->step);
    if (c->n_docs > 0) { /* a rank may have none, and no memory for them */
        memset(c->root, 0, c->n_docs * c->width * sizeof *c->root);
        memset(c->residual, 0, c->n_docs * c->width * sizeof *c->residual);
    }
    for (size_t l = 0; l < c->n; l++) {
        c->in->scales->prior->ops->precision(c->in->scales, c->first + l, c->precision);
        for (size_t j = 0; j < c->n_columns; j++)
            if (c->is_drawn[j])
                c->variance[j * c->width + l] = 1 / c->precision[c->first_column + j];
    }
}

/* ---- an iteration ---- */

/* A p = p + G w */
static gb_status multiply_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    const uint64_t first = first_doc(task), last = last_doc(c, task);
    gb_columns_times(&c->design, c->in->isa, c->width, c->w, first, last, c->image);
    for (uint64_t i = first * c->width; i < last * c->width; i++)
        c->image[i] = c->direction[i] + c->root[i] * c->image[i];
    return GB_OK;
}

/* h += alpha p, r -= alpha A p */
static gb_status step_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    for (uint64_t d = first_doc(task); d < last_doc(c, task); d++)
        for (size_t l = 0; l < c->width; l++) {
            const size_t at = d * c->width + l;
            c->solution[at] += c->alpha[l] * c->direction[at];
            c->residual[at] -= c->alpha[l] * c->image[at];
        }
    return GB_OK;
}

/* p = r / diag A + beta p */
static gb_status turn_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    for (uint64_t d = first_doc(task); d < last_doc(c, task); d++)
        for (size_t l = 0; l < c->width; l++) {
            const size_t at = d * c->width + l;
            c->direction[at] = c->inverse[at] * c->residual[at] + c->beta[l] * c->direction[at];
            c->y[at] = c->root[at] * c->direction[at];
        }
    return GB_OK;
}

/* p' A p of each output. */
static void add_curvature(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const conjugate *c = context;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < c->width; l++)
            sum[l] += c->direction[d * c->width + l] * c->image[d * c->width + l];
}

/* r' r / diag A of each output, then r' r. */
static void add_residual(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const conjugate *c = context;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < c->width; l++) {
            const double r = c->residual[d * c->width + l];
            sum[l] += c->inverse[d * c->width + l] * r * r;
            sum[c->width + l] += r * r;
        }
}

static gb_status add_up(const conjugate *c, gb_add_documents *add, size_t n, double *sum, gb_error *err)
{
    memset(sum, 0, n * sizeof *sum);
    return gb_sum_documents(c->in->portion, c->n_docs, add, c, n, sum, err);
}

/* Of the sums over residuals. */
static bool is_solved(const conjugate *c, const double *sum, size_t l)
{
    return sum[c->width + l] <= TOLERANCE * TOLERANCE;
}

/* An output that is solved takes no further step, so it does not depend on the others of its group. */
static gb_status iterate(conjugate *c, double *sum, gb_error *err)
{
    gb_status st;
    double curvature[GB_GROUP_WIDTH], before[GB_GROUP_WIDTH] = {0};
    GB_TRY(transpose(c, err));
    GB_TRY(for_documents(c, multiply_documents, err));
    GB_TRY(add_up(c, add_curvature, c->width, curvature, err));
    for (size_t l = 0; l < c->width; l++)
        c->alpha[l] = is_solved(c, sum, l) ? 0 : sum[l] / curvature[l];
    memcpy(before, sum, c->width * sizeof *sum);
    GB_TRY(for_documents(c, step_documents, err));
    GB_TRY(add_up(c, add_residual, 2 * c->width, sum, err));
    for (size_t l = 0; l < c->width; l++)
        c->beta[l] = is_solved(c, sum, l) ? 0 : sum[l] / before[l];
    GB_TRY(for_documents(c, turn_documents, err));
done:
    return st;
}

/* ---- the draw ---- */

/* The first output of the group that is not solved; n: none. */
static size_t first_unsolved(const conjugate *c, const double *sum)
{
    size_t l = 0;
    while (l < c->n && is_solved(c, sum, l))
        l++;
    return l;
}

/* The first output of the group without a finite sum; n: none. */
static size_t first_infinite(const conjugate *c, const double *sum)
{
    size_t l = 0;
    while (l < c->n && isfinite(sum[l]) && isfinite(sum[c->width + l]))
        l++;
    return l;
}

static gb_status solve(conjugate *c, gb_error *err)
{
    gb_status st;
    double sum[2 * GB_GROUP_WIDTH];
    GB_TRY(add_up(c, add_residual, 2 * c->width, sum, err));
    if (first_infinite(c, sum) < c->n)
        return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: a coefficient is not finite", c->in->sweep,
                       c->first + first_infinite(c, sum) + 1);
    for (size_t i = 0; c->has_ended && first_unsolved(c, sum) < c->n; i++) {
        GB_TRY(iterate(c, sum, err));
        c->has_ended = i + 1 < MOST_ITERATIONS && first_infinite(c, sum) == c->n;
    }
done:
    return st;
}

/* y = Omega^{1/2} h */
static gb_status weigh_solution(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    for (uint64_t i = first_doc(task) * c->width; i < last_doc(c, task) * c->width; i++)
        c->y[i] = c->root[i] * c->solution[i];
    return GB_OK;
}

/* (3) */
static gb_status take_step(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    conjugate *c = context;
    for (size_t l = 0; l < c->n; l++) {
        double *eta = c->eta + (c->first + l) * c->n_features + c->first_column;
        for (size_t j = first_column(task); j < last_column(c, task); j++)
            eta[j] += c->step[j * c->width + l] + c->w[j * c->width + l];
    }
    return GB_OK;
}

static gb_status draw_group(conjugate *c, size_t i, gb_error *err)
{
    gb_status st;
    c->first = i * GB_GROUP_WIDTH;
    c->n = gb_group_size(c->in->n_outputs, i);
    c->width = c->sums.width = gb_group_width(c->in->n_outputs, i);
    take_prior(c);
    GB_TRY(for_columns(c, disturb_columns, err));
    GB_TRY(for_documents(c, disturb_documents, err));
    GB_TRY(solve(c, err));
    if (!c->has_ended)
        return GB_OK;
    GB_TRY(for_documents(c, weigh_solution, err));
    GB_TRY(transpose(c, err));
    GB_TRY(for_columns(c, take_step, err));
done:
    return st;
}

/* The numbers that all arrays follow from. */
static void set_sizes(conjugate *c, const gb_layout *layout)
{
    c->n_groups = gb_n_groups(c->n_outputs);
    c->n_features = layout->n_features;
    c->n_columns = gb_layout_n_columns(layout);
    c->first_column = gb_layout_first_column(layout);
    c->n_doc_tasks = n_tasks(c->n_docs, GB_DOCS_PER_TASK);
    c->n_column_tasks = n_tasks(c->n_columns, COLUMNS_PER_TASK);
}

/* An embedding is drawn as a whole or not at all. */
static void list_drawn(conjugate *c, gb_feature_list columns)
{
    const gb_block *embedding = gb_layout_find(&c->design.layout, GB_EMBEDDING_BLOCK);
    for (size_t i = 0; i < columns.n; i++)
        c->is_drawn[columns.feature[i] - c->first_column] = true;
    if (embedding != NULL && !c->is_drawn[embedding->first - c->first_column])
        c->design.dense = NULL;
}

/* Scores are of the coefficients before the draw, which takes place from there, in the memory of this one. */
static gb_status draw_one_by_one(conjugate *c, gb_feature_list columns, gb_error *err)
{
    gb_regression in = *c->in;
    const size_t size = c->n_columns * sizeof *c->before;
    in.n_steps = in.n_steps > 0 ? in.n_steps : 1;
    for (size_t l = 0; c->before != NULL && l < c->n_outputs; l++)
        memcpy(c->eta + l * c->n_features + c->first_column, c->before + l * c->n_columns, size);
    gb_arrays_free(list_arrays, c);
    return gb_coordinate_draw_columns(&in, columns, c->eta, err);
}

gb_status gb_conjugate_draw_columns(const gb_regression *in, gb_feature_list columns, double *eta, gb_error *err)
{
    gb_status st;
    conjugate c = {.in = in,
                   .design = *in->design,
                   .n_docs = in->design->n_docs,
                   .n_outputs = in->n_outputs,
                   .eta = eta,
                   .has_ended = true,
                   .width = gb_group_width(in->n_outputs, 0)};
    if (columns.n == 0)
        return GB_OK;
    set_sizes(&c, &in->design->layout);
    c.sums = gb_column_sums_make(in->portion, c.n_docs, c.n_columns, c.width, in->n_threads);
    GB_TRY(gb_arrays_allocate(list_arrays, &c, "the coefficient draw", err));
    list_drawn(&c, columns);
    for (size_t l = 0; c.before != NULL && l < c.n_outputs; l++)
        memcpy(c.before + l * c.n_columns, eta + l * c.n_features + c.first_column, c.n_columns * sizeof *c.before);
    for (size_t i = 0; i < c.n_groups && c.has_ended; i++)
        GB_TRY(draw_group(&c, i, err));
    if (!c.has_ended)
        GB_TRY(draw_one_by_one(&c, columns, err));
done:
    gb_arrays_free(list_arrays, &c);
    return st;
}

uint64_t gb_conjugate_bytes(const gb_regression_size *size)
{
    conjugate c = {.n_docs = size->n_docs, .n_outputs = size->n_outputs, .width = gb_group_width(size->n_outputs, 0)};
    set_sizes(&c, &size->layout);
    c.sums = (gb_column_sums){
        .n_columns = c.n_columns, .width = c.width, .n_parts = size->n_parts, .has_team = size->has_team};
    return gb_arrays_bytes(list_arrays, &c);
}
