/* base/parallel.c - the only place where threads are started (OpenMP). */
#include "base/parallel.h"

#include <omp.h>

size_t gb_available_threads(void)
{
    int n = omp_get_num_procs();
    return n < 1 ? 1 : (size_t)n;
}

/* The failure of the lowest task so far. */
typedef struct failure {
    size_t task;
    gb_error error;
} failure;

/* `error` is the task's own. */
static void run_task(gb_task *run, void *context, size_t task, gb_error *error, failure *f)
{
    const gb_status st = run(context, task, (size_t)omp_get_thread_num(), error);
    if (st == GB_OK)
        return;
    error->status = st;
#pragma omp critical(gb_parallel_failure)
    {
        if (task < f->task)
            *f = (failure){.task = task, .error = *error};
    }
}

gb_status gb_parallel_for(size_t n_tasks, size_t n_threads, gb_task *run, void *context, gb_error *err)
{
    if (n_threads > n_tasks)
        n_threads = n_tasks;
    if (n_threads <= 1) {
        for (size_t task = 0; task < n_tasks; task++) {
            gb_status st = run(context, task, 0, err);
            if (st != GB_OK)
                return st;
        }
        return GB_OK;
    }
    failure f = {.task = n_tasks};
    if (n_tasks == n_threads) { /* the same thread each time: what a task reads may still be in its cache */
#pragma omp parallel for schedule(static, 1) num_threads((int)n_threads) default(none)                               \
    shared(n_tasks, run, context, f)
        for (size_t task = 0; task < n_tasks; task++) {
            gb_error error = {.status = GB_OK};
            run_task(run, context, task, &error, &f);
        }
    } else {
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)n_threads) default(none)                              \
    shared(n_tasks, run, context, f)
        for (size_t task = 0; task < n_tasks; task++) {
            gb_error error = {.status = GB_OK};
            run_task(run, context, task, &error, &f);
        }
    }
    if (f.task < n_tasks) {
        if (err != NULL)
            *err = f.error;
        return f.error.status;
    }
    return GB_OK;
}
