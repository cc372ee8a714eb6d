/* prior/given_covariance.c - a covariance of topic weights that the user gives: a variance, or a file of numbers. */
#include "prior/psi_prior.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/readers/matrix.h"
#include "math/cholesky.h"

#include <string.h>

static bool is_symmetric(size_t n, const double *matrix)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (matrix[i * n + j] != matrix[j * n + i])
                return false;
    return true;
}

gb_status gb_psi_check_covariance(size_t n, const double *sigma, gb_error *err)
{
    double *factor = NULL;
    gb_status st = gb_alloc(&factor, n * n, sizeof *factor, "a covariance", err);
    if (st != GB_OK)
        return st;
    memcpy(factor, sigma, n * n * sizeof *sigma);
    if (!gb_cholesky(n, factor))
        st = gb_fail(err, GB_EFORMAT, "a covariance is not positive definite");
    gb_free(factor);
    return st;
}

gb_status gb_psi_set_covariance(const char *text, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = out->own;
    const size_t n = gb_psi_n_free(out);
    double variance, *sigma = out->start.table[GB_PSI_SPREAD].value;
    own->covariance_is_fixed = strcmp(text, "sample") != 0;
    if (!own->covariance_is_fixed)
        return GB_OK;
    if (gb_text_to_real(text, &variance) == GB_NUMBER_OK) {
        if (!(variance >= 1e-9 && variance <= 1e9))
            return gb_fail(err, GB_EARGUMENT, "`psi-covariance` must be from 1e-9 to 1e9, not %s", text);
        for (size_t t = 0; t < n; t++)
            sigma[t * n + t] = variance;
        return GB_OK;
    }
    gb_status st = gb_matrix_read(text, n, "one for each topic but the last", sigma, err);
    if (st != GB_OK)
        return st;
    st = is_symmetric(n, sigma) ? gb_psi_check_covariance(n, sigma, err) : GB_EFORMAT;
    return st != GB_EFORMAT ? st : gb_fail(err, st, "%s: a covariance must be symmetric and positive definite", text);
}
