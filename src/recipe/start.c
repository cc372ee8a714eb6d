/* recipe/start.c - how a chain gets its first topics.
 *
 * A token's first topic is drawn given the topics of the tokens before it.  From there topics take many sweeps to become
 * apart, and on few documents they do so in as many sweeps as on all.  So topics grow: of S stages, stage j has a
 * share 2^-(S - j) of the documents, the documents of earlier stages among them; its new documents get their first topics
 * given what the others have, and then the stage is swept over, more often the smaller it is, so that all stages cost the
 * same.  The last stage has all documents and is left to the chain's own sweeps.
 *
 * Tokens see no labels while topics grow.  Topics that labels are to shape would have to be unlearned (measured: 20
 * Newsgroups with 20 classes reaches its accuracy later), so they do not grow.  But named topics have to find their words before
 * labels make other topics of these: with seed words topics grow in any case, and from a start of their own (chain/seeded_start.c). */
#include "recipe/start.h"

#include "base/memory.h"
#include "chain/seeded_start.h"
#include "chain/start.h"

/* A stage has so many documents at least, and is swept over so often at most.  From 32 documents on the log joint rises sooner, but their topics are
 * those of few documents: fewer are found again by another chain, and they predict others worse (docs/measured/pooling.md). */
enum { FEWEST_DOCUMENTS = 256, MOST_STAGES = 12, MOST_SWEEPS = 128 };

static bool topics_grow(const gb_spec *spec)
{
    return spec->growth > 0 && (!gb_spec_topics_see_labels(spec) || spec->seeds.n > 0);
}

/* Before the last one; 0: topics do not grow. */
static unsigned count_stages(const gb_spec *spec, uint64_t n_docs)
{
    unsigned n = 0;
    if (topics_grow(spec))
        while (n < MOST_STAGES && n_docs >> (n + 1) >= FEWEST_DOCUMENTS)
            n++;
    return n;
}

uint64_t gb_start_bytes(const gb_spec *spec, uint64_t n_docs)
{
    return count_stages(spec, n_docs) > 0 ? n_docs : 0;
}

/* The stage in which document d joins: the last with probability 1/2, the one before it with 1/4, ... */
static uint8_t stage_of(const gb_chain *c, unsigned n_stages, uint64_t d)
{
    gb_random random = gb_random_open(c->key, 0, GB_DRAW_START, c->portion.first_doc + d);
    uint8_t stage = (uint8_t)n_stages;
    for (uint32_t bits = gb_random_u32(&random); stage > 0 && (bits & 1) == 0; bits >>= 1)
        stage--;
    return stage;
}

static uint64_t sweeps_of(const gb_chain *c, unsigned n_stages, unsigned stage)
{
    const uint64_t n = (uint64_t)c->spec->growth << (n_stages - stage);
    return n < MOST_SWEEPS ? n : MOST_SWEEPS;
}

/* All stages. */
static gb_status draw_stages(gb_chain *c, unsigned n_stages, gb_chain_start *start, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number = UINT32_MAX; /* counted down, away from the chain's own sweeps */
    for (unsigned stage = 0; stage <= n_stages; stage++) {
        start->first = start->last = stage;
        GB_TRY(gb_chain_start_tokens(c, err));
        start->first = 0;
        for (uint64_t n = stage < n_stages ? sweeps_of(c, n_stages, stage) : 0; n > 0; n--)
            GB_TRY(gb_chain_restart_tokens(c, number--, err));
    }
done:
    return st;
}

static gb_status deal_stages(const gb_chain *c, unsigned n_stages, uint8_t **out, gb_error *err)
{
    const gb_status st = gb_alloc(out, c->corpus->n_docs, sizeof **out, "the start of the chain", err);
    for (uint64_t d = 0; st == GB_OK && d < c->corpus->n_docs; d++)
        (*out)[d] = stage_of(c, n_stages, d);
    return st;
}

gb_status gb_chain_start_topics(gb_chain *c, gb_error *err)
{
    gb_status st = GB_OK;
    uint8_t *stage = NULL;
    gb_seeded_start seeded = {0};
    gb_chain_start start = {.group = NULL};
    const gb_seeds *seeds = &c->spec->seeds;
    const unsigned n_stages = count_stages(c->spec, c->here->n_all_docs);
    if (n_stages > 0)
        GB_TRY(deal_stages(c, n_stages, &stage, err));
    if (seeds->n > 0)
        GB_TRY(gb_seeded_start_create(&seeded, c->corpus->n_words, seeds->n, seeds->seed, err));
    start.group = stage;
    start.seeded = seeds->n > 0 ? &seeded : NULL;
    gb_chain_open_start(c, &start);
    GB_TRY(draw_stages(c, n_stages, &start, err));
    GB_TRY(gb_chain_finish_start(c, err));
done:
    gb_chain_close_start(c);
    gb_seeded_start_clear(&seeded);
    gb_free(stage);
    return st;
}

gb_status gb_chain_begin(gb_chain **out, const gb_corpus *corpus, const gb_spec *spec, uint64_t number, gb_error *err)
{
    gb_status st;
    gb_chain *c = NULL;
    GB_TRY(gb_chain_allocate(&c, corpus, spec, number, err));
    GB_TRY(gb_chain_start_topics(c, err));
    *out = c;
    c = NULL;
done:
    gb_chain_free(c);
    return st;
}
