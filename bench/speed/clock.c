/* bench/speed/clock.c - time and memory of the process. */
#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bench_time bench_now(void)
{
    return (bench_time){.cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID), .wall = read_clock(CLOCK_MONOTONIC)};
}

bench_time bench_since(bench_time begin)
{
    const bench_time now = bench_now();
    return (bench_time){.cpu = now.cpu - begin.cpu, .wall = now.wall - begin.wall};
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *x, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(x, n, sizeof *x, by_size);
    return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

double bench_memory(const char *line)
{
    char text[256];
    double kib = NAN;
    const size_t n = strlen(line);
    FILE *f = fopen("/proc/self/status", "r");
    if (f == NULL)
        return NAN;
    while (fgets(text, sizeof text, f) != NULL)
        if (strncmp(text, line, n) == 0 && text[n] == ':')
            kib = strtod(text + n + 1, NULL);
    (void)fclose(f);
    return kib / 1024;
}
