/* mpi/ending.h - MPI ends in this process. */
#ifndef GB_MPI_ENDING_H
#define GB_MPI_ENDING_H

/** All processes call it, with no message under way. */
void gb_mpi_end(void);

#endif
