/* base/processors.c - how many threads are worth having.
 *
 * Control groups limit the processor time of containers and jobs: quota microseconds in every period, for each group on the way
 * from the root to the group of the process.  /proc/self/cgroup has lines "number:controllers:path"; version 2 is the line "0::path"
 * with the limit in PATH/cpu.max ("max 100000" or "150000 100000"), version 1 the line with the controller cpu and the limit in
 * PATH/cpu.cfs_quota_us (-1: none) and PATH/cpu.cfs_period_us.  In a container the path may be as the outer system sees it, while
 * the files of the container's own group lie at the top; the way up ends there, so they are read in both cases. */
#include "base/processors.h"

#include "base/system.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

/* ---- control groups ---- */

static bool read_line(const char *path, char line[static LINE])
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool is_read = fgets(line, LINE, file) != NULL;
    (void)fclose(file);
    return is_read;
}

static bool read_number(const char *folder, const char *name, long long *out)
{
    char path[2 * LINE], line[LINE];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !read_line(path, line))
        return false;
    return sscanf(line, "%lld", out) == 1; /* the kernel's number, in range: NOLINT(cert-err34-c) */
}

/* Quota by period, rounded up; 0 if there is none. */
static size_t processors_in(long long quota, long long period)
{
    return quota <= 0 || period <= 0 ? 0 : (size_t)((quota + period - 1) / period);
}

static size_t quota_of_version_2(const char *folder)
{
    char path[2 * LINE], line[LINE];
    long long quota, period;
    if (snprintf(path, sizeof path, "%s/cpu.max", folder) >= (int)sizeof path || !read_line(path, line))
        return 0;
    /* The kernel's numbers, in range.  NOLINTNEXTLINE(cert-err34-c) */
    return sscanf(line, "%lld %lld", &quota, &period) == 2 ? processors_in(quota, period) : 0;
}

static size_t quota_of_version_1(const char *folder)
{
    long long quota, period;
    if (!read_number(folder, "cpu.cfs_quota_us", &quota) || !read_number(folder, "cpu.cfs_period_us", &period))
        return 0;
    return processors_in(quota, period);
}

static size_t least(size_t a, size_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The least quota from MOUNT/path up to MOUNT. */
static size_t least_on_the_way(const char *mount, const char *path, size_t (*quota)(const char *folder))
{
    char folder[2 * LINE];
    size_t found = 0;
    if (snprintf(folder, sizeof folder, "%s%s", mount, path) >= (int)sizeof folder)
        return 0;
    const size_t top = strlen(mount);
    for (;;) {
        found = least(found, quota(folder));
        char *slash = strrchr(folder, '/');
        if (slash == NULL || (size_t)(slash - folder) < top)
            return found;
        *slash = '\0';
    }
}

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

/* A line of /proc/self/cgroup, which is cut into its parts. */
static size_t quota_of_line(const char *root, char *line)
{
    char mount[2 * LINE];
    char *controllers = strchr(line, ':'), *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
    if (path == NULL)
        return 0;
    *path++ = '\0';
    controllers++;
    path[strcspn(path, "\n")] = '\0';
    const bool is_version_2 = *controllers == '\0';
    if (!is_version_2 && !has_word(controllers, "cpu"))
        return 0;
    (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s%s", root, is_version_2 ? "" : "/",
                   is_version_2 ? "" : controllers);
    const size_t found = least_on_the_way(mount, path, is_version_2 ? quota_of_version_2 : quota_of_version_1);
    if (is_version_2 || strcmp(controllers, "cpu") == 0)
        return found;
    (void)snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/cpu", root); /* where there is no folder of both names */
    return least(found, least_on_the_way(mount, path, quota_of_version_1));
}

size_t gb_quota_of_groups(const char *root)
{
    char path[LINE], line[LINE];
    size_t found = 0;
    if (snprintf(path, sizeof path, "%s/proc/self/cgroup", root) >= (int)sizeof path)
        return 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        found = least(found, quota_of_line(root, line));
    (void)fclose(file);
    return found;
}

/* ---- all together ---- */

/* The first number of a list such as "4,2"; 0 without one. */
static size_t wanted_by_environment(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    if (text == NULL)
        return 0;
    const long n = strtol(text, NULL, 10);
    return n < 1 ? 0 : (size_t)n;
}

size_t gb_available_threads(void)
{
    return least(least(gb_machine_processors(), gb_quota_of_groups("")), wanted_by_environment());
}

size_t gb_threads_for(uint64_t wanted, uint64_t n_jobs, uint64_t n_tokens)
{
    const uint64_t tokens_per_thread = 20000;
    if (wanted > 0)
        return (size_t)wanted;
    const size_t available = gb_available_threads();
    const uint64_t for_one = n_tokens / tokens_per_thread + 1;
    if (for_one == 1 || n_jobs >= available)
        return n_jobs < available ? (size_t)n_jobs : available;
    return for_one < available ? (size_t)for_one : available;
}
