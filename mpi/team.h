/* mpi/team.h - a team whose ranks are the processes of an MPI communicator. */
#ifndef GB_MPI_TEAM_H
#define GB_MPI_TEAM_H

#include "mover.h"
#include "team/team.h"

/** What all teams of this process share. */
typedef struct gb_mpi_world {
    size_t n_holders; /* teams, and who makes the first one; the last of them takes it along */
    size_t piece;     /* bytes that one message takes at most */
    bool is_ours;     /* MPI was started here, and ends here */
    gb_mpi_mover *mover;
} gb_mpi_world;

/** A team of the processes of a communicator.
 * @param comm  becomes the team's, also on failure */
gb_status gb_mpi_team_create(gb_mpi_world *world, MPI_Comm comm, gb_team **out, gb_error *err);

/** One holder less. */
void gb_mpi_world_release(gb_mpi_world *world);

#endif
