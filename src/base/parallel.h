/* base/parallel.h - the only place where threads are started.
 *
 * A task's result may depend on its number, never on the worker that does it or on the order of tasks; then
 * the bits are the same on any number of threads. */
#ifndef GB_BASE_PARALLEL_H
#define GB_BASE_PARALLEL_H

#include "base/status.h"
#include "base/watch.h"

#include <stddef.h>

/**
 * One task: `task` in 0..n_tasks-1, `worker` in 0..n_threads-1 (for scratch memory).  Worker 0 is the thread that called
 * gb_parallel_for().  A failure is returned by gb_parallel_for(): the one with the smallest task number, so the message
 * does not depend on timing.
 */
typedef gb_status gb_task(void *context, size_t task, size_t worker, gb_error *err);

/**
 * Run all tasks on at most `n_threads` threads, the calling one among them; returns when all have ended.  Tasks start in
 * order, unless there are as many as threads: then a thread prefers the task with its own number, whose data may still be in
 * its cache.  If the system gives fewer threads, these do all tasks.
 */
gb_status gb_parallel_for(size_t n_tasks, size_t n_threads, gb_task *run, void *context, gb_error *err);

/** From now on, calls of gb_parallel_for() by this thread ask before each task, and end with GB_ESTOP when the work is to stop.
 * @param watch  borrowed; NULL: nobody is asked
 * @return what was asked before, to be put back */
gb_watch *gb_parallel_watch(gb_watch *watch);

/**
 * Threads that wait between calls of gb_parallel_for().  Without an open pool every call starts threads of its own and
 * ends them, some twenty microseconds each.  Work of many short calls opens a pool around them, in its own memory:
 *
 *     gb_pool pool;
 *     gb_pool_open(&pool);
 *     ...                      calls of gb_parallel_for() by this thread
 *     gb_pool_close(&pool);    from the same thread; its threads end here
 *
 * A pool belongs to the thread that opened it.  Opening one while another is open does nothing.
 */
typedef struct gb_pool {
    struct gb_crew *crew; /* NULL until a call needs threads */
    struct gb_pool *outer;
} gb_pool;

void gb_pool_open(gb_pool *pool);
void gb_pool_close(gb_pool *pool);

#endif
