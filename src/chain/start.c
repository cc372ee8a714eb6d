/* chain/start.c - the state that a chain starts from.
 *
 * A token's first topic is drawn given the topics of the tokens before it.  From there topics take many sweeps to become
 * apart, and on few documents they do so in as many sweeps as on all.  So topics grow: of S stages, stage j has a
 * share 2^-(S - j) of the documents, the documents of earlier stages among them; its new documents get their first topics
 * given what the others have, and then the stage is swept over, more often the smaller it is, so that all stages cost the
 * same.  The last stage has all documents and is left to the chain's own sweeps.
 *
 * A prior that keeps proportions as a state has none yet that suit topics, and topics drawn from proportions that are all
 * alike do not become apart.  So all stages are drawn with Dirichlet proportions, and the prior settles on what comes out.
 *
 * Where a chain starts does not change what it converges to: stages are over before the first sweep.
 *
 * Tokens see no labels while topics grow.  Topics that labels are to shape would have to be unlearned (measured: 20
 * Newsgroups with 20 classes reaches its accuracy later), so they do not grow.  But named topics have to find their words before
 * labels make other topics of these: with seed words topics grow in any case, and from a start of their own (chain/seeded_start.c). */
#include "chain/start.h"

#include "base/memory.h"
#include "chain/seeded_start.h"
#include "chain/token_pass.h"

#include <string.h>

/* A stage has so many documents at least, and is swept over so often at most. */
enum { FEWEST_DOCUMENTS = 256, MOST_STAGES = 8, MOST_SWEEPS = 128 };

/* The stage in which document d joins: the last with probability 1/2, the one before it with 1/4, ... */
static uint8_t stage_of(const gb_chain *c, uint64_t d)
{
    gb_random random = gb_random_open(c->key, 0, GB_DRAW_START, c->portion.first_doc + d);
    uint8_t stage = (uint8_t)c->n_stages;
    for (uint32_t bits = gb_random_u32(&random); stage > 0 && (bits & 1) == 0; bits >>= 1)
        stage--;
    return stage;
}

bool gb_chain_takes_part(const gb_chain *c, uint64_t d)
{
    if (c->n_stages == 0)
        return true;
    return c->first_stage <= c->stage[d] && c->stage[d] <= c->last_stage;
}

static bool topics_grow(const gb_spec *spec)
{
    const bool sees_labels = spec->n_outputs > 0 && !spec->two_stage;
    return spec->growth > 0 && (!sees_labels || spec->seeds.n > 0);
}

unsigned gb_chain_count_stages(const gb_chain *c)
{
    const uint64_t n_docs = c->here == NULL ? c->corpus->n_docs : c->here->n_all_docs; /* NULL: an estimate */
    unsigned n = 0;
    if (topics_grow(c->spec))
        while (n < MOST_STAGES && n_docs >> (n + 1) >= FEWEST_DOCUMENTS)
            n++;
    return n;
}

static uint64_t sweeps_of(const gb_chain *c, unsigned stage)
{
    const uint64_t n = (uint64_t)c->spec->growth << (c->n_stages - stage);
    return n < MOST_SWEEPS ? n : MOST_SWEEPS;
}

static gb_status adopt_start(gb_chain *c, gb_error *err)
{
    gb_status st;
    const gb_prior_sweep sweep = {.z = &c->z, .topic = c->topic, .key = c->key, .in_burn_in = true};
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

/* All stages. */
static gb_status draw_stages(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t sweep = UINT32_MAX; /* counted down, away from the chain's own */
    gb_topics_begin(&c->topics);
    c->n_stages = gb_chain_count_stages(c);
    for (uint64_t d = 0; c->n_stages > 0 && d < c->corpus->n_docs; d++)
        c->stage[d] = stage_of(c, d);
    for (unsigned stage = 0; stage <= c->n_stages; stage++) {
        c->first_stage = c->last_stage = stage;
        c->sweep = 0;
        GB_TRY(agree_to_go_on(c, err));
        GB_TRY(gb_chain_draw_cells(c, GB_DRAW_INIT, err));
        c->first_stage = 0;
        for (uint64_t n = stage < c->n_stages ? sweeps_of(c, stage) : 0; n > 0; n--) {
            c->sweep = sweep--;
            GB_TRY(agree_to_go_on(c, err));
            GB_TRY(gb_topics_draw_masses(&c->topics, c->key, c->sweep, err));
            GB_TRY(gb_chain_draw_cells(c, GB_DRAW_START, err));
        }
    }
done:
    c->sweep = 0;
    return st;
}

gb_status gb_chain_start(gb_chain *c, gb_error *err)
{
    gb_status st;
    gb_seeded_start seeded = {0};
    const gb_seeds *seeds = &c->spec->seeds;
    const gb_token_sampler *sampler = c->spec->sampler;
    const gb_token_sampler *first = sampler->create == NULL ? sampler : &gb_token_dense; /* without a state yet */
    c->draw_tokens = first->kernel(c->spec->isa);
    if (seeds->n > 0) {
        GB_TRY(gb_seeded_start_create(&seeded, c->corpus->n_words, seeds->n, seeds->seed, err));
        c->seeded = &seeded;
    }
    GB_TRY(draw_stages(c, err));
    if (c->prior.ops->adopt_start != NULL)
        GB_TRY(adopt_start(c, err));
    if (c->spec->treatment == GB_TREAT_SAMPLED)
        gb_chain_order_tokens(c, false);
done:
    gb_seeded_start_clear(&seeded);
    c->seeded = NULL;
    c->draw_tokens = sampler->kernel(c->spec->isa);
    c->n_stages = 0;
    return st;
}

gb_status gb_chain_start_with(gb_chain *c, const uint16_t *topic, gb_error *err)
{
    gb_status st;
    gb_topics_begin(&c->topics);
    GB_TRY(gb_chain_assign(c, topic, err));
    if (c->prior.ops->adopt_start != NULL)
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

gb_status gb_chain_begin(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number, gb_error *err)
{
    gb_status st;
    gb_chain *c = NULL;
    GB_TRY(gb_chain_allocate(&c, corpus, spec, number, err));
    GB_TRY(gb_chain_start(c, err));
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    return st;
}
