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

struct information {
    const gb_design *design;
    size_t n_outputs;
    const gb_score_term *term;
    uint32_t *feature; /* of a document */
    double *value;
};

/* (1) of one feature of a document, for all outputs. */
static void add_feature(size_t n_outputs, const gb_score_term *term, double f, double *information)
{
    for (size_t l = 0; l < n_outputs; l++)
        information[l] += term[l].omega * f * f;
}

/* (1): n_features x n_outputs. */
static void add_documents(const void *context, uint64_t first, uint64_t last, double *information)
{
    const struct information *of = context;
    const size_t n = of->n_outputs;
    for (uint64_t d = first; d < last; d++) {
        const size_t n_in_document = gb_design_row(of->design, d, of->feature, of->value);
        for (size_t m = 0; m < n_in_document; m++)
            add_feature(n, of->term + d * n, of->value[m], information + of->feature[m] * n);
    }
}

gb_status gb_coefficient_shrinkage(const gb_portion *portion, const gb_coefficient_scales *scales,
                                   const gb_design *design, const gb_score_term *term, double *out, gb_error *err)
{
    gb_status st;
    const size_t n_outputs = scales->n_outputs, n_features = design->layout.n_features,
                 n = gb_layout_n_shrunken(&design->layout), longest = gb_design_longest_row(design);
    const char *what = "the coefficients' shrinkage";
    struct information of = {.design = design, .n_outputs = n_outputs, .term = term};
    double *information = NULL, *precision = NULL;
    GB_TRY(gb_alloc(&information, n_features * n_outputs, sizeof *information, what, err));
    GB_TRY(gb_alloc(&precision, n_features, sizeof *precision, what, err));
    GB_TRY(gb_alloc(&of.feature, longest, sizeof *of.feature, what, err));
    GB_TRY(gb_alloc(&of.value, longest, sizeof *of.value, what, err));
    GB_TRY(gb_sum_documents(portion, design->n_docs, add_documents, &of, n_features * n_outputs, information, err));
    for (size_t l = 0; l < n_outputs; l++) {
        scales->prior->ops->precision(scales, l, precision);
        for (size_t j = 0; j < n; j++)
            out[l * n + j] = precision[j] / (precision[j] + information[j * n_outputs + l]); /* (2) */
    }
done:
    gb_free(information);
    gb_free(precision);
    gb_free(of.feature);
    gb_free(of.value);
    return st;
}
