/* coefficient/block.c - all coefficients of an output, or some of them, in one draw.
 *
 *   Lambda = P + sum_d omega_d f_d f_d',   h = sum_d kappa_d f_d,   eta ~ N(Lambda^{-1} h, Lambda^{-1}) (1)
 *
 * Given the part o_d of the score that stays, kappa_d - omega_d o_d takes the place of kappa_d.
 *
 * Outputs are independent given the topics.  Sums over documents run by feature (coefficient/gram.h): row j of
 * (1) is a task of its own and adds its documents in order, so the result does not depend on threads and
 * needs no partial matrices.  Outputs are taken a few at a time so that the matrices fit into a fixed amount
 * of memory.
 *
 *   Cost: sum over documents of (topics and columns in the document)^2 n_outputs / 2, and n_features^3 n_outputs / 3. */
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/coefficient.h"
#include "coefficient/gram.h"
#include "coefficient/parts.h"
#include "math/cholesky.h"

#include <math.h>
#include <string.h>

enum {
    MATRIX_BYTES = 64 << 20, /* of precision matrices at once */
    MOST_FEATURES = 20000    /* one matrix more than 3 gigabytes, and hours to factor */
};

typedef struct block {
    const gb_regression *in;
    gb_gram_features features; /* those of the draw */
    size_t n_features, n_all;  /* of the draw; of an output */
    const size_t *column;      /* where the columns of the draw are among all; NULL: the same */
    const double *fixed;       /* n_docs x n_outputs: the scores' part that stays; NULL: 0 */
    size_t first, n;           /* outputs at hand */
    double *omega, *kappa;     /* n_docs x n: of the outputs at hand */
    double *lambda;            /* n matrices, lower triangles by column */
    double *h;                 /* n x n_features */
    double *row;               /* n_threads x n_features x n */
    double *row_h;             /* n_threads x n */
    double *normal;            /* n_threads x n_features */
    double *precision;         /* n x n_all */
    double *eta;
    gb_gram_row *gram_row;
} block;

/* Where a feature of the draw is among all. */
static size_t place(const block *b, size_t k)
{
    const size_t n_topics = b->features.z->n_topics;
    if (b->features.intercept && k + 1 == b->n_features)
        return b->n_all - 1;
    return k < n_topics || b->column == NULL ? k : n_topics + b->column[k - n_topics];
}

static void put_row(block *b, size_t j, const double *row, const double *row_h)
{
    const size_t n_features = b->n_features;
    for (size_t l = 0; l < b->n; l++) {
        double *column = b->lambda + (l * n_features + j) * n_features;
        for (size_t k = j; k < n_features; k++)
            column[k] = row[k * b->n + l];
        column[j] += b->precision[l * b->n_all + place(b, j)];
        b->h[l * n_features + j] = row_h[l];
    }
}

static gb_status sum_row(void *context, size_t j, size_t worker, gb_error *err)
{
    (void)err;
    block *b = context;
    double *row = b->row + worker * b->n_features * b->n, *row_h = b->row_h + worker * b->n;
    memset(row, 0, b->n_features * b->n * sizeof *row);
    memset(row_h, 0, b->n * sizeof *row_h);
    if (!b->features.intercept || j + 1 < b->n_features) {
        b->gram_row(&b->features, j, b->n, b->omega, b->kappa, row, row_h);
    } else { /* the intercept: f = 1 for every document, empty ones too */
        for (uint64_t d = 0; d < b->in->z->n_docs; d++) {
            for (size_t l = 0; l < b->n; l++) {
                row[j * b->n + l] += b->omega[d * b->n + l];
                row_h[l] += b->kappa[d * b->n + l];
            }
        }
    }
    put_row(b, j, row, row_h);
    return GB_OK;
}

static gb_status draw_output(void *context, size_t i, size_t worker, gb_error *err)
{
    block *b = context;
    const size_t n = b->n_features, output = b->first + i;
    double *e = b->normal + worker * n, *h = b->h + i * n;
    gb_random random = gb_random_open(b->in->key, b->in->sweep, GB_DRAW_COEFFICIENT, output);
    for (size_t k = 0; k < n; k++)
        e[k] = gb_random_normal(&random);
    if (!gb_draw_normal_by_precision(n, b->lambda + i * n * n, h, e))
        return gb_fail(err, GB_ENUMERIC,
                       "sweep %u, output %zu: the precision of the coefficients is not positive definite",
                       b->in->sweep, output + 1);
    for (size_t k = 0; k < n; k++)
        if (!isfinite(h[k]))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: a coefficient is not finite", b->in->sweep,
                           output + 1);
    for (size_t k = 0; k < n; k++)
        b->eta[output * b->n_all + place(b, k)] = h[k];
    return GB_OK;
}

static void gather_terms(block *b)
{
    const size_t n_outputs = b->in->n_outputs;
    for (uint64_t d = 0; d < b->in->z->n_docs; d++) {
        for (size_t l = 0; l < b->n; l++) {
            const gb_score_term *t = &b->in->term[d * n_outputs + b->first + l];
            b->omega[d * b->n + l] = t->omega;
            const double fixed = b->fixed == NULL ? 0 : b->fixed[d * n_outputs + b->first + l];
            b->kappa[d * b->n + l] = t->slope + t->omega * (t->centre - fixed);
        }
    }
}

static gb_gram_row *gram_row_for(gb_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return gb_gram_row_avx2;
    case GB_ISA_AVX512:
        return gb_gram_row_avx512;
#endif
    default:
        return gb_gram_row_plain;
    }
}

static size_t outputs_at_once(size_t n_features, size_t n_outputs)
{
    const size_t n = MATRIX_BYTES / (n_features * n_features * sizeof(double));
    return n < 1 ? 1 : n > n_outputs ? n_outputs : n;
}

static gb_status draw_features(const gb_regression *in, gb_gram_features features, const size_t *column,
                               const double *fixed, double *eta, gb_error *err)
{
    gb_status st;
    const size_t n_all = gb_regression_n_features(in);
    const size_t n_columns = features.x == NULL ? 0 : features.x->n_columns;
    const size_t n_features = n_all - gb_regression_n_columns(in) + n_columns;
    if (n_features > MOST_FEATURES)
        return gb_fail(err, GB_EARGUMENT,
                       "%zu coefficients of a score are too many for --coefficient-sampler block, which takes %d: "
                       "use mixed or coordinate",
                       n_features, MOST_FEATURES);
    const size_t at_once = outputs_at_once(n_features, in->n_outputs);
    block b = {.in = in,
               .features = features,
               .n_features = n_features,
               .n_all = n_all,
               .column = column,
               .fixed = fixed,
               .eta = eta,
               .gram_row = gram_row_for(in->isa)};
    GB_TRY(gb_alloc(&b.omega, in->z->n_docs * at_once, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.kappa, in->z->n_docs * at_once, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.lambda, at_once * n_features * n_features, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.h, at_once * n_features, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.row, in->n_threads * n_features * at_once, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.row_h, in->n_threads * at_once, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.normal, in->n_threads * n_features, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&b.precision, at_once * n_all, sizeof(double), "the coefficient draw", err));
    for (b.first = 0; b.first < in->n_outputs; b.first += b.n) {
        b.n = in->n_outputs - b.first < at_once ? in->n_outputs - b.first : at_once;
        gather_terms(&b);
        for (size_t l = 0; l < b.n; l++)
            in->scales->prior->ops->precision(in->scales, b.first + l, b.precision + l * n_all);
        GB_TRY(gb_parallel_for(n_features, in->n_threads, sum_row, &b, err));
        GB_TRY(gb_parallel_for(b.n, in->n_threads, draw_output, &b, err));
    }
done:
    gb_free(b.omega);
    gb_free(b.kappa);
    gb_free(b.lambda);
    gb_free(b.h);
    gb_free(b.row);
    gb_free(b.row_h);
    gb_free(b.normal);
    gb_free(b.precision);
    return st;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    const gb_covariates *x = gb_regression_n_columns(in) == 0 ? NULL : in->x;
    return draw_features(in, (gb_gram_features){.z = in->z, .x = x, .intercept = in->intercept}, NULL, NULL, eta,
                         err);
}

gb_status gb_block_draw_part(const gb_regression *in, gb_column_set set, const gb_covariates *x, const double *fixed,
                             double *eta, gb_error *err)
{
    const gb_gram_features features = {.z = in->z, .x = set.n == 0 ? NULL : x, .intercept = in->intercept};
    return draw_features(in, features, set.column, fixed, eta, err);
}

static uint64_t bytes(const gb_regression_size *size)
{
    const uint64_t n_features = size->n_topics + size->n_columns + (size->intercept ? 1 : 0),
                   n = outputs_at_once((size_t)n_features, size->n_outputs);
    return sizeof(double) * (n * (2 * size->n_docs + n_features * n_features + 2 * n_features) +
                             size->n_threads * (n_features * n + n + n_features));
}

const gb_coefficient_sampler gb_coefficient_block = {.name = "block", .draw = draw, .bytes = bytes};
