/* base/parallel.c - the only place where threads are started (OpenMP). */
#include "base/parallel.h"

#include <omp.h>

size_t gb_available_threads(void)
{
    int n = omp_get_num_procs();
    return n < 1 ? 1 : (size_t)n;
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
    size_t failed_task = n_tasks;
    gb_error first = {.status = GB_OK};
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)n_threads) default(none)                              \
    shared(n_tasks, run, context, failed_task, first)
    for (size_t task = 0; task < n_tasks; task++) {
        gb_error mine = {.status = GB_OK};
        gb_status st = run(context, task, (size_t)omp_get_thread_num(), &mine);
        if (st != GB_OK) {
#pragma omp critical(gb_parallel_failure)
            if (task < failed_task) {
                failed_task = task;
                first = mine;
                first.status = st;
            }
        }
    }
    if (failed_task < n_tasks) {
        if (err != NULL)
            *err = first;
        return first.status;
    }
    return GB_OK;
}
