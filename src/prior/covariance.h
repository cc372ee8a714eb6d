/* prior/covariance.h - the covariance of topic weights and their mean, drawn given the weights.
 *
 *   Sigma ~ IW(S, n):  density proportional to |Sigma|^(-(n + q + 1) / 2) exp(-tr(S Sigma^{-1}) / 2),  n > q - 1
 *   mean | Sigma ~ N(m0, Sigma / k0) */
#ifndef GB_PRIOR_COVARIANCE_H
#define GB_PRIOR_COVARIANCE_H

#include "base/arrays.h"
#include "random/random.h"
#include "simd/isa.h"
#include "team/portion.h"

/** A covariance with what draws and densities need of it; all matrices are q x q, by rows. */
typedef struct gb_covariance {
    size_t q;
    double *sigma;
    double *precision;      /* Sigma^{-1} */
    double *root;           /* lower triangle L, L L' = Sigma; zeros above */
    double log_determinant; /* of Sigma */
} gb_covariance;

gb_status gb_covariance_create(gb_covariance *out, size_t q, gb_error *err);
void gb_covariance_clear(gb_covariance *c);
/** A gb_list_arrays; q says how large. */
void gb_covariance_list(void *covariance, const gb_array_visitor *v);

/** Fill everything from c->sigma.  @return GB_OK, or GB_ENUMERIC if it is not positive definite */
gb_status gb_covariance_set(gb_covariance *c, gb_error *err);

/**
 * Draw Sigma ~ IW(scale, degrees).
 *
 * @param scale    q x q, symmetric, positive definite; overwritten
 * @param degrees  > q - 1
 * @return GB_OK, or GB_ENUMERIC if the scale is not positive definite
 */
gb_status gb_covariance_draw(gb_covariance *out, double *scale, double degrees, gb_random *r, gb_error *err);

/** Draw out = mean + factor L e, e standard normal: covariance factor^2 Sigma.  `out` is not `mean`. */
void gb_covariance_draw_normal(const gb_covariance *c, const double *mean, double factor, gb_random *r, double *out);

/** The deviations of rows x_d, d = 0..n-1, of q values each, from the mean of their group. */
typedef struct gb_deviations {
    size_t q;
    uint64_t n;
    const double *x;       /* n x q */
    const double *mean;    /* n_groups x q */
    const uint32_t *group; /* NULL: all are of group 0 */
    size_t n_threads;
    gb_isa isa;
    const gb_portion *portion; /* rows are documents of this rank; NULL: all are here */
} gb_deviations;

/** sum_d (x_d - mean)(x_d - mean)', q x q, both triangles, over the documents of all ranks; the same bits on any number of
 * threads and ranks and by any instructions.  @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_scatter(const gb_deviations *in, double *out, gb_error *err);
/** mean[t] = sum_d x_dt / n, in->mean is not read; zeros if n is 0.  All rows are here. */
gb_status gb_column_means(const gb_deviations *in, double *mean, gb_error *err);

/** The conjugate prior of mean and covariance. */
typedef struct gb_normal_wishart {
    const double *scale; /* q x q: S0 */
    double degrees;      /* n0 > q - 1 */
    const double *mean;  /* q: m0 */
    double strength;     /* k0 > 0: how many observations the prior mean counts for */
} gb_normal_wishart;

/**
 * Draw (mean, Sigma) given x:
 *   Sigma | x ~ IW(S0 + sum_d (x_d - xbar)(x_d - xbar)' + k0 n / (k0 + n) (xbar - m0)(xbar - m0)', n0 + n)
 *   mean | Sigma, x ~ N((k0 m0 + n xbar) / (k0 + n), Sigma / (k0 + n))
 *
 * @param in    x, all of whose rows are here; in->mean and in->group are not read
 * @param mean  receives q values
 */
gb_status gb_covariance_redraw(gb_covariance *out, double *mean, const gb_normal_wishart *prior,
                               const gb_deviations *in, gb_random *r, gb_error *err);

#endif
