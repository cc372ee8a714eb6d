/* bench/speed/engine_library.c - the library's own chain, as gb_train() runs it. */
#include "engine.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "chain/chain.h"
#include "recipe/start.h"
#include "recipe/sweep.h"

typedef struct library {
    const gb_corpus *corpus;
    gb_spec spec; /* borrows from the caller's */
    gb_chain *chain;
    gb_pool pool; /* threads stay between sweeps, as they do in training */
} library;

static void library_destroy(void *state)
{
    library *l = state;
    if (l == NULL)
        return;
    gb_chain_free(l->chain);
    gb_pool_close(&l->pool);
    gb_free(l);
}

static gb_status library_create(void **state, const gb_corpus *corpus, const gb_spec *spec, const uint16_t *topic,
                                gb_error *err)
{
    gb_status st;
    library *l = NULL;
    if (topic != NULL)
        return gb_fail(err, GB_EARGUMENT, "the library makes its own first assignment");
    GB_TRY(gb_alloc(&l, 1, sizeof *l, "an engine", err));
    gb_pool_open(&l->pool);
    l->corpus = corpus;
    gb_spec_for_chain(spec, GB_NO_FIELD, GB_NO_FIELD, spec->n_threads, NULL, &l->spec);
    GB_TRY(gb_chain_begin(&l->chain, corpus, &l->spec, 0, err));
    *state = l;
    l = NULL;
done:
    library_destroy(l);
    return st;
}

static gb_status library_sweep(void *state, gb_error *err)
{
    return gb_recipe_sweep(((library *)state)->chain, err);
}

static void library_assignment(const void *state, uint16_t *topic)
{
    const library *l = state;
    for (uint64_t d = 0; d < l->corpus->n_docs; d++)
        gb_chain_assignment(l->chain, d, topic + l->corpus->doc_start[d]);
}

const bench_engine bench_engine_library = {.name = "library",
                                           .create = library_create,
                                           .sweep = library_sweep,
                                           .assignment = library_assignment,
                                           .destroy = library_destroy};
