/* base/parallel.h - the only place where threads are started.
 *
 * A task's result may depend on its number, never on the worker that does it or on the order of tasks; then
 * the bits are the same on any number of threads. */
#ifndef GB_BASE_PARALLEL_H
#define GB_BASE_PARALLEL_H

#include "base/status.h"

#include <stddef.h>

/**
 * One task: `task` in 0..n_tasks-1, `worker` in 0..n_threads-1 (for scratch memory).  A failure is returned
 * by gb_parallel_for(): the one with the smallest task number, so the message does not depend on timing.
 */
typedef gb_status gb_task(void *context, size_t task, size_t worker, gb_error *err);

/** Run all tasks on at most `n_threads` threads; returns when all have ended. */
gb_status gb_parallel_for(size_t n_tasks, size_t n_threads, gb_task *run, void *context, gb_error *err);

/** Processors that this process may use; the default number of threads. */
size_t gb_available_threads(void);

#endif
