/* mpi/waiting.h - waiting for other ranks without keeping a processor busy.
 *
 * MPI's own calls that wait ask all the time.  A rank that waits for long asks more and more seldom instead, so that ranks which
 * share a processor, in tests for one, do not wait for each other's waiting. */
#ifndef GB_MPI_WAITING_H
#define GB_MPI_WAITING_H

#include <stdbool.h>

/** How long somebody has waited; begins as {0}. */
typedef struct gb_mpi_waiting {
    unsigned n_asked;
} gb_mpi_waiting;

/** Let some time pass before asking again: none at first, up to 0.1 ms later on. */
void gb_mpi_pause(gb_mpi_waiting *waiting);

/** Seconds since some moment. */
double gb_mpi_now(void);

#endif
