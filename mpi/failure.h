/* mpi/failure.h - what MPI says when a call fails. */
#ifndef GB_MPI_FAILURE_H
#define GB_MPI_FAILURE_H

#include "base/status.h"

#include <mpi.h>

/** GB_OK, or GB_ERANK with the text of the error that the call `what` has given. */
gb_status gb_mpi_check(int code, const char *what, gb_error *err);

#endif
