/* model/draws.c - kept draws one by one, and which topics of their chains are the same. */
#include "gibbous/draws.h"

#include "model/match.h"
#include "model/model.h"

/* ---- what is kept ---- */

bool gb_model_draw(const gb_model *m, uint64_t draw, gb_draw_place *out)
{
    if (draw >= m->n_kept)
        return false;
    const gb_kept *kept = &m->kept[draw];
    *out = (gb_draw_place){.chain = kept->chain,
                           .sweep = kept->sweep,
                           .first_output = kept->first_output,
                           .n_outputs = m->n_draw_outputs,
                           .snapshot = UINT64_MAX};
    for (size_t i = 0; i < m->n_draws; i++)
        if (m->kept_at[i] == draw)
            out->snapshot = i;
    return true;
}

uint64_t gb_model_n_draw_parameters(const gb_model *m)
{
    return m->parameters.n;
}

bool gb_model_draw_parameter(const gb_model *m, uint64_t index, gb_draw_parameter *out)
{
    if (index >= m->parameters.n)
        return false;
    const gb_parameter *p = &m->parameters.of[index];
    *out = (gb_draw_parameter){
        .name = p->name, .n_rows = p->size == 0 ? 0 : p->n_rows, .n_columns = p->size == 0 ? 0 : p->n_columns};
    return true;
}

const double *gb_model_draw_value(const gb_model *m, uint64_t draw, uint64_t index)
{
    if (draw >= m->n_kept || index >= m->parameters.n)
        return NULL;
    return gb_model_kept_value(m, (size_t)draw, (size_t)index);
}

/* ---- topics of chains ---- */

static bool has_draw(const gb_model *m, uint64_t output, uint64_t chain)
{
    for (size_t i = 0; i < m->n_kept; i++)
        if (m->kept[i].chain == chain && (m->n_outputs == 0 || output - m->kept[i].first_output < m->n_draw_outputs))
            return true;
    return false;
}

gb_status gb_model_topics_of_chain(const gb_model *m, uint64_t output, uint64_t chain, uint64_t *topic, gb_error *err)
{
    const gb_match *match;
    if (output > 0 && output >= m->n_outputs)
        return gb_fail(err, GB_EARGUMENT, "output %llu of %zu", (unsigned long long)output, m->n_outputs);
    if (!has_draw(m, output, chain))
        return gb_fail(err, GB_EARGUMENT, "output %llu has no chain %llu", (unsigned long long)output,
                       (unsigned long long)chain);
    const gb_status st = gb_model_matched(m, (size_t)output, &match, err);
    if (st != GB_OK)
        return st;
    const size_t c = gb_match_chain(match, chain);
    for (size_t k = 0; k < m->n_topics; k++) {
        const size_t own = c < match->n_chains ? gb_match_find(match, c, k) : GB_NO_MATCH;
        topic[k] = own == GB_NO_MATCH ? UINT64_MAX : own;
    }
    return GB_OK;
}
