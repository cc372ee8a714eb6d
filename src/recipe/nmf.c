/* recipe/nmf.c - documents as sums of a few parts that are not negative.
 *
 * Find W, H >= 0 with a small |X - W H'|^2, W with a row for each document d and H with one for each word w.
 *
 * Start (Boutsidis and Gallopoulos 2008, NNDSVD): of each of the first singular vectors u, v either the positive parts or the negative ones, those
 * with the larger |u+||v+|, times the root of the singular value times that product, so that W H' is near X.  The singular vectors are
 * those of a space that orthogonal iteration finds: H <- orthogonal(X' X H), from numbers with a fixed key.
 *
 * Rounds (hierarchical alternating least squares: Cichocki and Phan 2009): given H, each number of a row of W in turn becomes the one that leaves the least,
 *
 *     W_dk <- max(0, W_dk + (r_d)_k / G_kk),    r_d = X_d H - W_d G,    G = H' H                              (1)
 *
 * and the same with rows of H given W.  Rows do not depend on each other, and sums have a fixed order, so the result is the same with any number
 * of threads. */
#include "recipe/nmf.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/cholesky.h"
#include "math/eigen.h"
#include "random/random.h"

#include <math.h>
#include <string.h>

enum { SPACE_ROUNDS = 8, ROUNDS = 30, ROWS_PER_TASK = 256 };

static const char what[] = "the factorisation of the documents";

/* Documents, or words: the rows of X, or of X'. */
typedef struct side {
    uint64_t n;
    const uint64_t *start; /* n + 1: entries of row i */
    const uint32_t *at;    /* of an entry, its row on the other side */
    const double *value;
    float *row; /* n x n_parts */
} side;

typedef struct work {
    size_t n_parts, n_threads;
    const side *own, *other; /* that is changed, and is given */
    double *gram;            /* n_parts x n_parts */
    double *scratch;         /* n_threads x n_parts */
} work;

/* ---- rows, side by side ---- */

typedef void on_row(const work *w, float *row, double *scratch);

typedef struct rows {
    const work *work;
    on_row *change; /* its scratch has the row of X times the other side */
} rows;

static uint64_t end_of_task(const side *s, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * ROWS_PER_TASK;
    return end < s->n ? end : s->n;
}

static void multiply(const work *w, uint64_t i, double *out)
{
    const side *s = w->own;
    memset(out, 0, w->n_parts * sizeof *out);
    for (uint64_t e = s->start[i]; e < s->start[i + 1]; e++) {
        const float *other = w->other->row + (size_t)s->at[e] * w->n_parts;
        const double x = s->value[e];
        for (size_t k = 0; k < w->n_parts; k++)
            out[k] += x * (double)other[k];
    }
}

static gb_status change_rows(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const rows *r = context;
    const work *w = r->work;
    double *scratch = w->scratch + worker * w->n_parts;
    for (uint64_t i = (uint64_t)task * ROWS_PER_TASK; i < end_of_task(w->own, task); i++) {
        multiply(w, i, scratch);
        r->change(w, w->own->row + (size_t)i * w->n_parts, scratch);
    }
    return GB_OK;
}

static gb_status for_each_row(const work *w, on_row *change, gb_error *err)
{
    rows r = {.work = w, .change = change};
    return gb_parallel_for((size_t)((w->own->n + ROWS_PER_TASK - 1) / ROWS_PER_TASK), w->n_threads, change_rows, &r,
                           err);
}

/* Row k of the products of a side's columns, both triangles. */
static gb_status gram_row(void *context, size_t k, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const work *w = context;
    double *g = w->gram + k * w->n_parts;
    memset(g, 0, w->n_parts * sizeof *g);
    for (uint64_t i = 0; i < w->other->n; i++) {
        const float *row = w->other->row + (size_t)i * w->n_parts;
        const double x = (double)row[k];
        if (x == 0)
            continue;
        for (size_t j = 0; j < w->n_parts; j++)
            g[j] += x * (double)row[j];
    }
    return GB_OK;
}

/* Of the side that is given. */
static gb_status find_gram(work *w, gb_error *err)
{
    return gb_parallel_for(w->n_parts, w->n_threads, gram_row, w, err);
}

/* ---- the start ---- */

static void take_product(const work *w, float *row, double *product)
{
    for (size_t k = 0; k < w->n_parts; k++)
        row[k] = (float)product[k];
}

/* row <- row L'^{-1}, with L in the place of the products: forward substitution. */
static void divide_rows(const work *w, side *s)
{
    for (uint64_t i = 0; i < s->n; i++) {
        float *row = s->row + (size_t)i * w->n_parts;
        for (size_t k = 0; k < w->n_parts; k++) {
            const double *l = w->gram + k * w->n_parts;
            double x = (double)row[k];
            for (size_t j = 0; j < k; j++)
                x -= l[j] * (double)row[j];
            row[k] = (float)(x / l[k]);
        }
    }
}

/* Columns of length 1, at right angles; a little is added to the diagonal, lest there are fewer than columns. */
static gb_status make_orthogonal(work *w, side *s, gb_error *err)
{
    static const double LITTLE = 1e-9;
    double largest = 0;
    gb_status st;
    w->other = s;
    GB_TRY(find_gram(w, err));
    for (size_t k = 0; k < w->n_parts; k++)
        largest = fmax(largest, w->gram[k * w->n_parts + k]);
    for (size_t k = 0; k < w->n_parts; k++)
        w->gram[k * w->n_parts + k] += LITTLE * largest + (largest == 0);
    if (!gb_cholesky(w->n_parts, w->gram))
        return gb_fail(err, GB_ENUMERIC, "%s has no start", what);
    divide_rows(w, s);
done:
    return st;
}

static void draw_rows(side *s, size_t n_parts)
{
    const gb_key key = gb_key_make(0, 0);
    for (uint64_t i = 0; i < s->n; i++) {
        gb_random r = gb_random_open(key, 0, GB_DRAW_START, i);
        for (size_t k = 0; k < n_parts; k++)
            s->row[(size_t)i * n_parts + k] = (float)gb_random_normal(&r);
    }
}

static void turn_rows(const side *s, size_t n_parts, const double *vector, double *scratch)
{
    for (uint64_t i = 0; i < s->n; i++) {
        float *row = s->row + (size_t)i * n_parts;
        for (size_t k = 0; k < n_parts; k++) {
            const double *v = vector + (n_parts - 1 - k) * n_parts; /* the largest first */
            scratch[k] = 0;
            for (size_t j = 0; j < n_parts; j++)
                scratch[k] += v[j] * (double)row[j];
        }
        for (size_t k = 0; k < n_parts; k++)
            row[k] = (float)scratch[k];
    }
}

/* Sums of squares of the positive and the negative numbers of a column. */
static void measure_column(const side *s, size_t n_parts, size_t k, double square[2])
{
    square[0] = square[1] = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        const double x = (double)s->row[(size_t)i * n_parts + k];
        square[x < 0] += x * x;
    }
}

static void keep_sign(const side *s, size_t n_parts, size_t k, bool is_negative, double factor)
{
    for (uint64_t i = 0; i < s->n; i++) {
        float *x = s->row + (size_t)i * n_parts + k;
        *x = (float)fmax(0, (is_negative ? -factor : factor) * (double)*x);
    }
}

/* Column k of both sides: of W, u times the singular value s, of H, v.  The first has but one sign, as it should be.  With the halves
 * a of s u, b of v, the new columns are a and b times a factor each so that their lengths are both the root of |a||b|. */
static void take_halves(const side *docs, const side *words, size_t n_parts, size_t k)
{
    double u[2], v[2];
    measure_column(docs, n_parts, k, u);
    measure_column(words, n_parts, k, v);
    const bool is_negative = u[1] * v[1] > u[0] * v[0];
    const double a = sqrt(u[is_negative]), b = sqrt(v[is_negative]);
    keep_sign(docs, n_parts, k, is_negative, a > 0 ? sqrt(b / a) : 0);
    keep_sign(words, n_parts, k, is_negative, b > 0 ? sqrt(a / b) : 0);
}

static gb_status find_start(work *w, side *docs, side *words, gb_error *err)
{
    gb_status st;
    const size_t n = w->n_parts;
    double *value = NULL, *vector = NULL;
    GB_TRY(gb_alloc(&value, n, sizeof *value, what, err));
    GB_TRY(gb_alloc(&vector, n * n, sizeof *vector, what, err));
    draw_rows(words, n);
    for (int round = 0; round <= SPACE_ROUNDS; round++) {
        GB_TRY(make_orthogonal(w, words, err));
        w->own = docs, w->other = words;
        GB_TRY(for_each_row(w, take_product, err));
        if (round == SPACE_ROUNDS)
            break;
        w->own = words, w->other = docs;
        GB_TRY(for_each_row(w, take_product, err));
    }
    w->other = docs;
    GB_TRY(find_gram(w, err));
    gb_symmetric_eigen(n, w->gram, value, vector);
    turn_rows(docs, n, vector, w->scratch);
    turn_rows(words, n, vector, w->scratch);
    for (size_t k = 0; k < n; k++)
        take_halves(docs, words, n, k);
done:
    gb_free(value);
    gb_free(vector);
    return st;
}

/* ---- rounds ---- */

/* (1) of a row. */
static void improve_row(const work *w, float *row, double *rest)
{
    const size_t n = w->n_parts;
    for (size_t k = 0; k < n; k++) {
        const double x = (double)row[k], *g = w->gram + k * n;
        for (size_t j = 0; x != 0 && j < n; j++)
            rest[j] -= x * g[j];
    }
    for (size_t k = 0; k < n; k++) {
        const double *g = w->gram + k * n;
        const float before = row[k];
        if (!(g[k] > 0))
            continue;
        row[k] = (float)fmax(0, (double)before + rest[k] / g[k]);
        const double change = (double)row[k] - (double)before;
        for (size_t j = 0; change != 0 && j < n; j++)
            rest[j] -= change * g[j];
    }
}

static gb_status improve(work *w, const side *own, const side *given, gb_error *err)
{
    w->own = own, w->other = given;
    const gb_status st = find_gram(w, err);
    return st == GB_OK ? for_each_row(w, improve_row, err) : st;
}

gb_status gb_nmf_find(const gb_sparse_columns *x, size_t n_parts, size_t n_threads, gb_nmf *out, gb_error *err)
{
    gb_status st;
    gb_nmf nmf = {.n_parts = n_parts};
    work w = {.n_parts = n_parts, .n_threads = n_threads};
    GB_TRY(gb_alloc(&nmf.document, x->n_docs * n_parts, sizeof *nmf.document, what, err));
    GB_TRY(gb_alloc(&nmf.word, x->n_columns * n_parts, sizeof *nmf.word, what, err));
    GB_TRY(gb_alloc(&w.gram, n_parts * n_parts, sizeof *w.gram, what, err));
    GB_TRY(gb_alloc(&w.scratch, n_threads * n_parts, sizeof *w.scratch, what, err));
    side docs = {x->n_docs, x->doc_start, x->column, x->value, nmf.document},
         words = {x->n_columns, x->column_start, x->column_doc, x->column_value, nmf.word};
    GB_TRY(find_start(&w, &docs, &words, err));
    for (int round = 0; round < ROUNDS; round++) {
        GB_TRY(improve(&w, &docs, &words, err));
        GB_TRY(improve(&w, &words, &docs, err));
    }
    *out = nmf;
    nmf = (gb_nmf){.n_parts = 0};
done:
    gb_nmf_clear(&nmf);
    gb_free(w.gram);
    gb_free(w.scratch);
    return st;
}

void gb_nmf_clear(gb_nmf *nmf)
{
    gb_free(nmf->document);
    gb_free(nmf->word);
    *nmf = (gb_nmf){.n_parts = 0};
}

uint64_t gb_nmf_bytes(uint64_t n_docs, uint64_t n_words, size_t n_parts, size_t n_threads)
{
    return (n_docs + n_words) * n_parts * sizeof(float) +
           (2 * (uint64_t)n_parts + n_threads + 1) * n_parts * sizeof(double);
}
