/* allocations.c - this program's own malloc() and its kin.
 *
 * A program's functions come before those of all its libraries, so what other libraries and the C library allocate (strdup(), fopen())
 * counts, too. */
#include "allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef IS_SANITIZED /* by the address sanitizer: its functions, by the names under which they can be called */
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t n);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *block, size_t n);
void *REAL(memalign)(size_t alignment, size_t n);
void REAL(free)(void *block);

#define CALLER __builtin_return_address(0)

static allocation_faults wanted;
static atomic_bool is_watching;
static atomic_ullong n_watched;
static atomic_llong n_live;

void allocations_start(const allocation_faults *faults)
{
    wanted = *faults;
    atomic_store(&n_watched, 0);
}

void allocations_watch(bool is_watched)
{
    atomic_store(&is_watching, is_watched);
}

uint64_t allocations_n(void)
{
    return atomic_load(&n_watched);
}

int64_t allocations_live(void)
{
    return atomic_load(&n_live);
}

static void tell_stack(void)
{
    void *frame[24];
    atomic_store(&is_watching, false);
    backtrace_symbols_fd(frame, backtrace(frame, 24), STDERR_FILENO);
    atomic_store(&is_watching, true);
}

/* Whether an address lies in one of the libraries that are left out. */
static bool is_left_out(const void *caller)
{
    Dl_info library;
    if (wanted.not_of == NULL || dladdr(caller, &library) == 0)
        return false;
    for (const char *const *name = wanted.not_of; *name != NULL; name++)
        if (strstr(library.dli_fname, *name) != NULL)
            return true;
    return false;
}

static bool fails(const void *caller)
{
    if (!atomic_load(&is_watching) || is_left_out(caller))
        return false;
    const uint64_t n = atomic_fetch_add(&n_watched, 1) + 1;
    if (wanted.at == 0 || n < wanted.at || (n > wanted.at && !wanted.all))
        return false;
    if (wanted.is_traced && n == wanted.at)
        tell_stack();
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add(&n_live, 1);
    return block;
}

/* ---- the functions ---- */

void *malloc(size_t n)
{
    return fails(CALLER) ? NULL : counted(REAL(malloc)(n));
}

void *calloc(size_t n, size_t size)
{
    return fails(CALLER) ? NULL : counted(REAL(calloc)(n, size));
}

void *realloc(void *block, size_t n)
{
    if (fails(CALLER))
        return NULL;
    void *new = REAL(realloc)(block, n);
    if (block == NULL)
        return counted(new);
    if (new == NULL && n == 0) /* it was freed */
        atomic_fetch_sub(&n_live, 1);
    return new;
}

int posix_memalign(void **out, size_t alignment, size_t n)
{
    if (fails(CALLER))
        return ENOMEM;
    void *block = counted(REAL(memalign)(alignment, n));
    if (block == NULL)
        return ENOMEM;
    *out = block;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t n)
{
    return fails(CALLER) ? NULL : counted(REAL(memalign)(alignment, n));
}

void *memalign(size_t alignment, size_t n)
{
    return fails(CALLER) ? NULL : counted(REAL(memalign)(alignment, n));
}

void free(void *block)
{
    if (block != NULL)
        atomic_fetch_sub(&n_live, 1);
    REAL(free)(block);
}

#ifdef IS_SANITIZED /* its strdup(), which libarchive calls, does not come here */
char *strdup(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = malloc(n);
    return copy == NULL ? NULL : memcpy(copy, text, n);
}
#endif
