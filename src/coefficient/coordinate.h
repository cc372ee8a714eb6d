/* coefficient/coordinate.h - the inner loops of the coordinate draw, for a few outputs side by side.
 *
 * A document has 2 x width numbers in `row`: omega of each output, then the residual r = kappa - omega s of
 * each.  Documents are added in the order of the list, each output by itself. */
#ifndef GB_COEFFICIENT_COORDINATE_H
#define GB_COEFFICIENT_COORDINATE_H

#include "coefficient/groups.h"

#include <stddef.h>
#include <stdint.h>

/** The documents with a feature, and its values; for the constant 1 both are NULL and it has n documents from `first` on. */
typedef struct gb_feature {
    uint64_t n, first;
    const uint32_t *doc;
    const double *value;
} gb_feature;

typedef struct gb_coordinate_kernel {
    /** curvature[l] = sum_d omega_dl f_d^2,   slope[l] = sum_d f_d r_dl */
    void (*sums)(const gb_feature *f, size_t width, const double *row, double *curvature, double *slope);
    /** The same, curvatures before slopes, part after part; the documents of part p end at number end[p] of its list. */
    void (*sums_of_parts)(const gb_feature *f, size_t n_parts, const uint32_t *end, size_t width, const double *row,
                          double *sum);
    /** eta_l ~ N((slope_l + curvature_l eta_l) / p, 1 / p),  p = precision_l + curvature_l,  made of standard normal `noise`
     * @param sum    curvatures, then slopes
     * @param delta  receives by how much eta changes */
    void (*draw)(size_t width, const double *sum, const double *precision, const double *noise, double *eta,
                 double *delta);
    /** r_dl -= omega_dl f_d delta[l] */
    void (*move)(const gb_feature *f, size_t width, const double *delta, double *row);
} gb_coordinate_kernel;

extern const gb_coordinate_kernel gb_coordinate_plain, gb_coordinate_avx2, gb_coordinate_avx512;

#endif
