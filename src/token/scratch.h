/* token/scratch.h - a worker's memory for token kernels, and the double-precision path they fall back on. */
#ifndef GB_TOKEN_SCRATCH_H
#define GB_TOKEN_SCRATCH_H

#include "token/token.h"

enum { GB_NUMBERS = 64 };

struct gb_scratch {
    size_t n_topics, stride, n_outputs, n_rows;
    /* the word block */
    double *total;  /* n_topics: n_kb + beta_b */
    double *factor; /* n_topics: r_kb / (n_kb + beta_b); with phi 1 */
    /* the document */
    double *weight;    /* n_topics: base + unit n_dk */
    float *product;    /* stride: weight x factor; padding 0 */
    float *cumulative; /* stride: running sum of weights down each lane */
    /* the response factor */
    float *h;            /* stride */
    float *rows;         /* (n_rows + 1) x stride: formed rows of G_d, after a row of zeros */
    uint16_t *row_topic; /* n_rows + 1: the topic of a formed row */
    int32_t *row_of;     /* n_topics: the number of a topic's row, 0 if it is not formed */
    size_t n_formed;
    float *slope, *curvature; /* n_outputs */
    float *row_factor;        /* n_outputs */
    /* the double-precision path */
    double *probability, *exponent; /* n_topics */
    double *score;                  /* n_outputs */
    /* random numbers */
    uint64_t numbers_first, numbers_end; /* positions in the document that `number` is for */
    double number[GB_NUMBERS];           /* in (0, 1) */
};

/**
 * Draw token `n` of the flight's document, which has been taken out of the counts, in double precision, and put it in:
 * for documents whose response factor is too steep for float, and for a token whose float weights all vanished.
 */
gb_status gb_draw_token_exactly(gb_flight *flight, size_t n, const gb_coefficients *eta, gb_error *err);

/** Make `number` those of this position and some after it. */
void gb_token_numbers(const gb_flight *flight, uint64_t position);

/** The number in (0, 1) that decides token `n` of the flight's document. */
static inline double gb_token_uniform(const gb_flight *flight, size_t n)
{
    const gb_scratch *s = flight->scratch;
    const uint64_t position = flight->tokens.first + n;
    if (position >= s->numbers_end)
        gb_token_numbers(flight, position);
    return s->number[position - s->numbers_first];
}

/** Take a token out of the counts of its block and document; -1, or put it in; +1. */
static inline void gb_token_move(const gb_flight *flight, uint32_t word, uint16_t topic, int by)
{
    const gb_word_block *block = &flight->block;
    gb_scratch *s = flight->scratch;
    gb_row_add(flight->document.count, flight->document.width, topic, by);
    if (block->rows != NULL) {
        gb_row_add(gb_handle_row(block->rows, word), gb_handle_width(word), topic, by);
        block->n_kb[topic] += by;
        s->total[topic] += by;
        s->factor[topic] = block->mass[topic] / s->total[topic];
    }
    s->weight[topic] += by * flight->document.unit;
    s->product[topic] = (float)(s->weight[topic] * s->factor[topic]);
}

/** Take token `n` out, unless it has no topic yet. */
static inline void gb_token_take_out(const gb_flight *flight, size_t n)
{
    if (flight->tokens.topic[n] != GB_NO_TOPIC)
        gb_token_move(flight, flight->tokens.word[n], flight->tokens.topic[n], -1);
}

/** Put token `n` in with a topic; its old one is forgotten. */
static inline void gb_token_put_in(const gb_flight *flight, size_t n, uint16_t topic)
{
    gb_token_move(flight, flight->tokens.word[n], topic, 1);
    flight->tokens.topic[n] = topic;
}

#endif
