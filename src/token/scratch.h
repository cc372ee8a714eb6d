/* token/scratch.h - a worker's memory for token kernels, and the double-precision path they fall back on. */
#ifndef GB_TOKEN_SCRATCH_H
#define GB_TOKEN_SCRATCH_H

#include "token/token.h"

enum { GB_NUMBERS = 32, GB_STRETCH = 8 };

/* Products are this much larger than they need to be: times the smallest response factor, 2^-100, they then stay far above
 * the numbers that float holds only in part, which processors are slow with. */
#define GB_PRODUCT_SCALE 0x1p60

struct gb_scratch {
    void *block; /* all the memory */
    size_t n_topics, stride, n_outputs, n_rows;
    /* the word block */
    double *total;  /* n_topics: n_kb + beta_b, of the tokens that are in */
    double *factor; /* mh, n_topics: r_kb / total; with phi 1 */
    float *rate;    /* stride: r_kb / total x GB_PRODUCT_SCALE; padding 0 */
    /* the document */
    int32_t *count;     /* stride: n_dk of the tokens that are in; padding 0 */
    int32_t *before;    /* stride: the counts that the score is of */
    float *base;        /* stride: of the prior; padding 0 */
    float *product;     /* stride: (base + unit n_dk) x rate; padding 0, one vector more than that */
    double product_sum; /* sparse: of all products */
    bool is_blank;      /* counts and products are as in a document without tokens */
    float *cumulative;  /* running sum of weights down each lane; after the stride infinities, see GB_STRETCH */
    /* the response factor */
    float *h;                         /* stride */
    float *rows;                      /* (n_rows + 1) x stride: formed rows of G_d, after a row of zeros */
    double *precise_h, *precise_rows; /* the same in double precision */
    double *precise_eta;              /* n_outputs x stride: coefficients; padding 0 */
    bool has_precise_eta;
    uint16_t *row_topic; /* n_rows + 1: the topic of a formed row */
    int32_t *row_of;     /* n_topics: the number of a topic's row, 0 if it is not formed */
    size_t n_formed;
    double *slope, *curvature, *row_factor; /* n_outputs */
    /* the double-precision path */
    double *probability, *exponent; /* n_topics */
    double *score;                  /* n_outputs */
    /* random numbers */
    uint64_t numbers_first, numbers_end; /* positions in the document that `number` is for */
    uint64_t number[4][GB_NUMBERS / 4];  /* position 4 i + j from the first one in the lower half of [j][i] */
};

/**
 * Draw token `n` of the document of lane `f`, which has been taken out, in double precision; it is not put in.  For
 * documents whose response factor is too steep for vectors of doubles, and for a token whose float weights all vanished.
 *
 * @param drawn  receives the topic; the document's score is that with the topic
 */
gb_status gb_draw_token_exactly(gb_token_lane *f, size_t n, const gb_coefficients *eta, uint16_t *drawn,
                                gb_error *err);

/* ---- counts on their way: inline, so that each kernel has them in its own instruction set ---- */

/** r_kb / total; 1 with phi. */
static inline double gb_topic_factor(const gb_token_lane *f, size_t k, double total)
{
    return f->block.rows == NULL ? 1 : f->block.mass[k] / total;
}

/** Copy the word block's totals into the scratch. */
static inline void gb_open_block(const gb_token_lane *f)
{
    const gb_word_block *block = &f->block;
    gb_scratch *s = f->scratch;
    for (size_t k = 0; k < block->n_topics; k++) {
        s->total[k] = block->rows == NULL ? 1 : (double)block->n_kb[k] + block->beta_block;
        s->factor[k] = gb_topic_factor(f, k, s->total[k]);
    }
}

/** Copy them back, if they may have changed. */
static inline void gb_close_block(const gb_token_lane *f)
{
    const gb_word_block *block = &f->block;
    for (size_t k = 0; block->rows != NULL && !block->is_frozen && k < block->n_topics; k++)
        block->n_kb[k] = (int64_t)(f->scratch->total[k] - block->beta_block + 0.5);
}

#define GB_COPY_COUNTS(type)                                                                                         \
    for (size_t k = 0; k < stride; k++)                                                                              \
    count[k] = (int32_t)((const type *)(const void *)row)[k]
#define GB_COPY_COUNTS_BACK(type)                                                                                    \
    for (size_t k = 0; k < stride; k++)                                                                              \
    ((type *)(void *)row)[k] = (type)count[k]

/** Copy the document's row of counts into the scratch. */
static inline void gb_copy_counts(const gb_token_lane *f)
{
    const unsigned char *restrict row = f->document.count;
    int32_t *restrict count = f->scratch->count;
    const size_t stride = f->scratch->stride;
    switch (f->document.width) {
    case GB_WIDTH_8:
        GB_COPY_COUNTS(uint8_t);
        break;
    case GB_WIDTH_16:
        GB_COPY_COUNTS(uint16_t);
        break;
    default:
        GB_COPY_COUNTS(uint32_t);
    }
}

static inline void gb_copy_counts_back(const gb_token_lane *f)
{
    unsigned char *restrict row = f->document.count;
    const int32_t *restrict count = f->scratch->count;
    const size_t stride = f->scratch->stride;
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

/** Count the topics of a document without a row. */
static inline void gb_count_topics(const gb_token_lane *f)
{
    memset(f->scratch->count, 0, f->scratch->stride * sizeof *f->scratch->count);
    for (uint64_t i = 0; i < f->document.length; i++)
        if (f->document.topics[i] != GB_NO_TOPIC)
            f->scratch->count[f->document.topics[i]]++;
}

/** For a sampler that changes single counts and needs no products: give a document without a row one in the scratch. */
static inline void gb_lend_counts(gb_token_lane *f)
{
    if (f->document.count != NULL)
        return;
    gb_count_topics(f);
    f->document.count = (unsigned char *)f->scratch->count;
    f->document.width = GB_WIDTH_32;
}

static inline void gb_add_to_row(const gb_token_lane *f, uint32_t word, uint16_t topic, int by)
{
    if (f->block.rows != NULL)
        gb_row_add(gb_handle_row(f->block.rows, word), gb_handle_width(word), topic, by);
}

#endif
