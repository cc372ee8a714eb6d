/* cli/sandbox.c - what a call may still do under --sandbox. */
#include "sandbox.h"

#include "named_files.h"
#include "verbs.h"

#include <errno.h>
#include <iconv.h>
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

typedef struct reach {
    cli_reach files;
    cli_outputs outputs;
} reach;

/* A device or a pipe is written to itself, and a link is followed. */
static gb_status add_output(reach *r, const char *path, gb_error *err)
{
    char place[PATH_MAX];
    struct stat info;
    if (strcmp(path, "/dev/stdout") == 0)
        return GB_OK;
    if (stat(path, &info) != 0)
        return cli_outputs_add(&r->outputs, path, NULL, err);
    if (!S_ISREG(info.st_mode))
        return S_ISDIR(info.st_mode) ? GB_OK : cli_reach_add(&r->files, path, CLI_ACCESS_WRITE_INTO, err);
    if (realpath(path, place) == NULL)
        return cli_fail(err, GB_EIO, "%s: cannot write: %s", path, strerror(errno));
    return cli_outputs_add(&r->outputs, place, &info, err);
}

/* With --force they are among the outputs already. */
static gb_status add_converted(reach *r, const cli_call *call, gb_error *err)
{
    gb_status st = GB_OK;
    char *path = NULL;
    if (call->verb->bit != CLI_CONVERT || cli_flag(call, "force") || cli_to_stdout(cli_text(call, "output")))
        return GB_OK;
    for (uint64_t i = 0; st == GB_OK; i++) {
        st = gb_corpus_export_beside(cli_text(call, "output"), i, &path, err);
        if (st != GB_OK || path == NULL)
            break;
        st = add_output(r, path, err);
        gb_free(path);
        path = NULL;
    }
    return st;
}

/* ---- the whole ---- */

static gb_status add_files(reach *r, const cli_call *call, gb_error *err)
{
    cli_file_list inputs = {.n = 0}, outputs = {.n = 0};
    gb_status st = cli_find_files(call, &inputs, &outputs, err);
    if (st == GB_OK)
        st = add_inputs(&r->files, &inputs, err);
    for (size_t i = 0; i < outputs.n && st == GB_OK; i++)
        st = add_output(r, outputs.file[i].path, err);
    if (st == GB_OK)
        st = add_converted(r, call, err);
    cli_clear_files(&inputs);
    cli_clear_files(&outputs);
    return st;
}

/* iconv() finds the tables of an encoding in files, unless it has them open: those of UTF-16, which a byte order mark may ask for, and of the
 * one that the call names. */
static void keep_encodings(const cli_call *call)
{
    static iconv_t kept[3]; /* for the rest of the process */
    const char *name = cli_takes(call->verb, gb_option_find("encoding")) ? cli_text(call, "encoding") : "auto";
    char short_name[64];
    size_t length = 0;
    for (const char *at = name; *at != '\0' && length < sizeof short_name - 1; at++)
        if (*at != '-' && *at != '_')
            short_name[length++] = *at;
    short_name[length] = '\0';
    kept[0] = iconv_open("UTF-8", "UTF-16LE");
    kept[1] = iconv_open("UTF-8", name);
    kept[2] = iconv_open("UTF-8", short_name);
    (void)kept;
}

gb_status cli_close_sandbox(const cli_call *call, int *keeper, gb_error *err)
{
    reach r = {.files.rules = -1, .outputs.keeper = -1};
    gb_status st;
    if (!cli_takes(call->verb, gb_option_find("sandbox")) || !cli_flag(call, "sandbox"))
        return GB_OK;
    if (gb_team_size(call->team) > 1)
        return cli_fail(err, GB_EARGUMENT, "--sandbox is for one process; start it without mpirun or srun");
    json_object_seed(
        0); /* from /dev/urandom, which is out of reach later: names in JSON must not collide on purpose */
    keep_encodings(call);
    CLI_TRY(cli_reach_open(&r.files, err));
    CLI_TRY(add_files(&r, call, err));
    CLI_TRY(cli_outputs_begin(&r.outputs, cli_takes(call->verb, gb_option_find("force")) && cli_flag(call, "force"),
                              err));
    CLI_TRY(cli_reach_close(&r.files, err));
    CLI_TRY(cli_outputs_hand_over(&r.outputs, err));
    CLI_TRY(cli_limit_calls(err));
done:
    *keeper = r.outputs.keeper;
    cli_outputs_clear(&r.outputs);
    cli_reach_drop(&r.files);
    return st;
}
