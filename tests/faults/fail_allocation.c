/* tests/faults/fail_allocation.c - preloaded into a program: makes one of its allocations fail, or all from one on.
 *
 *   GIBBOUS_FAIL_AT     number of the allocation that fails, from 1; without it none does
 *   GIBBOUS_FAIL_ALL    set: all after it fail, too
 *   GIBBOUS_FAIL_TRACE  set: the stack of the one that failed goes to standard error
 *   GIBBOUS_FAIL_COUNT  a file that receives how many allocations there were, if the program ends by exit()
 *   GIBBOUS_FAIL_STACKS a file that receives a line for each new stack of callers: the number of its first allocation, the name of the
 *                       stack, and the calls in it that the program itself makes.  Names are the same in every run of the same program.
 *   GIBBOUS_FAIL_STACK  name of a stack: the first allocation from there fails
 *
 * The C library calls these functions for its own needs, too: strdup(), fopen(), qsort(). */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

static atomic_long n_allocations;
static long fail_at;
static bool fails_after, traces;

/* ---- stacks ---- */

enum { MAX_DEPTH = 64, N_SLOTS = 1 << 16 };

static int stacks_file = -1;
static uint64_t wanted; /* 0: none */
static const void *program;
static _Atomic uint64_t known[N_SLOTS]; /* hashes of addresses of this process; 0 is a free slot */
static _Thread_local bool looks;        /* what looking at a stack allocates does not count */

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 29;
}

static bool is_new(uint64_t hash)
{
    for (size_t i = 0; i < N_SLOTS; i++) {
        _Atomic uint64_t *slot = &known[(hash + i) % N_SLOTS];
        uint64_t old = 0;
        if (atomic_compare_exchange_strong(slot, &old, hash))
            return true;
        if (old == hash)
            return false;
    }
    return false;
}

/* Whether this is the first allocation of the wanted stack. */
static bool looks_at_stack(long n)
{
    void *frame[MAX_DEPTH];
    const int depth = backtrace(frame, MAX_DEPTH);
    uint64_t hash = 1, name = 1;
    for (int i = 0; i < depth; i++)
        hash = mixed(hash, (uint64_t)(uintptr_t)frame[i]);
    if (hash == 0 || !is_new(hash))
        return false;
    char text[32 + 20 * MAX_DEPTH];
    int length = 0;
    for (int i = 0; i < depth; i++) { /* where modules lie differs from run to run */
        Dl_info module;
        if (dladdr(frame[i], &module) == 0)
            continue;
        const uint64_t at = (uint64_t)((const char *)frame[i] - (const char *)module.dli_fbase);
        const bool is_program = module.dli_fbase == program; /* its name is what it was called by */
        for (const char *c = is_program ? "" : module.dli_fname; *c != '\0'; c++)
            name = mixed(name, (unsigned char)*c);
        name = mixed(name, at);
        if (is_program)
            length += snprintf(text + length, sizeof text - (size_t)length, " %llx", (unsigned long long)at);
    }
    if (stacks_file >= 0)
        dprintf(stacks_file, "%ld %016llx%.*s\n", n, (unsigned long long)name, length, text);
    return name == wanted;
}

/* ---- failing ---- */

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("GIBBOUS_FAIL_AT");
    fails_after = getenv("GIBBOUS_FAIL_ALL") != NULL;
    traces = getenv("GIBBOUS_FAIL_TRACE") != NULL;
    const char *stacks = getenv("GIBBOUS_FAIL_STACKS");
    if (stacks != NULL)
        stacks_file = open(stacks, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const char *stack = getenv("GIBBOUS_FAIL_STACK");
    wanted = stack == NULL ? 0 : strtoull(stack, NULL, 16);
    Dl_info main_program; /* its headers are what the kernel tells */
    if (dladdr((const void *)getauxval(AT_PHDR), &main_program) != 0)
        program = main_program.dli_fbase;
    if (traces || stacks_file >= 0 || wanted != 0) { /* it allocates when it is called first */
        void *frame[1];
        (void)backtrace(frame, 1);
    }
    atomic_store(&n_allocations, 0);
    fail_at = at == NULL ? 0 : strtol(at, NULL, 10);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("GIBBOUS_FAIL_COUNT");
    char text[32];
    if (path == NULL)
        return;
    const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&n_allocations));
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, text, (size_t)length) == length)
        close(file);
}

static void tell_stack(void)
{
    void *frame[24];
    backtrace_symbols_fd(frame, backtrace(frame, 24), STDERR_FILENO);
}

static bool fails(void)
{
    const long n = atomic_fetch_add(&n_allocations, 1) + 1;
    bool is_wanted = false;
    if ((stacks_file >= 0 || wanted != 0) && !looks) {
        looks = true;
        is_wanted = looks_at_stack(n);
        looks = false;
    }
    if (is_wanted) {
        if (traces)
            tell_stack();
        errno = ENOMEM;
        return true;
    }
    if (fail_at == 0 || n < fail_at || (n > fail_at && !fails_after))
        return false;
    if (traces && n == fail_at)
        tell_stack();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t n)
{
    return fails() ? NULL : __libc_realloc(block, n);
}

int posix_memalign(void **out, size_t alignment, size_t n)
{
    if (fails())
        return ENOMEM;
    *out = __libc_memalign(alignment, n);
    return *out == NULL ? ENOMEM : 0;
}

void *aligned_alloc(size_t alignment, size_t n)
{
    return fails() ? NULL : __libc_memalign(alignment, n);
}
