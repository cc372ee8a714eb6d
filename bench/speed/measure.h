/* bench/speed/measure.h - an engine's time per token, memory, and way to a log joint. */
#ifndef GB_BENCH_MEASURE_H
#define GB_BENCH_MEASURE_H

#include "clock.h"
#include "engine.h"

typedef struct bench_plan {
    const bench_engine *engine;
    const uint16_t *begin; /* first assignment, or NULL */
    uint64_t n_sweeps;
    uint64_t trace; /* log joint after every so many sweeps, and of the start; 0: never */
    double until;   /* stop there (log p(w, z) per token); 0: never */
} bench_plan;

/** After a sweep; the time is that of making the chain and of all sweeps so far, and of nothing else. */
typedef struct bench_point {
    uint64_t sweep;
    bench_time time;
    double log_joint; /* log p(w, z) per token */
} bench_point;

typedef struct bench_result {
    uint64_t n_sweeps;          /* done */
    bench_time start, total;    /* making the chain; that and all sweeps */
    double *cpu, *wall;         /* n_sweeps: of each sweep */
    double memory, memory_peak; /* MiB, of the process: before the chain was made, and largest with it */
    uint64_t n_points;
    bench_point *point;
    uint16_t *topic; /* n_tokens: the last assignment */
} bench_result;

/** @param out  receives the result; clear it with bench_result_clear(), also on failure */
gb_status bench_measure(const bench_plan *plan, const gb_corpus *corpus, const gb_spec *spec, bench_result *out,
                        gb_error *err);
void bench_result_clear(bench_result *result);

#endif
