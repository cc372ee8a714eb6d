/* chain/trace.c - how log joint and losses went from a chain's first sweep on. */
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
