/* coefficient/gram_kernel.h - gram.h, included once per instruction set with GB_GRAM_ROW naming the function.
 *
 * Features are sparse: row j needs only the documents that have feature j, and of those only features k >= j. The
 * outputs lie next to each other and share that pattern, so the loop over them is one straight vector loop.
 */
#include "coefficient/gram.h"

/* sum[l] += a x[l] */
static inline void add_scaled(size_t n, double a, const double *restrict x, double *restrict sum)
{
    for (size_t l = 0; l < n; l++)
        sum[l] += a * x[l];
}

/* Columns of a document from the entry `first` on, times f_j. */
static inline void add_columns(const gb_gram_features *f, uint64_t d, uint64_t first, double f_j, size_t n_outputs,
                               const double *omega_d, double *row)
{
    for (uint64_t m = first; m < f->x->doc_start[d + 1]; m++)
        add_scaled(n_outputs, f_j * f->x->value[m], omega_d, row + (f->z->n_topics + f->x->column[m]) * n_outputs);
}

static inline void add_intercept(const gb_gram_features *f, double f_j, size_t n_outputs, const double *omega_d,
                                 double *row)
{
    const size_t at = f->z->n_topics + (f->x == NULL ? 0 : f->x->n_columns);
    if (f->intercept)
        add_scaled(n_outputs, f_j, omega_d, row + at * n_outputs);
}

static void row_of_topic(const gb_gram_features *f, size_t j, size_t n_outputs, const double *omega,
                         const double *kappa, double *row, double *h)
{
    const gb_proportions *z = f->z;
    for (uint64_t i = z->topic_start[j]; i < z->topic_start[j + 1]; i++) {
        const uint64_t d = z->entry_doc[i];
        const double inverse_length = 1 / (double)(z->doc_len_start[d + 1] - z->doc_len_start[d]);
        const double f_j = z->count[z->entry[i]] * inverse_length;
        const double *omega_d = omega + d * n_outputs;
        for (uint64_t m = z->entry[i]; m < z->doc_start[d + 1]; m++)
            add_scaled(n_outputs, f_j * (z->count[m] * inverse_length), omega_d, row + z->topic[m] * n_outputs);
        if (f->x != NULL)
            add_columns(f, d, f->x->doc_start[d], f_j, n_outputs, omega_d, row);
        add_intercept(f, f_j, n_outputs, omega_d, row);
        add_scaled(n_outputs, f_j, kappa + d * n_outputs, h);
    }
}

static void row_of_column(const gb_gram_features *f, size_t j, size_t n_outputs, const double *omega,
                          const double *kappa, double *row, double *h)
{
    const gb_covariates *x = f->x;
    for (uint64_t i = x->column_start[j]; i < x->column_start[j + 1]; i++) {
        const uint64_t d = x->column_doc[i];
        const double f_j = x->column_value[i];
        add_columns(f, d, x->column_entry[i], f_j, n_outputs, omega + d * n_outputs, row);
        add_intercept(f, f_j, n_outputs, omega + d * n_outputs, row);
        add_scaled(n_outputs, f_j, kappa + d * n_outputs, h);
    }
}

void GB_GRAM_ROW(const gb_gram_features *f, size_t j, size_t n_outputs, const double *omega, const double *kappa,
                 double *row, double *h)
{
    if (j < f->z->n_topics)
        row_of_topic(f, j, n_outputs, omega, kappa, row, h);
    else
        row_of_column(f, j - f->z->n_topics, n_outputs, omega, kappa, row, h);
}
