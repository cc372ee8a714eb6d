/* cli/sandbox.h - the process gives up what reading files of others does not need: --sandbox.
 *
 * Landlock restricts which files can be opened, a filter of system calls what else can be done.  Both are of the kernel, and cannot be taken
 * back.  They hold for the calling thread and those that it starts, so there must be no other one yet. */
#ifndef GB_CLI_SANDBOX_H
#define GB_CLI_SANDBOX_H

#include "memory.h"

#include <stdbool.h>

typedef struct cli_call cli_call;

/** With --sandbox: from here on, only the files that the call names can be read, and only the folders of its outputs
 * written to.  Without it nothing is done.
 *
 * @return GB_OK, GB_EARGUMENT if the call needs what it forbids, GB_EIO if the system cannot do all of it */
gb_status cli_close_sandbox(const cli_call *call, gb_error *err);

/* ---- the two halves ---- */

/** What is allowed with a file, or with a folder and all that is below it. */
typedef enum cli_access {
    CLI_ACCESS_READ,      /* a file, or the files of a folder */
    CLI_ACCESS_WRITE_INTO /* a folder: new files, and files that are replaced or removed, but not read; or a device */
} cli_access;

/** Files that stay within reach. */
typedef struct cli_reach {
    int rules; /* descriptor */
} cli_reach;

/** @param out  close it with cli_reach_close() or cli_reach_drop() */
gb_status cli_reach_open(cli_reach *out, gb_error *err);
gb_status cli_reach_add(cli_reach *reach, const char *path, cli_access access, gb_error *err);
/** From here on, this thread opens nothing else. */
gb_status cli_reach_close(cli_reach *reach, gb_error *err);
void cli_reach_drop(cli_reach *reach);

/** From here on, a system call that reading, computing and writing do not need fails with ENOSYS: sockets, programs, other processes,
 * code that is made at run time, owners and permissions of files that are not open. */
gb_status cli_limit_calls(gb_error *err);

#endif
