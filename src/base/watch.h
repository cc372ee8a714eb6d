/* base/watch.h - long work that tells its caller how far it is and stops when the caller says so.
 *
 * Work on several threads looks at the watch now and then, at least every tenth of a second.  Worker 0 of gb_parallel_for()
 * is the thread that called it: only there is the caller's function called, and never again once it has said stop. */
#ifndef GB_BASE_WATCH_H
#define GB_BASE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gb_watch {
    bool (*ask)(void *context); /* false: stop.  NULL: nobody is to be asked */
    void *context;
    double interval; /* seconds between two questions; gb_watch_start() sets a tenth */
    double next;     /* when to ask again, in seconds of the clock */
    atomic_bool is_stopped;
} gb_watch;

/** Seconds of a clock that only goes forward. */
double gb_seconds(void);

void gb_watch_start(gb_watch *watch, bool (*ask)(void *context), void *context);

/** Whether the work goes on; asks the caller if that is due and `worker` is 0.  Costs a look at the clock. */
bool gb_watch_look(gb_watch *watch, size_t worker);

/** Ask whether or not it is due; from the calling thread only. */
bool gb_watch_ask(gb_watch *watch);

#endif
