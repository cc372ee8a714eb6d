/* team/open.c - the module for MPI is found and opened when a launcher has started several ranks. */
#include "base/system.h"
#include "team/launcher.h"
#include "team/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where the module is --------------------------------------------------------------------------- */

/* The file of the module in the folder of `path`, or in another one that is named from there; false if there is none. */
static bool is_beside(const char *path, const char *other, char *out)
{
    const char *slash = strrchr(path, '/');
    if (*path != '/' || slash == NULL)
        return false;
    const int length =
        snprintf(out, GB_PATH_ROOM, "%.*s/%s%s", (int)(slash - path), path, other, GB_TEAM_MODULE_FILE);
    return length < GB_PATH_ROOM && gb_path_look(out, true, NULL);
}

static bool find_module(char *out)
{
    char path[GB_PATH_ROOM];
    const char *named = getenv(GB_TEAM_MODULE_VARIABLE);
    if (named != NULL && *named != '\0')
        return snprintf(out, GB_PATH_ROOM, "%s", named) < GB_PATH_ROOM;
    if (gb_module_of(GB_TEAM_MODULE_FILE, path) && is_beside(path, "", out))
        return true;
    if (gb_module_of_program(path) && (is_beside(path, "", out) || is_beside(path, GIBBOUS_LIB_FROM_BIN "/", out)))
        return true;
    return is_beside(GIBBOUS_LIBDIR "/", "", out);
}

/* ---- opening --------------------------------------------------------------------------------------- */

/* What is wrong, and what to do. */
static gb_status open_module(const gb_team_module **out, gb_error *err)
{
    char path[GB_PATH_ROOM];
    const char *named = getenv(GB_TEAM_MODULE_VARIABLE);
    if (named != NULL && strcmp(named, GB_TEAM_NO_MODULE) == 0)
        return gb_fail(err, GB_EIO, GB_TEAM_MODULE_VARIABLE " is " GB_TEAM_NO_MODULE);
    if (!GIBBOUS_HAS_MPI && named == NULL)
        return gb_fail(
            err, GB_EIO,
            "this gibbous was built without MPI: install libmpich-dev or libopenmpi-dev and build it again");
    if (!find_module(path))
        return gb_fail(err, GB_EIO,
                       "%s is not beside the program: install it there, or name it in " GB_TEAM_MODULE_VARIABLE,
                       GB_TEAM_MODULE_FILE);
    const char *why;
    void *found = gb_module_find(path, GB_TEAM_MODULE_FUNCTION, &why);
    if (found == NULL)
        return gb_fail(err, GB_EIO, "the module for MPI cannot be opened: %s; is the package %s installed?", why,
                       GIBBOUS_MPI_PACKAGE);
    gb_team_module_function *function = NULL;
    memcpy(&function, &found, sizeof function); /* a pointer to data becomes a pointer to a function */
    const gb_team_module *module = function();
    if (module == NULL || module->version != GB_TEAM_MODULE_VERSION || module->gibbous != GB_VERSION)
        return gb_fail(err, GB_EIO, "%s is of another gibbous than %s: install both together", path, gb_version());
    *out = module;
    return GB_OK;
}

gb_status gb_team_describe(char *out, size_t size, gb_error *err)
{
    const gb_team_module *module = NULL;
    const gb_status st = open_module(&module, err);
    if (st == GB_OK)
        module->name_library(out, size);
    return st;
}

static gb_status refuse(const gb_launcher *launcher, size_t size, const char *why, gb_error *err)
{
    return gb_fail(err, GB_EIO,
                   "%zu ranks were started (%s), but %s; " GB_TEAM_MODULE_VARIABLE
                   "=none lets each process work on its own",
                   size, launcher->size, why);
}

/* An MPI that another one's launcher has started knows only its own process. */
static gb_status refuse_other_launcher(const gb_launcher *launcher, size_t size, const gb_team_module *module,
                                       gb_error *err)
{
    char library[256], why[400];
    module->name_library(library, sizeof library);
    (void)snprintf(why, sizeof why, "%s sees only one: the launcher is another MPI's; take the mpirun of this one",
                   library);
    return refuse(launcher, size, why, err);
}

gb_status gb_team_open_in_pieces(size_t piece, gb_team **out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_team *team = NULL;
    const gb_team_module *module = NULL;
    size_t size, rank, local_rank;
    if (gb_team_launched(NULL, NULL) > 1) {
        gb_error why = {.status = GB_OK};
        const gb_launcher *launcher = gb_launcher_find(&size, &rank, &local_rank);
        if (open_module(&module, &why) != GB_OK)
            return refuse(launcher, size, why.message, err);
        GB_TRY(module->open(piece, &team, err));
        if (team->size == 1)
            GB_TRY(refuse_other_launcher(launcher, size, module, err));
    }
    *out = team;
    team = NULL;
done:
    gb_team_free(team);
    return st;
}

gb_status gb_team_open(gb_team **out, gb_error *err)
{
    return gb_team_open_in_pieces(0, out, err);
}
