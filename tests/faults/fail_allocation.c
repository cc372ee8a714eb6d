/* tests/faults/fail_allocation.c - preloaded into a program: makes one of its allocations fail, or all from one on.
 *
 *   GIBBOUS_FAIL_AT     number of the allocation that fails, from 1; without it none does
 *   GIBBOUS_FAIL_ALL    set: all after it fail, too
 *   GIBBOUS_FAIL_TRACE  set: the stack of the one that failed goes to standard error
 *   GIBBOUS_FAIL_COUNT  a file that receives how many allocations there were, if the program ends by exit()
 *
 * The C library calls these functions for its own needs, too: strdup(), fopen(), qsort(). */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

static atomic_long n_allocations;
static long fail_at;
static bool fails_after, traces;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("GIBBOUS_FAIL_AT");
    fails_after = getenv("GIBBOUS_FAIL_ALL") != NULL;
    traces = getenv("GIBBOUS_FAIL_TRACE") != NULL;
    if (traces) { /* it allocates when it is called first */
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
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file >= 0 && write(file, text, (size_t)length) == length)
        close(file);
}

static bool fails(void)
{
    const long n = atomic_fetch_add(&n_allocations, 1) + 1;
    if (fail_at == 0 || n < fail_at || (n > fail_at && !fails_after))
        return false;
    if (traces && n == fail_at) {
        void *frame[24];
        backtrace_symbols_fd(frame, backtrace(frame, 24), STDERR_FILENO);
    }
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
