/* coefficient/shrinkage.c - how much of each coefficient is the prior's work.
 *
 * Given all else, the coefficient of feature j in output l is normal with precision P_lj + I_lj, where P_lj is the
 * prior's precision and
 *
 *   I_lj = sum_d omega_dl f_dj^2                                                          (1)
 *
 * the information of the targets about it.  Its conditional mean is (1 - kappa) times that without a prior, with
 *
 *   kappa_lj = P_lj / (P_lj + I_lj)                                                       (2)
 *
 * the weight of the prior's 0 in it.  Under the horseshoe P_lj = 1 / (tau_l^2 lam_lj^2).
 *
 *   (2): Carvalho, Polson, Scott 2010, Biometrika 97, for one normal observation per coefficient; (1) puts in
 *   its place whatever information the augmented response has.
 *   Cost: one pass over the features of all documents.
 *   A feature that no document with a target has, has I = 0 and kappa = 1. */
#include "coefficient/shrinkage.h"

#include "base/memory.h"

/* (1) of one document, for all outputs. */
static void add_document(size_t n_outputs, const gb_score_term *term, double f, double *information)
{
    for (size_t l = 0; l < n_outputs; l++)
        information[l] += term[l].omega * f * f;
}

/* n_features x n_outputs; documents ascending, so that the bits are always the same. */
static void add_topics(const gb_proportions *z, size_t n_outputs, const gb_score_term *term, double *information)
{
    for (uint64_t d = 0; d < z->n_docs; d++) {
        const gb_document_topics t = gb_proportions_of(z, d);
        const double length = gb_proportions_length(z, d);
        for (size_t m = 0; m < t.n; m++)
            add_document(n_outputs, term + d * n_outputs, t.count[m] / length, information + t.topic[m] * n_outputs);
    }
}

static void add_columns(const gb_covariates *x, size_t n_outputs, const gb_score_term *term, double *information)
{
    for (size_t j = 0; j < x->n_columns; j++)
        for (uint64_t i = x->column_start[j]; i < x->column_start[j + 1]; i++)
            add_document(n_outputs, term + x->column_doc[i] * n_outputs, x->column_value[i],
                         information + j * n_outputs);
}

gb_status gb_coefficient_shrinkage(const gb_coefficient_scales *scales, const gb_proportions *z,
                                   const gb_covariates *x, const gb_score_term *term, double *out, gb_error *err)
{
    gb_status st;
    const size_t n_outputs = scales->n_outputs, n = scales->n_topics + scales->n_columns;
    const char *what = "the coefficients' shrinkage";
    double *information = NULL, *precision = NULL;
    GB_TRY(gb_alloc(&information, n * n_outputs, sizeof *information, what, err));
    GB_TRY(gb_alloc(&precision, n + 1, sizeof *precision, what, err)); /* one more for an intercept */
    add_topics(z, n_outputs, term, information);
    if (x != NULL)
        add_columns(x, n_outputs, term, information + scales->n_topics * n_outputs);
    for (size_t l = 0; l < n_outputs; l++) {
        scales->prior->ops->precision(scales, l, precision);
        for (size_t j = 0; j < n; j++)
            out[l * n + j] = precision[j] / (precision[j] + information[j * n_outputs + l]); /* (2) */
    }
done:
    gb_free(information);
    gb_free(precision);
    return st;
}
