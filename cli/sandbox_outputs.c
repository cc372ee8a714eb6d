/* cli/sandbox_outputs.c - outputs in the sandbox: another process keeps their folders.
 *
 * To make, rename and remove files, a process needs rights on their whole folder.  So the process in the sandbox has none.  The kernel stops
 * it at each of these calls (seccomp's user notification), and its child, the keeper, looks at the path and makes the call in its place if
 * the call is about an output of the command line: the keeper makes a temporary file and hands over its descriptor, gives a temporary file
 * that it made the name of an output, or removes it.  Every other call of the kind fails.  The keeper exists before the sandbox, and ends
 * with its parent; it removes temporary files that the parent has left.
 *
 * The keeper copies a path before it looks at it, and opens the folders before the sandbox is closed: what the other process changes
 * meanwhile changes nothing. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void cli_end_sandbox(int keeper)
{
    if (keeper < 0)
        return;
    (void)close(keeper);
    while (wait(NULL) < 0 && errno == EINTR)
        continue;
}

void cli_outputs_clear(cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->n; i++) {
        free(outputs->output[i].target);
        free(outputs->output[i].stem);
    }
    gb_free(outputs->output);
    *outputs = (cli_outputs){.keeper = -1};
}

/* The names of temporary files in the folder of the target, without the number of the attempt. */
static char *stem_of(const char *target)
{
    char name[PATH_MAX];
    char *stem = NULL;
    if (gb_out_file_temporary(target, 0, name, sizeof name) && (stem = strdup(name)) != NULL)
        stem[strlen(stem) - strlen("0.tmp")] = '\0';
    return stem;
}

gb_status cli_outputs_add(cli_outputs *outputs, const char *target, const struct stat *old, gb_error *err)
{
    const gb_status st =
        cli_grow(&outputs->output, &outputs->room, outputs->n + 1, sizeof *outputs->output, "names of files", err);
    if (st != GB_OK)
        return st;
    const cli_kept_output new = {.target = strdup(target),
                                 .stem = stem_of(target),
                                 .is_there = old != NULL,
                                 .mode = old == NULL ? 0 : old->st_mode & 0777};
    outputs->output[outputs->n++] = new;
    return new.target == NULL || new.stem == NULL ? cli_no_memory("names of files", err) : GB_OK;
}

#if defined __linux__ && __has_include(<linux/seccomp.h>)
#include <linux/seccomp.h>
#endif

#ifdef SECCOMP_IOCTL_NOTIF_ADDFD

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

enum { MAX_ATTEMPTS = 10000, NAME_ROOM = 64, KERNEL_ROOM = 512 };

/* A temporary file that was made for the other process. */
typedef struct made_file {
    int folder, descriptor; /* descriptor: -1 when it has the name of an output or is gone */
    char *path;
    const cli_kept_output *renamed_to;
} made_file;

typedef struct keeper {
    const cli_outputs *outputs;
    int *folder;     /* of each output, or -errno */
    made_file *made; /* as many as outputs: there are never more at a time */
    mode_t mode;     /* of a new file */
    bool replaces;
    int listener;
} keeper;

/* ---- what it does ---- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static const char *name_in(const char *path)
{
    return path + folder_length(path);
}

/* Whether a path is STEM and a number and ".tmp". */
static bool is_temporary(const char *stem, const char *path)
{
    const size_t length = strlen(stem),
                 digits = strncmp(path, stem, length) == 0 ? strspn(path + length, "0123456789") : 0;
    return digits > 0 && digits < 6 && strcmp(path + length + digits, ".tmp") == 0;
}

static bool lies_in(const made_file *f, const cli_kept_output *o)
{
    return is_temporary(o->stem, f->path);
}

static made_file *find_made(const keeper *k, const char *path)
{
    for (size_t i = 0; i < k->outputs->n; i++)
        if (k->made[i].path != NULL && strcmp(k->made[i].path, path) == 0)
            return &k->made[i];
    return NULL;
}

static made_file *find_room(const keeper *k)
{
    for (size_t i = 0; i < k->outputs->n; i++)
        if (k->made[i].descriptor < 0)
            return &k->made[i];
    return NULL;
}

/* @return a descriptor, or an error below 0 */
static int make_file(const keeper *k, const char *path)
{
    size_t i = 0;
    while (i < k->outputs->n && !is_temporary(k->outputs->output[i].stem, path))
        i++;
    made_file *f = find_made(k, path);
    if (i == k->outputs->n)
        return -EACCES;
    if (f != NULL && f->descriptor >= 0)
        return -EEXIST;
    if (f == NULL && (f = find_room(k)) == NULL)
        return -EACCES;
    if (k->folder[i] < 0)
        return k->folder[i];
    char *copy = strdup(path);
    /* nobody else reads it before it is complete */
    const int descriptor = copy == NULL ? -1
                                        : openat(k->folder[i], name_in(path),
                                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        const int error = copy == NULL ? ENOMEM : errno;
        free(copy);
        return -error;
    }
    free(f->path);
    *f = (made_file){.folder = k->folder[i], .descriptor = descriptor, .path = copy};
    return descriptor;
}

static void let_go(made_file *f, const cli_kept_output *renamed_to)
{
    (void)close(f->descriptor);
    f->descriptor = -1;
    f->renamed_to = renamed_to;
}

static int remove_file(made_file *f)
{
    const int result = unlinkat(f->folder, name_in(f->path), 0) == 0 ? 0 : -errno;
    if (result == 0)
        let_go(f, NULL);
    return result;
}

static int rename_in(int folder, const char *from, const char *to, bool replaces)
{
    if (replaces)
        return renameat(folder, from, folder, to);
    const int result = renameat2(folder, from, folder, to, RENAME_NOREPLACE);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS))
        return result;
    if (faccessat(folder, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) { /* this file system cannot do both in one step */
        errno = EEXIST;
        return -1;
    }
    return renameat(folder, from, folder, to);
}

/* A call that a signal has interrupted comes again: what is done already is done. */
static int give_name(const keeper *k, made_file *f, const char *to)
{
    const cli_kept_output *o = NULL;
    for (size_t i = 0; i < k->outputs->n && o == NULL; i++)
        if (strcmp(k->outputs->output[i].target, to) == 0)
            o = &k->outputs->output[i];
    if (f == NULL || o == NULL || !lies_in(f, o))
        return -EACCES;
    if (f->descriptor < 0)
        return f->renamed_to == o ? 0 : -ENOENT;
    (void)fchmod(f->descriptor, o->is_there ? o->mode : k->mode); /* a private file stays private */
    if (rename_in(f->folder, name_in(f->path), name_in(to), k->replaces) != 0)
        return -errno;
    (void)fsync(f->folder);
    let_go(f, o);
    return 0;
}

/* ---- what it is asked ---- */

/* From the memory of the other process, page by page: the next one may not be there.  @return false if it is no path */
static bool copy_path(const keeper *k, const struct seccomp_notif *asked, unsigned argument, char *out)
{
    enum { PAGE = 4096 };
    const uint64_t at = asked->data.args[argument];
    for (size_t n = 0; n < PATH_MAX;) {
        const size_t rest = PAGE - (size_t)(at + n) % PAGE, room = PATH_MAX - n, wanted = rest < room ? rest : room;
        const struct iovec here = {out + n, wanted}, there = {(void *)(uintptr_t)(at + n), wanted};
        if (process_vm_readv((pid_t)asked->pid, &here, 1, &there, 1, 0) != (ssize_t)wanted)
            return false;
        if (memchr(out + n, '\0', wanted) != NULL) /* and it is still the process that asked */
            return ioctl(k->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id) == 0;
        n += wanted;
    }
    return false;
}

/* @param argument  of the path */
static int answer_open(const keeper *k, const struct seccomp_notif *asked, unsigned argument)
{
    char path[PATH_MAX];
    if (!copy_path(k, asked, argument, path))
        return -EFAULT;
    const int made = make_file(k, path);
    if (made < 0)
        return made;
    struct seccomp_notif_addfd handed = {.id = asked->id, .srcfd = (uint32_t)made, .newfd_flags = O_CLOEXEC};
    const int number = ioctl(k->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &handed);
    const int error = errno;
    if (number < 0)
        (void)remove_file(find_made(k, path));
    return number < 0 ? -error : number;
}

static int answer_remove(const keeper *k, const struct seccomp_notif *asked, unsigned argument)
{
    char path[PATH_MAX];
    if (!copy_path(k, asked, argument, path))
        return -EFAULT;
    made_file *f = find_made(k, path);
    if (f != NULL)
        return f->descriptor < 0 ? -ENOENT : remove_file(f);
    for (size_t i = 0; i < k->outputs->n; i++)
        if (is_temporary(k->outputs->output[i].stem, path))
            return -ENOENT;
    return -EACCES;
}

static int answer_rename(const keeper *k, const struct seccomp_notif *asked, unsigned from, unsigned to)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (!copy_path(k, asked, from, old) || !copy_path(k, asked, to, new))
        return -EFAULT;
    return give_name(k, find_made(k, old), new);
}

/* @return an error below 0, or what the call returns */
static int answer(const keeper *k, const struct seccomp_notif *asked)
{
    switch (asked->data.nr) {
    case SYS_openat:
        return answer_open(k, asked, 1);
    case SYS_unlinkat:
        return asked->data.args[2] != 0 ? -EACCES : answer_remove(k, asked, 1);
    case SYS_renameat:
    case SYS_renameat2:
        return answer_rename(k, asked, 1, 3);
#ifdef SYS_open
    case SYS_open:
        return answer_open(k, asked, 0);
    case SYS_unlink:
        return answer_remove(k, asked, 0);
    case SYS_rename:
        return answer_rename(k, asked, 0, 1);
#endif
    default:
        return -ENOSYS;
    }
}

static void serve_one(const keeper *k)
{
    union {
        struct seccomp_notif it;
        char room[KERNEL_ROOM]; /* the kernel may know a longer one */
    } asked = {.room = {0}};
    union {
        struct seccomp_notif_resp it;
        char room[KERNEL_ROOM];
    } answered = {.room = {0}};
    if (ioctl(k->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
        return; /* it is gone already */
    const int result = answer(k, &asked.it);
    answered.it.id = asked.it.id;
    answered.it.val = result < 0 ? 0 : result;
    answered.it.error = result < 0 ? result : 0;
    (void)ioctl(k->listener, SECCOMP_IOCTL_NOTIF_SEND, &answered);
}

/* Until the other end of the socket is closed, by the end of the process. */
static void serve(const keeper *k, int socket)
{
    struct pollfd watched[] = {{.fd = socket, .events = 0}, {.fd = k->listener, .events = POLLIN}};
    while (poll(watched, 2, -1) > 0 || errno == EINTR) {
        if ((watched[1].revents & POLLIN) != 0)
            serve_one(k);
        else if ((watched[0].revents & (POLLHUP | POLLERR)) != 0 || (watched[1].revents & (POLLHUP | POLLERR)) != 0)
            break;
    }
    for (size_t i = 0; i < k->outputs->n; i++)
        if (k->made[i].descriptor >= 0)
            (void)remove_file(&k->made[i]);
}

/* ---- how both meet ---- */

/* Folders are known by their first output. */
static void open_folders(keeper *k)
{
    for (size_t i = 0; i < k->outputs->n; i++) {
        const char *path = k->outputs->output[i].target;
        const size_t length = folder_length(path);
        char folder[PATH_MAX] = ".";
        if (i > 0 && strcmp(k->outputs->output[i].stem, k->outputs->output[i - 1].stem) == 0) {
            k->folder[i] = k->folder[i - 1];
            continue;
        }
        if (length > 0)
            (void)snprintf(folder, sizeof folder, "%.*s", (int)length, path);
        k->folder[i] = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (k->folder[i] < 0) /* where nothing can be listed, files can be made */
            k->folder[i] = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (k->folder[i] < 0)
            k->folder[i] = -errno;
    }
}

/* A message with a descriptor.  @return the descriptor, or -1 */
static int receive_descriptor(int socket)
{
    union {
        struct cmsghdr it;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    int descriptor = -1;
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    const struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    if (part != NULL && part->cmsg_type == SCM_RIGHTS)
        memcpy(&descriptor, CMSG_DATA(part), sizeof descriptor);
    return descriptor;
}

static bool send_descriptor(int socket, int descriptor)
{
    union {
        struct cmsghdr it;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    char byte = 0;
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

/* Whether this process may read what the other one points to, which hardened systems forbid.  @return an error, or 0 */
static int try_reading(pid_t parent)
{
    static char mark;
    char copy;
    const struct iovec here = {&copy, 1}, there = {&mark, 1};
    return process_vm_readv(parent, &here, 1, &there, 1, 0) == 1 ? 0 : errno;
}

/* It holds nothing that the other process was started with, but standard error: who waits for its end finds no temporary files. */
static int leave_all_but(int socket)
{
    enum { MOVED = STDERR_FILENO + 1 };
    if (socket != MOVED && dup2(socket, MOVED) < 0)
        return -1;
    (void)syscall(SYS_close_range, MOVED + 1U, UINT_MAX, 0U);
    for (int i = 0; i < STDERR_FILENO; i++)
        (void)close(i);
    for (int i = 0; i < STDERR_FILENO; i++)
        (void)open("/dev/null", O_RDWR);
    return MOVED;
}

static void keep(keeper *k, int socket, pid_t parent)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL); /* signals of the terminal are for the other process */
    (void)setsid();
    socket = leave_all_but(socket);
    k->mode = umask(0);
    (void)umask(k->mode);
    k->mode = 0666 & ~k->mode;
    open_folders(k);
    k->listener = receive_descriptor(socket);
    if (k->listener < 0)
        return;
    const int error = try_reading(parent);
    if (write(socket, &error, sizeof error) == sizeof error && error == 0)
        serve(k, socket);
}

static gb_status fail(const char *what, int error, gb_error *err)
{
    return cli_fail(err, GB_EIO, "--sandbox: %s: %s", what, strerror(error));
}

gb_status cli_outputs_begin(cli_outputs *outputs, bool force, gb_error *err)
{
    int both[2];
    gb_status st = GB_OK;
    keeper k = {.outputs = outputs, .replaces = force};
    const pid_t parent = getpid();
    if (outputs->n == 0)
        return GB_OK;
    CLI_TRY(cli_alloc(&k.folder, outputs->n, sizeof *k.folder, "outputs", err));
    CLI_TRY(cli_alloc(&k.made, outputs->n, sizeof *k.made, "outputs", err));
    for (size_t i = 0; i < outputs->n; i++)
        k.made[i].descriptor = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) {
        st = fail("cannot speak with another process", errno, err);
        goto done;
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)close(both[0]);
        keep(&k, both[1], parent);
        _exit(0);
    }
    const int error = errno;
    (void)close(both[1]);
    if (child < 0) {
        (void)close(both[0]);
        st = fail("cannot start the process that keeps the folders of outputs", error, err);
    } else {
        outputs->keeper = both[0];
        /* it may read paths; systems without such a limit do not know this */
        (void)prctl(PR_SET_PTRACER, child, 0, 0, 0);
    }
done:
    gb_free(k.folder);
    gb_free(k.made);
    return st;
}

gb_status cli_outputs_hand_over(const cli_outputs *outputs, gb_error *err)
{
    int listener, error = EPIPE;
    if (outputs->n == 0)
        return GB_OK;
    const gb_status st = cli_watch_calls(&listener, err);
    if (st != GB_OK)
        return st;
    const bool is_told = send_descriptor(outputs->keeper, listener) &&
                         read(outputs->keeper, &error, sizeof error) == (ssize_t)sizeof error;
    (void)close(listener);
    return is_told && error == 0 ? GB_OK : fail("another process cannot keep the folders of outputs", error, err);
}

#else

gb_status cli_outputs_begin(cli_outputs *outputs, bool force, gb_error *err)
{
    (void)force;
    return outputs->n == 0
               ? GB_OK
               : cli_fail(err, GB_EIO,
                          "--sandbox: this program was built without what Linux has for outputs from 5.9 on");
}

gb_status cli_outputs_hand_over(const cli_outputs *outputs, gb_error *err)
{
    (void)outputs;
    (void)err;
    return GB_OK;
}

#endif
