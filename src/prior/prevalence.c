/* prior/prevalence.c - coefficients of metadata, and their variances, given log weights.
 *
 * Given the other topics, with r_dj = psi_dj - f_d'Gamma_j and lambda the prior precisions of (2) of prevalence.h,
 *     Gamma_t | psi ~ N(P^{-1} h, P^{-1}),   P = Q_tt F'F + diag(lambda)                                       (1)
 *     h = F'(Q_tt psi_t + sum over j != t of Q_tj r_j) + diag(lambda) m
 *       = sum_j Q_tj F'psi_j - sum over j != t of Q_tj F'F Gamma_j + diag(lambda) m                            (2)
 * F'F is made once, F'psi once a draw, so that topics need no pass over the documents of their own.
 *
 * A random effect may have thousands of levels, of which a document has one.  Their part of P is diagonal, D; with B between these
 * columns (alone) and the others (rest), C among the others,
 *     Gamma_rest ~ N(S^{-1} (h_rest - B'D^{-1} h_alone), S^{-1}),   S = C - B'D^{-1} B                          (3)
 *     Gamma_alone | Gamma_rest ~ N(D^{-1} (h_alone - B Gamma_rest), D^{-1})                                    (4)
 *
 * Variances, with p_b columns in part b and the half-Cauchy law as a mixture of inverse gamma laws:
 *     x | tau^2 ~ InvGamma(1, 1 / A^2 + 1 / tau^2),   tau^2 | x, Gamma ~ InvGamma((p_b + 1) / 2, 1 / x + sum Gamma^2 / 2)   (5)
 * Those of the horseshoe, with p fixed effects, and v drawn as x in (5) with A = 1:
 *     lam_j^2 | v, tau, Gamma ~ InvGamma(1, 1 / v + Gamma_j^2 / (2 tau^2))                                     (6)
 *     tau^2 | x, lam, Gamma ~ InvGamma((p + 1) / 2, 1 / x + sum_j Gamma_j^2 / (2 lam_j^2))                     (7)
 * (6), (7): Makalic and Schmidt 2016, IEEE Signal Processing Letters 23.
 *
 *   Cost: F'psi D K times the entries of a document; for each topic n_alone n_rest^2 + n_rest^3 / 3. */
#include "prior/prevalence.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/cholesky.h"
#include "prior/part_tasks.h"

#include <math.h>
#include <string.h>

static const char what[] = "coefficients of metadata";

enum { STRIP = 16, ROWS_AT_ONCE = 64, FEWEST_ALONE = 8 };

/* Variances beyond are no others for all that they do; numbers stay far from where they lose digits. */
static const double LEAST_VARIANCE = 1e-12, MOST_VARIANCE = 1e12;

/* ---- parts ---- */

static void find_alone(gb_prevalence_parts *out, size_t n_terms, const gb_term *term)
{
    for (size_t i = 0; i < n_terms; i++)
        if (term[i].kind == GB_TERM_RANDOM && term[i].n >= FEWEST_ALONE && term[i].n > out->n_alone) {
            out->first_alone = term[i].first;
            out->n_alone = term[i].n;
        }
}

/* Rows of (4). */
static void add_horseshoe(gb_prevalence_parts *out)
{
    for (size_t j = 0; j < out->n_columns; j++)
        if (out->of[j] == GB_FIXED_PART)
            out->of[j] = (uint32_t)out->n++;
    out->n += out->n > out->n_random;
}

gb_status gb_prevalence_parts_make(gb_prevalence_parts *out, size_t n_terms, const gb_term *term, bool has_horseshoe,
                                   gb_error *err)
{
    gb_status st;
    *out = (gb_prevalence_parts){.n = 0};
    for (size_t i = 0; i < n_terms; i++)
        out->n_columns += term[i].n;
    GB_TRY(gb_alloc(&out->of, out->n_columns, sizeof *out->of, what, err));
    for (size_t i = 0; i < n_terms; i++) {
        const uint32_t part = term[i].kind == GB_TERM_CONSTANT ? GB_CONSTANT_PART
                              : term[i].kind == GB_TERM_FIXED  ? GB_FIXED_PART
                                                               : (uint32_t)out->n++;
        for (size_t j = term[i].first; j < term[i].first + term[i].n; j++)
            out->of[j] = part;
    }
    out->n_random = out->n;
    if (has_horseshoe)
        add_horseshoe(out);
    find_alone(out, n_terms, term);
done:
    return st;
}

void gb_prevalence_parts_clear(gb_prevalence_parts *parts)
{
    gb_free(parts->of);
    *parts = (gb_prevalence_parts){0};
}

/* ---- memory ---- */

static size_t n_rest(const gb_prevalence *p)
{
    return p->parts->n_columns - p->parts->n_alone;
}

/* The column that is number i of the rest. */
static size_t rest_column(const gb_prevalence_parts *parts, size_t i)
{
    return i < parts->first_alone ? i : i + parts->n_alone;
}

/* S, sums, rows of B, h, normal numbers. */
static size_t work_size(const gb_prevalence *p)
{
    const size_t r = n_rest(p), n = 2 * r * r + ROWS_AT_ONCE * r + 2 * p->parts->n_columns + 2 * r;
    return (n + 7) / 8 * 8;
}

static size_t n_tasks(const gb_prevalence *p)
{
    return gb_tasks_of(p->n_docs, GB_DOCS_PER_TASK);
}

void gb_prevalence_size(gb_prevalence *out, const gb_prevalence_settings *settings, const gb_prevalence_parts *parts,
                        const gb_sparse_columns *x, const gb_portion *portion, uint64_t n_docs, size_t n_free,
                        size_t n_threads)
{
    *out = (gb_prevalence){.settings = *settings,
                           .parts = parts,
                           .x = x,
                           .portion = portion,
                           .n_docs = n_docs,
                           .n_free = n_free,
                           .n_threads = n_threads};
}

void gb_prevalence_list(void *prevalence, const gb_array_visitor *v)
{
    gb_prevalence *p = prevalence;
    const size_t r = n_rest(p), n_alone = p->parts->n_alone, n_columns = p->parts->n_columns;
    GB_ARRAY(v, "document_means", p->mean, GB_DERIVED, GB_BY_DOCUMENT, p->n_docs, p->n_free);
    GB_ARRAY(v, "document_rows", p->row, GB_DERIVED, GB_BY_DOCUMENT, p->n_docs);
    GB_ARRAY(v, "prevalence_gram_alone", p->alone, GB_DERIVED, GB_REPLICATED, n_alone);
    GB_ARRAY(v, "prevalence_gram_cross", p->cross, GB_DERIVED, GB_REPLICATED, n_alone, r);
    GB_ARRAY(v, "prevalence_gram", p->rest, GB_DERIVED, GB_REPLICATED, r, r);
    GB_ARRAY(v, "prevalence_products", p->product, GB_SCRATCH, GB_REPLICATED, n_columns, p->n_free);
    GB_ARRAY(v, "prevalence_others", p->others, GB_SCRATCH, GB_REPLICATED, n_columns, p->n_free);
    GB_ARRAY(v, "prevalence_squares", p->square, GB_SCRATCH, GB_BY_DOCUMENT, n_tasks(p), p->n_free);
    GB_ARRAY(v, "prevalence_work", p->work, GB_SCRATCH, GB_BY_WORKER, p->n_threads, work_size(p));
}

/* Document d of this rank among all. */
static uint64_t row_of(const gb_prevalence *p, uint64_t d)
{
    return gb_portion_first(p->portion) + d;
}

/* ---- F'F ---- */

/* The number of a column among the rest, or SIZE_MAX. */
static size_t rest_place(const gb_prevalence_parts *parts, size_t column)
{
    return column < parts->first_alone || parts->n_alone == 0 ? column
           : column < parts->first_alone + parts->n_alone     ? SIZE_MAX
                                                              : column - parts->n_alone;
}

static void add_products_of(gb_prevalence *p, uint64_t row)
{
    const gb_sparse_columns *x = p->x;
    const size_t r = n_rest(p);
    for (uint64_t i = x->doc_start[row]; i < x->doc_start[row + 1]; i++) {
        const size_t a = rest_place(p->parts, x->column[i]), own = x->column[i] - p->parts->first_alone;
        if (a == SIZE_MAX)
            p->alone[own] += x->value[i] * x->value[i];
        for (uint64_t j = x->doc_start[row]; j < x->doc_start[row + 1]; j++) {
            const size_t b = rest_place(p->parts, x->column[j]);
            if (b != SIZE_MAX)
                *(a == SIZE_MAX ? &p->cross[own * r + b] : &p->rest[a * r + b]) += x->value[i] * x->value[j];
        }
    }
}

gb_status gb_prevalence_begin(gb_prevalence *p, gb_error *err)
{
    (void)err;
    for (uint64_t d = 0; d < p->n_docs; d++)
        p->row[d] = (uint32_t)d;
    for (uint64_t row = 0; row < p->x->n_docs; row++) /* every rank has the columns of all */
        add_products_of(p, row);
    return GB_OK;
}

/* y = F'F v, for column t of n_free. */
static void multiply(const gb_prevalence *p, const double *v, size_t t, double *y)
{
    const size_t r = n_rest(p), n = p->n_free;
    for (size_t i = 0; i < r; i++) {
        double sum = 0;
        for (size_t j = 0; j < r; j++)
            sum += p->rest[i * r + j] * v[rest_column(p->parts, j) * n + t];
        y[rest_column(p->parts, i) * n + t] = sum;
    }
    for (size_t g = 0; g < p->parts->n_alone; g++) {
        const size_t column = p->parts->first_alone + g;
        double sum = p->alone[g] * v[column * n + t];
        for (size_t j = 0; j < r; j++) {
            const size_t other = rest_column(p->parts, j);
            sum += p->cross[g * r + j] * v[other * n + t];
            y[other * n + t] += p->cross[g * r + j] * v[column * n + t];
        }
        y[column * n + t] = sum;
    }
}

/* ---- F'psi ---- */

typedef struct products {
    const gb_prevalence *p;
    const double *psi;
    double *sum; /* for each part p x n_free */
} products;

static gb_status add_strip(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const products *c = context;
    const gb_prevalence *p = c->p;
    const gb_sparse_columns *x = p->x;
    const size_t n = p->n_free, n_strips = (n + STRIP - 1) / STRIP, part = task / n_strips,
                 first = task % n_strips * STRIP, width = n - first < STRIP ? n - first : STRIP;
    double *sum = c->sum + part * p->parts->n_columns * n;
    for (size_t j = 0; j < p->parts->n_columns; j++)
        memset(sum + j * n + first, 0, width * sizeof *sum);
    for (uint64_t d = gb_portion_part(p->portion, p->n_docs, part);
         d < gb_portion_part(p->portion, p->n_docs, part + 1); d++) {
        const double *psi = c->psi + d * n + first;
        for (uint64_t i = x->doc_start[row_of(p, d)]; i < x->doc_start[row_of(p, d) + 1]; i++) {
            double *to = sum + x->column[i] * n + first;
            for (size_t l = 0; l < width; l++)
                to[l] += x->value[i] * psi[l];
        }
    }
    return GB_OK;
}

static gb_status find_products(gb_prevalence *p, const double *psi, gb_error *err)
{
    gb_status st;
    products c = {.p = p, .psi = psi, .sum = p->product};
    const size_t n_parts = gb_portion_n_parts(p->portion), size = p->parts->n_columns * p->n_free,
                 n = n_parts * ((p->n_free + STRIP - 1) / STRIP);
    const bool is_one = gb_portion_is_one_part(p->portion);
    if (!is_one)
        GB_TRY(gb_alloc(&c.sum, n_parts, size * sizeof *c.sum, what, err));
    GB_TRY(gb_parallel_for(n, p->n_threads, add_strip, &c, err));
    if (!is_one)
        GB_TRY(gb_team_add_rows(gb_portion_team(p->portion), n_parts, size, c.sum, p->product, err));
done:
    if (!is_one)
        gb_free(c.sum);
    return st;
}

/* ---- means ---- */

typedef struct means {
    const gb_prevalence *p;
    const double *gamma;
} means;

static gb_status set_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const means *c = context;
    const gb_prevalence *p = c->p;
    const size_t n = p->n_free;
    const uint64_t first = (uint64_t)task * GB_DOCS_PER_TASK,
                   end = p->n_docs - first < GB_DOCS_PER_TASK ? p->n_docs : first + GB_DOCS_PER_TASK;
    for (uint64_t d = first; d < end; d++)
        gb_prevalence_mean(p->x, row_of(p, d), n, c->gamma, p->mean + d * n);
    return GB_OK;
}

gb_status gb_prevalence_set_means(gb_prevalence *p, const double *gamma, gb_error *err)
{
    means c = {p, gamma};
    return gb_parallel_for(n_tasks(p), p->n_threads, set_some, &c, err);
}

/* ---- draws ---- */

typedef struct coefficients {
    gb_prevalence *p;
    const gb_psi_law *law;
    const double *variance;
    double *gamma;
    gb_key key;
    uint32_t sweep;
} coefficients;

static double bounded(double variance)
{
    return fmin(fmax(variance, LEAST_VARIANCE), MOST_VARIANCE);
}

/* tau^2 of (4) for topic t. */
static size_t tau_at(const gb_prevalence *p, size_t t)
{
    return (p->parts->n - 1) * p->n_free + t;
}

/* Prior precision of the coefficient of a column for topic t. */
static double precision_of(const gb_prevalence *p, const double *variance, size_t column, size_t t)
{
    const uint32_t part = p->parts->of[column];
    return part == GB_CONSTANT_PART    ? p->settings.level_precision
           : part == GB_FIXED_PART     ? 1 / p->settings.fixed_variance
           : part < p->parts->n_random ? 1 / variance[part * p->n_free + t]
                                       : 1 / bounded(variance[part * p->n_free + t] * variance[tau_at(p, t)]);
}

/* h of (2). */
static void find_right_side(const coefficients *c, size_t t, double *h)
{
    const gb_prevalence *p = c->p;
    const size_t n = p->n_free;
    const double *full = c->law->full == NULL ? NULL : c->law->full + t * n;
    for (size_t j = 0; j < p->parts->n_columns; j++) {
        const double *product = p->product + j * n, *others = p->others + j * n;
        h[j] = full == NULL ? c->law->precision[t] * product[t] : 0;
        for (size_t k = 0; full != NULL && k < n; k++)
            h[j] += full[k] * (product[k] - (k == t ? 0 : others[k]));
    }
    h[0] += p->settings.level_precision * p->settings.level_mean;
}

/* B'D^{-1} B into `sum`, and h_rest - B'D^{-1} h_alone; `h` is by columns. */
static void eliminate(const coefficients *c, size_t t, double q, const double *h, double *rows, double *sum,
                      double *h_rest)
{
    const gb_prevalence *p = c->p;
    const size_t r = n_rest(p), first = p->parts->first_alone, n = p->parts->n_alone;
    memset(sum, 0, r * r * sizeof *sum);
    for (size_t start = 0; start < n; start += ROWS_AT_ONCE) {
        const size_t here = n - start < ROWS_AT_ONCE ? n - start : ROWS_AT_ONCE;
        for (size_t i = 0; i < here; i++) {
            const size_t g = start + i;
            const double d = q * p->alone[g] + precision_of(p, c->variance, first + g, t), root = sqrt(d);
            for (size_t j = 0; j < r; j++) {
                const double b = q * p->cross[g * r + j];
                rows[i * r + j] = b / root;
                h_rest[j] -= b * h[first + g] / d;
            }
        }
        gb_add_products(here, r, rows, sum);
    }
}

static gb_status draw_topic(void *context, size_t task, size_t worker, gb_error *err)
{
    const coefficients *c = context;
    gb_prevalence *p = c->p;
    const gb_prevalence_parts *parts = p->parts;
    const size_t t = task, n = p->n_free, r = n_rest(p);
    double *s = p->work + worker * work_size(p), *sum = s + r * r, *rows = sum + r * r, *h = rows + ROWS_AT_ONCE * r,
           *e = h + parts->n_columns, *h_rest = e + parts->n_columns, *e_rest = h_rest + r, check = 0;
    const double q = c->law->full == NULL ? c->law->precision[t] : c->law->full[t * n + t];
    gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_PREVALENCE, t);
    find_right_side(c, t, h);
    for (size_t j = 0; j < r; j++) {
        h_rest[j] = h[rest_column(parts, j)];
        e_rest[j] = gb_random_normal(&random);
    }
    eliminate(c, t, q, h, rows, sum, h_rest);
    for (size_t i = 0; i < r; i++) {
        for (size_t j = i; j < r; j++)
            s[i * r + j] = q * p->rest[i * r + j] - sum[i * r + j];
        s[i * r + i] += precision_of(p, c->variance, rest_column(parts, i), t);
    }
    if (!gb_draw_normal_by_precision(r, s, h_rest, e_rest))
        return gb_fail(err, GB_ENUMERIC, "sweep %u, topic %zu: the precision of %s is not positive definite",
                       c->sweep, t + 1, what);
    for (size_t j = 0; j < r; j++)
        c->gamma[rest_column(parts, j) * n + t] = h_rest[j];
    for (size_t g = 0; g < parts->n_alone; g++) { /* (4) */
        const size_t column = parts->first_alone + g;
        const double d = q * p->alone[g] + precision_of(p, c->variance, column, t);
        double left = h[column];
        for (size_t j = 0; j < r; j++)
            left -= q * p->cross[g * r + j] * h_rest[j];
        c->gamma[column * n + t] = left / d + gb_random_normal(&random) / sqrt(d);
    }
    for (size_t j = 0; j < parts->n_columns; j++)
        check += 0 * c->gamma[j * n + t];
    return check == 0
               ? GB_OK
               : gb_fail(err, GB_ENUMERIC, "sweep %u, topic %zu: one of the %s is not finite", c->sweep, t + 1, what);
}

gb_status gb_prevalence_draw(gb_prevalence *p, const gb_psi_law *law, const double *psi, const double *variance,
                             double *gamma, gb_key key, uint32_t sweep, gb_error *err)
{
    gb_status st;
    coefficients c = {.p = p, .law = law, .variance = variance, .gamma = gamma, .key = key, .sweep = sweep};
    GB_TRY(find_products(p, psi, err));
    if (law->full == NULL) {
        GB_TRY(gb_parallel_for(p->n_free, p->n_threads, draw_topic, &c, err));
    } else {
        for (size_t t = 0; t < p->n_free; t++)
            multiply(p, gamma, t, p->others);
        for (size_t t = 0; t < p->n_free; t++) {
            GB_TRY(draw_topic(&c, t, 0, err));
            multiply(p, gamma, t, p->others);
        }
    }
    GB_TRY(gb_prevalence_set_means(p, gamma, err));
done:
    return st;
}

/* (5) of a variance with `size` coefficients, whose squares have this sum. */
static double draw_variance(double variance, double scale, double size, double squares, gb_random *random)
{
    const double inverse_x = gb_random_gamma(random, 1) / (1 / (scale * scale) + 1 / variance);
    return bounded((inverse_x + squares / 2) / gb_random_gamma(random, (size + 1) / 2));
}

/* (6), (7) of topic t. */
static void draw_horseshoe(const gb_prevalence *p, const double *gamma, double *variance, size_t t, gb_random *random)
{
    const size_t n = p->n_free;
    double *tau2 = &variance[tau_at(p, t)], squares = 0, size = 0;
    for (size_t j = 0; j < p->parts->n_columns; j++) {
        const uint32_t part = p->parts->of[j];
        if (part == GB_CONSTANT_PART || part < p->parts->n_random)
            continue;
        double *lam2 = &variance[part * n + t];
        const double square = gamma[j * n + t] * gamma[j * n + t];
        *lam2 = draw_variance(*lam2, 1, 1, square / *tau2, random);
        squares += square / *lam2;
        size++;
    }
    *tau2 = draw_variance(*tau2, p->settings.scale, size, squares, random);
}

void gb_prevalence_draw_variances(const gb_prevalence *p, const double *gamma, double *variance, gb_key key,
                                  uint32_t sweep)
{
    const size_t n = p->n_free;
    for (size_t t = 0; t < n; t++) {
        gb_random random = gb_random_open(key, sweep, GB_DRAW_PREVALENCE_VARIANCE, t);
        for (size_t b = 0; b < p->parts->n_random; b++) {
            double squares = 0, size = 0, *v = &variance[b * n + t];
            for (size_t j = 0; j < p->parts->n_columns; j++)
                if (p->parts->of[j] == b) {
                    squares += gamma[j * n + t] * gamma[j * n + t];
                    size++;
                }
            *v = draw_variance(*v, p->settings.scale, size, squares, &random);
        }
        if (p->parts->n > p->parts->n_random)
            draw_horseshoe(p, gamma, variance, t, &random);
    }
}

/* Of the half-Cauchy law of row b of the variances. */
static double scale_of(const gb_prevalence *p, size_t b)
{
    return b < p->parts->n_random || b + 1 == p->parts->n ? p->settings.scale : 1;
}

void gb_prevalence_draw_prior(const gb_prevalence *p, double *gamma, double *variance, gb_key key, uint32_t sweep)
{
    const size_t n = p->n_free;
    for (size_t t = 0; t < n; t++) {
        gb_random random = gb_random_open(key, sweep, GB_DRAW_PREVALENCE, t);
        for (size_t b = 0; b < p->parts->n; b++) {
            const double x = gb_random_gamma(&random, 0.5), y = gb_random_gamma(&random, 0.5), a = scale_of(p, b);
            variance[b * n + t] = bounded(a * a * x / y);
        }
        for (size_t j = 0; j < p->parts->n_columns; j++)
            gamma[j * n + t] = (p->parts->of[j] == GB_CONSTANT_PART ? p->settings.level_mean : 0) +
                               gb_random_normal(&random) / sqrt(precision_of(p, variance, j, t));
    }
}

/* ---- sums of squares ---- */

typedef struct squares {
    gb_prevalence *p;
    const double *psi;
} squares;

static gb_status add_squares(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const squares *c = context;
    const gb_prevalence *p = c->p;
    const size_t n = p->n_free;
    const uint64_t first = (uint64_t)task * GB_DOCS_PER_TASK,
                   end = p->n_docs - first < GB_DOCS_PER_TASK ? p->n_docs : first + GB_DOCS_PER_TASK;
    double *sum = p->square + task * n;
    memset(sum, 0, n * sizeof *sum);
    for (uint64_t i = first * n; i < end * n; i += n)
        for (size_t t = 0; t < n; t++)
            sum[t] += (c->psi[i + t] - p->mean[i + t]) * (c->psi[i + t] - p->mean[i + t]);
    return GB_OK;
}

gb_status gb_prevalence_squares(gb_prevalence *p, const double *psi, double *square, gb_error *err)
{
    squares c = {p, psi};
    const gb_status st = gb_parallel_for(n_tasks(p), p->n_threads, add_squares, &c, err);
    return st != GB_OK ? st
                       : gb_team_add_rows(gb_portion_team(p->portion), n_tasks(p), p->n_free, p->square, square, err);
}

/* ---- density ---- */

double gb_prevalence_log_density(const gb_prevalence *p, const double *gamma, const double *variance)
{
    const size_t n = p->n_free;
    double sum = 0;
    for (size_t t = 0; t < n; t++) {
        for (size_t j = 0; j < p->parts->n_columns; j++) {
            const double k = precision_of(p, variance, j, t),
                         x = gamma[j * n + t] - (p->parts->of[j] == GB_CONSTANT_PART ? p->settings.level_mean : 0);
            sum += (log(k / (2 * M_PI)) - k * x * x) / 2;
        }
        for (size_t b = 0; b < p->parts->n; b++) {
            const double a = scale_of(p, b), v = variance[b * n + t];
            sum -= log(M_PI * a) + log(v) / 2 + log1p(v / (a * a));
        }
    }
    return sum;
}
