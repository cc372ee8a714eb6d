/* evaluation/linear_solver.h - the minimum of a linear model of documents. */
#ifndef GB_EVALUATION_LINEAR_SOLVER_H
#define GB_EVALUATION_LINEAR_SOLVER_H

#include "design/sparse_columns.h"

typedef enum gb_linear_loss {
    GB_LINEAR_SQUARED_HINGE, /* max(0, 1 - y f)^2, y -1 or 1 */
    GB_LINEAR_SQUARES        /* (y - f)^2: ridge regression */
} gb_linear_loss;

/** Bytes that a fit of n documents takes. */
size_t gb_linear_solver_bytes(uint64_t n_columns, uint64_t n);

/**
 * Minimise w'w / 2 + cost * sum of losses, f = w'(x, 1).
 *
 * @param rows    the documents
 * @param n       documents to fit, at least 1
 * @param row     n numbers of documents
 * @param y       n values
 * @param weight  rows->n_columns + 1 numbers: where to begin; receives the minimum, the constant's weight last
 * @return GB_OK or GB_ENOMEM
 *
 * It uses no random numbers, and depends on its arguments only. */
gb_status gb_linear_solve(const gb_sparse_columns *rows, gb_linear_loss loss, double cost, uint64_t n,
                          const uint64_t *row, const double *y, double *weight, gb_error *err);

#endif
