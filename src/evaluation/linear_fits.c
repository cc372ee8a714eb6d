/* evaluation/linear_fits.c - linear models of all questions of a response, one for each of several costs. */
#include "evaluation/linear_fits.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

/* @return true if both answers occur; else there is nothing to fit, and the constant alone answers */
static bool fill_values(const gb_linear_fits *f, size_t problem, double *y)
{
    bool differs = false;
    for (uint64_t i = 0; i < f->n_fitted; i++) {
        y[i] = gb_linear_value(f->targets, problem, f->fitted[i]);
        differs = differs || y[i] != y[0];
    }
    return differs;
}

static void answer_always(double *weight, uint64_t n_columns, double y, bool is_number)
{
    weight[n_columns] = is_number ? y : y > 0 ? INFINITY : -INFINITY;
}

static void score_tested(const gb_linear_fits *f, size_t cost, size_t problem, const double *weight)
{
    const size_t n_problems = gb_linear_n_problems(f->targets->target);
    double *score = GB_FROM(f->score, cost * f->n_tested * n_problems);
    for (uint64_t i = 0; i < f->n_tested; i++)
        score[i * n_problems + problem] =
            gb_sparse_columns_dot(f->rows, f->tested[i], weight) + weight[f->rows->n_columns];
}

static gb_status fit_problem(void *context, size_t problem, size_t worker, gb_error *err)
{
    gb_status st;
    const gb_linear_fits *f = context;
    const bool is_number = f->targets->target->task == GB_TASK_REGRESSION;
    double *y = NULL, *weight = f->weight + problem * (f->rows->n_columns + 1);
    GB_TRY(gb_alloc(&y, f->n_fitted, sizeof *y, "a linear model", err));
    if (!f->begins_there)
        memset(weight, 0, (f->rows->n_columns + 1) * sizeof *weight);
    const bool differs = fill_values(f, problem, y);
    if (!differs)
        answer_always(weight, f->rows->n_columns, y[0], is_number);
    for (size_t c = 0; c < f->n_costs; c++) {
        if (!f->on_fit(f->user, worker)) {
            st = gb_fail(err, GB_ESTOP, "stopped");
            goto done;
        }
        if (differs)
            GB_TRY(gb_linear_solve(f->rows, is_number ? GB_LINEAR_SQUARES : GB_LINEAR_SQUARED_HINGE, f->cost[c],
                                   f->n_fitted, f->fitted, y, weight, err));
        score_tested(f, c, problem, weight);
    }
done:
    gb_free(y);
    return st;
}

gb_status gb_linear_fits_run(const gb_linear_fits *fits, gb_error *err)
{
    gb_linear_fits copy = *fits;
    return gb_parallel_for(gb_linear_n_problems(fits->targets->target), fits->n_threads, fit_problem, &copy, err);
}
