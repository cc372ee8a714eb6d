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
    int32_t *count; /* stride: n_dk of the tokens that are in; padding 0 */
    float *product; /* stride: (base + unit n_dk) x factor x GB_PRODUCT_SCALE; padding 0, one vector more than that */
    double product_sum; /* sparse: of all products */
    bool is_blank;      /* counts and products are those of a document without tokens */
    float *cumulative;  /* running sum of weights down each lane; after the stride infinities, see GB_STRETCH */
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
    s->is_blank = false;
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

static inline void gb_form_products(const gb_flight *f)
{
    const gb_scratch *s = f->scratch;
    const int32_t *restrict count = s->count;
    const double unit = f->document.unit, *restrict base = f->document.base, *restrict factor = s->factor;
    float *restrict product = s->product;
    for (size_t k = 0; k < f->block.n_topics; k++)
        product[k] = (float)((base[k] + unit * count[k]) * (GB_PRODUCT_SCALE * factor[k]));
}

/* The product of one topic, and with it the sum. */
static inline void gb_form_product(const gb_flight *f, uint16_t topic)
{
    gb_scratch *s = f->scratch;
    const double before = (double)s->product[topic];
    s->product[topic] = (float)((f->document.base[topic] + f->document.unit * s->count[topic]) *
                                (GB_PRODUCT_SCALE * s->factor[topic]));
    s->product_sum += (double)s->product[topic] - before;
}

/* Count a document with few tokens and many topics to choose from.  @return true if all products are new */
static inline bool gb_count_topics(const gb_flight *f)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    const bool is_new = !s->is_blank;
    if (is_new) {
        memset(s->count, 0, s->stride * sizeof *s->count);
        gb_form_products(f);
    }
    for (uint64_t i = 0; i < document->length; i++)
        if (document->topics[i] != GB_NO_TOPIC)
            s->count[document->topics[i]]++;
    for (uint64_t i = 0; i < document->length; i++)
        if (document->topics[i] != GB_NO_TOPIC)
            gb_form_product(f, document->topics[i]);
    return is_new;
}

/** Copy the document's counts into the scratch and form the products.  @return true if all products are new, false if
 * their sum has been kept */
static inline bool gb_open_counts(const gb_flight *f)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    int32_t *restrict count = s->count;
    s->numbers_first = s->numbers_end = f->tokens.first;
    if (document->count == NULL)
        return gb_count_topics(f);
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
    s->is_blank = false;
    gb_form_products(f);
    return true;
}

/** Copy the counts back, or forget them. */
static inline void gb_close_counts(const gb_flight *f)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    const int32_t *restrict count = s->count;
    if (document->count == NULL) {
        s->is_blank = document->base_is_shared;
        for (uint64_t i = 0; s->is_blank && i < document->length; i++) {
            if (document->topics[i] == GB_NO_TOPIC) /* first assignment: words of another block */
                continue;
            s->count[document->topics[i]] = 0;
            gb_form_product(f, document->topics[i]);
        }
        return;
    }
    switch (document->width) {
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

/** For a sampler that changes single counts and needs no products: give a document without a row one in the scratch. */
static inline void gb_lend_counts(gb_flight *f)
{
    gb_document *document = &f->document;
    if (document->count != NULL)
        return;
    memset(f->scratch->count, 0, f->scratch->stride * sizeof *f->scratch->count);
    for (uint64_t i = 0; i < document->length; i++)
        f->scratch->count[document->topics[i]]++;
    document->count = (unsigned char *)f->scratch->count;
    document->width = GB_WIDTH_32;
}

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
