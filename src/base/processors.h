/* base/processors.h - how many threads are worth having. */
#ifndef GB_BASE_PROCESSORS_H
#define GB_BASE_PROCESSORS_H

#include <stddef.h>
#include <stdint.h>

/**
 * Processors that this process may use: the least of those that its affinity allows, the quota of its control groups (rounded
 * up) and OMP_NUM_THREADS; at least 1.
 */
size_t gb_available_threads(void);

/**
 * Threads for `n_jobs` independent jobs that go over `n_tokens` tokens again and again: `wanted`, or with 0 as many as are
 * available and have enough to do.  A job shared out among threads makes them wait for one another, which costs about as
 * much as drawing a thousand tokens each time; jobs side by side do not.
 */
size_t gb_threads_for(uint64_t wanted, uint64_t n_jobs, uint64_t n_tokens);

/** The least quota of the control groups of this process, in processors, rounded up; 0 without one.  Files are read below
 * `root`: "" but in tests. */
size_t gb_quota_of_groups(const char *root);

#endif
