/* helper_variants.h - chains of every kind on a corpus that is large enough for several tasks of every parallel loop: what
 * must not change a bit of them is tried on all. */
#ifndef GB_TEST_HELPER_VARIANTS_H
#define GB_TEST_HELPER_VARIANTS_H

#include "chain/chain.h"
#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"
#include "simd/isa.h"

enum { D = 1100, V = 2500, N_CLASSES = 3, N_TOPICS = 20, N_SWEEPS = 6, N_VARIANTS = 43 };

typedef struct variant {
    const char *response, *treatment, *blocks, *seed, *prior, *sampler, *tokens;
    const char *documents;   /* document prior; NULL: Dirichlet */
    const char *words;       /* word-effects; NULL: none */
    bool has_embedding;      /* beside topics */
    bool has_seeds;          /* words of three topics */
    bool samples_parameters; /* alpha and beta */
    const char *wording;     /* the option that lets words of topics differ by year; NULL: none */
    bool has_bags;           /* a third of the words is in the first of two bags */
} variant;

extern const variant variants[N_VARIANTS];
/** From one variant that is tried to the next: each, under a sanitizer each third. */
size_t variant_step(void);

void variant_check(gb_status status, const gb_error *err);
/** Fixtures of a group; *state is the corpus. */
int variant_set_up(void **state);
int variant_tear_down(void **state);
/** The corpus of a variant: that of the group, or the same with bags. */
const gb_corpus *variant_corpus(const gb_corpus *corpus, const variant *v);
void variant_set(gb_settings *settings, const char *name, const char *value);
/** Two sweeps of burn-in. */
gb_settings *variant_settings(const variant *v, const char *threads);

/** What a chain has come to. */
typedef struct outcome {
    uint16_t *topic;                                   /* n_tokens, in the order of the corpus */
    double *eta, *score, *mass, *documents, log_joint; /* documents: the state of their prior */
    size_t n_eta, n_score, n_mass, n_documents;
} outcome;

/** Its counts are checked on the way. */
outcome outcome_of(gb_chain *chain);
/** A chain of N_SWEEPS sweeps. */
outcome variant_run(const gb_corpus *corpus, const variant *v, const char *threads, gb_isa isa);
void free_outcome(outcome *o);
void assert_same_outcome(const gb_corpus *corpus, const outcome *a, const outcome *b);

#endif
