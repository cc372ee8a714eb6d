/* mpi/module.c - MPI is started and ended; what the program asks of the module. */
#include "team/module.h"

#include "base/memory.h"
#include "ending.h"
#include "failure.h"
#include "team.h"

#include <ctype.h>
#include <string.h>

static const size_t PIECE = (size_t)1 << 30;

GB_API const gb_team_module *gb_mpi_module(void);

/* "MPICH Version:      4.0.2\n..." and "Open MPI v4.1.4, package: ...": the beginning without the blanks. */
static void name_library(char *out, size_t size)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "MPI";
    int length = 0;
    size_t n = 0;
    (void)MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (const char *at = text; *at != '\0' && n + 1 < size; at++)
        if (*at != ':' && !(isspace((unsigned char)*at) && isspace((unsigned char)at[1])))
            out[n++] = isspace((unsigned char)*at) ? ' ' : *at;
    out[n] = '\0';
}

/* Transfers move by a thread of their own where MPI allows several threads. */
static gb_status start_mpi(bool *is_ours, bool *has_threads, gb_error *err)
{
    gb_status st;
    int has_begun = 0, has_ended = 0, level = MPI_THREAD_SINGLE;
    GB_TRY(gb_mpi_check(MPI_Initialized(&has_begun), "MPI_Initialized", err));
    GB_TRY(gb_mpi_check(MPI_Finalized(&has_ended), "MPI_Finalized", err));
    if (has_ended)
        return gb_fail(err, GB_EARGUMENT, "a process joins other ranks once: MPI has ended here");
    if (has_begun)
        GB_TRY(gb_mpi_check(MPI_Query_thread(&level), "MPI_Query_thread", err));
    else
        GB_TRY(gb_mpi_check(MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread", err));
    *is_ours = !has_begun;
    *has_threads = level == MPI_THREAD_MULTIPLE;
done:
    return st;
}

void gb_mpi_world_release(gb_mpi_world *world)
{
    if (--world->n_holders > 0)
        return;
    gb_mpi_mover_free(world->mover);
    if (world->is_ours)
        gb_mpi_end();
    gb_free(world);
}

static gb_status open_world(size_t piece, gb_team **out, gb_error *err)
{
    gb_status st;
    bool has_threads = false;
    gb_mpi_world *world = NULL;
    MPI_Comm comm;
    GB_TRY(gb_alloc(&world, 1, sizeof *world, "MPI", err));
    world->n_holders = 1;
    world->piece = piece == 0 ? PIECE : piece;
    GB_TRY(start_mpi(&world->is_ours, &has_threads, err));
    GB_TRY(gb_mpi_mover_create(has_threads, &world->mover, err));
    GB_TRY(gb_mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup", err));
    GB_TRY(gb_mpi_team_create(world, comm, out, err));
done:
    if (world != NULL)
        gb_mpi_world_release(world);
    return st;
}

const gb_team_module *gb_mpi_module(void)
{
    static const gb_team_module module = {
        .version = GB_TEAM_MODULE_VERSION, .gibbous = GB_VERSION, .name_library = name_library, .open = open_world};
    return &module;
}
