/* mpi/mover.h - bytes that travel while ranks compute.
 *
 * MPI moves the bytes of a long message only while somebody calls it.  A thread does so while transfers are under way, and sleeps
 * at other times.  Where the MPI library does not allow several threads there is none, and bytes move when the rank waits for
 * them. */
#ifndef GB_MPI_MOVER_H
#define GB_MPI_MOVER_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>

typedef struct gb_mpi_mover gb_mpi_mover;

/** A transfer, in messages that are under way. */
typedef struct gb_mpi_flight {
    MPI_Request *request; /* owned, n_requests */
    size_t n_requests, n_ended;
    int code;                   /* of a message that failed, or MPI_SUCCESS */
    struct gb_mpi_flight *next; /* that is under way */
} gb_mpi_flight;

/** @param has_thread  whether MPI allows one */
gb_status gb_mpi_mover_create(bool has_thread, gb_mpi_mover **out, gb_error *err);
/** No transfer is under way any more; accepts NULL. */
void gb_mpi_mover_free(gb_mpi_mover *mover);

/** Look after a transfer that has begun. */
void gb_mpi_mover_add(gb_mpi_mover *mover, gb_mpi_flight *flight);
/** Wait until it has ended.  @return MPI's code */
int gb_mpi_mover_finish(gb_mpi_mover *mover, gb_mpi_flight *flight);

#endif
