/* base/parallel.c - tasks on threads: who does which, and what failed.  Threads themselves are in crew.c. */
#include "base/parallel.h"

#include "base/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The innermost pool that this thread has open; NULL also while it does a task on several threads, which may have a pool of its own. */
static _Thread_local gb_pool *open_pool;

static _Thread_local gb_watch *watched;

gb_watch *gb_parallel_watch(gb_watch *watch)
{
    gb_watch *const before = watched;
    watched = watch;
    return before;
}

void gb_pool_open(gb_pool *pool)
{
    *pool = (gb_pool){.outer = open_pool};
    if (open_pool == NULL)
        open_pool = pool;
}

void gb_pool_close(gb_pool *pool)
{
    if (pool->outer != NULL)
        return;
    open_pool = NULL;
    gb_crew_free(pool->crew);
    pool->crew = NULL;
}

/* ---- tasks of one call ---- */

typedef struct failure {
    pthread_mutex_t lock;
    size_t task; /* the lowest so far; the number of tasks while there is none */
    gb_error error;
} failure;

typedef struct call {
    gb_task *run;
    void *context;
    gb_watch *watch;
    failure failed;
} call;

static gb_status ask_and_run(const call *c, size_t task, size_t worker, gb_error *err)
{
    if (c->watch != NULL && !gb_watch_look(c->watch, worker))
        return gb_fail(err, GB_ESTOP, "stopped by the caller");
    return c->run(c->context, task, worker, err);
}

static void run_task(void *context, size_t task, size_t worker)
{
    call *c = context;
    gb_error error = {.status = GB_OK};
    const gb_status st = ask_and_run(c, task, worker, &error);
    if (st == GB_OK)
        return;
    (void)pthread_mutex_lock(&c->failed.lock);
    if (task < c->failed.task) {
        c->failed.task = task;
        c->failed.error = error;
        c->failed.error.status = st;
    }
    (void)pthread_mutex_unlock(&c->failed.lock);
}

static gb_status run_alone(const call *c, size_t n_tasks, gb_error *err)
{
    for (size_t task = 0; task < n_tasks; task++) {
        const gb_status st = ask_and_run(c, task, 0, err);
        if (st != GB_OK)
            return st;
    }
    return GB_OK;
}

static gb_status run_together(call *c, gb_crew *crew, size_t n_tasks, size_t n_threads, gb_error *err)
{
    c->failed.task = n_tasks;
    (void)pthread_mutex_init(&c->failed.lock, NULL);
    gb_pool *const outside = open_pool;
    open_pool = NULL;
    gb_crew_run(crew, n_tasks, n_threads, run_task, c);
    open_pool = outside;
    (void)pthread_mutex_destroy(&c->failed.lock);
    if (c->failed.task == n_tasks)
        return GB_OK;
    if (err != NULL)
        *err = c->failed.error;
    return c->failed.error.status;
}

gb_status gb_parallel_for(size_t n_tasks, size_t n_threads, gb_task *run, void *context, gb_error *err)
{
    if (n_threads > n_tasks)
        n_threads = n_tasks;
    call c = {.run = run, .context = context, .watch = watched};
    if (n_threads <= 1 || n_tasks >= GB_CREW_TASKS)
        return run_alone(&c, n_tasks, err);
    gb_pool pool;
    gb_pool_open(&pool);
    gb_crew **crew = &open_pool->crew;
    if (*crew != NULL && gb_crew_size(*crew) < n_threads) {
        gb_crew_free(*crew);
        *crew = NULL;
    }
    if (*crew == NULL)
        *crew = gb_crew_create(n_threads);
    const gb_status st =
        *crew == NULL ? run_alone(&c, n_tasks, err) : run_together(&c, *crew, n_tasks, n_threads, err);
    gb_pool_close(&pool);
    return st;
}
