/* token/scratch.h - a worker's memory for token kernels, and the double-precision path they fall back on. */
#ifndef GB_TOKEN_SCRATCH_H
#define GB_TOKEN_SCRATCH_H

#include "token/token.h"

enum { GB_MAX_ROWS = 512 }; /* rows of G_d held at once; when they are full all are formed anew */

/* A formed row of G_d. */
typedef struct gb_row {
    uint16_t topic;
    float largest, range; /* over topics: maximum, and maximum minus minimum */
} gb_row;

struct gb_scratch {
    size_t n_topics, stride, n_outputs, n_rows;
    float *cumulative; /* stride: running sum of weights down each lane */
    float *h;          /* stride: the response factor with every token counted in */
    float *rows;       /* n_rows x stride: formed rows of G_d */
    gb_row *row;       /* n_rows */
    int32_t *slot_of;  /* n_topics: where a topic's row is, -1 if not formed */
    size_t n_formed;
    float *slope, *curvature;  /* n_outputs */
    float *factor;             /* n_outputs */
    double *weight, *exponent; /* n_topics: double-precision path */
    double *score;             /* n_outputs: the same */
};

/** Redraw token `n` alone in double precision: for documents whose response factor is
 * too steep for float, and for a token whose float weights all vanished. */
gb_status gb_draw_token_exactly(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                                size_t n, const gb_coefficients *eta, gb_scratch *scratch, gb_error *err);

/** All tokens by gb_draw_token_exactly(). */
gb_status gb_draw_tokens_exactly(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                                 const gb_coefficients *eta, gb_scratch *scratch, gb_error *err);

/** The number in (0, 1) that decides the token at this position of the document. */
static inline double gb_token_uniform(const gb_document *document, uint64_t position, uint32_t block[4], uint64_t *at)
{
    if (position / 4 != *at) {
        *at = position / 4;
        gb_random_block(document->key, document->sweep, document->purpose, document->doc, (uint32_t)*at, block);
    }
    return (block[position % 4] + 0.5) * 0x1p-32;
}

/** Take a token out of the counts of its block and document; -1, or put it in; +1. */
static inline void gb_token_move(const gb_word_block *block, const gb_document *document, uint32_t word,
                                 uint16_t topic, int by)
{
    document->count[topic] += by;
    document->weight[topic] = (float)(document->base[topic] + document->unit * document->count[topic]);
    if (block->n_kw != NULL) {
        block->n_kw[word * block->stride + topic] += by;
        block->n_kb[topic] += by;
        block->factor[topic] = (float)(block->mass[topic] / ((double)block->n_kb[topic] + block->beta_block));
    }
}

#endif
