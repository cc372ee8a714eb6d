/* attempts.c - preloaded into the command: when it opens the file that ATTEMPTS_AT names, code that has taken over the process tries what
 * --sandbox forbids, and prints what the system says to each. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    (void)fprintf(stderr, "%s: %s\n", what, result >= 0 ? "DONE" : strerrorname_np(errno));
}

static long try_open(const char *path, int flags)
{
    return syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

static void try_files(void)
{
    show("read another file", try_open("other", O_RDONLY));
    show("read a file of the system", try_open("/etc/passwd", O_RDONLY));
    show("read the memory of a process", try_open("/proc/self/mem", O_RDWR));
    show("read by another name", try_open("/proc/self/root/etc/passwd", O_RDONLY));
    show("read an older output", try_open("out/old", O_RDONLY));
    show("read a folder", try_open(".", O_RDONLY | O_DIRECTORY));
    show("write to an input", try_open("m.gibbous", O_WRONLY));
    show("cut an input short", try_open("m.gibbous", O_RDONLY | O_TRUNC));
    show("the same by its name", truncate("m.gibbous", 0));
    show("make a file", try_open("new", O_WRONLY | O_CREAT));
    show("make a file without a name", try_open("/tmp", O_RDWR | O_TMPFILE));
    show("remove a file", unlink("other"));
    show("rename a file", rename("other", "out/other"));
    show("make a link", link("other", "out/link"));
    show("make a symbolic link", symlink("/etc/passwd", "out/link"));
    show("make a folder", mkdir("out/folder", 0700));
    show("make a pipe with a name", mknod("out/pipe", S_IFIFO | 0600, 0));
    show("change permissions", chmod("other", 0777));
    show("change an owner", chown("other", 0, 0));
    show("change another folder's root", chroot("."));
    show("open by a handle", syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0));
    show("open in another way", syscall(SYS_openat2, AT_FDCWD, "other", NULL, 0));
}

/* What must not be done to a file that is no output: each is one attempt. */
static long attempt(int which, const char *path)
{
    static const char target[] = "out/taken"; /* in the folder of an output */
    const int file = try_open(path, O_RDONLY);
    switch (which) {
    case 0:
        return file < 0 ? -1 : fchmod(file, 04777);
    case 1:
        return chmod(path, 04777);
    case 2:
        return fchmodat(AT_FDCWD, path, 04777, 0);
    case 3:
        return rename(path, target);
    case 4:
        return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, target, 0);
    case 5:
        return rename(path, "out/p.csv");
    case 6:
        return rename("out/p.csv", path);
    case 7:
        return unlink(path);
    case 8:
        return unlinkat(AT_FDCWD, path, 0);
    case 9:
        return link(path, target);
    case 10:
        return symlink(path, target);
    case 11:
        return try_open(path, O_WRONLY);
    case 12:
        return try_open(path, O_RDWR | O_CREAT);
    case 13:
        return try_open(path, O_WRONLY | O_CREAT | O_EXCL);
    case 14:
        return try_open(path, O_WRONLY | O_APPEND);
    case 15:
        return truncate(path, 0);
    case 16:
        return file < 0 ? -1 : ftruncate(file, 0);
    default:
        return utimensat(AT_FDCWD, path, NULL, 0);
    }
}

static void try_other_files(void)
{
    static const char *const other[] = {"m.gibbous",
                                        "a.jsonl",
                                        "other",
                                        "out/old",
                                        "out/p.csv",
                                        "out/new",
                                        "out/below/old",
                                        "c.gbk",
                                        "c.gbk.draws",
                                        ".",
                                        "out",
                                        "out/below",
                                        "out/.gibbous-0-1-0.tmp"};
    enum { WAYS = 18 };
    int n = 0;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        for (int which = 0; which < WAYS; which++, n++)
            if (attempt(which, other[i]) >= 0)
                (void)fprintf(stderr, "way %d with %s: DONE\n", which, other[i]);
    (void)fprintf(stderr, "%d attempts with other files\n", n);
}

static void try_network(void)
{
    int pair[2];
    show("a socket of the internet", socket(AF_INET, SOCK_STREAM, 0));
    show("a datagram", socket(AF_INET6, SOCK_DGRAM, 0));
    show("a local socket", socket(AF_UNIX, SOCK_STREAM, 0));
    show("a pair of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    show("a socket of the kernel", socket(AF_NETLINK, SOCK_RAW, 0));
    show("calls through a ring", syscall(SYS_io_uring_setup, 1, NULL));
}

static long new_process(void)
{
    const long process = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (process == 0)
        _exit(0);
    return process;
}

static void try_programs(void)
{
    char *const arguments[] = {"true", NULL};
    show("run a program", execve("/bin/true", arguments, NULL));
    show("run a file that is open", syscall(SYS_execveat, 0, "", arguments, NULL, 0x1000));
    show("a process", new_process());
    show("trace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    show("read another process", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
    show("a signal to another process", kill(getppid(), SIGUSR1));
    show("a signal to a thread", (long)syscall(SYS_tgkill, getppid(), getppid(), SIGUSR1));
    show("a name space", syscall(SYS_unshare, 0x10000000));
    show("a mount", syscall(SYS_mount, NULL, NULL, NULL, 0, NULL));
    show("a program in the kernel", syscall(SYS_bpf, 0, NULL, 0));
    show("a key", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
    show("another user", setuid(12345));
    show("a file in memory", memfd_create("m", 0));
    show("input of the terminal", (long)syscall(SYS_ioctl, 0, 0x5412, "x"));
}

static void try_memory(void)
{
    const long page = sysconf(_SC_PAGESIZE);
    void *made = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    show("memory for code", made == MAP_FAILED ? -1 : 0);
    made = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    show("memory that becomes code", mprotect(made, (size_t)page, PROT_READ | PROT_EXEC));
}

static void *in_a_thread(void *ignored)
{
    show("another file from a thread", try_open("other", O_RDONLY));
    show("a socket from a thread", socket(AF_INET, SOCK_STREAM, 0));
    return ignored;
}

static void try_all(void)
{
    pthread_t thread;
    try_files();
    try_other_files();
    try_network();
    try_programs();
    try_memory();
    if (pthread_create(&thread, NULL, in_a_thread, NULL) == 0)
        (void)pthread_join(thread, NULL);
    show("the named file", try_open("m.gibbous", O_RDONLY));
}

typedef int open_function(const char *path, int flags, ...);

static int watched_open(const char *name, const char *path, int flags, int mode)
{
    static int is_done;
    open_function *next;
    const char *at = getenv("ATTEMPTS_AT");
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(&next, &found, sizeof next);
    if (at != NULL && strcmp(path, at) == 0 && (flags & O_PATH) == 0 && !is_done) {
        is_done = 1;
        try_all();
    }
    return next(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return watched_open("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return watched_open("open64", path, flags, mode);
}
