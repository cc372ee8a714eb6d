/* team/launcher.c - what the environment says of the program that has started this one. */
#include "team/launcher.h"

#include "team/module.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Launchers start each other: mpirun may use srun to reach other machines.  The one that starts the ranks comes first. */
static const gb_launcher launchers[] = {
    /* Open MPI and its kin */
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
    /* MVAPICH */
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK"},
    /* MPICH, Intel MPI, Cray, srun with PMI */
    {"PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
    /* jsrun */
    {"JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_LOCAL_RANK"},
    /* flux run */
    {"FLUX_JOB_SIZE", "FLUX_TASK_RANK", "FLUX_TASK_LOCAL_ID"},
    /* srun; a batch script is no step */
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"},
};

enum { N_LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* False if the variable is not set to a whole number. */
static bool read_number(const char *variable, size_t *out)
{
    const char *text = getenv(variable);
    if (text == NULL || !isdigit((unsigned char)*text))
        return false;
    char *end;
    *out = strtoul(text, &end, 10);
    return *end == '\0';
}

const gb_launcher *gb_launcher_find(size_t *size, size_t *rank, size_t *local_rank)
{
    for (size_t i = 0; i < N_LAUNCHERS; i++) {
        const gb_launcher *launcher = &launchers[i];
        if (!read_number(launcher->size, size) || *size == 0 || !read_number(launcher->rank, rank))
            continue;
        if (!read_number(launcher->local_rank, local_rank))
            *local_rank = 0;
        return launcher;
    }
    *size = 1;
    *rank = *local_rank = 0;
    return NULL;
}

size_t gb_team_launched(size_t *rank, size_t *local_rank)
{
    size_t size = 1, own = 0, local = 0;
    const char *module = getenv(GB_TEAM_MODULE_VARIABLE);
    if (module == NULL || strcmp(module, GB_TEAM_NO_MODULE) != 0)
        (void)gb_launcher_find(&size, &own, &local);
    if (rank != NULL)
        *rank = own;
    if (local_rank != NULL)
        *local_rank = local;
    return size;
}
