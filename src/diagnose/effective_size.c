/* diagnose/effective_size.c - how many independent draws a block of dependent ones is worth.
 *
 *   c_t = mean over the series of their autocovariance at lag t, divided by n
 *   W = c_0 n / (n - 1),   V = c_0 + variance of the series' means
 *   rho_t = 1 - (W - c_t) / V                                                                        (1)
 *   tau = -1 + 2 (rho_0 + ... + rho_2m+1) + ...,   size = N / tau                                    (2)
 *
 * The sums of neighbours rho_2i + rho_2i+1 are positive and fall, for a reversible chain and in the truth: the sum (2) ends
 * before the first pair that is not positive, and a pair that is larger than the one before is made equal to it (Geyer 1992,
 * Statistical Science 7).  The last even lag stays if it is positive, and tau is at least 1 / log10 N: draws that are better
 * than independent ones are not believed without end (Vehtari and others 2021, Bayesian Analysis 16, whose reference
 * program and ArviZ these steps follow number by number).
 *
 * Cost: the numbers times the lags up to the end of the sum, and a few more. */
#include "diagnose/series.h"

#include "base/memory.h"

#include <math.h>

/* Numbers that are as near as this to each other are equal, as in ArviZ; their draws are taken as independent. */
static const double LEAST_SPREAD = 1e-15;

enum { N_LAGS = 8 };

typedef struct block {
    size_t n_series, n;
    double *off;               /* numbers less the mean of their series */
    double within, both;       /* W and V of (1) */
    size_t first_lag;          /* of those that are known: */
    double covariance[N_LAGS]; /* c_t of (1) */
} block;

/* Sums of several lags side by side, which do not wait for each other; each adds its products in order. */
static void find_covariances(block *b, size_t first_lag)
{
    double sum[N_LAGS] = {0};
    b->first_lag = first_lag;
    for (size_t s = 0; s < b->n_series; s++) {
        const double *x = b->off + s * b->n;
        size_t i = first_lag;
        for (; i < b->n && i < first_lag + N_LAGS - 1; i++)
            for (size_t l = 0; first_lag + l <= i; l++)
                sum[l] += x[i] * x[i - first_lag - l];
        for (; i < b->n; i++)
            for (size_t l = 0; l < N_LAGS; l++)
                sum[l] += x[i] * x[i - first_lag - l];
    }
    for (size_t l = 0; l < N_LAGS; l++)
        b->covariance[l] = sum[l] / (double)b->n / (double)b->n_series;
}

/* Lags come in ascending order. */
static double rho_at(block *b, size_t lag)
{
    if (lag >= b->first_lag + N_LAGS)
        find_covariances(b, lag);
    return 1 - (b->within - b->covariance[lag - b->first_lag]) / b->both;
}

static double mean_of(size_t n, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static void centre(block *b, const double *value)
{
    const double all = mean_of(b->n_series * b->n, value);
    double between = 0;
    for (size_t s = 0; s < b->n_series; s++) {
        const double mean = mean_of(b->n, value + s * b->n);
        for (size_t i = 0; i < b->n; i++)
            b->off[s * b->n + i] = value[s * b->n + i] - mean;
        between += (mean - all) * (mean - all);
    }
    find_covariances(b, 0);
    const double none = b->covariance[0];
    b->within = none * (double)b->n / (double)(b->n - 1);
    b->both = none + (b->n_series > 1 ? between / (double)(b->n_series - 1) : 0);
}

/* rho_0 .. of the initial positive sequence; *last is the number of the even lag that comes after its last pair. */
static void find_positive(block *b, double *rho, size_t *last)
{
    double even = 1, odd = rho_at(b, 1);
    size_t t = 1; /* the odd lag of the pair at hand */
    rho[0] = even;
    rho[1] = odd;
    while (t + 3 < b->n && even + odd > 0) {
        even = rho_at(b, t + 1);
        odd = rho_at(b, t + 2);
        rho[t + 1] = even + odd >= 0 ? even : 0;
        rho[t + 2] = even + odd >= 0 ? odd : 0;
        t += 2;
    }
    *last = t - 1;
    if (even > 0)
        rho[*last] = even;
}

static void make_monotone(double *rho, size_t last)
{
    for (size_t t = 1; t + 3 <= last; t += 2)
        if (rho[t + 1] + rho[t + 2] > rho[t - 1] + rho[t])
            rho[t + 1] = rho[t + 2] = 0.5 * (rho[t - 1] + rho[t]);
}

static bool are_equal(size_t n, const double *x)
{
    double least = x[0], most = x[0];
    for (size_t i = 1; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    return most - least < LEAST_SPREAD;
}

gb_status gb_effective_size(size_t n_series, size_t n, const double *value, double *out, gb_error *err)
{
    static const char what[] = "the autocorrelation of draws";
    gb_status st;
    block b = {.n_series = n_series, .n = n};
    double *rho = NULL, tau = -1;
    const double n_all = (double)(n_series * n);
    size_t last;
    *out = n_all;
    if (are_equal(n_series * n, value))
        return GB_OK;
    GB_TRY(gb_alloc(&b.off, n_series * n, sizeof *b.off, what, err));
    GB_TRY(gb_alloc(&rho, n + 2, sizeof *rho, what, err));
    centre(&b, value);
    find_positive(&b, rho, &last);
    make_monotone(rho, last);
    for (size_t t = 0; t < last; t++)
        tau += 2 * rho[t];
    tau += rho[last];
    *out = n_all / fmax(tau, 1 / log10(n_all));
done:
    gb_free(b.off);
    gb_free(rho);
    return st;
}
