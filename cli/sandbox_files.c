/* cli/sandbox_files.c - which files a process can open, by Landlock (Linux 5.13 and later).
 *
 * Everything that this kernel's Landlock knows is forbidden, and then allowed for the given files.  What its oldest version cannot
 * forbid, cutting files short, the filter of system calls does. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __linux__ && __has_include(<linux/landlock.h>)

#include <linux/landlock.h>
#include <sys/syscall.h>

enum { FIRST_VERSION_WITH_REFER = 2, FIRST_VERSION_WITH_TRUNCATE = 3, FIRST_VERSION_WITH_IOCTL = 5 };

/* Rights that older headers do not have. */
static const uint64_t REFER = (uint64_t)1 << 13, TRUNCATE = (uint64_t)1 << 14, IOCTL_DEVICE = (uint64_t)1 << 15;

static uint64_t all_rights(int version)
{
    uint64_t rights = 2 * LANDLOCK_ACCESS_FS_MAKE_SYM - 1; /* the first version's */
    rights |= version >= FIRST_VERSION_WITH_REFER ? REFER : 0;
    rights |= version >= FIRST_VERSION_WITH_TRUNCATE ? TRUNCATE : 0;
    rights |= version >= FIRST_VERSION_WITH_IOCTL ? IOCTL_DEVICE : 0;
    return rights;
}

static gb_status fail(const char *what, gb_error *err)
{
    return cli_fail(err, GB_EIO, "--sandbox: %s: %s", what, strerror(errno));
}

gb_status cli_reach_open(cli_reach *out, gb_error *err)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return fail("the system has no Landlock, which Linux has from 5.13 on unless it is disabled", err);
    struct landlock_ruleset_attr rights = {.handled_access_fs = all_rights((int)version)};
    out->rules = (int)syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0);
    return out->rules < 0 ? fail("cannot make a set of rules", err) : GB_OK;
}

static uint64_t rights_of(cli_access access, bool is_folder)
{
    if (access == CLI_ACCESS_READ)
        return LANDLOCK_ACCESS_FS_READ_FILE | (is_folder ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
    return LANDLOCK_ACCESS_FS_WRITE_FILE;
}

/* What cannot be opened now cannot be opened later; the verb says so.  Pipes without a name have no rules, and need none: nobody can open
 * one who does not have it. */
gb_status cli_reach_add(cli_reach *reach, const char *path, cli_access access, gb_error *err)
{
    struct stat info;
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return GB_OK;
    gb_status st = GB_OK;
    struct landlock_path_beneath_attr rule = {.parent_fd = file};
    if (fstat(file, &info) != 0)
        st = fail(path, err);
    rule.allowed_access = rights_of(access, S_ISDIR(info.st_mode));
    if (st == GB_OK && syscall(SYS_landlock_add_rule, reach->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0 &&
        errno != EBADFD)
        st = fail(path, err);
    (void)close(file);
    return st;
}

gb_status cli_reach_close(cli_reach *reach, gb_error *err)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail("cannot give up privileges", err);
    if (syscall(SYS_landlock_restrict_self, reach->rules, 0) != 0)
        return fail("cannot restrict files", err);
    cli_reach_drop(reach);
    return GB_OK;
}

#else

gb_status cli_reach_open(cli_reach *out, gb_error *err)
{
    (void)out;
    return cli_fail(err, GB_EIO, "--sandbox: this program was built without Landlock, which Linux has from 5.13 on");
}

gb_status cli_reach_add(cli_reach *reach, const char *path, cli_access access, gb_error *err)
{
    (void)path;
    (void)access;
    return cli_reach_open(reach, err);
}

gb_status cli_reach_close(cli_reach *reach, gb_error *err)
{
    return cli_reach_open(reach, err);
}

#endif

void cli_reach_drop(cli_reach *reach)
{
    if (reach->rules >= 0)
        (void)close(reach->rules);
    reach->rules = -1;
}
