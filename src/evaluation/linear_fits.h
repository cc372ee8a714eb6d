/* evaluation/linear_fits.h - linear models of all questions of a response, one for each of several costs. */
#ifndef GB_EVALUATION_LINEAR_FITS_H
#define GB_EVALUATION_LINEAR_FITS_H

#include "evaluation/linear_solver.h"
#include "evaluation/linear_targets.h"

/** Called before each fit, on any thread; `worker` is 0 on the one that called.  Returns whether to go on. */
typedef bool gb_linear_on_fit(void *user, size_t worker);

typedef struct gb_linear_fits {
    const gb_sparse_columns *rows;
    const gb_linear_targets *targets;
    uint64_t n_fitted;
    const uint64_t *fitted; /* documents to fit */
    uint64_t n_tested;
    const uint64_t *tested; /* documents to score */
    size_t n_costs;
    const double *cost; /* ascending */
    double *score;      /* receives n_costs x n_tested x problems; NULL if none is tested */
    double *weight;     /* problems x (rows->n_columns + 1), the constant last; receives those of the last cost */
    bool begins_there;  /* with these weights, of fits to the same documents; else with 0 */
    size_t n_threads;
    gb_linear_on_fit *on_fit;
    void *user;
} gb_linear_fits;

/** Fit each question with each cost; of classes a fit begins where the one with the cost before it ended.
 *
 * A question that all documents answer alike has no weights: the constant answers it always, with an infinite score.
 *
 * @return GB_OK, GB_ESTOP or GB_ENOMEM.  The result does not depend on the number of threads. */
gb_status gb_linear_fits_run(const gb_linear_fits *fits, gb_error *err);

#endif
