/* cli/sandbox_calls.c - which system calls a process can make, by a filter that the kernel runs before each of them.
 *
 * It is a list of what is allowed, some with a condition on an argument.  Everything else fails with ENOSYS, as on a kernel that does not have
 * it, since libraries know what to do then: new threads come from clone() where clone3(), whose arguments a filter cannot see, is
 * missing.  A program for another architecture is a way around the numbers, and ends at once. */
#include "sandbox.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#if defined __linux__ && __has_include(<linux/seccomp.h>) && (defined __x86_64__ || defined __aarch64__)

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Of memory, time, threads and signals of this process, and of files: Landlock says which. */
static const int allowed[] = {
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_preadv,
    SYS_write,
    SYS_writev,
    SYS_pwrite64,
    SYS_pwritev,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_getdents64,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_renameat2,
    SYS_renameat,
    SYS_unlinkat,
    SYS_dup,
    SYS_dup3,
    SYS_ppoll,
    SYS_pselect6,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_msync,
    SYS_brk,
    SYS_futex,
    SYS_membarrier,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_rseq,
    SYS_gettid,
    SYS_getpid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_wait4,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_setitimer,
    SYS_getitimer,
    SYS_getrandom,
    SYS_getrusage,
    SYS_times,
    SYS_sysinfo,
    SYS_uname,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getrlimit,
#ifdef __x86_64__
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_rename,
    SYS_unlink,
    SYS_dup2,
    SYS_poll,
    SYS_select,
    SYS_time,
#endif
};

typedef enum condition_kind { HAS_NONE_OF, HAS_SOME_OF, IS } condition_kind;

/* Of the lower half of an argument, where all of these have their value. */
typedef struct condition {
    int call;
    unsigned argument; /* from 0 */
    condition_kind kind;
    uint32_t value;
} condition;

/* What makes a file, where it makes one. */
static const condition making[] = {
#ifdef __x86_64__
    {SYS_open, 1, HAS_SOME_OF, O_CREAT},
#endif
    {SYS_openat, 2, HAS_SOME_OF, O_CREAT},
};

/* What changes names. */
static const int naming[] = {
#ifdef __x86_64__
    SYS_rename,   SYS_unlink,
#endif
    SYS_renameat, SYS_renameat2, SYS_unlinkat,
};

/* Several for one call: any of them. */
static const condition conditions[] = {
#ifdef __x86_64__
    {SYS_open, 1, HAS_NONE_OF, O_TRUNC},
#endif
    {SYS_openat, 2, HAS_NONE_OF, O_TRUNC},
    {SYS_mmap, 2, HAS_NONE_OF, PROT_EXEC},
    {SYS_mprotect, 2, HAS_NONE_OF, PROT_EXEC},
    {SYS_clone, 0, HAS_SOME_OF, CLONE_THREAD},
    {SYS_kill, 1, IS, 0}, /* whether a process is there */
    {SYS_prlimit64, 0, IS, 0},
    {SYS_ioctl, 1, IS, TIOCGWINSZ},
    {SYS_ioctl, 1, IS, TCGETS},
    {SYS_fcntl, 1, IS, F_GETFD},
    {SYS_fcntl, 1, IS, F_SETFD},
    {SYS_fcntl, 1, IS, F_GETFL},
    {SYS_fcntl, 1, IS, F_DUPFD_CLOEXEC},
};

enum {
    N_ALLOWED = sizeof allowed / sizeof *allowed,
    N_CONDITIONS = sizeof conditions / sizeof *conditions,
    N_MAKING = sizeof making / sizeof *making,
    N_NAMING = sizeof naming / sizeof *naming,
    MOST_INSTRUCTIONS = 8 + 2 * N_ALLOWED + 6 * N_CONDITIONS + 6
};

typedef struct filter {
    struct sock_filter instruction[MOST_INSTRUCTIONS];
    unsigned short n;
} filter;

static void put(filter *f, struct sock_filter instruction)
{
    f->instruction[f->n++] = instruction;
}

static void put_load(filter *f, size_t offset)
{
    put(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void put_return(filter *f, uint32_t what)
{
    put(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* @param jump  BPF_JEQ or BPF_JSET
 * @param yes, no  how many instructions to leave out then */
static void put_test(filter *f, unsigned short jump, uint32_t value, uint8_t yes, uint8_t no)
{
    put(f, (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | jump | BPF_K), value, yes, no));
}

/* Numbers of another architecture mean other calls. */
static void put_architecture(filter *f)
{
    put_load(f, offsetof(struct seccomp_data, arch));
    put_test(f, BPF_JEQ, THIS_ARCHITECTURE, 1, 0);
    put_return(f, SECCOMP_RET_KILL_PROCESS);
}

/* The number of the call is loaded, before and after. */
static void put_condition(filter *f, const condition *c, uint32_t then)
{
    enum { LENGTH = 5 };
    const size_t lower_half =
        offsetof(struct seccomp_data, args) + (size_t)8 * c->argument; /* both are little-endian */
    put_test(f, BPF_JEQ, (uint32_t)c->call, 0, LENGTH - 1);
    put_load(f, lower_half);
    if (c->kind == IS)
        put_test(f, BPF_JEQ, c->value, 0, 1);
    else
        put_test(f, BPF_JSET, c->value, c->kind == HAS_NONE_OF, c->kind == HAS_SOME_OF);
    put_return(f, then);
    put_load(f, offsetof(struct seccomp_data, nr));
}

static void put_calls(filter *f, size_t n, const int *call, uint32_t then)
{
    for (size_t i = 0; i < n; i++) {
        put_test(f, BPF_JEQ, (uint32_t)call[i], 0, 1);
        put_return(f, then);
    }
}

static void make(filter *f)
{
    put_architecture(f);
    put_load(f, offsetof(struct seccomp_data, nr));
    put_calls(f, N_ALLOWED, allowed, SECCOMP_RET_ALLOW);
    for (size_t i = 0; i < N_CONDITIONS; i++)
        put_condition(f, &conditions[i], SECCOMP_RET_ALLOW);
    put_return(f, SECCOMP_RET_ERRNO | ENOSYS);
}

static gb_status fail(gb_error *err)
{
    return cli_fail(err, GB_EIO, "--sandbox: cannot limit system calls: %s", strerror(errno));
}

gb_status cli_limit_calls(gb_error *err)
{
    filter f = {.n = 0};
    make(&f);
    const struct sock_fprog program = {.len = f.n, .filter = f.instruction};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return fail(err);
    return GB_OK;
}

#ifdef SECCOMP_FILTER_FLAG_NEW_LISTENER

/* A call that has been taken up is not interrupted by signals but those that end the process (Linux 5.19). */
static const unsigned long NOT_INTERRUPTED = 1UL << 5;

gb_status cli_watch_calls(int *listener, gb_error *err)
{
    filter f = {.n = 0};
    put_architecture(&f);
    put_load(&f, offsetof(struct seccomp_data, nr));
    put_calls(&f, N_NAMING, naming, SECCOMP_RET_USER_NOTIF);
    for (size_t i = 0; i < N_MAKING; i++)
        put_condition(&f, &making[i], SECCOMP_RET_USER_NOTIF);
    put_return(&f, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = f.n, .filter = f.instruction};
    long made =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | NOT_INTERRUPTED, &program);
    if (made < 0 && errno == EINVAL)
        made = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    *listener = (int)made;
    return made < 0 ? fail(err) : GB_OK;
}

#endif

#else

gb_status cli_limit_calls(gb_error *err)
{
    return cli_fail(err, GB_EIO, "--sandbox: system calls can be limited by Linux on x86-64 and 64-bit Arm only");
}

#endif
