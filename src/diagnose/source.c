/* diagnose/source.c - the draws that are diagnosed. */
#include "diagnose/source.h"

#include "base/memory.h"
#include "gibbous/effects.h"

#include <string.h>

gb_diagnose_source gb_source_of_model(const gb_model *m)
{
    return (gb_diagnose_source){.model = m,
                                .parameters = &m->parameters,
                                .kept = m->kept,
                                .n_kept = m->n_kept,
                                .n_outputs = m->n_outputs,
                                .n_draw_outputs = m->n_draw_outputs,
                                .n_topics = m->n_topics,
                                .n_columns = gb_model_n_drawn_columns(m),
                                .n_fixed_columns = (size_t)gb_model_n_embedding_columns(m),
                                .intercept = m->intercept,
                                .n_traces = m->n_traces,
                                .trace_width = 1 + m->parameters.of[GB_LOSS].size,
                                .trace_sweeps = m->trace_sweeps,
                                .trace_late = m->trace_late,
                                .trace = m->trace};
}

const double *gb_source_value(const gb_diagnose_source *s, size_t draw, size_t parameter)
{
    const gb_parameter *p = &s->parameters->of[parameter];
    if (p->size == 0)
        return NULL;
    return s->kept[draw].row != NULL ? s->kept[draw].row + p->offset : p->stacked + s->kept[draw].at * p->size;
}

const double *gb_source_coefficients(const gb_diagnose_source *s, size_t draw, size_t output)
{
    return gb_source_value(s, draw, GB_ETA) + output * (s->n_topics + s->n_columns + (s->intercept ? 1 : 0));
}

double gb_source_average(const gb_diagnose_source *s, size_t draw, const double *eta)
{
    const double *share = gb_source_value(s, draw, GB_SHARE);
    double sum = 0;
    for (size_t k = 0; k < s->n_topics; k++)
        sum += share[k] * eta[k];
    return sum;
}

const gb_diagnosed_value *gb_diagnosed_value_find(const char *name)
{
    static const gb_diagnosed_value values[] = {{"alpha", "alpha, mean over the topics"},
                                                {"beta", "beta"},
                                                {"observation_precision", "observation precision"},
                                                {"evolution_precision", "evolution precision"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(name, values[i].name) == 0)
            return &values[i];
    return NULL;
}

/* ---- families ---- */

static size_t chain_end(const gb_diagnose_source *s, size_t begin)
{
    size_t end = begin + 1;
    while (end < s->n_kept && s->kept[end].chain == s->kept[begin].chain)
        end++;
    return end;
}

/* One more chain, whose draws are begin .. end - 1: of the last family, or of a new one. */
static void add_chain(const gb_diagnose_source *s, gb_families *f, size_t begin, size_t end, size_t *n_chains)
{
    const size_t first_output = s->kept[begin].first_output, n = end - begin;
    if (f->n == 0 || f->of[f->n - 1].first_output != first_output)
        f->of[f->n++] = (gb_family){.first_output = first_output, .n_draws = n, .first = f->first + *n_chains};
    gb_family *family = &f->of[f->n - 1];
    family->n_draws = n < family->n_draws ? n : family->n_draws;
    family->first[family->n_chains++] = end; /* for now */
    ++*n_chains;
}

gb_status gb_families_find(const gb_diagnose_source *s, gb_families *out, gb_error *err)
{
    gb_status st;
    gb_families f = {0};
    size_t n_chains = 0;
    GB_TRY(gb_alloc(&f.of, s->n_kept, sizeof *f.of, "the chains", err));
    GB_TRY(gb_alloc(&f.first, s->n_kept, sizeof *f.first, "the chains", err));
    for (size_t begin = 0, end; begin < s->n_kept; begin = end) {
        end = chain_end(s, begin);
        add_chain(s, &f, begin, end, &n_chains);
    }
    for (size_t i = 0; i < f.n; i++)
        for (size_t c = 0; c < f.of[i].n_chains; c++)
            f.of[i].first[c] -= f.of[i].n_draws;
    *out = f;
    f = (gb_families){0};
done:
    gb_families_clear(&f);
    return st;
}

void gb_families_clear(gb_families *f)
{
    gb_free(f->of);
    gb_free(f->first);
}
