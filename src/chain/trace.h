/* chain/trace.h - how log joint and losses went from a chain's first sweep on.
 *
 * A row is kept of every second sweep up to sweep 400, then of every fourth up to 800, and so on: at least a hundred rows lie in
 * the last half of a long chain, and the longer it is the less they cost.  A row takes 2 to 8 % of the time of a sweep,
 * so the trace takes 1 to 4 % of the first 400 sweeps, and half as much of each stretch after them.  Which sweeps have one depends
 * on nothing else, so a run that is extended has the trace of one that was as long from the beginning. */
#ifndef GB_CHAIN_TRACE_H
#define GB_CHAIN_TRACE_H

#include "chain/chain.h"

/** The distance of rows around a sweep: it has a row if it is a multiple of that. */
uint64_t gb_trace_stride(uint64_t sweep);
/** Rows of a chain that has done that many sweeps. */
uint64_t gb_trace_length(uint64_t n_sweeps);
/** The row of a sweep that has one. */
uint64_t gb_trace_row(uint64_t sweep);

/** Numbers of a row: the log joint, then the loss of each response of the chain. */
static inline size_t gb_trace_width(const gb_spec *spec)
{
    return 1 + spec->n_responses;
}

/** Keep a row of the chain's state, if its sweep is to have one.  A log joint that is not finite is NaN.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_trace_add(gb_chain *chain, gb_error *err);

/**
 * The values of one column at equal distances.
 *
 * @param n_sweeps  sweeps that the chain has done
 * @param row       gb_trace_length(n_sweeps) x width
 * @param out       receives them, at most gb_trace_length(n_sweeps): of the sweeps stride, 2 stride, ...
 * @return how many
 */
size_t gb_trace_column(uint64_t n_sweeps, size_t width, const double *row, size_t column, double *out);

/** What a trace has gained in the fourth quarter of its sweeps over the third: (1) and (2) of trace.c. */
typedef struct gb_trace_gain {
    double gain;    /* above 0: the log joint has risen, the loss has fallen */
    double matters; /* more than this does for predictions */
    double noise;   /* it goes up and down by so much */
} gb_trace_gain;

/** @param has_responses  the chain has labels
 * @param x              n values from the first sweep on, at equal distances */
gb_trace_gain gb_trace_gain_of(bool is_log_joint, bool has_responses, size_t n, const double *x, uint64_t n_tokens);

/** What is not a number gains nothing. */
static inline bool gb_trace_still_gains(gb_trace_gain g)
{
    return g.gain > g.matters && g.gain > g.noise;
}

#endif
