/* base/rename_pair.c - two files get their names together, or neither does.
 *
 * No system call renames two files.  What can come between the two calls is an error, which is undone, and the end of the process, which is
 * kept out of the way: a process of its own makes the calls. */
#include "base/rename_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

int gb_rename_to_new(const char *from, const char *to)
{
    const int result = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS))
        return result;
    if (is_there(to)) { /* this file system cannot do both in one step */
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

static int give_name(const gb_new_name *n)
{
    return (n->replaces ? rename(n->from, n->to) : gb_rename_to_new(n->from, n->to)) == 0 ? 0 : errno;
}

/* Where the disk renames nothing any more, it may make links. */
void gb_move_back(const char *from, const char *to)
{
    if (rename(from, to) == 0)
        return;
    (void)unlink(to);
    if (link(from, to) == 0)
        (void)unlink(from);
}

/* Some file systems have no second names: then the first file cannot come back.  Or there is none yet. */
static bool has_no_links(int error)
{
    return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK || error == ENOENT;
}

/* Out of the way: the second file, and a second name of the first one, which keeps its name until it is replaced.  @return an errno */
static int put_aside(const gb_new_name *first, const gb_new_name *second)
{
    struct stat info;
    if (!second->replaces)
        return is_there(second->to) ? EEXIST : 0;
    if (lstat(second->to, &info) == 0 && S_ISDIR(info.st_mode))
        return EISDIR;
    if (gb_rename_to_new(second->to, second->aside) != 0 && errno != ENOENT)
        return errno;
    if (!first->replaces || link(first->to, first->aside) == 0 || has_no_links(errno))
        return 0;
    const int error = errno;
    if (is_there(second->aside))
        gb_move_back(second->aside, second->to);
    return error;
}

/* @return whether no new first file has the name */
static bool bring_back_first(const gb_new_name *first, bool was_there)
{
    if (is_there(first->aside))
        gb_move_back(first->aside, first->to);
    else if (!was_there)
        gb_move_back(first->to, first->from);
    else
        return false;
    return true;
}

static int rename_both(const gb_new_name *first, const gb_new_name *second, int *failed)
{
    const bool was_there = is_there(first->to);
    *failed = 1;
    int error = put_aside(first, second);
    if (error != 0)
        return error;
    error = give_name(first);
    *failed = error == 0;
    if (error == 0 && (error = give_name(second)) != 0 && !bring_back_first(first, was_there))
        return error;
    if (error != 0 && is_there(second->aside))
        gb_move_back(second->aside, second->to);
    (void)unlink(first->aside);
    if (error == 0)
        (void)unlink(second->aside);
    return error;
}

/* After a process that was killed at some step: its renames are seen by the names that are gone. */
static int go_on(const gb_new_name *first, const gb_new_name *second, int *failed)
{
    int error = 0;
    if (is_there(first->from))
        return rename_both(first, second, failed);
    *failed = 1;
    if (is_there(second->from) && (error = give_name(second)) != 0 && bring_back_first(first, false) &&
        is_there(second->aside))
        gb_move_back(second->aside, second->to);
    (void)unlink(first->aside);
    if (error == 0)
        (void)unlink(second->aside);
    return error;
}

enum { SECOND = 128 }; /* in an exit status, beside an errno */

/* It has a copy of this memory, makes system calls only, and tells nobody of its end but who waits for it: the program may have other children. */
static pid_t start(const gb_new_name *first, const gb_new_name *second)
{
    int failed;
    const pid_t process = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (process != 0)
        return process;
    (void)setsid(); /* a signal to the group of this process is not for it */
    const int error = rename_both(first, second, &failed);
    /* the copy ends, and nothing that the program has registered for its own end is run */
    return (pid_t)syscall(SYS_exit_group, (error < SECOND ? error : EIO) | (error != 0 && failed == 1 ? SECOND : 0));
}

int gb_rename_pair(const gb_new_name *first, const gb_new_name *second, int *failed)
{
    sigset_t all, before;
    int status = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t process = start(first, second);
    pid_t ended = process;
    while (process > 0 && (ended = waitpid(process, &status, __WALL)) < 0 && errno == EINTR)
        continue;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (process < 0)
        return rename_both(first, second, failed);
    if (ended != process || !WIFEXITED(status))
        return go_on(first, second, failed);
    *failed = WEXITSTATUS(status) >= SECOND;
    return WEXITSTATUS(status) % SECOND;
}
