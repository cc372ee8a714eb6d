/* tests/faults/fail_call.c - preloaded into a program: one of its system calls on files fails, is interrupted, does less, or is its last.
 *
 *   GIBBOUS_CALL_AT     number of the call, from 1; without it all succeed
 *   GIBBOUS_CALL_HOW    a number of an error (EIO, ENOSPC, EINTR, ...); "short": it reads or writes half of the bytes; "kill": the process
 *                       is killed before it, even if another one that it has started makes the call; "cut": the mapped file
 *                       GIBBOUS_CALL_CUT is made empty before it
 *   GIBBOUS_CALL_ONLY   which calls count: "change" those that may change files, "space" those that may need room, "transfer" those that
 *                       read or write bytes, "open" those that give a descriptor, "rename" those that rename; all without it
 *   GIBBOUS_CALL_ALL    set: all after it fail, too
 *   GIBBOUS_CALL_NAMED  set: there are no files without a name, as on some file systems
 *   GIBBOUS_CALL_COUNT  a file that receives how many calls there were, if the program ends by exit()
 *   GIBBOUS_CALL_TRACE  set: the name of the call that was disturbed goes to standard error
 *
 * A filter lets the kernel send a signal in place of each of these calls, whoever makes it: the C library's own functions too, which no
 * function of the same name could replace.  Its handler makes the call. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { READS = 1, WRITES = 2, SPACE = 4, CHANGES = 8, OPENS = 16, RENAMES = 32 };

static const struct {
    int number;
    int kind;
    const char *name;
} calls[] = {
    {SYS_read, READS, "read"},
    {SYS_pread64, READS, "pread"},
    {SYS_readv, READS, "readv"},
    {SYS_write, WRITES | SPACE | CHANGES, "write"},
    {SYS_pwrite64, WRITES | SPACE | CHANGES, "pwrite"},
    {SYS_writev, WRITES | SPACE | CHANGES, "writev"},
    {SYS_openat, CHANGES | OPENS, "open"},
    {SYS_close, 0, "close"},
    {SYS_fsync, SPACE | CHANGES, "fsync"},
    {SYS_fdatasync, SPACE | CHANGES, "fdatasync"},
    {SYS_ftruncate, SPACE | CHANGES, "ftruncate"},
#ifdef SYS_rename
    {SYS_rename, SPACE | CHANGES | RENAMES, "rename"},
    {SYS_unlink, CHANGES, "unlink"},
#endif
    {SYS_renameat, SPACE | CHANGES | RENAMES, "renameat"},
    {SYS_renameat2, SPACE | CHANGES | RENAMES, "renameat2"},
    {SYS_unlinkat, CHANGES, "unlinkat"},
    {SYS_mmap, 0, "mmap"}, /* of files only */
    {SYS_newfstatat, 0, "fstat"},
    {SYS_lseek, 0, "lseek"},
    {SYS_flock, 0, "flock"},
    {SYS_getdents64, 0, "getdents"},
    {SYS_fchmod, CHANGES, "fchmod"},
    {SYS_memfd_create, OPENS, "memfd_create"},
};
enum { N_CALLS = sizeof calls / sizeof *calls };

static atomic_long *n_calls; /* of the program and of processes that it starts */
static long fails_at;
static int error_number, kinds;
static bool fails_after, traces, is_short, kills, cuts, all_named;
static char cut_path[4096];
static pid_t the_program; /* it may have started another process, which goes on */

/* ---- the calls that are let through ---- */

long fail_call_raw(long number, const long *argument);
extern const char fail_call_return[]; /* where a call made here comes back to */

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
__asm__(".text\n.globl fail_call_raw\n.hidden fail_call_raw\n.hidden fail_call_return\n.globl fail_call_return\n"
        "fail_call_raw:\n"
        "mov %rdi, %rax\n mov %rsi, %r11\n"
        "mov (%r11), %rdi\n mov 8(%r11), %rsi\n mov 16(%r11), %rdx\n"
        "mov 24(%r11), %r10\n mov 32(%r11), %r8\n mov 40(%r11), %r9\n"
        "syscall\n"
        "fail_call_return:\n ret\n");

static void arguments_of(const ucontext_t *context, long out[static 6])
{
    static const int at[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    for (int i = 0; i < 6; i++)
        out[i] = context->uc_mcontext.gregs[at[i]];
}

static void set_result(ucontext_t *context, long value)
{
    context->uc_mcontext.gregs[REG_RAX] = value;
}
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
__asm__(".text\n.globl fail_call_raw\n.hidden fail_call_raw\n.hidden fail_call_return\n.globl fail_call_return\n"
        "fail_call_raw:\n"
        "mov x8, x0\n mov x9, x1\n"
        "ldp x0, x1, [x9]\n ldp x2, x3, [x9, #16]\n ldp x4, x5, [x9, #32]\n"
        "svc #0\n"
        "fail_call_return:\n ret\n");

static void arguments_of(const ucontext_t *context, long out[static 6])
{
    for (int i = 0; i < 6; i++)
        out[i] = (long)context->uc_mcontext.regs[i];
}

static void set_result(ucontext_t *context, long value)
{
    context->uc_mcontext.regs[0] = (unsigned long)value;
}
#endif

/* ---- disturbing one ---- */

static void say(const char *text)
{
    const long argument[6] = {STDERR_FILENO, (long)text, (long)strlen(text)};
    (void)fail_call_raw(SYS_write, argument);
}

static bool is_disturbed(size_t which)
{
    if (kinds != 0 && (calls[which].kind & kinds) == 0)
        return false;
    const long n = atomic_fetch_add(n_calls, 1) + 1;
    if (fails_at == 0 || n < fails_at || (n > fails_at && !fails_after))
        return false;
    if (traces && n == fails_at) {
        say("disturbed: ");
        say(calls[which].name);
        say("\n");
    }
    return true;
}

static void end_process(void)
{
    const long argument[6] = {the_program, SIGKILL};
    (void)fail_call_raw(SYS_kill, argument);
}

static void cut_file(void)
{
    const long name[6] = {AT_FDCWD, (long)cut_path, O_WRONLY | O_TRUNC | O_CLOEXEC};
    const long file[6] = {fail_call_raw(SYS_openat, name)};
    (void)fail_call_raw(SYS_close, file);
}

static long answer(size_t which, long number, long argument[static 6])
{
    if (all_named && number == SYS_openat && (argument[2] & O_TMPFILE) == O_TMPFILE)
        return -EOPNOTSUPP;
    if (!is_disturbed(which))
        return fail_call_raw(number, argument);
    if (kills)
        end_process();
    if (cuts)
        cut_file();
    if (is_short && argument[2] > 1 &&
        (number == SYS_read || number == SYS_pread64 || number == SYS_write || number == SYS_pwrite64))
        argument[2] /= 2;
    if (kills || cuts || is_short)
        return fail_call_raw(number, argument);
    if (number == SYS_close) /* it is closed all the same */
        (void)fail_call_raw(number, argument);
    return -error_number;
}

static void on_call(int signal_number, siginfo_t *info, void *user)
{
    ucontext_t *context = user;
    const int before = errno;
    long argument[6];
    size_t which = 0;
    (void)signal_number;
    while (which < N_CALLS && calls[which].number != info->si_syscall)
        which++;
    arguments_of(context, argument);
    set_result(context, which == N_CALLS ? -ENOSYS : answer(which, info->si_syscall, argument));
    errno = before;
}

/* ---- the filter ---- */

#define LOAD(field)              BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOAD_HIGH(field)         BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + 4)
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define END(value)               BPF_STMT(BPF_RET | BPF_K, value)

/* Both machines are little-endian: the low half of a number comes first. */
static bool install_filter(void)
{
    struct sock_filter filter[24 + 2 * N_CALLS];
    size_t n = 0;
    const uint64_t from = (uint64_t)(uintptr_t)fail_call_return;
    const struct sock_filter head[] = {
        LOAD(arch),
        IF_EQUAL(ARCHITECTURE, 1, 0),
        END(SECCOMP_RET_ALLOW),
        LOAD(instruction_pointer),
        IF_EQUAL((uint32_t)from, 0, 3),
        LOAD_HIGH(instruction_pointer),
        IF_EQUAL((uint32_t)(from >> 32), 0, 1),
        END(SECCOMP_RET_ALLOW),
        LOAD(nr),
        IF_EQUAL(SYS_newfstatat, 0, 3),
        LOAD(args[0]), /* of names it is asked often, and an answer may be no */
        IF_EQUAL((uint32_t)AT_FDCWD, 0, 1),
        END(SECCOMP_RET_ALLOW),
        LOAD(nr),
        IF_EQUAL(SYS_mmap, 0, 3),
        LOAD(args[4]), /* -1: not of a file */
        IF_EQUAL(UINT32_MAX, 0, 1),
        END(SECCOMP_RET_ALLOW),
        LOAD(nr),
    };
    memcpy(filter, head, sizeof head);
    n = sizeof head / sizeof *head;
    for (size_t i = 0; i < N_CALLS; i++) {
        filter[n++] = (struct sock_filter)IF_EQUAL((uint32_t)calls[i].number, 0, 1);
        filter[n++] = (struct sock_filter)END(SECCOMP_RET_TRAP);
    }
    filter[n++] = (struct sock_filter)END(SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int error_named(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EINTR", EINTR},  {"EMFILE", EMFILE},
                  {"EACCES", EACCES}, {"ENOMEM", ENOMEM}, {"EDQUOT", EDQUOT}};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(errors[i].name, name) == 0)
            return errors[i].number;
    return EIO;
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("GIBBOUS_CALL_AT"), *how = getenv("GIBBOUS_CALL_HOW"),
               *only = getenv("GIBBOUS_CALL_ONLY");
    const char *cut = getenv("GIBBOUS_CALL_CUT");
    const struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    how = how == NULL ? "EIO" : how;
    only = only == NULL ? "" : only;
    fails_after = getenv("GIBBOUS_CALL_ALL") != NULL;
    all_named = getenv("GIBBOUS_CALL_NAMED") != NULL;
    traces = getenv("GIBBOUS_CALL_TRACE") != NULL;
    is_short = strcmp(how, "short") == 0;
    kills = strcmp(how, "kill") == 0;
    cuts = strcmp(how, "cut") == 0;
    error_number = error_named(how);
    kinds = strcmp(only, "change") == 0     ? CHANGES
            : strcmp(only, "space") == 0    ? SPACE
            : strcmp(only, "transfer") == 0 ? READS | WRITES
            : strcmp(only, "open") == 0     ? OPENS
            : strcmp(only, "rename") == 0   ? RENAMES
                                            : 0;
    the_program = getpid();
    n_calls = mmap(NULL, sizeof *n_calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fails_at = at == NULL ? 0 : strtol(at, NULL, 10);
    (void)snprintf(cut_path, sizeof cut_path, "%s", cut == NULL ? "" : cut);
    if (n_calls == MAP_FAILED || sigaction(SIGSYS, &action, NULL) != 0 || !install_filter()) {
        say("fail_call: the kernel takes no filter\n");
        _exit(77);
    }
}

/* ---- the signal must stay free ---- */

static int mask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t without;
    if (set != NULL) {
        without = *set;
        if (how != SIG_UNBLOCK)
            (void)sigdelset(&without, SIGSYS);
        set = &without;
    }
    return syscall(SYS_rt_sigprocmask, how, set, old, 8) == 0 ? 0 : errno;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return mask(how, set, old);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    const int error = mask(how, set, old);
    errno = error == 0 ? errno : error;
    return error == 0 ? 0 : -1;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("GIBBOUS_CALL_COUNT");
    char text[32];
    if (path == NULL)
        return;
    const long n = atomic_load(n_calls);
    fails_at = 0;
    const int length = snprintf(text, sizeof text, "%ld\n", n);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, text, (size_t)length) == length)
        close(file);
}
