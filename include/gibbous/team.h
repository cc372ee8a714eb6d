/* gibbous/team.h - ranks: processes, on one machine or several, that work on one thing together.
 *
 * `mpirun -n 4 program` or `srun -n 4 program` starts a program four times; each of the four is a rank.  All ranks run the same program
 * with the same arguments.  Ranks communicate by MPI, through a module of its own. A program that
 * no launcher has started never opens this module, and needs no MPI. */
#ifndef GIBBOUS_TEAM_H
#define GIBBOUS_TEAM_H

#include "gibbous/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A team of ranks, as seen by one of them.  NULL is a process alone. */
typedef struct gb_team gb_team;

/**
 * The ranks that the launcher (mpirun, mpiexec, srun) has started together with this process, by its environment; nothing is
 * opened.
 *
 * @param rank        receives the number of this rank, from 0; may be NULL
 * @param local_rank  receives its number among those on the same machine, 0 if that is not known; may be NULL
 * @return their number; 1 without a launcher, or if GIBBOUS_MPI_MODULE is "none"
 */
GB_API size_t gb_team_launched(size_t *rank, size_t *local_rank);

/**
 * Join the other ranks, if there are any.  All ranks call it, at the beginning, before they start threads.
 *
 * @param out  receives the team; NULL if gb_team_launched() says 1.  End it by gb_team_leave() and gb_team_free().  Untouched on
 *             failure
 * @return GB_OK, GB_EIO (no module for MPI, a module of another version, or of another MPI than the launcher), GB_ERANK or GB_ENOMEM
 *
 * The module is the file that the environment variable GIBBOUS_MPI_MODULE names, else libgibbous-mpi.so beside this library,
 * beside the program, or in the folder that it was installed in.  With GIBBOUS_MPI_MODULE=none a process is alone, whatever the
 * launcher says.  MPI is started unless the program has done so.
 *
 * A process joins once: after gb_team_free() MPI has ended for good.  All calls with a team come from the thread that joined.
 */
GB_API gb_status gb_team_open(gb_team **out, gb_error *err);

/**
 * The MPI library by which ranks would communicate, such as "MPICH 4.0.2"; its module is opened, but MPI is not started.
 *
 * @param out  receives the name, cut off after size - 1 bytes
 * @return GB_OK, or GB_EIO if there is no module, or none that can be opened: the message says why
 */
GB_API gb_status gb_team_describe(char *out, size_t size, gb_error *err);

/** The number of this rank, from 0. */
GB_API size_t gb_team_rank(const gb_team *team);

/** How many ranks there are; 1 if `team` is NULL. */
GB_API size_t gb_team_size(const gb_team *team);

/**
 * Send bytes of one rank, a random seed for example, to all ranks.  All ranks call it.
 *
 * @param from     the rank that has them
 * @param n_bytes  the same at all ranks
 * @return GB_OK, or GB_ERANK if another rank has failed; GB_OK at once if `team` is NULL
 */
GB_API gb_status gb_team_broadcast(gb_team *team, size_t from, void *bytes, size_t n_bytes, gb_error *err);

/**
 * Say how this rank's work has ended, before gb_team_free().  Every rank calls it, whatever its status.
 *
 * @param status   GB_OK, or the failure
 * @param message  why it failed, for the user, if this rank has to end all ranks; may be NULL
 * @return whether this rank shall report a failure to the user: true for one of the ranks that failed (one with
 *         a status other than GB_ERANK, if there is one), for rank 0 if none failed, and if `team` is NULL
 *
 * A rank that has not failed waits for all others.  A rank that has failed waits some seconds, because most failures, such as a missing
 * input, are those of all ranks.  If the others have not called this by then, they may be waiting for this rank, so it ends all ranks.
 */
GB_API bool gb_team_leave(gb_team *team, gb_status status, const char *message);

/** Leave the other ranks for good; accepts NULL.  Waits until all ranks do. */
GB_API void gb_team_free(gb_team *team);

#ifdef __cplusplus
}
#endif

#endif
