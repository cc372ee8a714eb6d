/* cli/sandbox.h - the process gives up what reading files of others does not need: --sandbox.
 *
 * Landlock restricts which files can be opened, a filter of system calls what else can be done.  Both are of the kernel, and cannot be taken
 * back.  They hold for the calling thread and those that it starts, so there must be no other one yet. */
#ifndef GB_CLI_SANDBOX_H
#define GB_CLI_SANDBOX_H

#include "memory.h"

#include <stdbool.h>
#include <sys/stat.h>

typedef struct cli_call cli_call;

/** With --sandbox: from here on, only the files that the call names can be read, and only its outputs written.  Without it
 * nothing is done.
 *
 * @param keeper  -1; receives a socket for cli_end_sandbox() if another process keeps the folders of outputs
 * @return GB_OK, GB_EARGUMENT if the call needs what it forbids, GB_EIO if the system cannot do all of it */
gb_status cli_close_sandbox(const cli_call *call, int *keeper, gb_error *err);
/** Wait for the process that keeps the folders of outputs, when they are written.  @param keeper  -1: there is none */
void cli_end_sandbox(int keeper);

/* ---- its parts ---- */

/** What is allowed. */
typedef enum cli_access {
    CLI_ACCESS_READ,      /* a file, or the files of a folder and all below it */
    CLI_ACCESS_WRITE_INTO /* a device or a pipe */
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

/** An output that is a file, or will be one. */
typedef struct cli_kept_output {
    char *target; /* with links followed */
    char *stem;   /* of the temporary files in its folder */
    bool is_there;
    mode_t mode; /* its permissions, if it is there */
} cli_kept_output;

/** Outputs whose folders another process keeps. */
typedef struct cli_outputs {
    cli_kept_output *output;
    size_t n, room;
    int keeper; /* socket; that process ends when it is closed; -1: there is none */
} cli_outputs;

/** @param old  the file that is there; NULL: none */
gb_status cli_outputs_add(cli_outputs *outputs, const char *target, const struct stat *old, gb_error *err);
/** Start the process that keeps the folders, before the sandbox is closed.  @param force  outputs may replace files
 * @return GB_OK, GB_EIO or GB_ENOMEM */
gb_status cli_outputs_begin(cli_outputs *outputs, bool force, gb_error *err);
/** From here on, files are made, renamed and removed by that process.  @return GB_OK or GB_EIO */
gb_status cli_outputs_hand_over(const cli_outputs *outputs, gb_error *err);
void cli_outputs_clear(cli_outputs *outputs);

/** From here on, system calls that make, rename or remove a file wait for who reads from the listener.
 * @param listener  receives a descriptor for seccomp's user notification */
gb_status cli_watch_calls(int *listener, gb_error *err);

/** From here on, a system call that reading, computing and writing do not need fails with ENOSYS: sockets, programs, other processes,
 * code that is made at run time, owners and permissions of files. */
gb_status cli_limit_calls(gb_error *err);

#endif
