/* base/system_linux.c - what Linux has beside other systems. */
#if defined __linux__
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files ---- */

/* On file systems that know no such files it has a name for a moment, by which the next run that makes one there removes it (base/output.c):
 * so those who call this do it. */
int gb_file_open_without_name(const char *folder)
{
#ifdef O_TMPFILE
    const int file = open(folder, O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 ||
        (errno != EOPNOTSUPP && errno != ENOSYS && errno != EISDIR && errno != EINVAL && errno != ENOENT))
        return file;
#endif
    (void)folder;
    errno = EOPNOTSUPP;
    return -1;
}

/* The streams of the C library take a call that is interrupted for one that has failed, and forget why one failed. */
static ssize_t read_bytes(void *cookie, char *bytes, size_t n)
{
    const gb_stream_of_file *how = cookie;
    return (ssize_t)gb_file_read(how->file, bytes, n);
}

static ssize_t write_bytes(void *cookie, const char *bytes, size_t n)
{
    const gb_stream_of_file *how = cookie;
    if (how->before != NULL)
        how->before();
    if (gb_file_write(how->file, bytes, n))
        return (ssize_t)n;
    if (how->error != NULL && *how->error == 0)
        *how->error = errno;
    return 0; /* a failure, to the stream */
}

static int seek(void *cookie, off_t *offset, int whence)
{
    const gb_stream_of_file *how = cookie;
    const int64_t at = gb_file_seek(how->file, *offset, whence);
    if (at < 0)
        return -1;
    *offset = at;
    return 0;
}

static int close_bytes(void *cookie)
{
    gb_stream_of_file *how = cookie;
    const int failed = how->closes ? close(how->file) : 0;
    if (how->is_freed)
        gb_memory_release(how);
    return failed;
}

FILE *gb_file_stream(gb_stream_of_file *how, const char *mode)
{
    cookie_io_functions_t calls = {.write = write_bytes, .close = close_bytes};
    if (mode[1] == '+') {
        calls.read = read_bytes;
        calls.seek = seek;
    }
    FILE *stream = fopencookie(how, mode, calls);
    if (stream == NULL && how->is_freed)
        gb_memory_release(how);
    return stream;
}

bool gb_path_rename_to_new(const char *from, const char *to)
{
    const unsigned no_replace = 1; /* RENAME_NOREPLACE, which older C libraries have no name for */
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (!gb_path_is_there(to)) /* this file system cannot do both in one step */
        return gb_path_rename(from, to);
    errno = EEXIST;
    return false;
}

/* ---- memory ---- */

void gb_memory_prefer_large_pages(void *block, size_t n_bytes)
{
    (void)madvise(block, n_bytes, MADV_HUGEPAGE);
}

/* ---- the machine and the process ---- */

size_t gb_machine_processors(void)
{
    const size_t most = 1 << 16;
    size_t n = 1024;
    for (; n <= most; n *= 2) {
        cpu_set_t *set = CPU_ALLOC(n);
        if (set == NULL)
            break;
        const bool is_known = sched_getaffinity(0, CPU_ALLOC_SIZE(n), set) == 0;
        const int count = is_known ? CPU_COUNT_S(CPU_ALLOC_SIZE(n), set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return (size_t)count;
        if (errno != EINVAL) /* that: the kernel has more processors than n */
            break;
    }
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (size_t)online;
}

/* It has a copy of this memory, and tells nobody of its end but who waits for it: the program may have other children. */
static pid_t start(int (*work)(const void *context), const void *context)
{
    const pid_t process = (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
    if (process != 0)
        return process;
    (void)setsid(); /* a signal to the group of this process is not for it */
    /* the copy ends, and nothing that the program has registered for its own end is run */
    return (pid_t)syscall(SYS_exit_group, work(context));
}

int gb_process_work(int (*work)(const void *context), const void *context)
{
    sigset_t all, before;
    int status = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t process = start(work, context);
    pid_t ended = process;
    while (process > 0 && (ended = waitpid(process, &status, __WALL)) < 0 && errno == EINTR)
        continue;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (process < 0)
        return -1;
    return ended != process || !WIFEXITED(status) ? -2 : WEXITSTATUS(status);
}

bool gb_module_of_program(char *out)
{
    const ssize_t length = readlink("/proc/self/exe", out, GB_PATH_ROOM - 1);
    if (length > 0)
        out[length] = '\0';
    return length > 0;
}

#else
typedef int gb_no_linux;
#endif
