/* base/watch.c - long work that tells its caller how far it is and stops when the caller says so. */
#include "base/watch.h"

#include <time.h>

double gb_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void gb_watch_start(gb_watch *watch, bool (*ask)(void *context), void *context)
{
    watch->ask = ask;
    watch->context = context;
    watch->interval = 0.1;
    watch->next = gb_seconds() + watch->interval;
    atomic_init(&watch->is_stopped, false);
}

bool gb_watch_ask(gb_watch *watch)
{
    if (atomic_load(&watch->is_stopped))
        return false;
    if (watch->ask == NULL)
        return true;
    if (!watch->ask(watch->context))
        atomic_store(&watch->is_stopped, true);
    watch->next = gb_seconds() + watch->interval;
    return !atomic_load(&watch->is_stopped);
}

bool gb_watch_look(gb_watch *watch, size_t worker)
{
    if (atomic_load_explicit(&watch->is_stopped, memory_order_relaxed))
        return false;
    if (worker != 0 || watch->ask == NULL || gb_seconds() < watch->next)
        return true;
    return gb_watch_ask(watch);
}
