/* coefficient/gram_kernel.h - gram.h, included once per instruction set with GB_GRAM_ROW naming the function.
 *
 * zbar is sparse: row j needs only the documents that use topic j, and of those only their topics k >= j. The
 * outputs lie next to each other and share that pattern, so the loop over them is one straight vector loop.
 */
#include "coefficient/gram.h"

/* sum[l] += a x[l] */
static inline void add_scaled(size_t n, double a, const double *restrict x, double *restrict sum)
{
    for (size_t l = 0; l < n; l++)
        sum[l] += a * x[l];
}

void GB_GRAM_ROW(const gb_proportions *z, size_t j, size_t n_outputs, const double *omega, const double *kappa,
                 bool intercept, double *row, double *h)
{
    for (uint64_t i = z->topic_start[j]; i < z->topic_start[j + 1]; i++) {
        const uint64_t d = z->entry_doc[i];
        const double inverse_length = 1 / (double)(z->doc_len_start[d + 1] - z->doc_len_start[d]);
        const double f_j = z->count[z->entry[i]] * inverse_length;
        const double *omega_d = omega + d * n_outputs;
        for (uint64_t m = z->entry[i]; m < z->doc_start[d + 1]; m++)
            add_scaled(n_outputs, f_j * (z->count[m] * inverse_length), omega_d, row + z->topic[m] * n_outputs);
        if (intercept)
            add_scaled(n_outputs, f_j, omega_d, row + z->n_topics * n_outputs);
        add_scaled(n_outputs, f_j, kappa + d * n_outputs, h);
    }
}
