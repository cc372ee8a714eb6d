/* prior/mean_shares.c - expected topic shares of a document whose log weights are normal.
 *
 * Independent weights.  With E_k exponential, -log E_k is a Gumbel number, and topic k has the largest psi_k - log E_k with
 * probability exp(psi_k) / sum_j exp(psi_j).  So the expected share is the probability that k has the largest one when psi
 * is random as well.  With -v the largest,
 *   share_k = integral over v of h_k(v) prod_j F_j(v),   F_j(v) = E exp(-exp(v + psi_j)),   h_k = -(log F_k)'      (1)
 * one integral whatever the number of topics.  F_j(v) = F(v + mean_j), and F is the same for all means: it is kept as a
 * table of log F and its slope, interpolated by cubic polynomials.  For the last topic F(v) = exp(-exp(v)).
 * All functions here are analytic, and so sums over points at equal distances converge faster than any power.
 *
 * Correlated weights: documents drawn in pairs e, -e; psi = mean + L e, and with W = exp(L e), m = exp(mean)
 *   share_k = m_k times the mean over documents of W_k / sum_j m_j W_j                                             (2) */
#include "prior/mean_shares.h"

#include "base/memory.h"
#include "random/random.h"

#include <math.h>
#include <stdbool.h>

enum { N_PAIRS = 2048 };

/* log F and its slope at equal distances; see (1). */
typedef struct curve {
    double sd, low, step, per_unit; /* per_unit: 1 / step */
    size_t n;
    double *value, *slope;
    bool has_tail; /* below `low` F is 1 - E exp(v + psi) */
} curve;

struct gb_mean_shares {
    size_t n_free;
    size_t n_curves; /* 1, or n_free */
    curve *curve;
    double *document; /* correlated: W, 2 N_PAIRS x (n_free + 1), each row divided by its largest number */
};

static const char what[] = "expected topic shares";

void gb_mean_shares_free(gb_mean_shares *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; m->curve != NULL && i < m->n_curves; i++) {
        gb_free(m->curve[i].value);
        gb_free(m->curve[i].slope);
    }
    gb_free(m->curve);
    gb_free(m->document);
    gb_free(m);
}

/* ---- independent weights: the table ---- */

/* log F(x) and its slope, F(x) = E exp(-exp(x + sd e)), e standard normal: of a sum of terms exp(-e^2 / 2 - exp(x + sd e)),
 * the largest in front.  Near 1 the sum of 1 - exp(-exp(x + sd e)) has the digits. */
static void log_f(double x, double sd, double *value, double *slope)
{
    const double width = 13, step = fmax(fmin(0.4, 0.3 / sd), width / 4096);
    const long last = (long)ceil(width / step);
    double largest = -INFINITY, sum = 0, steepness = 0, rest = 0, total = 0;
    for (long i = -last; i <= last; i++) {
        const double e = step * (double)i, density = exp(-e * e / 2), rate = exp(x + sd * e),
                     term = -e * e / 2 - rate;
        if (term > largest) {
            sum *= exp(largest - term);
            steepness *= exp(largest - term);
            largest = term;
        }
        const double weight = exp(term - largest);
        total += density;
        rest -= density * expm1(-rate);
        sum += weight;
        steepness += weight > 0 ? weight * rate : 0;
    }
    *value = rest < total / 2 ? log1p(-rest / total) : largest + log(sum / total);
    *slope = -steepness / sum;
}

static gb_status make_curve(curve *c, double precision, gb_error *err)
{
    gb_status st;
    const double sd = fmin(1 / sqrt(precision), 1e6); /* shares hardly depend on more */
    const double tail = 20 + sd * (sd + 8), reach = 40 + 12 * sd;
    c->sd = sd;
    c->has_tail = tail < reach;
    c->low = -fmin(tail, reach);
    c->step = sqrt(1 + sd * sd) / 64;
    c->per_unit = 1 / c->step;
    c->n = (size_t)((5 + 11.5 * sd - c->low) / c->step) + 2;
    GB_TRY(gb_alloc(&c->value, c->n, sizeof *c->value, what, err));
    GB_TRY(gb_alloc(&c->slope, c->n, sizeof *c->slope, what, err));
    for (size_t i = 0; i < c->n; i++)
        log_f(c->low + (double)i * c->step, sd, &c->value[i], &c->slope[i]);
done:
    return st;
}

gb_status gb_mean_shares_create(gb_mean_shares **out, size_t n_free, size_t n_precisions, const double *precision,
                                gb_error *err)
{
    gb_status st;
    gb_mean_shares *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, what, err));
    m->n_free = n_free;
    m->n_curves = n_precisions;
    GB_TRY(gb_alloc(&m->curve, n_precisions, sizeof *m->curve, what, err));
    for (size_t i = 0; i < n_precisions; i++)
        GB_TRY(make_curve(&m->curve[i], precision[i], err));
    *out = m;
    m = NULL;
done:
    gb_mean_shares_free(m);
    return st;
}

/* log F(x), and -(log F)'(x). */
static double interpolate(const curve *c, double x, double *hazard)
{
    const double at = (x - c->low) * c->per_unit;
    if (at < 0) {
        *hazard = c->has_tail ? exp(x + c->sd * c->sd / 2) : 0;
        return -*hazard;
    }
    const size_t i = (size_t)at;
    if (i + 1 >= c->n) {
        *hazard = 0;
        return -INFINITY;
    }
    const double t = at - (double)i, rise = c->value[i + 1] - c->value[i];
    const double left = c->slope[i] * c->step, right = c->slope[i + 1] * c->step;
    const double square = 3 * rise - 2 * left - right, cube = left + right - 2 * rise;
    *hazard = -(left + t * (2 * square + t * 3 * cube)) * c->per_unit;
    return c->value[i] + t * (left + t * (square + t * cube));
}

/* ---- independent weights: the integral ---- */

/* Where -v begins to matter: no psi_k - log E_k is above, but for about 1e-13 of all documents. */
static double highest(const gb_mean_shares *m, const double *mean)
{
    double most = 0;
    for (size_t t = 0; t < m->n_free; t++) {
        const double sd = m->curve[m->n_curves == 1 ? 0 : t].sd, reach = mean[t] + fmin(sd * sd / 2, 8 * sd);
        most = reach > most || isnan(reach) ? reach : most;
    }
    return 30 + log((double)m->n_free + 1) + most;
}

/* Adds the integrand of (1) at v, `step` wide. */
static void add_point(const gb_mean_shares *m, const double *mean, double v, double step, double *hazard,
                      double *share)
{
    double log_all = -exp(v);
    hazard[m->n_free] = exp(v);
    for (size_t t = 0; t < m->n_free; t++)
        log_all += interpolate(&m->curve[m->n_curves == 1 ? 0 : t], v + mean[t], &hazard[t]);
    const double all = step * exp(log_all);
    for (size_t k = 0; k <= m->n_free && all > 0; k++)
        share[k] += all * hazard[k];
}

static void divide_by_sum(size_t n, double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    for (size_t i = 0; i < n; i++)
        x[i] /= sum;
}

/* Where the product of (1) is 0, and was so before. */
static double lowest(const gb_mean_shares *m, const double *mean)
{
    double least = log(60);
    for (size_t t = 0; t < m->n_free; t++)
        least = fmin(least, 5 + 11.5 * m->curve[m->n_curves == 1 ? 0 : t].sd - mean[t]);
    return least;
}

/* With weights that hardly have a precision the integral is long and goes in larger steps, but for where the last topic
 * has its share. */
static void integrate(const gb_mean_shares *m, const double *mean, double *hazard, double *share)
{
    const double low = -highest(m, mean), high = lowest(m, mean), fine = 0.3, fine_from = -40;
    const double coarse = fmax(fine, (high - low) / 4096);
    if (!isfinite(low)) {
        share[0] = NAN;
        return;
    }
    for (double v = high, step; v > low; v -= step) {
        step = v > fine_from ? fine : coarse;
        add_point(m, mean, v, step, hazard, share);
    }
}

/* ---- correlated weights ---- */

/* W of a pair of documents: rows for e and -e. */
static void make_pair(size_t n_free, const double *root, uint64_t pair, double *plus)
{
    double *minus = plus + n_free + 1, most = 0, least = 0;
    gb_random random = gb_random_open(gb_key_make(0, 0), 0, GB_DRAW_GROUP_SHARES, pair);
    for (size_t t = 0; t < n_free; t++)
        minus[t] = gb_random_normal(&random);
    plus[n_free] = minus[n_free] = 0;
    for (size_t t = 0; t < n_free; t++) {
        plus[t] = 0;
        for (size_t j = 0; j <= t; j++)
            plus[t] += root[t * n_free + j] * minus[j];
        most = fmax(most, plus[t]);
        least = fmin(least, plus[t]);
    }
    for (size_t t = 0; t <= n_free; t++) {
        minus[t] = exp(least - plus[t]);
        plus[t] = exp(plus[t] - most);
    }
}

gb_status gb_mean_shares_create_full(gb_mean_shares **out, size_t n_free, const double *root, gb_error *err)
{
    gb_status st;
    gb_mean_shares *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, what, err));
    m->n_free = n_free;
    GB_TRY(gb_alloc(&m->document, (size_t)2 * N_PAIRS, (n_free + 1) * sizeof *m->document, what, err));
    for (size_t i = 0; i < N_PAIRS; i++)
        make_pair(n_free, root, i, m->document + 2 * i * (n_free + 1));
    *out = m;
    m = NULL;
done:
    gb_mean_shares_free(m);
    return st;
}

/* (2); a document all of whose weights are too small to be told from 0 is passed over. */
static void average(const gb_mean_shares *m, const double *mean, double *weight, double *share)
{
    double most = 0;
    for (size_t t = 0; t < m->n_free; t++)
        most = fmax(most, mean[t]);
    for (size_t t = 0; t < m->n_free; t++)
        weight[t] = exp(mean[t] - most);
    weight[m->n_free] = exp(-most);
    for (size_t i = 0; i < (size_t)2 * N_PAIRS; i++) {
        const double *row = m->document + i * (m->n_free + 1);
        double sum = 0;
        for (size_t k = 0; k <= m->n_free; k++)
            sum += weight[k] * row[k];
        for (size_t k = 0; k <= m->n_free && sum > 0; k++)
            share[k] += row[k] / sum;
    }
    for (size_t k = 0; k <= m->n_free; k++)
        share[k] *= weight[k];
}

/* ---- shares ---- */

void gb_mean_shares_at(const gb_mean_shares *m, const double *mean, double *room, double *share)
{
    for (size_t k = 0; k <= m->n_free; k++)
        share[k] = 0;
    if (m->document != NULL)
        average(m, mean, room, share);
    else
        integrate(m, mean, room, share);
    divide_by_sum(m->n_free + 1, share);
}
