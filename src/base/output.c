/* base/output.c - a file that appears whole or not at all.
 *
 * The temporary file lies in the folder of the target, because a rename is atomic only within one file
 * system.  Its name does not contain the target's, so a target with the longest possible name works too; it has the machine and the
 * process that it belongs to.  A process that is killed leaves it behind: the next one that writes into the folder removes it, if
 * that process is no more and nobody has the lock that a writer holds (a folder may be shared by machines or containers).
 * Devices and pipes cannot be replaced by a rename; they are written to directly. */
#include "base/output.h"
#include "base/memory.h"
#include "base/rename_pair.h"
#include "base/system.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ATTEMPTS = 10000, NAME_ROOM = 64, BUFFER = 1 << 16 };

struct gb_out_file {
    FILE *stream;
    char *path;           /* as the user wrote it, for messages */
    char *target;         /* with links followed: the rename must replace the file, not the link to it */
    char *temporary;      /* NULL when the stream is the target itself */
    size_t target_length; /* without a number that was added */
    bool owns_stream, force, is_complete, is_stdout;
    gb_stream_of_file of; /* a stream that is owned */
    int error;            /* errno of the first write or sync that failed */
    char buffer[BUFFER];  /* of that stream: the C library would take a small one of its own */
};

static gb_status fail_to_write(const gb_out_file *o, int error, gb_error *err)
{
    return gb_fail(err, GB_EIO, "%s: cannot write: %s", o->path, strerror(error));
}

static gb_status fail_exists(const gb_out_file *o, gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "%s: exists already; give `force` to overwrite it", o->path);
}

static size_t folder_length(const char *path)
{
    return (size_t)(gb_path_name(path) - path);
}

/* FNV-1a. */
static uint32_t hash_of_machine(void)
{
    char name[256];
    uint32_t hash = 2166136261U;
    gb_machine_name(sizeof name, name);
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619U;
    return hash;
}

static void name_temporary(char *out, size_t size, unsigned attempt)
{
    (void)snprintf(out, size, ".gibbous-%08x-%ld-%u.tmp", (unsigned)hash_of_machine(), gb_process_number(), attempt);
}

bool gb_out_file_temporary(const char *path, unsigned attempt, char *out, size_t size)
{
    char resolved[GB_PATH_ROOM];
    gb_path_info info;
    const bool found = gb_path_look(path, true, &info);
    if (*path == '\0' || strcmp(path, "-") == 0 || (found && info.kind != GB_IS_FILE))
        return false;
    if (found && !gb_path_resolve(path, resolved))
        return false;
    const char *target = found ? resolved : path;
    const size_t length = folder_length(target);
    if (length + NAME_ROOM > size)
        return false;
    memcpy(out, target, length);
    name_temporary(out + length, NAME_ROOM, attempt);
    return true;
}

/* ---- what killed processes left ---- */

/* True for the name of a temporary file of a process of this machine that is no more. */
static bool is_left(const char *name)
{
    unsigned machine, attempt;
    long process;
    int length = 0;
    /* Out of range, C libraries give the last number that is in it, which no process has.  NOLINTNEXTLINE(cert-err34-c) */
    return sscanf(name, ".gibbous-%8x-%ld-%u.tmp%n", &machine, &process, &attempt, &length) == 3 && length > 0 &&
           name[length] == '\0' && machine == hash_of_machine() && gb_process_is_gone(process);
}

/* Nothing here is a failure. */
static void remove_if_left(const char *path)
{
    gb_path_info info;
    const int file = gb_file_open(path, GB_OPEN_WRITE | GB_OPEN_NO_WAIT, 0);
    if (file < 0)
        return;
    if (gb_file_look(file, &info) && info.kind == GB_IS_FILE && info.is_ours && gb_file_lock(file))
        (void)gb_path_remove(path);
    gb_file_close(file);
}

/* In the folder of the path, of which the first `length` bytes are the folder; behind them there is NAME_ROOM. */
static void remove_left_files(char *path, size_t length)
{
    const char end = path[length];
    gb_path_info info;
    path[length] = '\0';
    gb_folder *folder = gb_folder_open(length == 0 ? "." : path);
    path[length] = end;
    for (const char *name; folder != NULL && (name = gb_folder_next(folder)) != NULL;) {
        if (!is_left(name) || strlen(name) >= NAME_ROOM)
            continue;
        memcpy(path + length, name, strlen(name) + 1);
        if (gb_path_look(path, false, &info) && info.kind == GB_IS_FILE)
            remove_if_left(path);
    }
    if (folder != NULL)
        gb_folder_close(folder);
}

/* ---- opening ---- */

/* A name may be taken by another output of this process or be left over from a killed one: try the next.
 * The folder is the first `length` bytes of the path. */
static int create_in(char *path, size_t length, int how, unsigned permissions)
{
    int descriptor = -1;
    remove_left_files(path, length);
    errno = EEXIST;
    for (int i = 0; i < MAX_ATTEMPTS && descriptor < 0 && errno == EEXIST; i++) {
        name_temporary(path + length, NAME_ROOM, (unsigned)i);
        descriptor = gb_file_open(path, how | GB_OPEN_NEW, permissions);
    }
    return descriptor;
}

gb_status gb_open_beside(const char *target, int how, char **path, int *descriptor, gb_error *err)
{
    const size_t length = folder_length(target);
    char *beside;
    const gb_status st = gb_alloc(&beside, length + NAME_ROOM, 1, "a file name", err);
    if (st != GB_OK)
        return st;
    memcpy(beside, target, length);
    *descriptor = create_in(beside, length, how, 0666);
    if (*descriptor < 0) {
        const int error = errno;
        gb_free(beside);
        errno = error;
        return GB_OK;
    }
    (void)gb_file_lock(*descriptor); /* without locks, the number of the process must do */
    *path = beside;
    return GB_OK;
}

static gb_status create_temporary(gb_out_file *o, int *descriptor, gb_error *err)
{
    const gb_status st = gb_open_beside(o->target, GB_OPEN_WRITE, &o->temporary, descriptor,
                                        err); /* a sandbox lets nothing be read there */
    return st == GB_OK && *descriptor < 0 ? fail_to_write(o, errno, err) : st;
}

/* ---- without a name ---- */

const char *gb_temporary_folder(const char *folder)
{
    return *folder != '\0' ? folder : gb_folder_of_temporaries();
}

/* It has a name until it is removed. */
static int open_and_unlink(const char *folder)
{
    char path[GB_PATH_ROOM + NAME_ROOM];
    const int n = snprintf(path, GB_PATH_ROOM, "%s/", folder);
    if (n < 0 || n >= GB_PATH_ROOM) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int descriptor = create_in(path, (size_t)n, GB_OPEN_BOTH, 0600);
    if (descriptor >= 0)
        (void)gb_path_remove(path);
    return descriptor;
}

int gb_open_without_name(const char *folder)
{
    folder = gb_temporary_folder(folder);
    const int descriptor = gb_file_open_without_name(folder);
    return descriptor >= 0 || errno != EOPNOTSUPP ? descriptor : open_and_unlink(folder);
}

FILE *gb_stream_without_name(void)
{
    gb_stream_of_file *how = NULL;
    const int descriptor = gb_open_without_name("");
    if (descriptor < 0)
        return NULL;
    if (gb_alloc(&how, 1, sizeof *how, "a stream", NULL) != GB_OK) {
        gb_file_close(descriptor);
        errno = ENOMEM;
        return NULL;
    }
    *how = (gb_stream_of_file){.file = descriptor, .closes = true, .is_freed = true};
    FILE *stream = gb_file_stream(how, "w+");
    if (stream == NULL)
        gb_file_close(descriptor);
    return stream;
}

/* ---- writing ---- */

#ifdef GIBBOUS_HAS_STDOUT
static void flush_stdout(void)
{
    (void)fflush(stdout);
}
#endif

/* It shows what it gets line by line. */
static bool is_terminal(const gb_out_file *o)
{
    return o->is_stdout && gb_file_is_terminal(o->of.file);
}

static gb_status open_stream(gb_out_file *o, int descriptor, gb_error *err)
{
    o->of.file = descriptor;
    o->of.error = &o->error;
    o->of.closes = !o->is_stdout; /* it is the program's, and stays open */
    o->stream = gb_file_stream(&o->of, "w");
    if (o->stream == NULL) {
        gb_status st = fail_to_write(o, errno, err);
        if (o->of.closes)
            gb_file_close(descriptor);
        return st;
    }
    (void)setvbuf(o->stream, o->buffer, is_terminal(o) ? _IOLBF : _IOFBF, sizeof o->buffer);
    o->owns_stream = true;
    return GB_OK;
}

/* The stream of the program where that is no descriptor.  What R and other programs with a console of their own are linked with has none. */
static gb_status open_stdout(gb_out_file *o, gb_error *err)
{
#ifdef GIBBOUS_HAS_STDOUT
    const int descriptor = fileno(stdout);
    o->is_stdout = true;
    o->of.before = flush_stdout; /* what was printed before */
    if (descriptor >= 0)
        return open_stream(o, descriptor, err);
    o->stream = stdout;
    return GB_OK;
#else
    return gb_fail(err, GB_EARGUMENT, "%s: this gibbous was built without it; give the name of a file", o->path);
#endif
}

static gb_status open_directly(gb_out_file *o, gb_error *err)
{
    int descriptor = gb_file_open(o->path, GB_OPEN_WRITE, 0);
    if (descriptor < 0)
        return fail_to_write(o, errno, err);
    return open_stream(o, descriptor, err);
}

static gb_status set_target(gb_out_file *o, bool is_file, gb_error *err)
{
    char resolved[GB_PATH_ROOM];
    const char *target = is_file ? resolved : o->path;
    if (is_file && !gb_path_resolve(o->path, resolved))
        return fail_to_write(o, errno, err);
    return gb_copy_text(&o->target, target, strlen(target), err);
}

static gb_status open_path(gb_out_file *o, gb_error *err)
{
    gb_status st = GB_OK;
    gb_path_info info, link;
    int descriptor;
    bool found = gb_path_look(o->path, true, &info);
    bool is_file = found && info.kind == GB_IS_FILE;
    if (found && info.kind == GB_IS_FOLDER)
        return fail_to_write(o, EISDIR, err);
    if (found && !is_file)
        return open_directly(o, err);
    /* A link that leads nowhere counts as existing: without --force nothing of the user's is replaced. */
    if (!o->force && (found || gb_path_look(o->path, false, &link)))
        return fail_exists(o, err);
    GB_TRY(set_target(o, is_file, err));
    o->target_length = strlen(o->target);
    GB_TRY(create_temporary(o, &descriptor, err));
    /* A private file stays private.  File systems without permissions refuse, and need none. */
    if (is_file)
        (void)gb_file_permit(descriptor, info.permissions);
    GB_TRY(open_stream(o, descriptor, err));
done:
    return st;
}

gb_status gb_out_file_open(gb_out_file **out, const char *path, bool force, gb_error *err)
{
    gb_status st = GB_OK;
    gb_out_file *o = NULL;
    /* /dev/stdout is named here because it looks like a plain file when the shell redirects output to one. */
    bool is_stdout = *path == '\0' || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    const char *name = is_stdout ? "standard output" : path;
    GB_TRY(gb_alloc(&o, 1, sizeof *o, "an output file", err));
    GB_TRY(gb_copy_text(&o->path, name, strlen(name), err));
    o->force = force;
    if (is_stdout)
        GB_TRY(open_stdout(o, err));
    else
        GB_TRY(open_path(o, err));
    *out = o;
    o = NULL;
done:
    gb_out_file_discard(o);
    return st;
}

FILE *gb_out_file_stream(gb_out_file *o)
{
    return o->stream;
}

/* Of a stream of the program's own only this is known: a write failed before. */
static gb_status flush(gb_out_file *o, gb_error *err)
{
    const bool failed = fflush(o->stream) != 0;
    const int error = errno;
    if (o->error != 0)
        return fail_to_write(o, o->error, err);
    if (failed)
        return fail_to_write(o, error, err);
    if (ferror(o->stream))
        return gb_fail(err, GB_EIO, "%s: cannot write: an earlier write failed", o->path);
    if (o->temporary != NULL && !gb_file_sync(o->of.file, true))
        return fail_to_write(o, errno, err);
    return GB_OK;
}

/* The system tells a failed sync only once. */
bool gb_out_file_settle(gb_out_file *o)
{
    if (o->temporary != NULL && (fflush(o->stream) != 0 || !gb_file_sync(o->of.file, false)))
        o->error = o->error == 0 ? errno : o->error;
    return o->error == 0;
}

static gb_status close_stream(gb_out_file *o, gb_error *err)
{
    if (!o->owns_stream)
        return GB_OK;
    o->owns_stream = false;
    return fclose(o->stream) == 0 ? GB_OK : fail_to_write(o, errno, err);
}

/* Without --force the file must not have appeared since gb_out_file_open() either. */
static bool move_into_place(const gb_out_file *o)
{
    return o->force ? gb_path_rename(o->temporary, o->target) : gb_path_rename_to_new(o->temporary, o->target);
}

/* The folder of the target, or -1. */
static int open_folder(const gb_out_file *o)
{
    char folder[GB_PATH_ROOM] = ".";
    size_t length = folder_length(o->target);
    if (length >= sizeof folder)
        return -1;
    if (length > 0) {
        memcpy(folder, o->target, length);
        folder[length] = '\0';
    }
    return gb_folder_hold(folder);
}

/* The new file is whole already; if its folder cannot be synced, a power cut may only bring the old one back.
 * So nothing here is a failure: a failure would mean that the old file is still there. */
static void sync_folder(const gb_out_file *o)
{
    const int descriptor = open_folder(o);
    if (descriptor >= 0)
        (void)gb_file_sync(descriptor, true);
    gb_file_close(descriptor);
}

/* The whole content is in the temporary file, and on the disk. */
static gb_status complete(gb_out_file *o, gb_error *err)
{
    gb_status st = GB_OK;
    if (o->is_complete)
        return st;
    GB_TRY(flush(o, err));
    GB_TRY(close_stream(o, err));
    o->is_complete = true;
done:
    return st;
}

/* Give a complete file its name. */
static gb_status give_name(gb_out_file *o, gb_error *err)
{
    if (o->temporary == NULL)
        return GB_OK;
    if (!move_into_place(o))
        return errno == EEXIST ? fail_exists(o, err) : fail_to_write(o, errno, err);
    gb_free(o->temporary);
    o->temporary = NULL;
    sync_folder(o);
    return GB_OK;
}

gb_status gb_out_file_commit(gb_out_file *o, gb_error *err)
{
    gb_status st = GB_OK;
    GB_TRY(complete(o, err));
    GB_TRY(give_name(o, err));
done:
    gb_out_file_discard(o);
    return st;
}

/* A free name in the folder of the target.  @param ending  ".tmp" for what the next run removes after a kill; another: nobody removes it */
static gb_status name_aside(const gb_out_file *o, const char *ending, char **out, gb_error *err)
{
    const size_t length = folder_length(o->target);
    const gb_status st = gb_alloc(out, length + NAME_ROOM, 1, "a file name", err);
    if (st != GB_OK)
        return st;
    memcpy(*out, o->target, length);
    for (unsigned i = 0; i < MAX_ATTEMPTS; i++) {
        (void)snprintf(*out + length, NAME_ROOM, ".gibbous-%08x-%ld-%u%s", (unsigned)hash_of_machine(),
                       gb_process_number(), i, ending);
        if (!gb_path_is_there(*out))
            break;
    }
    return GB_OK;
}

/* As long as its descriptor is open, no other run takes a temporary file for one that was left.  @return -1 if it cannot be locked */
static int hold(const gb_out_file *o)
{
    const int descriptor = gb_file_open(o->temporary, GB_OPEN_READ, 0);
    if (descriptor >= 0)
        (void)gb_file_lock(descriptor);
    return descriptor;
}

static void let_go(int descriptor)
{
    gb_file_close(descriptor);
}

/* Two runs that give names to the same pair take turns, or one would have the model's name and the other that of the draws.  The lock is
 * on the folder, and is held for a moment; somebody who holds it longer is not waited for.  @return -1: none, which is no failure */
static int lock_folder(const gb_out_file *o)
{
    enum { MAX_TURNS = 200, TURN = 10000000 };
    const int descriptor = open_folder(o);
    for (int i = 0; descriptor >= 0 && i < MAX_TURNS; i++) {
        if (gb_file_lock(descriptor) || errno != EWOULDBLOCK)
            break;
        (void)nanosleep(&(struct timespec){.tv_nsec = TURN}, NULL);
    }
    return descriptor;
}

/* Both are complete.  What a power cut leaves aside stays there. */
static gb_status name_both(gb_out_file *o, gb_out_file *second, gb_error *err)
{
    gb_status st;
    char *aside[2] = {NULL, NULL};
    int failed = 0;
    const int folder = lock_folder(o), held[2] = {hold(o), hold(second)};
    GB_TRY(name_aside(o, ".1st", &aside[0], err));
    GB_TRY(name_aside(second, ".2nd", &aside[1], err));
    const int error =
        gb_rename_pair(&(gb_new_name){o->temporary, o->target, aside[0], o->force},
                       &(gb_new_name){second->temporary, second->target, aside[1], second->force}, &failed);
    gb_out_file *const which = failed == 1 ? second : o;
    if (error == 0) {
        gb_free(o->temporary);
        gb_free(second->temporary);
        o->temporary = second->temporary = NULL;
        sync_folder(o);
        sync_folder(second);
    } else
        st = error == EEXIST ? fail_exists(which, err) : fail_to_write(which, error, err);
done:
    let_go(held[0]);
    let_go(held[1]);
    let_go(folder);
    gb_free(aside[0]);
    gb_free(aside[1]);
    return st;
}

gb_status gb_out_file_commit_pair(gb_out_file *o, gb_out_file **second, gb_error *err)
{
    gb_status st = complete(*second, err);
    if (st != GB_OK) {
        gb_out_file_discard(*second);
        *second = NULL;
        goto done;
    }
    GB_TRY(complete(o, err));
    if (o->temporary != NULL && (*second)->temporary != NULL) {
        GB_TRY(name_both(o, *second, err));
    } else { /* a device or a pipe has nothing that could be replaced */
        GB_TRY(give_name(o, err));
        GB_TRY(give_name(*second, err));
    }
    gb_out_file_discard(*second);
    *second = NULL;
done:
    gb_out_file_discard(o);
    return st;
}

/* An old file keeps a second name until all new ones have theirs. */
static gb_status give_name_for_now(gb_out_file *o, char **aside, bool *was_there, gb_error *err)
{
    gb_status st = GB_OK;
    if (o->temporary == NULL)
        return st;
    *was_there = gb_path_is_there(o->target);
    GB_TRY(name_aside(o, ".tmp", aside, err));
    if (!*was_there || !gb_path_link(o->target, *aside)) {
        gb_free(*aside);
        *aside = NULL;
    }
    GB_TRY(give_name(o, err));
done:
    return st;
}

static void take_name_back(const gb_out_file *o, const char *aside, bool was_there)
{
    if (aside != NULL)
        gb_move_back(aside, o->target);
    else if (!was_there && o->target != NULL)
        (void)gb_path_remove(o->target);
}

gb_status gb_out_file_commit_all(gb_out_file **file, size_t n, gb_error *err)
{
    gb_status st;
    char **aside = NULL;
    bool *was_there = NULL;
    size_t n_named = 0, last = 0;
    GB_TRY(gb_alloc(&aside, n, sizeof *aside, "names of files", err));
    GB_TRY(gb_alloc(&was_there, n, sizeof *was_there, "names of files", err));
    for (size_t i = 0; i < n; i++)
        if (file[i] != NULL) {
            last = i;
            GB_TRY(complete(file[i], err));
        }
    for (; n_named < last; n_named++)
        if (file[n_named] != NULL)
            GB_TRY(give_name_for_now(file[n_named], &aside[n_named], &was_there[n_named], err));
    if (n > 0 && file[last] != NULL)
        GB_TRY(give_name(file[last], err)); /* nothing can fail after it */
done:
    for (size_t i = 0; i < n; i++) {
        if (st != GB_OK && i < n_named && file[i] != NULL)
            take_name_back(file[i], aside[i], was_there[i]);
        else if (aside != NULL && aside[i] != NULL)
            (void)gb_path_remove(aside[i]);
        if (aside != NULL)
            gb_free(aside[i]);
        gb_out_file_discard(file[i]);
        file[i] = NULL;
    }
    gb_free(aside);
    gb_free(was_there);
    return st;
}

gb_status gb_out_file_put_beside(gb_out_file *o, unsigned n, gb_error *err)
{
    enum { DIGITS = 12 };
    gb_status st;
    char *path = NULL, *target = NULL;
    if (o->temporary == NULL)
        return gb_fail(err, GB_EARGUMENT, "%s: it has its name already", o->path);
    const size_t room = o->target_length + DIGITS;
    GB_TRY(gb_alloc(&target, room, 1, "a file name", err));
    (void)snprintf(target, room, "%.*s.%u", (int)o->target_length, o->target, n);
    GB_TRY(gb_copy_text(&path, target, strlen(target), err));
    gb_free(o->path);
    gb_free(o->target);
    o->path = path;
    o->target = target;
    o->force = false;
    target = NULL;
done:
    gb_free(target);
    return st;
}

void gb_out_file_discard(gb_out_file *o)
{
    if (o == NULL)
        return;
    if (o->owns_stream)
        (void)fclose(o->stream);
    if (o->temporary != NULL)
        (void)gb_path_remove(o->temporary);
    gb_free(o->temporary);
    gb_free(o->target);
    gb_free(o->path);
    gb_free(o);
}
