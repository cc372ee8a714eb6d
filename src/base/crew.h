/* base/crew.h - threads that wait for work.  Only base/parallel.c uses it. */
#ifndef GB_BASE_CREW_H
#define GB_BASE_CREW_H

#include <stddef.h>

typedef struct gb_crew gb_crew;

/** Fewer tasks than this may be run at once. */
#define GB_CREW_TASKS 0xffffffffu

/**
 * Start `n` - 1 threads, which with the calling one make n workers; or as many as the system gives.
 *
 * @return NULL when there is no memory or not one thread; free it with gb_crew_free()
 */
gb_crew *gb_crew_create(size_t n);

/** The n that was asked for. */
size_t gb_crew_size(const gb_crew *crew);

/** Run tasks 0..n_tasks-1 on at most n_workers workers (no more than the crew's size); returns when all have ended.  From the
 * thread that made the crew, which is worker 0. */
void gb_crew_run(gb_crew *crew, size_t n_tasks, size_t n_workers,
                 void (*run)(void *context, size_t task, size_t worker), void *context);

/** End the threads; accepts NULL. */
void gb_crew_free(gb_crew *crew);

#endif
