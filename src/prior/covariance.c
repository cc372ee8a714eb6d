/* prior/covariance.c - the inverse Wishart law and the normal-inverse-Wishart posterior.
 *
 * Sigma ~ IW(S, n) of order q means Sigma^{-1} ~ Wishart(S^{-1}, n).  With S = F F', F lower triangular, and B upper
 * triangular with independent entries
 *
 *   B_ij ~ N(0, 1) for i < j,   B_ii^2 ~ chi-squared(n - q + i),   i = 1..q                                (1)
 *
 * B B' ~ Wishart(I, n), so Sigma^{-1} = F'^{-1} B B' F^{-1} and
 *
 *   Sigma = L L',   L = F B'^{-1}  lower triangular                                                         (2)
 *
 * (1) is Bartlett's decomposition (1933, Proc. Royal Society of Edinburgh 53) with rows and columns in reverse order: so
 * L is the Cholesky factor of Sigma, from which the precision and the determinant follow without another factorisation,
 * and Sigma is positive definite however near to singular the draw is.
 *
 *   Cost: about 2 q^3 operations, and n q^2 / 2 for the sums of squares. */
#include "prior/covariance.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/cholesky.h"
#include "prior/part_tasks.h"
#include "prior/psi_chunk.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 1 << 17 }; /* numbers of each part */

void gb_covariance_list(void *covariance, const gb_array_visitor *v)
{
    gb_covariance *c = covariance;
    GB_ARRAY(v, "document_covariance", c->sigma, GB_DERIVED, GB_REPLICATED, c->q, c->q);
    GB_ARRAY(v, "document_covariance_inverse", c->precision, GB_DERIVED, GB_REPLICATED, c->q, c->q);
    GB_ARRAY(v, "document_covariance_root", c->root, GB_DERIVED, GB_REPLICATED, c->q, c->q);
}

gb_status gb_covariance_create(gb_covariance *out, size_t q, gb_error *err)
{
    gb_covariance c = {.q = q};
    const gb_status st = gb_arrays_allocate(gb_covariance_list, &c, "the covariance of topic weights", err);
    if (st == GB_OK)
        *out = c;
    else
        gb_covariance_clear(&c);
    return st;
}

void gb_covariance_clear(gb_covariance *c)
{
    gb_arrays_free(gb_covariance_list, c);
    *c = (gb_covariance){0};
}

/* Precision and determinant from the root. */
static gb_status finish(gb_covariance *c, gb_error *err)
{
    const size_t q = c->q;
    c->log_determinant = 0;
    for (size_t i = 0; i < q; i++)
        c->log_determinant += 2 * log(c->root[i * q + i]);
    memcpy(c->precision, c->root, q * q * sizeof *c->root);
    if (!isfinite(c->log_determinant) || !gb_cholesky_inverse(q, c->precision))
        return gb_fail(err, GB_ENUMERIC, "the covariance of topic weights became singular");
    return GB_OK;
}

gb_status gb_covariance_set(gb_covariance *c, gb_error *err)
{
    const size_t q = c->q;
    memcpy(c->root, c->sigma, q * q * sizeof *c->root);
    if (!gb_cholesky(q, c->root))
        return gb_fail(err, GB_ENUMERIC, "the covariance of topic weights is not positive definite");
    return finish(c, err);
}

gb_status gb_covariance_draw(gb_covariance *out, double *scale, double degrees, gb_random *r, gb_error *err)
{
    const size_t q = out->q;
    double *transposed = out->sigma; /* B', lower triangular, until Sigma is made */
    if (!gb_cholesky(q, scale))
        return gb_fail(err, GB_ENUMERIC, "the scale of the covariance of topic weights is not positive definite");
    for (size_t i = 0; i < q;
         i++) { /* (1); the logarithm of the gamma number does not underflow for degrees near q - 1 */
        const double half = gb_random_log_gamma(r, 0.5 * (degrees - (double)(q - i - 1)));
        transposed[i * q + i] = exp(0.5 * (half + M_LN2));
        for (size_t j = i + 1; j < q; j++)
            transposed[j * q + i] = gb_random_normal(r);
    }
    memcpy(out->root, scale, q * q * sizeof *scale);
    gb_divide_triangular(q, out->root, transposed); /* (2) */
    gb_multiply_triangular(q, out->root, out->sigma);
    return finish(out, err);
}

void gb_covariance_draw_normal(const gb_covariance *c, const double *mean, double factor, gb_random *r, double *out)
{
    for (size_t i = 0; i < c->q; i++)
        out[i] = gb_random_normal(r);
    for (size_t i = c->q; i-- > 0;) { /* the last row first: it needs all normal numbers before it */
        double sum = 0;
        for (size_t j = 0; j <= i; j++)
            sum += c->root[i * c->q + j] * out[j];
        out[i] = mean[i] + factor * sum;
    }
}

/* ---- sums over rows ---- */

/* Tasks are tiles of the result, and each takes the rows of a part in their order: nothing depends on the number of threads.
 * With several parts some strips of the result at a time are put together. */
typedef struct tiles {
    const gb_deviations *in;
    gb_scatter_tile *tile;
    size_t n_strips;
    size_t first, n; /* strips at hand */
    double *out;     /* of each part, one after the other */
} tiles;

/* Rows of the result in the strips at hand. */
static size_t rows_at_hand(const tiles *c)
{
    const size_t first = c->first * GB_SCATTER_TILE, end = (c->first + c->n) * GB_SCATTER_TILE;
    return (end < c->in->q ? end : c->in->q) - first;
}

static gb_deviations part_of(const gb_deviations *in, size_t part)
{
    const uint64_t first = gb_portion_part(in->portion, in->n, part);
    gb_deviations some = *in;
    some.n = gb_portion_part(in->portion, in->n, part + 1) - first;
    if (some.n > 0)
        some.x += first * in->q;
    if (some.n > 0 && in->group != NULL)
        some.group += first;
    return some;
}

static gb_status sum_tile(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    (void)err;
    const tiles *c = context;
    const size_t part = task / (c->n * c->n_strips), i = c->first + task / c->n_strips % c->n, j = task % c->n_strips;
    const gb_deviations in = part_of(c->in, part);
    if (j <= i)
        c->tile(&in, i * GB_SCATTER_TILE, j * GB_SCATTER_TILE, c->first * GB_SCATTER_TILE,
                c->out + part * rows_at_hand(c) * in.q);
    return GB_OK;
}

static gb_status sum_strips(tiles *c, gb_error *err)
{
    const size_t n_parts = gb_portion_n_parts(c->in->portion);
    return gb_parallel_for(n_parts * c->n * c->n_strips, c->in->n_threads, sum_tile, c, err);
}

/* The parts of all ranks in order. */
static gb_status sum_parts(tiles *c, double *out, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_portion *portion = c->in->portion;
    const size_t q = c->in->q, n_parts = gb_portion_n_parts(portion), of_strip = GB_SCATTER_TILE * q;
    const size_t at_once = AT_ONCE / of_strip > 0 ? AT_ONCE / of_strip : 1;
    c->n = at_once < c->n_strips ? at_once : c->n_strips;
    GB_TRY(gb_alloc(&c->out, n_parts * c->n, of_strip * sizeof *c->out, "sums of squares of topic weights", err));
    for (; c->first < c->n_strips; c->first += c->n) {
        c->n = c->n_strips - c->first < c->n ? c->n_strips - c->first : c->n;
        GB_TRY(sum_strips(c, err));
        GB_TRY(gb_team_add_rows(gb_portion_team(portion), n_parts, rows_at_hand(c) * q, c->out,
                                out + c->first * of_strip, err));
    }
done:
    gb_free(c->out);
    return st;
}

gb_status gb_scatter(const gb_deviations *in, double *out, gb_error *err)
{
    const size_t n_strips = (in->q + GB_SCATTER_TILE - 1) / GB_SCATTER_TILE;
    tiles c = {.in = in, .tile = gb_psi_kernel_for(in->isa)->scatter_tile, .n_strips = n_strips};
    gb_status st;
    if (gb_portion_is_one_part(in->portion)) {
        c.n = n_strips;
        c.out = out;
        st = sum_strips(&c, err);
    } else {
        st = sum_parts(&c, out, err);
    }
    for (size_t i = 0; i < in->q; i++)
        for (size_t j = 0; j < i; j++)
            out[j * in->q + i] = out[i * in->q + j];
    return st;
}

typedef struct columns {
    const gb_deviations *in;
    double *mean;
} columns;

static gb_status sum_columns(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    (void)err;
    const columns *c = context;
    const gb_deviations *in = c->in;
    const size_t first = task * GB_SCATTER_TILE,
                 end = first + GB_SCATTER_TILE < in->q ? first + GB_SCATTER_TILE : in->q;
    double sum[GB_SCATTER_TILE] = {0};
    for (uint64_t d = 0; d < in->n; d++)
        for (size_t t = first; t < end; t++)
            sum[t - first] += in->x[d * in->q + t];
    for (size_t t = first; t < end; t++)
        c->mean[t] = in->n == 0 ? 0 : sum[t - first] / (double)in->n;
    return GB_OK;
}

gb_status gb_column_means(const gb_deviations *in, double *mean, gb_error *err)
{
    columns c = {in, mean};
    return gb_parallel_for((in->q + GB_SCATTER_TILE - 1) / GB_SCATTER_TILE, in->n_threads, sum_columns, &c, err);
}

/* ---- mean and covariance ---- */

/* S0 + scatter + k0 n / (k0 + n) (xbar - m0)(xbar - m0)'; `scale` holds the scatter. */
static void add_prior(const gb_normal_wishart *prior, size_t q, double n, const double *xbar, double *scale)
{
    const double weight = prior->strength * n / (prior->strength + n);
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++)
            scale[i * q + j] +=
                prior->scale[i * q + j] + weight * (xbar[i] - prior->mean[i]) * (xbar[j] - prior->mean[j]);
}

gb_status gb_covariance_redraw(gb_covariance *out, double *mean, const gb_normal_wishart *prior,
                               const gb_deviations *in, gb_random *r, gb_error *err)
{
    gb_status st;
    const size_t q = out->q;
    const double n = (double)in->n, k = prior->strength + n;
    double *scale = NULL, *xbar = NULL;
    GB_TRY(gb_alloc(&scale, q, q * sizeof *scale, "the covariance draw", err));
    GB_TRY(gb_alloc(&xbar, q, sizeof *xbar, "the covariance draw", err));
    GB_TRY(gb_column_means(in, xbar, err));
    gb_deviations about_mean = *in;
    about_mean.mean = xbar;
    about_mean.group = NULL;
    GB_TRY(gb_scatter(&about_mean, scale, err));
    add_prior(prior, q, n, xbar, scale);
    GB_TRY(gb_covariance_draw(out, scale, prior->degrees + n, r, err));
    for (size_t t = 0; t < q; t++)
        xbar[t] = (prior->strength * prior->mean[t] + n * xbar[t]) / k;
    gb_covariance_draw_normal(out, xbar, 1 / sqrt(k), r, mean);
done:
    gb_free(xbar);
    gb_free(scale);
    return st;
}
