/* chain/start.c - first topics of tokens; recipe/start.c says how a chain gets them.
 *
 * A prior that keeps proportions as a state has none yet that suit topics, and topics drawn from proportions that are all
 * alike do not become apart.  So first topics are drawn with Dirichlet proportions, and the prior settles on what comes out.
 *
 * Where a chain starts does not change what it converges to. */
#include "chain/start.h"

#include "base/memory.h"
#include "chain/token_pass.h"

static gb_status adopt_start(gb_chain *c, gb_error *err)
{
    gb_status st;
    const gb_prior_sweep sweep = {.z = &c->z,
                                  .topic = c->topic,
                                  .key = c->key,
                                  .in_burn_in = true,
                                  .watch = c->portion.team == NULL ? c->watch : NULL};
    if (c->prior.ops->adopt_start == NULL)
        return GB_OK;
    GB_TRY(gb_chain_count_documents(c, err));
    GB_TRY(c->prior.ops->adopt_start(&c->prior, &sweep, err));
done:
    return st;
}

/* A start may be given up: by several ranks only together, between two passes. */
static gb_status agree_to_go_on(const gb_chain *c, gb_error *err)
{
    if (c->portion.team == NULL)
        return GB_OK;
    bool stops = c->watch != NULL && !gb_watch_look(c->watch, 0);
    const gb_status st = gb_team_any(c->portion.team, &stops, err);
    return st == GB_OK && stops ? gb_fail(err, GB_ESTOP, "stopped by the caller") : st;
}

/* A sampler with a state has none yet. */
void gb_chain_open_start(gb_chain *c, const gb_chain_start *start)
{
    const gb_token_sampler *sampler = c->spec->sampler, *first = sampler->create == NULL ? sampler : &gb_token_dense;
    c->draw_tokens = first->kernel(c->spec->isa);
    c->start = start;
    gb_topics_begin(&c->topics);
}

gb_status gb_chain_start_tokens(gb_chain *c, gb_error *err)
{
    c->sweep = 0;
    const gb_status st = agree_to_go_on(c, err);
    return st == GB_OK ? gb_chain_draw_cells(c, GB_DRAW_INIT, err) : st;
}

gb_status gb_chain_restart_tokens(gb_chain *c, uint32_t number, gb_error *err)
{
    gb_status st;
    c->sweep = number;
    GB_TRY(agree_to_go_on(c, err));
    GB_TRY(gb_topics_draw_masses(&c->topics, c->key, c->sweep, err));
    GB_TRY(gb_chain_draw_cells(c, GB_DRAW_START, err));
done:
    c->sweep = 0;
    return st;
}

gb_status gb_chain_finish_start(gb_chain *c, gb_error *err)
{
    const gb_status st = adopt_start(c, err);
    if (st == GB_OK && c->spec->treatment == GB_TREAT_SAMPLED)
        gb_chain_order_tokens(c, false);
    return st;
}

void gb_chain_close_start(gb_chain *c)
{
    c->draw_tokens = c->spec->sampler->kernel(c->spec->isa);
    c->start = NULL;
}

gb_status gb_chain_start_with(gb_chain *c, const uint16_t *topic, gb_error *err)
{
    gb_status st;
    gb_topics_begin(&c->topics);
    GB_TRY(gb_chain_assign(c, topic, err));
    GB_TRY(gb_topics_draw_switches(&c->topics, c->key, 0, err));
    GB_TRY(adopt_start(c, err));
done:
    return st;
}

void gb_chain_reset(gb_chain *c)
{
    gb_topics_zero(&c->topics);
    gb_rows_zero(&c->doc_rows);
    for (uint64_t i = 0; i < c->corpus->n_tokens; i++)
        c->topic[i] = GB_NO_TOPIC;
    c->z_is_counted = false;
}
