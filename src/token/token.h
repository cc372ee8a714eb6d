/* token/token.h - token samplers: redraw the topics of one document's tokens in one word block.
 *
 *     p(z_n = k | rest)  proportional to  weight_k  x  word factor_k  x  exp(g_k^{-n})                       (1)
 *
 *     weight_k     = base_k + unit n_dk^{-n}                                        (prior/prior.h)
 *     word factor  = r_kb (n_kw^{-n} + beta) / (n_kb^{-n} + beta_b),  or phi_kw      (counts/topics.h)
 *     g_k^{-n}     = sum_l e_lk (slope_l + omega_l (centre_l - s_l^{-n})) - omega_l e_lk^2 / 2,
 *                    e_lk = eta_lk / N_d                                                                    (2)
 *
 * s_l^{-n} is the score without this token's topic; the divisor stays N_d (Zhu and others 2014, eq. 13, divide
 * by N_d - 1, which is undefined for one token and does not follow from the model). */
#ifndef GB_TOKEN_TOKEN_H
#define GB_TOKEN_TOKEN_H

#include "base/arrays.h"
#include "base/status.h"
#include "counts/rows.h"
#include "random/random.h"
#include "response/response.h"
#include "simd/isa.h"

#include <stdbool.h>

#define GB_NO_TOPIC UINT16_MAX /* a token that has no topic yet */

/** Coefficients of all outputs in the two orders that kernels read; padding topics are 0. */
typedef struct gb_coefficients {
    size_t n_outputs, n_topics, stride;
    const double *by_topic; /* n_topics x n_outputs */
    const float *by_output; /* n_outputs x stride */
    const double *largest;  /* n_outputs: largest eta^2 over topics */
} gb_coefficients;

/** What a kernel sees of the word block that it works on; nothing else changes any of it meanwhile. */
typedef struct gb_word_block {
    size_t n_topics, stride;
    gb_rows *rows;  /* n_kw; NULL if phi is given */
    bool is_frozen; /* n_kw and n_kb are given and without the tokens: they stay as they are.  Only without outputs */
    const float *phi; /* rows of all words; NULL if counts are used */
    double beta, beta_block;
    int64_t *n_kb;      /* n_topics */
    const double *mass; /* n_topics: r_kb */
} gb_word_block;

/** One document. */
typedef struct gb_document {
    uint64_t doc; /* item of the random numbers */
    uint32_t sweep;
    gb_purpose purpose;
    gb_key key;
    double unit;
    const double *base;     /* n_topics */
    bool base_is_shared;    /* it is the same for all documents of the lane */
    unsigned char *count;   /* stride: n_dk of all assigned tokens; kept up to date.  NULL: count `topics` instead */
    gb_width width;         /* of count */
    const uint16_t *topics; /* N_d: topics of all tokens, those to redraw among them */
    uint64_t length;        /* N_d */
    size_t n_outputs;       /* 0: no response */
    const gb_score_term *term; /* n_outputs */
    double *score;             /* n_outputs; kept up to date */
} gb_document;

/** The tokens to redraw, at most the whole document. */
typedef struct gb_tokens {
    size_t count;
    uint64_t first;       /* position in the document of the first one: names its random number */
    const uint32_t *word; /* handles of the words' rows (counts/rows.h); with phi, numbers of words */
    uint16_t *topic;      /* redrawn in place; GB_NO_TOPIC at first assignment */
} gb_tokens;

typedef struct gb_scratch gb_scratch;
typedef struct gb_token_lane gb_token_lane;

/**
 * A row of documents whose tokens are redrawn one after the other.
 *
 * Lanes that are handed to a kernel together share nothing that changes, so it may take their tokens in turn: while
 * one waits for a sum another one adds, and the outcome is the same as one lane after the other, bit for bit.
 */
struct gb_token_lane {
    gb_word_block block;
    gb_document document; /* as the last call of next() left it */
    gb_tokens tokens;     /* of that document: at least one */
    gb_tokens following;  /* tokens of the document after it, to fetch their rows early; count 0 if there is none */
    gb_scratch *scratch;  /* this lane's own */
    void *state;          /* of the sampler, shared by all lanes of the chain; NULL if it has none */
    size_t worker;        /* number of the worker that draws this lane */
    /** Go to the next document; false if there is none. */
    bool (*next)(gb_token_lane *lane);
    /* next()'s own */
    void *source, *memory;
    uint64_t at, end, block_number;
};

enum { GB_MAX_TOKEN_LANES = 4 };

/** Redraw all tokens of at most GB_MAX_TOKEN_LANES lanes.  On a NaN: GB_ENUMERIC. */
typedef gb_status gb_draw_tokens(gb_token_lane *lane, size_t n_lanes, const gb_coefficients *eta, gb_error *err);

typedef enum gb_mh_proposal { GB_MH_DOC, GB_MH_WORD, GB_MH_EXP, GB_MH_N_PROPOSALS } gb_mh_proposal;

/** As the user writes them. */
extern const char *const gb_mh_proposal_name[GB_MH_N_PROPOSALS];

/** What the user may choose about a sampler. */
typedef struct gb_token_options {
    size_t n_steps;     /* mh: proposals per token and sweep */
    unsigned proposals; /* mh: bit 1 << gb_mh_proposal for each one in use */
    bool cycle;         /* mh: proposals in turn, not at random */
} gb_token_options;

struct gb_topics;

/** One token sampler. */
typedef struct gb_token_sampler {
    const char *name;
    /** Words that are not frequent have lists of topics, see counts/rows.h. */
    bool lists;
    /** Its draws are steps from proposals: gb_token_options are for it. */
    bool proposes;
    /** The kernel for an instruction set; every one gives the same bits. */
    gb_draw_tokens *(*kernel)(gb_isa isa);
    /* For a sampler that keeps something between documents, all NULL without: its state, made and freed with the chain.
     * `n_outputs`: outputs of the documents that it will see, 0 without a response. */
    gb_status (*create)(void **state, const gb_token_options *options, const struct gb_topics *topics,
                        size_t n_outputs, gb_error *err);
    /** Lists the state's arrays. */
    gb_list_arrays *list;
    /** What the state takes.  @param n_entries  different topics of words, added up */
    uint64_t (*bytes)(const gb_token_options *options, const struct gb_topics *topics, size_t n_outputs,
                      uint64_t n_entries);
    /** Saved arrays were set from a file: check them, and make the others suit them.  @return GB_OK or GB_EFORMAT */
    gb_status (*restore)(void *state, const struct gb_topics *topics, gb_error *err);
    /** Called before each pass over the tokens but the first assignment, which is the dense sampler's.  `adapts`: what is
     * drawn need not have the posterior yet. */
    gb_status (*prepare)(void *state, const struct gb_topics *topics, bool adapts, gb_error *err);
    /** Called after each of these passes: what workers kept for themselves becomes part of the state, on all ranks alike. */
    gb_status (*finish)(void *state, const struct gb_topics *topics, gb_error *err);
    /** Sums since the chain began: `proposed` and `accepted` receive GB_MH_N_PROPOSALS values. */
    void (*rates)(const void *state, uint64_t *proposed, uint64_t *accepted);
    void (*free)(void *state);
} gb_token_sampler;

/** The sampler with that name, or NULL. */
const gb_token_sampler *gb_token_sampler_find(const char *name);
/** What `--sampler auto` takes; a matter of speed alone. */
const gb_token_sampler *gb_token_sampler_choose(size_t n_topics, size_t n_outputs);

gb_status gb_scratch_create(gb_scratch **out, size_t n_topics, size_t n_outputs, gb_error *err);
void gb_scratch_free(gb_scratch *scratch);
/** Bytes that gb_scratch_create() will take. */
uint64_t gb_scratch_bytes(size_t n_topics, size_t n_outputs);

/** The probabilities (1) of token `n` of the lane's document, in double precision, from the state as it is: what the
 * kernels are tested against.  `probability` receives n_topics values.  @return GB_OK or GB_ENOMEM */
gb_status gb_token_probabilities(const gb_token_lane *lane, size_t n, const gb_coefficients *eta, double *probability,
                                 gb_error *err);

extern const gb_token_sampler gb_token_dense, gb_token_sparse, gb_token_mh;

#endif
