/* bench/speed/clock.h - what a measurement reads of the running process. */
#ifndef GB_BENCH_CLOCK_H
#define GB_BENCH_CLOCK_H

#include <stddef.h>

/** Seconds: of all threads of the process on processors, and of the clock on the wall. */
typedef struct bench_time {
    double cpu, wall;
} bench_time;

bench_time bench_now(void);
bench_time bench_since(bench_time begin);

/** Median of n numbers, which are sorted by it; NaN for none. */
double bench_median(double *x, size_t n);

/** A line of /proc/self/status in MiB: "VmHWM" (largest so far) or "VmRSS" (now); NaN where there is none. */
double bench_memory(const char *line);

#endif
