/* base/rename_pair.c - two files get their names together, or neither does.
 *
 * No system call renames two files.  What can come between the two calls is an error, which is undone, and the end of the process, which is
 * kept out of the way: a process of its own makes the calls. */
#include "base/rename_pair.h"

#include "base/system.h"

#include <errno.h>

static int give_name(const gb_new_name *n)
{
    return (n->replaces ? gb_path_rename(n->from, n->to) : gb_path_rename_to_new(n->from, n->to)) ? 0 : errno;
}

/* Where the disk renames nothing any more, it may make links. */
void gb_move_back(const char *from, const char *to)
{
    if (gb_path_rename(from, to))
        return;
    (void)gb_path_remove(to);
    if (gb_path_link(from, to))
        (void)gb_path_remove(from);
}

/* Some file systems have no second names: then the first file cannot come back.  Or there is none yet. */
static bool has_no_links(int error)
{
    return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK || error == ENOENT;
}

/* Out of the way: the second file, and a second name of the first one, which keeps its name until it is replaced.  @return an errno */
static int put_aside(const gb_new_name *first, const gb_new_name *second)
{
    gb_path_info info;
    if (!second->replaces)
        return gb_path_is_there(second->to) ? EEXIST : 0;
    if (gb_path_look(second->to, false, &info) && info.kind == GB_IS_FOLDER)
        return EISDIR;
    if (!gb_path_rename_to_new(second->to, second->aside) && errno != ENOENT)
        return errno;
    if (!first->replaces || gb_path_link(first->to, first->aside) || has_no_links(errno))
        return 0;
    const int error = errno;
    if (gb_path_is_there(second->aside))
        gb_move_back(second->aside, second->to);
    return error;
}

/* @return whether no new first file has the name */
static bool bring_back_first(const gb_new_name *first, bool was_there)
{
    if (gb_path_is_there(first->aside))
        gb_move_back(first->aside, first->to);
    else if (!was_there)
        gb_move_back(first->to, first->from);
    else
        return false;
    return true;
}

static int rename_both(const gb_new_name *first, const gb_new_name *second, int *failed)
{
    const bool was_there = gb_path_is_there(first->to);
    *failed = 1;
    int error = put_aside(first, second);
    if (error != 0)
        return error;
    error = give_name(first);
    *failed = error == 0;
    if (error == 0 && (error = give_name(second)) != 0 && !bring_back_first(first, was_there))
        return error;
    if (error != 0 && gb_path_is_there(second->aside))
        gb_move_back(second->aside, second->to);
    (void)gb_path_remove(first->aside);
    if (error == 0)
        (void)gb_path_remove(second->aside);
    return error;
}

/* After a process that was killed at some step: its renames are seen by the names that are gone. */
static int go_on(const gb_new_name *first, const gb_new_name *second, int *failed)
{
    int error = 0;
    if (gb_path_is_there(first->from))
        return rename_both(first, second, failed);
    *failed = 1;
    if (gb_path_is_there(second->from) && (error = give_name(second)) != 0 && bring_back_first(first, false) &&
        gb_path_is_there(second->aside))
        gb_move_back(second->aside, second->to);
    (void)gb_path_remove(first->aside);
    if (error == 0)
        (void)gb_path_remove(second->aside);
    return error;
}

enum { SECOND = 128 }; /* in what the other process returns, beside an errno */

static int rename_pair(const void *context)
{
    const gb_new_name *const *pair = context;
    int failed;
    const int error = rename_both(pair[0], pair[1], &failed);
    return (error < SECOND ? error : EIO) | (error != 0 && failed == 1 ? SECOND : 0);
}

int gb_rename_pair(const gb_new_name *first, const gb_new_name *second, int *failed)
{
    const gb_new_name *const pair[] = {first, second};
    const int result = gb_process_work(rename_pair, pair);
    if (result == -1)
        return rename_both(first, second, failed);
    if (result < 0)
        return go_on(first, second, failed);
    *failed = result >= SECOND;
    return result % SECOND;
}
