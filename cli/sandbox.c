/* cli/sandbox.c - what a call may still do under --sandbox. */
#include "sandbox.h"

#include "named_files.h"
#include "verbs.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

/* What says how many processors this process may use. */
static const char *const of_the_system[] = {"/proc/self/cgroup", "/sys/fs/cgroup"};

/* ---- inputs ---- */

static gb_status add_shard(void *reach, const char *path, gb_error *err)
{
    return cli_reach_add(reach, path, CLI_ACCESS_READ, err);
}

static gb_status add_inputs(cli_reach *reach, const cli_file_list *inputs, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < inputs->n && st == GB_OK; i++) {
        if (strcmp(inputs->file[i].path, "-") == 0) /* open already; a file with that name is another one */
            continue;
        st = cli_reach_add(reach, inputs->file[i].path, CLI_ACCESS_READ, err);
        if (st == GB_OK)
            st = cli_visit_shards(inputs->file[i].path, add_shard, reach, err);
    }
    for (size_t i = 0; i < sizeof of_the_system / sizeof *of_the_system && st == GB_OK; i++)
        st = cli_reach_add(reach, of_the_system[i], CLI_ACCESS_READ, err);
    return st;
}

/* ---- outputs ---- */

/* A new file is made in the folder of its target, which a link may name; a device or a pipe is written to itself. */
static gb_status add_output(cli_reach *reach, const char *path, gb_error *err)
{
    char place[PATH_MAX];
    struct stat info;
    if (strcmp(path, "/dev/stdout") == 0)
        return GB_OK;
    const bool found = stat(path, &info) == 0;
    if (found && !S_ISREG(info.st_mode))
        return cli_reach_add(reach, path, CLI_ACCESS_WRITE_INTO, err);
    if (found ? realpath(path, place) == NULL : strlen(path) >= sizeof place)
        return cli_fail(err, GB_EIO, "%s: cannot write: %s", path, strerror(found ? errno : ENAMETOOLONG));
    if (!found)
        memcpy(place, path, strlen(path) + 1);
    return cli_reach_add(reach, dirname(place), CLI_ACCESS_WRITE_INTO, err);
}

/* ---- the whole ---- */

static gb_status add_files(cli_reach *reach, const cli_call *call, gb_error *err)
{
    cli_file_list inputs = {.n = 0}, outputs = {.n = 0};
    gb_status st = cli_find_files(call, &inputs, &outputs, err);
    if (st == GB_OK)
        st = add_inputs(reach, &inputs, err);
    for (size_t i = 0; i < outputs.n && st == GB_OK; i++)
        st = add_output(reach, outputs.file[i].path, err);
    cli_clear_files(&inputs);
    cli_clear_files(&outputs);
    return st;
}

gb_status cli_close_sandbox(const cli_call *call, gb_error *err)
{
    cli_reach reach = {.rules = -1};
    gb_status st;
    if (!cli_takes(call->verb, gb_option_find("sandbox")) || !cli_flag(call, "sandbox"))
        return GB_OK;
    if (gb_team_size(call->team) > 1)
        return cli_fail(err, GB_EARGUMENT, "--sandbox is for one process; start it without mpirun or srun");
    json_object_seed(
        0); /* from /dev/urandom, which is out of reach later: names in JSON must not collide on purpose */
    CLI_TRY(cli_reach_open(&reach, err));
    CLI_TRY(add_files(&reach, call, err));
    CLI_TRY(cli_reach_close(&reach, err));
    CLI_TRY(cli_limit_calls(err));
done:
    cli_reach_drop(&reach);
    return st;
}
