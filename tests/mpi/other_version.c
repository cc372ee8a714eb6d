/* tests/mpi/other_version.c - a module of another version of the program. */
#include "team/module.h"

GB_API const gb_team_module *gb_mpi_module(void);

const gb_team_module *gb_mpi_module(void)
{
    static const gb_team_module module = {.version = GB_TEAM_MODULE_VERSION + 1, .gibbous = GB_VERSION};
    return &module;
}
