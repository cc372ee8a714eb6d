/* evaluation/linear_solver.c - the minimum of a linear model of documents, by Newton's method.
 *
 * An answer y of -1 or 1 has the loss max(0, 1 - y f)^2 = (y - f)^2 where y f < 1, and none elsewhere: the documents that
 * have one are active.  So the objective is a ridge regression of the active documents,
 *
 *     w'w / 2 + C sum over active documents of (y - w'x)^2,      gradient w + 2 C sum of (w'x - y) x,   Hessian I + 2 C sum of x x'
 *
 * A step minimises that by conjugate gradients, with the Hessian's diagonal as preconditioner, and is halved until it leads down.  Of numbers
 * all documents are active, and one step is enough.
 *
 *   Keerthi & DeCoste 2005, JMLR 6 (a finite Newton method for linear SVMs).
 *   Cost: a product of the active documents with a vector, and of its transpose, for each of some 10 to 100 gradients. */
#include "evaluation/linear_solver.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* The gradient at the end, as a share of that of no weights: of yes and no also times the share of the rarer of both.  A step solves
 * its equations until STEP_SHARE of the gradient is left. */
static const double SHARE_OF_ANSWERS = 0.01, SHARE_OF_NUMBERS = 0.0001, STEP_SHARE = 0.2, LEAST_GAIN = 0.01;
enum { MOST_STEPS = 1000, MOST_HALVINGS = 40, N_BY_COLUMN = 6, N_BY_DOCUMENT = 3 };

typedef struct solver {
    const gb_sparse_columns *rows;
    gb_linear_loss loss;
    double cost;
    uint64_t n, n_active;
    size_t n_weights;
    const uint64_t *row;
    const double *y;
    uint64_t *active;       /* numbers of documents among the n */
    double *score, *change; /* w'x of each, and how it changes with the step */
    double *gradient, *diagonal, *step, *left, *direction, *curvature; /* by column */
    double *room;
} solver;

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double product(const solver *s, uint64_t i, const double *w)
{
    return gb_sparse_columns_dot(s->rows, s->row[i], w) + w[s->n_weights - 1];
}

/* out += by * (x, 1) */
static void add(const solver *s, uint64_t i, double by, double *out)
{
    const gb_sparse_columns *x = s->rows;
    for (uint64_t e = x->doc_start[s->row[i]]; e < x->doc_start[s->row[i] + 1]; e++)
        out[x->column[e]] += by * x->value[e];
    out[s->n_weights - 1] += by;
}

static bool is_active(const solver *s, uint64_t i, double score)
{
    return s->loss == GB_LINEAR_SQUARES || s->y[i] * score < 1;
}

/* ---- the objective ---- */

static double objective(const solver *s, const double *w, double length)
{
    double sum = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        const double score = s->score[i] + length * s->change[i];
        if (is_active(s, i, score))
            sum += (score - s->y[i]) * (score - s->y[i]);
    }
    const size_t m = s->n_weights;
    return (dot(m, w, w) + length * (2 * dot(m, w, s->step) + length * dot(m, s->step, s->step))) / 2 + s->cost * sum;
}

/* Which documents are active, the gradient and the diagonal of the Hessian.  @return the gradient's length */
static double look_around(solver *s, const double *w)
{
    const gb_sparse_columns *x = s->rows;
    memcpy(s->gradient, w, s->n_weights * sizeof *w);
    for (size_t j = 0; j < s->n_weights; j++)
        s->diagonal[j] = 1;
    s->n_active = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        if (!is_active(s, i, s->score[i]))
            continue;
        s->active[s->n_active++] = i;
        add(s, i, 2 * s->cost * (s->score[i] - s->y[i]), s->gradient);
        for (uint64_t e = x->doc_start[s->row[i]]; e < x->doc_start[s->row[i] + 1]; e++)
            s->diagonal[x->column[e]] += 2 * s->cost * x->value[e] * x->value[e];
        s->diagonal[s->n_weights - 1] += 2 * s->cost;
    }
    return sqrt(dot(s->n_weights, s->gradient, s->gradient));
}

static double length_without_weights(solver *s)
{
    double *g = s->gradient;
    memset(g, 0, s->n_weights * sizeof *g);
    for (uint64_t i = 0; i < s->n; i++)
        add(s, i, -2 * s->cost * s->y[i], g);
    return sqrt(dot(s->n_weights, g, g));
}

/* ---- a step ---- */

static void multiply_by_hessian(const solver *s, const double *v, double *out)
{
    memcpy(out, v, s->n_weights * sizeof *v);
    for (uint64_t a = 0; a < s->n_active; a++)
        add(s, s->active[a], 2 * s->cost * product(s, s->active[a], v), out);
}

/* Conjugate gradients, until what is left of the gradient has length `least`. */
static void find_step(solver *s, double least)
{
    const size_t m = s->n_weights;
    double weighed = 0;
    memset(s->step, 0, m * sizeof *s->step);
    for (size_t j = 0; j < m; j++) {
        s->left[j] = -s->gradient[j];
        s->direction[j] = s->left[j] / s->diagonal[j];
        weighed += s->left[j] * s->direction[j];
    }
    for (int n = 0; n < MOST_STEPS && dot(m, s->left, s->left) > least * least; n++) {
        multiply_by_hessian(s, s->direction, s->curvature);
        const double by = weighed / dot(m, s->direction, s->curvature);
        double next = 0;
        for (size_t j = 0; j < m; j++) {
            s->step[j] += by * s->direction[j];
            s->left[j] -= by * s->curvature[j];
            next += s->left[j] * s->left[j] / s->diagonal[j];
        }
        for (size_t j = 0; j < m; j++)
            s->direction[j] = s->left[j] / s->diagonal[j] + next / weighed * s->direction[j];
        weighed = next;
    }
}

/* Go as far as the objective falls by a share of what the gradient promises.  @return false if rounding lets it fall no more */
static bool take_step(solver *s, double *w)
{
    const size_t m = s->n_weights;
    const double promised = dot(m, s->gradient, s->step);
    for (uint64_t i = 0; i < s->n; i++)
        s->change[i] = product(s, i, s->step);
    const double before = objective(s, w, 0);
    double length = 1;
    int n = 0;
    while (n < MOST_HALVINGS && !(objective(s, w, length) <= before + LEAST_GAIN * length * promised)) {
        length /= 2;
        n++;
    }
    if (n == MOST_HALVINGS)
        return false;
    for (size_t j = 0; j < m; j++)
        w[j] += length * s->step[j];
    for (uint64_t i = 0; i < s->n; i++)
        s->score[i] += length * s->change[i];
    return true;
}

/* ---- a fit ---- */

size_t gb_linear_solver_bytes(uint64_t n_columns, uint64_t n)
{
    return (size_t)(N_BY_COLUMN * (n_columns + 1) + N_BY_DOCUMENT * n) * sizeof(double);
}

static gb_status open_solver(solver *s, gb_error *err)
{
    gb_status st;
    const size_t m = s->n_weights;
    GB_TRY(gb_alloc(&s->room, N_BY_COLUMN * m + 2 * s->n, sizeof *s->room, "a linear model", err));
    GB_TRY(gb_alloc(&s->active, s->n, sizeof *s->active, "a linear model", err));
    double **part[] = {&s->gradient, &s->diagonal, &s->step, &s->left, &s->direction, &s->curvature};
    for (size_t i = 0; i < N_BY_COLUMN; i++)
        *part[i] = s->room + i * m;
    s->score = s->room + N_BY_COLUMN * m;
    s->change = s->score + s->n;
done:
    return st;
}

static double least_gradient(solver *s)
{
    uint64_t n_yes = 0;
    const double from = length_without_weights(s);
    if (s->loss == GB_LINEAR_SQUARES)
        return SHARE_OF_NUMBERS * from;
    for (uint64_t i = 0; i < s->n; i++)
        n_yes += s->y[i] > 0;
    const uint64_t n_rare = n_yes < s->n - n_yes ? n_yes : s->n - n_yes;
    return SHARE_OF_ANSWERS * from * (double)(n_rare > 0 ? n_rare : 1) / (double)s->n;
}

gb_status gb_linear_solve(const gb_sparse_columns *rows, gb_linear_loss loss, double cost, uint64_t n,
                          const uint64_t *row, const double *y, double *weight, gb_error *err)
{
    gb_status st;
    solver s = {
        .rows = rows, .loss = loss, .cost = cost, .n = n, .n_weights = rows->n_columns + 1, .row = row, .y = y};
    GB_TRY(open_solver(&s, err));
    const double least = least_gradient(&s);
    for (uint64_t i = 0; i < n; i++)
        s.score[i] = product(&s, i, weight);
    double length = look_around(&s, weight);
    for (int step = 0; step < MOST_STEPS && length > least; step++) {
        find_step(&s, loss == GB_LINEAR_SQUARES ? least : fmax(STEP_SHARE * length, least / 2));
        if (!take_step(&s, weight))
            break;
        length = look_around(&s, weight);
    }
done:
    gb_free(s.room);
    gb_free(s.active);
    return st;
}
