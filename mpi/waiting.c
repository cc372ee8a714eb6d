/* mpi/waiting.c - waiting for other ranks without keeping a processor busy. */
#include "waiting.h"

#include <time.h>

enum {
    N_AT_ONCE = 1000, /* some tenths of a millisecond: most waiting is shorter */
    PAUSE = 50000     /* nanoseconds; the system makes twice as many of it */
};

void gb_mpi_pause(gb_mpi_waiting *waiting)
{
    const struct timespec pause = {0, PAUSE};
    if (waiting->n_asked == N_AT_ONCE)
        (void)nanosleep(&pause, NULL);
    else
        waiting->n_asked++;
}

double gb_mpi_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
