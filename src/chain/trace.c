/* chain/trace.c - how log joint and losses went from a chain's first sweep on.
 *
 * Let m_3 and m_4 be the means of the log joint over the third and the fourth quarter of the sweeps so far, s_3 and s_4 its standard
 * deviations there, N the tokens of the corpus.  It still gains while
 *
 *   m_4 - m_3 > max(g N, sqrt((s_3^2 + s_4^2) / 2)),   g = 0.03, and 0.05 in a chain with responses       (1)
 *
 * that is, more within a quarter than matters, and more than it goes up and down by.  Documents that are not in training gain about a
 * third of it, and predictions of labels less (docs/measured/defaults.md).  A loss with the mean m_1 over the first quarter still falls while
 *
 *   m_3 - m_4 > max(0.05 (m_1 - m_4), sqrt((s_3^2 + s_4^2) / 2))                                        (2) */
#include "chain/trace.h"

#include "base/memory.h"

#include <math.h>

enum { FIRST_STRIDE = 2, FIRST_END = 400 };

uint64_t gb_trace_stride(uint64_t sweep)
{
    uint64_t stride = FIRST_STRIDE;
    for (uint64_t end = FIRST_END; sweep > end; end *= 2)
        stride *= 2;
    return stride;
}

uint64_t gb_trace_length(uint64_t n_sweeps)
{
    uint64_t n = 0, begin = 0, end = FIRST_END, stride = FIRST_STRIDE;
    for (; n_sweeps > end; stride *= 2) {
        n += (end - begin) / stride;
        begin = end;
        end *= 2;
    }
    return n + (n_sweeps - begin) / stride;
}

uint64_t gb_trace_row(uint64_t sweep)
{
    return gb_trace_length(sweep) - 1;
}

gb_status gb_trace_add(gb_chain *c, gb_error *err)
{
    const size_t width = gb_trace_width(c->spec);
    if (c->sweep % gb_trace_stride(c->sweep) != 0)
        return GB_OK;
    gb_status st =
        gb_grow(&c->trace, &c->trace_capacity, c->n_trace + 1, width * sizeof *c->trace, "a chain's trace", err);
    if (st != GB_OK)
        return st;
    double *row = c->trace + c->n_trace * width;
    for (size_t i = 0; i < width; i++)
        row[i] = NAN;
    st = gb_chain_summary(c, c->spec->is_late, &row[0], &row[1], err);
    if (st == GB_ENUMERIC)
        row[0] = NAN;
    else if (st != GB_OK)
        return st;
    c->n_trace++;
    return GB_OK;
}

size_t gb_trace_column(uint64_t n_sweeps, size_t width, const double *row, size_t column, double *out)
{
    const uint64_t stride = gb_trace_stride(n_sweeps);
    size_t n = 0;
    for (uint64_t sweep = stride; sweep <= n_sweeps; sweep += stride)
        out[n++] = row[gb_trace_row(sweep) * width + column];
    return n;
}

/* ---- what it gains ---- */

typedef struct quarter {
    double mean, variance;
} quarter;

static quarter summarise(size_t n, const double *x)
{
    quarter q = {0};
    for (size_t i = 0; i < n; i++)
        q.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        q.variance += (x[i] - q.mean) * (x[i] - q.mean) / (double)n;
    return q;
}

gb_trace_gain gb_trace_gain_of(bool is_log_joint, bool has_responses, size_t n, const double *x, uint64_t n_tokens)
{
    static const double OF_A_TOKEN = 0.03, WITH_RESPONSES = 0.05, OF_THE_FALL = 0.05;
    const size_t m = n / 4;
    const quarter first = summarise(m, x), third = summarise(m, x + n - 2 * m), fourth = summarise(m, x + n - m);
    return (gb_trace_gain){.gain = is_log_joint ? fourth.mean - third.mean : third.mean - fourth.mean,
                           .matters = is_log_joint ? (has_responses ? WITH_RESPONSES : OF_A_TOKEN) * (double)n_tokens
                                                   : OF_THE_FALL * (first.mean - fourth.mean),
                           .noise = sqrt((third.variance + fourth.variance) / 2)};
}
