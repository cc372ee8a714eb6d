/* token/products.h - what weighs a topic in a document, whatever the word: (base + unit n_dk) r_kb / (n_kb + beta_b), and
 * the counts behind it as tokens leave and come.
 *
 * Included after simd/floats.h, once per instruction set.  `sums`: the sum of all products is kept as well.  `frozen`:
 * tokens are in the document's counts alone. */
#ifndef GB_TOKEN_PRODUCTS_H
#define GB_TOKEN_PRODUCTS_H

#include "simd/floats.h"
#include "token/scratch.h"

static void open_base(const gb_token_lane *f)
{
    for (size_t k = 0; k < f->block.n_topics; k++)
        f->scratch->base[k] = (float)f->document.base[k];
}

static void open_rates(const gb_token_lane *f)
{
    gb_scratch *s = f->scratch;
    gb_open_block(f);
    for (size_t k = 0; k < f->block.n_topics; k++)
        s->rate[k] = (float)(GB_PRODUCT_SCALE * gb_topic_factor(f, k, s->total[k]));
    if (f->document.base_is_shared)
        open_base(f);
    s->is_blank = s->has_precise_eta = false;
}

static void form_products(const gb_token_lane *f)
{
    gb_scratch *s = f->scratch;
    const vf unit = all((float)f->document.unit);
    for (size_t k = 0; k < s->stride; k += LANES) {
        const vf count = from_ints((const unsigned char *)(s->count + k));
        store(s->product + k, mul(fma_of(unit, count, load(s->base + k)), load(s->rate + k)));
    }
}

/* The product of one topic that the document has `count` times, and with it the sum. */
ALWAYS_INLINE void form_product(const gb_token_lane *f, size_t topic, int32_t count, bool sums)
{
    gb_scratch *s = f->scratch;
    const double before = sums ? (double)s->product[topic] : 0;
    s->product[topic] = (s->base[topic] + (float)f->document.unit * (float)count) * s->rate[topic];
    if (sums)
        s->product_sum += (double)s->product[topic] - before;
}

static void sum_products(gb_scratch *s)
{
    double sum[LANES] = {0}, total = 0;
    for (size_t k = 0; k < s->stride; k += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            sum[lane] += (double)s->product[k + lane];
    for (size_t lane = 0; lane < LANES; lane++)
        total += sum[lane];
    s->product_sum = total;
}

/* Count the topics of a document without a row and form the products.  All are formed only if those at hand are not those
 * of a document without tokens; their sum, too, is kept otherwise. */
static void count_document(const gb_token_lane *f, bool sums)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    if (!s->is_blank) {
        memset(s->count, 0, s->stride * sizeof *s->count);
        form_products(f);
        if (sums)
            sum_products(s);
    }
    for (uint64_t i = 0; i < document->length; i++)
        if (document->topics[i] != GB_NO_TOPIC)
            s->count[document->topics[i]]++;
    for (uint64_t i = 0; i < document->length; i++)
        if (document->topics[i] != GB_NO_TOPIC)
            form_product(f, document->topics[i], s->count[document->topics[i]], sums);
}

/* Copy the document's counts into the scratch and form the products. */
static void open_counts(const gb_token_lane *f, bool sums)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    s->numbers_first = s->numbers_end = f->tokens.first;
    if (!document->base_is_shared)
        open_base(f);
    if (document->count == NULL) {
        count_document(f, sums);
        return;
    }
    gb_copy_counts(f);
    s->is_blank = false;
    form_products(f);
    if (sums)
        sum_products(s);
}

/* Copy the counts back, or forget them. */
static void close_counts(const gb_token_lane *f, bool sums)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    if (document->count != NULL) {
        gb_copy_counts_back(f);
        return;
    }
    s->is_blank = document->base_is_shared;
    for (uint64_t i = 0; s->is_blank && i < document->length; i++) {
        if (document->topics[i] == GB_NO_TOPIC) /* first assignment: words of another block */
            continue;
        s->count[document->topics[i]] = 0;
        form_product(f, document->topics[i], 0, sums);
    }
}

ALWAYS_INLINE void set_topic(const gb_token_lane *f, size_t topic, int32_t count, double total, bool sums)
{
    gb_scratch *s = f->scratch;
    s->count[topic] = count;
    s->total[topic] = total;
    s->rate[topic] = (float)(GB_PRODUCT_SCALE * gb_topic_factor(f, topic, total));
    form_product(f, topic, count, sums);
}

/* Give a topic another count in the document. */
ALWAYS_INLINE void set_count(const gb_token_lane *f, size_t topic, int32_t count, bool sums)
{
    f->scratch->count[topic] = count;
    form_product(f, topic, count, sums);
}

/* Take token `n` out, unless it has no topic yet. */
ALWAYS_INLINE void take_out(const gb_token_lane *f, size_t n, bool sums, bool frozen)
{
    const gb_scratch *s = f->scratch;
    const uint16_t topic = f->tokens.topic[n];
    if (topic == GB_NO_TOPIC)
        return;
    if (frozen) {
        set_count(f, topic, s->count[topic] - 1, sums);
        return;
    }
    gb_add_to_row(f, f->tokens.word[n], topic, -1);
    set_topic(f, topic, s->count[topic] - 1, s->total[topic] - 1, sums);
}

/* Put token `n` in with a topic; its old one is forgotten. */
ALWAYS_INLINE void put_in(const gb_token_lane *f, size_t n, uint16_t topic, bool sums, bool frozen)
{
    const gb_scratch *s = f->scratch;
    f->tokens.topic[n] = topic;
    if (frozen) {
        set_count(f, topic, s->count[topic] + 1, sums);
        return;
    }
    gb_add_to_row(f, f->tokens.word[n], topic, 1);
    set_topic(f, topic, s->count[topic] + 1, s->total[topic] + 1, sums);
}

/* put_in() of token `n` and take_out() of the next one, which has a topic.  All is read before anything is written: a
 * processor that finds out late that it has read what was about to be written starts again. */
ALWAYS_INLINE void exchange(const gb_token_lane *f, size_t n, uint16_t in, bool sums, bool frozen)
{
    const gb_scratch *s = f->scratch;
    const uint16_t out = f->tokens.topic[n + 1];
    const int by = in != out;
    const int32_t count_in = s->count[in] + by, count_out = s->count[out] - by;
    const double total_in = s->total[in] + by, total_out = s->total[out] - by;
    f->tokens.topic[n] = in;
    if (frozen) {
        set_count(f, in, count_in, sums);
        set_count(f, out, count_out, sums);
        return;
    }
    gb_add_to_row(f, f->tokens.word[n], in, 1);
    gb_add_to_row(f, f->tokens.word[n + 1], out, -1);
    set_topic(f, in, count_in, total_in, sums);
    set_topic(f, out, count_out, total_out, sums);
}

#endif
