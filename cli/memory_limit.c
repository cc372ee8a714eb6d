/* cli/memory_limit.c - --memory-limit, kept by the system, where nothing has said beforehand what is needed. */
#include "memory_limit.h"

#include "verbs.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Sanitizers have memory of their own, which counts, and end the program where there is none. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

/* What libraries take while they work, and the stack that each thread may fill. */
static const uint64_t ROOM = (uint64_t)16 << 20, OF_THREAD = (uint64_t)9 << 20;

static struct {
    bool is_set;
    char text[64];
    struct rlimit before;
} limit;

/* Memory of the process that can be written to.  @return 0: the system does not say */
static uint64_t bytes_so_far(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
        pages = 0;
    (void)fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t n_threads(const cli_call *call)
{
    const int64_t n = cli_takes(call->verb, gb_option_find("threads")) ? cli_int(call, "threads") : 1;
    const long most = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint64_t)n : most > 0 ? (uint64_t)most : 1;
}

gb_status cli_limit_memory(const cli_call *call, gb_error *err)
{
    uint64_t most;
    const gb_status st = gb_settings_bytes(call->settings, "memory-limit", &most, err);
    const uint64_t so_far = bytes_so_far();
    if (st != GB_OK || most == UINT64_MAX || IS_SANITIZED || so_far == 0 ||
        getrlimit(RLIMIT_DATA, &limit.before) != 0)
        return st;
    struct rlimit now = limit.before;
    const uint64_t beside = so_far + ROOM + n_threads(call) * OF_THREAD;
    if (most >= RLIM_INFINITY - beside || most + beside >= now.rlim_cur)
        return GB_OK;
    now.rlim_cur = most + beside;
    limit.is_set = setrlimit(RLIMIT_DATA, &now) == 0;
    (void)snprintf(limit.text, sizeof limit.text, "%s", cli_text(call, "memory-limit"));
    return GB_OK;
}

void cli_end_memory_limit(void)
{
    if (limit.is_set)
        (void)setrlimit(RLIMIT_DATA, &limit.before);
    limit.is_set = false;
}

gb_status cli_explain_memory_limit(gb_status st, gb_error *err)
{
    char why[sizeof err->message];
    if (st != GB_ENOMEM || !limit.is_set)
        return st;
    memcpy(why, err->message, sizeof why);
    why[sizeof why - 1] = '\0';
    return cli_fail(err, GB_EARGUMENT, "`memory-limit` %s: %.800s", limit.text, why);
}
