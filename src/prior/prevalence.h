/* prior/prevalence.h - means of log weights as a regression on metadata: which topics who, when and where write about.
 *
 * Document d has the columns f_d of a formula (design/formula.h), p of them, the first of which is 1:
 *     psi_d = Gamma' f_d + e_d,   e_d ~ N(0, Q^{-1})                                                          (1)
 *     Gamma_1t ~ N(m_0, 1 / k_0),   Gamma_jt ~ N(0, v) for fixed effects j                                      (2)
 *     Gamma_jt ~ N(0, tau^2_bt) for the columns j of part b,   tau_bt ~ half-Cauchy(A)                         (3)
 * or, with the horseshoe (Carvalho, Polson, Scott 2010, Biometrika 97), in which most fixed effects of a topic are nearly 0,
 *     Gamma_jt ~ N(0, tau_t^2 lam_jt^2) for fixed effects j,   lam_jt ~ half-Cauchy(1),   tau_t ~ half-Cauchy(A)  (4)
 * for each topic t of n_free.  Each smooth term and each random effect is a part.  All variances are finite: without that, a topic
 * that no document uses has no posterior.  The v of (2) is not learned: effects would be drawn towards 0, and intervals miss them
 * (docs/measured/prevalence.md). */
#ifndef GB_PRIOR_PREVALENCE_H
#define GB_PRIOR_PREVALENCE_H

#include "base/arrays.h"
#include "design/formula.h"
#include "prior/psi.h"
#include "team/portion.h"

/** How (2) and (3) are set. */
typedef struct gb_prevalence_settings {
    double level_mean, level_precision; /* m_0; k_0, above 0 */
    double fixed_variance;              /* v, above 0 */
    double scale;                       /* A, above 0 */
} gb_prevalence_settings;

/** Which coefficients have a variance of their own. */
typedef struct gb_prevalence_parts {
    size_t n_columns; /* p >= 1 */
    size_t
        n; /* rows of variances: those of (3); with the horseshoe also lam^2 of each fixed effect, and last tau^2 */
    size_t n_random; /* those of (3), which come first */
    uint32_t *of;    /* n_columns: the row of each column, or one of the two below */
    size_t first_alone,
        n_alone; /* columns of which a document has one at most: the random effect with the most levels */
} gb_prevalence_parts;

#define GB_CONSTANT_PART UINT32_MAX
#define GB_FIXED_PART    (UINT32_MAX - 1)

/** v and A. */
#define GB_PREVALENCE_FIXED_VARIANCE 4.0
#define GB_PREVALENCE_SCALE          1.0

/** @param has_horseshoe  (4) in place of the second law of (2)
 * @param out             clear it with gb_prevalence_parts_clear() */
gb_status gb_prevalence_parts_make(gb_prevalence_parts *out, size_t n_terms, const gb_term *term, bool has_horseshoe,
                                   gb_error *err);
void gb_prevalence_parts_clear(gb_prevalence_parts *parts);

/** The regression of a chain.  Coefficients and variances are the caller's: p x n_free and n_parts x n_free. */
typedef struct gb_prevalence {
    gb_prevalence_settings settings;
    const gb_prevalence_parts *parts; /* borrowed */
    const gb_sparse_columns *x;       /* of all documents, those of other ranks too; borrowed */
    const gb_portion *portion;        /* borrowed; NULL: all documents are here */
    uint64_t n_docs;                  /* here */
    size_t n_free, n_threads;
    double *mean;                 /* n_docs x n_free: Gamma' f_d */
    uint32_t *row;                /* n_docs: 0, 1, ...: which row of `mean` a document has */
    double *alone, *cross, *rest; /* F'F: its diagonal for the columns alone; n_alone x n_rest; n_rest x n_rest */
    double *product;              /* p x n_free: F' psi */
    double *others;               /* p x n_free: F'F Gamma, with correlated topics */
    double *work;                 /* of each thread */
    double *square;               /* tasks x n_free: sums of e_dt^2 */
} gb_prevalence;

/** Set all numbers, no arrays: for the list of an estimate.  `parts` and `x` are read here. */
void gb_prevalence_size(gb_prevalence *out, const gb_prevalence_settings *settings, const gb_prevalence_parts *parts,
                        const gb_sparse_columns *x, const gb_portion *portion, uint64_t n_docs, size_t n_free,
                        size_t n_threads);
/** A gb_list_arrays. */
void gb_prevalence_list(void *prevalence, const gb_array_visitor *v);
/** Fill what does not change: the arrays are there.  Means are those of coefficients that are 0. */
gb_status gb_prevalence_begin(gb_prevalence *p, gb_error *err);

/** The mean of the psi of one row of columns. */
static inline void gb_prevalence_mean(const gb_sparse_columns *x, uint64_t row, size_t n_free, const double *gamma,
                                      double *mean)
{
    for (size_t t = 0; t < n_free; t++)
        mean[t] = 0;
    for (uint64_t i = x->doc_start[row]; i < x->doc_start[row + 1]; i++)
        for (size_t t = 0; t < n_free; t++)
            mean[t] += x->value[i] * gamma[x->column[i] * n_free + t];
}

/** Means of documents that have these coefficients. */
gb_status gb_prevalence_set_means(gb_prevalence *p, const double *gamma, gb_error *err);

/**
 * Draw all coefficients given psi of the documents of all ranks and the variances, and set the means.
 *
 * @param law       of psi: its precision, or full
 * @param variance  n_parts x n_free: tau^2; with the horseshoe see gb_prevalence_parts
 * @param gamma     p x n_free, redrawn
 * @return GB_OK, GB_ENUMERIC, GB_ENOMEM or GB_ERANK
 */
gb_status gb_prevalence_draw(gb_prevalence *p, const gb_psi_law *law, const double *psi, const double *variance,
                             double *gamma, gb_key key, uint32_t sweep, gb_error *err);
/** Draw the variances given the coefficients. */
void gb_prevalence_draw_variances(const gb_prevalence *p, const double *gamma, double *variance, gb_key key,
                                  uint32_t sweep);
/** Coefficients and variances from (2) to (4). */
void gb_prevalence_draw_prior(const gb_prevalence *p, double *gamma, double *variance, gb_key key, uint32_t sweep);
/** square[t] = sum over the documents of all ranks of e_dt^2.  @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_prevalence_squares(gb_prevalence *p, const double *psi, double *square, gb_error *err);
/** log p(Gamma, tau^2). */
double gb_prevalence_log_density(const gb_prevalence *p, const double *gamma, const double *variance);

#endif
