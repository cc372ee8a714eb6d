/* evaluation/liblinear.h - what is used of LIBLINEAR (Fan, Chang, Hsieh, Wang and Lin 2008, JMLR 9). */
#ifndef GB_EVALUATION_LIBLINEAR_H
#define GB_EVALUATION_LIBLINEAR_H

#include "design/word_columns.h"

/** Documents as LIBLINEAR takes them, each with a constant 1 as its last entry. */
typedef struct gb_liblinear gb_liblinear;

typedef enum gb_linear_loss {
    GB_LINEAR_SQUARED_HINGE, /* max(0, 1 - y f)^2, y -1 or 1 */
    GB_LINEAR_SQUARES        /* (y - f)^2: ridge regression */
} gb_linear_loss;

/** @param rows  not looked at afterwards
 * @return GB_OK, GB_EARGUMENT (more rows or columns than an int can number), GB_EIO (LIBLINEAR is not installed) or
 * GB_ENOMEM */
gb_status gb_liblinear_create(const gb_sparse_columns *rows, uint64_t n_columns, gb_liblinear **out, gb_error *err);
void gb_liblinear_free(gb_liblinear *l);

/** Bytes of an entry. */
size_t gb_liblinear_entry_bytes(void);
/** Bytes of a fit of n documents; no fewer than LIBLINEAR takes for itself meanwhile. */
size_t gb_liblinear_fit_bytes(uint64_t n_columns, uint64_t n);

/**
 * Minimise w'w / 2 + cost * sum of losses, f = w'(x, 1).
 *
 * @param n       documents to fit, at least 1; of -1 and 1 both must occur
 * @param row     n numbers of documents
 * @param y       n values
 * @param weight  n_columns + 1 numbers: where to begin with the hinge; receives the minimum, the constant's weight last
 * @return GB_OK or GB_ENOMEM
 *
 * Different threads may call it at the same time.  It cannot be interrupted, and depends on its arguments only: the solvers
 * chosen (trust-region Newton) use no random numbers.  LIBLINEAR itself does not check for memory that it does not get, so as much
 * as it takes is asked for first, and given back: only if another thread takes it in between does the process end. */
gb_status gb_liblinear_fit(const gb_liblinear *l, gb_linear_loss loss, double cost, uint64_t n, const uint64_t *row,
                           const double *y, double *weight, gb_error *err);

#endif
