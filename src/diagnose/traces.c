/* diagnose/traces.c - how log joint and losses went from the first sweep on. */
#include "base/memory.h"
#include "chain/trace.h"
#include "diagnose/diagnosis.h"
#include "diagnose/series.h"

static uint64_t first_kept(const gb_diagnose_source *s, uint64_t chain)
{
    for (size_t i = 0; i < s->n_kept; i++)
        if (s->kept[i].chain == chain)
            return s->kept[i].sweep;
    return 0;
}

/* The values after `late` sweeps, as long as no draw is kept. */
static gb_step step_of(const gb_trace *t)
{
    const uint64_t settled = t->first_kept > 0 ? t->first_kept - 1 : t->n_sweeps;
    if (t->late == 0)
        return (gb_step){0};
    return (gb_step){t->late / t->stride, (settled > t->late ? settled : t->late) / t->stride};
}

/* Late labels change what the chain fits: the values after them alone count, if there are enough. */
static void find_gain(const gb_diagnose_source *s, bool is_log_joint, uint64_t n_tokens, gb_trace *t)
{
    const uint64_t end = step_of(t).end, first = end + GB_LEAST_TRACE <= t->n ? end : 0;
    t->gain = gb_trace_gain_of(is_log_joint, s->trace_width > 1, t->n - first, t->value + first, n_tokens);
}

static gb_status add_trace(gb_diagnosis *d, const gb_diagnose_source *s, size_t column, size_t chain,
                           const double *row, double *value, const char *name, gb_error *err)
{
    gb_trace *t = &d->trace[d->n_traces++];
    *t = (gb_trace){.name = name,
                    .chain = chain,
                    .n_sweeps = s->trace_sweeps[chain],
                    .stride = gb_trace_stride(s->trace_sweeps[chain]),
                    .value = value,
                    .first_kept = first_kept(s, chain),
                    .late = s->trace_late == NULL ? 0 : s->trace_late[chain]};
    t->n = gb_trace_column(s->trace_sweeps[chain], s->trace_width, row, column, value);
    find_gain(s, column == 0, d->n_tokens, t);
    return gb_levelled_with_step(t->n, t->value, step_of(t), &t->levelled, err);
}

gb_status gb_diagnose_traces(gb_diagnosis *d, const gb_diagnose_source *s, gb_error *err)
{
    gb_status st;
    char room[200];
    const char *name;
    size_t n_rows = 0;
    for (size_t c = 0; c < s->n_traces; c++)
        n_rows += gb_trace_length(s->trace_sweeps[c]);
    GB_TRY(gb_alloc(&d->trace, s->n_traces * s->trace_width, sizeof *d->trace, "the traces", err));
    GB_TRY(gb_alloc(&d->trace_value, n_rows * s->trace_width, sizeof *d->trace_value, "the traces", err));
    double *value = d->trace_value;
    for (size_t column = 0; column < s->trace_width; column++) {
        const double *row = s->trace;
        if (column == 0)
            GB_TRY(gb_diagnosis_name(d, &name, err, "log joint"));
        else
            GB_TRY(gb_diagnosis_name(d, &name, err, "loss%s", gb_diagnose_suffix(s, column - 1, sizeof room, room)));
        for (size_t c = 0; c < s->n_traces; c++) {
            const size_t n = gb_trace_length(s->trace_sweeps[c]);
            if (s->trace_sweeps[c] > 0)
                GB_TRY(add_trace(d, s, column, c, row, value, name, err));
            if (n == 0) /* if that is so for all chains, there is no memory either */
                continue;
            row += n * s->trace_width;
            value += n;
        }
    }
done:
    return st;
}
