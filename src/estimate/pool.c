/* estimate/pool.c - one posterior of an effect from those of several folds.
 *
 * Given its documents and its share of the prior, the effect theta_f of fold f has mean e_f and variance V_f.  Topics of folds
 * are not quite the same, and neither are their effects:
 *
 *     theta_f ~ N(e_f, V_f) as if e_f were data,     theta_f ~ N(theta, tau^2)                                       (1)
 *     tau ~ half-Cauchy of scale s / 2,     1 / s^2 = the mean of 1 / V_f                                           (2)
 *
 * Given tau, theta is normal with mean m and precision P, and tau has a density on a line:
 *
 *     w_f = 1 / (V_f + tau^2),     P = sum w_f,     m = sum w_f e_f / P                                               (3)
 *     p(tau | e) ~ p(tau) prod w_f^(1/2) P^(-1/2) exp(-sum w_f (e_f - m)^2 / 2)                                       (4)
 *
 * A sum over quantiles of (2) stands for the integral over tau.  So the posterior of theta is a mixture of normal laws, whose
 * moments and quantiles are found without a random number.  With tau = 0 it is the product of the folds' posteriors, in which the
 * shares of the prior become the whole one.
 *
 * (1), (4): the normal hierarchical model, Gelman and others, Bayesian Data Analysis, section 5.4.  (2): Gelman 2006, Bayesian
 * Analysis 1.  Shares of a prior: Scott and others 2016, International Journal of Management Science and Engineering
 * Management 11. */
#include "estimate/pool.h"

#include "math/special.h"

#include <math.h>

enum { N_POINTS = 64, N_HALVINGS = 60 };
static const double PRIOR_SCALE = 0.5;

/* Normal laws of theta, one for each point of tau. */
typedef struct mixture {
    double tau[N_POINTS], weight[N_POINTS], mean[N_POINTS], sd[N_POINTS];
} mixture;

/* (3).  @return the logarithm of (4) but for p(tau), which the points have */
static double condition(const gb_fold_posterior *fold, size_t n, mixture *m, size_t i)
{
    const double tau2 = m->tau[i] * m->tau[i];
    double precision = 0, sum = 0, log_weight = 0;
    for (size_t f = 0; f < n; f++) {
        precision += 1 / (fold[f].variance + tau2);
        sum += fold[f].mean / (fold[f].variance + tau2);
        log_weight -= log(fold[f].variance + tau2) / 2;
    }
    m->mean[i] = sum / precision;
    m->sd[i] = 1 / sqrt(precision);
    for (size_t f = 0; f < n; f++)
        log_weight -= (fold[f].mean - m->mean[i]) * (fold[f].mean - m->mean[i]) / (fold[f].variance + tau2) / 2;
    return log_weight - log(precision) / 2;
}

static void make_mixture(const gb_fold_posterior *fold, size_t n, mixture *m)
{
    const double half_pi = acos(0);
    double precision = 0, most = -INFINITY, sum = 0;
    for (size_t f = 0; f < n; f++)
        precision += 1 / fold[f].variance / (double)n;
    for (size_t i = 0; i < N_POINTS; i++) {
        const double p = n == 1 ? 0 : ((double)i + 0.5) / N_POINTS; /* one fold says nothing of tau */
        m->tau[i] = PRIOR_SCALE / sqrt(precision) * tan(half_pi * p);
        m->weight[i] = condition(fold, n, m, i);
        most = fmax(most, m->weight[i]);
    }
    for (size_t i = 0; i < N_POINTS; i++)
        sum += m->weight[i] = exp(m->weight[i] - most);
    for (size_t i = 0; i < N_POINTS; i++)
        m->weight[i] /= sum;
}

static double share_below(const mixture *m, double x)
{
    double sum = 0;
    for (size_t i = 0; i < N_POINTS; i++)
        sum += m->weight[i] * gb_erfc((m->mean[i] - x) / m->sd[i] / sqrt(2)) / 2;
    return sum;
}

/* The law is within the widest of its parts, ten standard deviations each way. */
static double quantile(const mixture *m, double p)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < N_POINTS; i++) {
        low = fmin(low, m->mean[i] - 10 * m->sd[i]);
        high = fmax(high, m->mean[i] + 10 * m->sd[i]);
    }
    for (size_t i = 0; i < N_HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if (share_below(m, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

static gb_pooled moments_of(const mixture *m)
{
    gb_pooled all = {.q05 = NAN, .median = NAN, .q95 = NAN, .p_positive = NAN};
    double variance = 0;
    for (size_t i = 0; i < N_POINTS; i++) {
        all.mean += m->weight[i] * m->mean[i];
        all.between += m->weight[i] * m->tau[i];
    }
    for (size_t i = 0; i < N_POINTS; i++) {
        const double off = m->mean[i] - all.mean;
        variance += m->weight[i] * (m->sd[i] * m->sd[i] + off * off);
    }
    all.sd = sqrt(variance);
    return all;
}

static gb_pooled summarise(const mixture *m)
{
    gb_pooled all = moments_of(m);
    all.q05 = quantile(m, 0.05);
    all.median = quantile(m, 0.5);
    all.q95 = quantile(m, 0.95);
    all.p_positive = 1 - share_below(m, 0);
    return all;
}

/* Draws that do not vary have no law. */
static gb_pooled mean_only(const gb_fold_posterior *fold, size_t n)
{
    gb_pooled all = {.sd = NAN, .q05 = NAN, .median = NAN, .q95 = NAN, .p_positive = NAN, .between = NAN};
    for (size_t f = 0; f < n; f++)
        all.mean += fold[f].mean / (double)n;
    return all;
}

static gb_pooled pool(const gb_fold_posterior *fold, size_t n, gb_pooled (*answer)(const mixture *m))
{
    mixture m;
    for (size_t f = 0; f < n; f++)
        if (!(fold[f].variance > 0))
            return mean_only(fold, n);
    make_mixture(fold, n, &m);
    gb_pooled all = answer(&m);
    if (n == 1)
        all.between = NAN;
    return all;
}

gb_pooled gb_pool_folds(const gb_fold_posterior *fold, size_t n)
{
    return pool(fold, n, summarise);
}

gb_pooled gb_pool_moments(const gb_fold_posterior *fold, size_t n)
{
    return pool(fold, n, moments_of);
}
