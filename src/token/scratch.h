/* token/scratch.h - a worker's memory for token kernels, and the double-precision path they fall back on. */
#ifndef GB_TOKEN_SCRATCH_H
#define GB_TOKEN_SCRATCH_H

#include "token/token.h"

enum { GB_NUMBERS = 32, GB_STRETCH = 8 };

/* Products are this much larger than they need to be: times the smallest response factor, 2^-100, they then stay far above
 * the numbers that float holds only in part, which processors are slow with. */
#define GB_PRODUCT_SCALE 0x1p60

struct gb_scratch {
    size_t n_topics, stride, n_outputs, n_rows;
    /* the word block */
    double *total;  /* n_topics: n_kb + beta_b, of the tokens that are in */
    double *factor; /* n_topics: r_kb / total; with phi 1 */
    /* the document */
    int32_t *count;    /* stride: n_dk of the tokens that are in; padding 0 */
    float *product;    /* stride: (base + unit n_dk) x factor x GB_PRODUCT_SCALE; padding 0 */
    float *cumulative; /* running sum of weights down each lane; after the stride infinities, see GB_STRETCH */
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
 * Draw token `n` of the flight's document, which has been taken out, in double precision; it is not put in.  For
 * documents whose response factor is too steep for float, and for a token whose float weights all vanished.
 *
 * @param drawn  receives the topic; the document's score is that with the topic
 */
gb_status gb_draw_token_exactly(gb_flight *flight, size_t n, const gb_coefficients *eta, uint16_t *drawn,
                                gb_error *err);

/* ---- counts on their way: inline, so that each kernel has them in its own instruction set ---- */

/** Copy the word block's totals into the scratch. */
static inline void gb_open_block(const gb_flight *f)
{
    const gb_word_block *block = &f->block;
    gb_scratch *s = f->scratch;
    for (size_t k = 0; k < block->n_topics; k++) {
        s->total[k] = block->rows == NULL ? 1 : (double)block->n_kb[k] + block->beta_block;
        s->factor[k] = block->rows == NULL ? 1 : block->mass[k] / s->total[k];
    }
}

/** Copy them back. */
static inline void gb_close_block(const gb_flight *f)
{
    const gb_word_block *block = &f->block;
    for (size_t k = 0; block->rows != NULL && k < block->n_topics; k++)
        block->n_kb[k] = (int64_t)(f->scratch->total[k] - block->beta_block + 0.5);
}

#define GB_COPY_COUNTS(type)                                                                                         \
    for (size_t k = 0; k < s->stride; k++)                                                                           \
    count[k] = (int32_t)((const type *)(const void *)document->count)[k]
#define GB_COPY_COUNTS_BACK(type)                                                                                    \
    for (size_t k = 0; k < f->scratch->stride; k++)                                                                  \
    ((type *)(void *)f->document.count)[k] = (type)count[k]

/** Copy the document's counts into the scratch and form the products. */
static inline void gb_open_counts(const gb_flight *f)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    int32_t *restrict count = s->count;
    const double unit = document->unit, *restrict base = document->base, *restrict factor = s->factor;
    float *restrict product = s->product;
    switch (document->width) {
    case GB_WIDTH_8:
        GB_COPY_COUNTS(uint8_t);
        break;
    case GB_WIDTH_16:
        GB_COPY_COUNTS(uint16_t);
        break;
    default:
        GB_COPY_COUNTS(uint32_t);
    }
    for (size_t k = 0; k < f->block.n_topics; k++)
        product[k] = (float)((base[k] + unit * count[k]) * (GB_PRODUCT_SCALE * factor[k]));
    s->numbers_first = s->numbers_end = f->tokens.first;
}

/** Copy the counts back. */
static inline void gb_close_counts(const gb_flight *f)
{
    const int32_t *restrict count = f->scratch->count;
    switch (f->document.width) {
    case GB_WIDTH_8:
        GB_COPY_COUNTS_BACK(uint8_t);
        break;
    case GB_WIDTH_16:
        GB_COPY_COUNTS_BACK(uint16_t);
        break;
    default:
        GB_COPY_COUNTS_BACK(uint32_t);
    }
}

/* Topic's place in the scratch after `by` tokens more. */
static inline void gb_set_topic(const gb_flight *f, uint16_t topic, int32_t count, double total)
{
    gb_scratch *s = f->scratch;
    const double factor = f->block.rows == NULL ? 1 : f->block.mass[topic] / total;
    s->count[topic] = count;
    s->total[topic] = total;
    s->factor[topic] = factor;
    s->product[topic] = (float)((f->document.base[topic] + f->document.unit * count) * (GB_PRODUCT_SCALE * factor));
}

static inline void gb_add_to_row(const gb_flight *f, uint32_t word, uint16_t topic, int by)
{
    if (f->block.rows != NULL)
        gb_row_add(gb_handle_row(f->block.rows, word), gb_handle_width(word), topic, by);
}

/** Take token `n` out, unless it has no topic yet. */
static inline void gb_take_out(const gb_flight *f, size_t n)
{
    const gb_scratch *s = f->scratch;
    const uint16_t topic = f->tokens.topic[n];
    if (topic == GB_NO_TOPIC)
        return;
    gb_add_to_row(f, f->tokens.word[n], topic, -1);
    gb_set_topic(f, topic, s->count[topic] - 1, s->total[topic] - 1);
}

/** Put token `n` in with a topic; its old one is forgotten. */
static inline void gb_put_in(const gb_flight *f, size_t n, uint16_t topic)
{
    const gb_scratch *s = f->scratch;
    f->tokens.topic[n] = topic;
    gb_add_to_row(f, f->tokens.word[n], topic, 1);
    gb_set_topic(f, topic, s->count[topic] + 1, s->total[topic] + 1);
}

/** gb_put_in() of token `n` and gb_take_out() of the next one, which has a topic.  All is read before anything is
 * written: a processor that finds out late that it has read what was about to be written starts again. */
static inline void gb_exchange(const gb_flight *f, size_t n, uint16_t in)
{
    const gb_scratch *s = f->scratch;
    const uint16_t out = f->tokens.topic[n + 1];
    const int by = in != out;
    const int32_t count_in = s->count[in] + by, count_out = s->count[out] - by;
    const double total_in = s->total[in] + by, total_out = s->total[out] - by;
    f->tokens.topic[n] = in;
    gb_add_to_row(f, f->tokens.word[n], in, 1);
    gb_add_to_row(f, f->tokens.word[n + 1], out, -1);
    gb_set_topic(f, in, count_in, total_in);
    gb_set_topic(f, out, count_out, total_out);
}

#endif
