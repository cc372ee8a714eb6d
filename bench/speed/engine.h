/* bench/speed/engine.h - what is timed: a sampler of topics, made once and then swept. */
#ifndef GB_BENCH_ENGINE_H
#define GB_BENCH_ENGINE_H

#include "corpus/data/corpus.h"
#include "plan/spec.h"

/** A sampler of the table. */
typedef struct bench_engine {
    const char *name;
    /**
     * @param topic  the assignment to begin with, a topic per token in the order of the corpus; NULL: make one by drawing
     * each token given those before it
     */
    gb_status (*create)(void **state, const gb_corpus *corpus, const gb_spec *spec, const uint16_t *topic,
                        gb_error *err);
    gb_status (*sweep)(void *state, gb_error *err);
    /** Topics of all tokens in the order of the corpus. */
    void (*assignment)(const void *state, uint16_t *topic);
    void (*destroy)(void *state);
} bench_engine;

/** The library: the chain that `gibbous train` runs.  It makes its own first assignment. */
extern const bench_engine bench_engine_library;
/** The textbook's collapsed sampler, with at most one response. */
extern const bench_engine bench_engine_textbook;

/** The engine with that name, or NULL. */
const bench_engine *bench_engine_find(const char *name);

#endif
