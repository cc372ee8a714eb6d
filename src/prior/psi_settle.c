/* prior/psi_settle.c - how likely topics are in a document whose log weights are integrated out.
 *
 * With N tokens, n_k of them in topic k, p(z | psi) = prod_k exp(n_k psi_k) / S^N, S = sum_k exp(psi_k), psi_K = 0.  A number
 * x > 0 makes log weights independent of each other, given it:
 *
 *     S^-N = integral of x^(N - 1) exp(-x S) dx / Gamma(N)                                                     (1)
 *
 * and so y_k = psi_k + log x has the density, but for a constant,
 *
 *     exp(n_k y - exp(y)) N(y; mean_k + log x, 1 / precision_k)                                                  (2)
 *
 * A further token has topic k with a probability proportional to E exp(y_k), the rate of topic k, which is x itself for topic K: what
 * n_k + alpha_k is under a Dirichlet prior.  x is set to the mode of its law, where the rates of all topics add up to the number of
 * tokens, the further one included.
 *
 * With a token or more in the topic the rate is found at the mode y of (2), q the precision:
 *
 *     E exp(y) = e + q e / (2 (e + q)^2),   e = exp(y),                                                          (3)
 *
 * and rates rise by rate / (rate + q) with each token.  Without a token (2) can be as wide as the prior, and the rate is a sum over points,
 *
 *     sum_i g_i exp(y_i) exp(-exp(y_i)) / sum_i g_i exp(-exp(y_i)),   g: the normal density,                     (4)
 *
 * points below the first one together.  Expected counts below 1 are how likely the topic has a token, so the rate is in proportion.
 *
 * Symmetric: the same with psi_K among the others, which has a mean and a precision too.
 *
 * Correlated log weights: (2) for one topic after another, with the mean and the precision that it has given the expectations of the others:
 * coordinate ascent of the independent laws that are closest to the joint one. */
#include "prior/psi_chunk.h"

#include <math.h>
#include <string.h>

enum { N_LANES = 8 };

/* Fixed shares have a slope of 0, and nothing may be divided by it. */
static const double LEAST_SLOPE = 1e-3;

/* Steps towards x: from nothing, and from where fewer tokens were known. */
enum { FIRST_STEPS = 8, STEPS = 2, FIRST_ROUNDS = 3 };

static size_t padded(size_t n)
{
    return (n + N_LANES - 1) / N_LANES * N_LANES;
}

typedef struct rates {
    const gb_psi_settling *s;
    const gb_psi_kernel *kernel;
    double *count, *mean, *precision, *rate, *slope; /* n_free, padded */
} rates;

static rates open_rates(const gb_psi_settling *s)
{
    const size_t n = padded(s->law->n_free);
    rates r = {.s = s, .kernel = gb_psi_kernel_for(s->isa)};
    r.count = s->scratch;
    r.mean = r.count + n;
    r.precision = r.mean + n;
    r.rate = r.precision + n;
    r.slope = r.rate + n;
    for (size_t t = 0; t < n; t++) {
        const bool is_there = t < s->law->n_free;
        r.count[t] = is_there && s->count != NULL ? fmax(s->count[t], 0) : 0;
        r.mean[t] = 0;
        r.precision[t] = !is_there              ? 1
                         : s->law->full == NULL ? s->law->precision[t]
                                                : s->law->full[t * s->law->n_free + t];
    }
    return r;
}

/* The rate of one topic, given what is expected of the others. */
static void find_given_others(rates *r, const double *mean, double log_x, size_t t)
{
    const gb_psi_settling *s = r->s;
    const size_t n = s->law->n_free;
    const double *row = s->law->full + t * n, q = r->precision[t];
    double pull = 0;
    for (size_t j = 0; j < n; j++)
        pull += row[j] * (s->psi[j] - mean[j]);
    const double given = mean[t] + log_x - (pull - q * (s->psi[t] - mean[t])) / q;
    double in[3][N_LANES], out[2][N_LANES];
    for (size_t i = 0; i < N_LANES; i++) {
        in[0][i] = r->count[t];
        in[1][i] = given;
        in[2][i] = q;
    }
    r->kernel->rates(N_LANES, in[0], in[1], in[2], out[0], out[1]);
    r->rate[t] = out[0][0];
    r->slope[t] = out[1][0];
    s->psi[t] = given + (r->count[t] - r->rate[t]) / q - log_x; /* E y, by parts */
}

static void find_rates(rates *r, const double *mean, double log_x)
{
    const size_t n = r->s->law->n_free;
    if (r->s->law->full != NULL) {
        for (size_t t = 0; t < n; t++)
            find_given_others(r, mean, log_x, t);
        return;
    }
    for (size_t t = 0; t < n; t++)
        r->mean[t] = mean[t] + log_x;
    r->kernel->rates(padded(n), r->count, r->mean, r->precision, r->rate, r->slope);
}

void gb_psi_settle(const gb_psi_settling *s)
{
    const size_t n = s->law->n_free;
    const double *mean = s->law->mean + s->group * n, length = s->count == NULL ? 1 : s->length;
    const bool is_symmetric = s->law->is_symmetric;
    double *log_x_kept = &s->psi[0]; /* of a symmetric law; else the last rate says it */
    rates r = open_rates(s);
    double log_x = s->count == NULL ? -log((double)n + 1) : is_symmetric ? *log_x_kept : log(s->rate[n]), among = 1;
    if (s->count == NULL)
        memcpy(s->psi, mean, n * sizeof *s->psi);
    for (int step = 0, last = s->count == NULL ? FIRST_STEPS : STEPS; step < last; step++) {
        double sum = is_symmetric ? 0 : exp(log_x);
        among = sum;
        find_rates(&r, mean, log_x);
        for (size_t t = 0; t < n; t++) {
            sum += r.rate[t] - r.slope[t] * r.count[t] / length; /* a token less */
            among += r.precision[t] * r.rate[t] / (r.precision[t] + r.rate[t]);
        }
        const double move = fmin(fmax((length - sum) / among, -2), 2);
        if (fabs(move) < 1e-3 || step + 1 == last)
            break;
        log_x += move;
    }
    for (size_t t = 0; t < n; t++) {
        s->rate[t] = r.rate[t];
        s->slope[t] = fmax(r.slope[t], LEAST_SLOPE);
    }
    if (is_symmetric) {
        *log_x_kept = log_x;
        return;
    }
    s->rate[n] = exp(log_x);
    s->slope[n] = fmax(exp(log_x) / among, LEAST_SLOPE);
}
