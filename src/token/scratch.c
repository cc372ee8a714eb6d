/* token/scratch.c - a worker's memory, and the plain double-precision draw of one token.
 *
 * This is (1) and (2) of token/token.h read aloud: O(K L) per token.  It is the reference
 * of the tests and the path for documents whose response factor is too steep for vectors: omega has no bound (a
 * margin met almost exactly makes it huge), and then float loses the differences between topics. */
#include "token/scratch.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Rows of G_d held at once; when they are full all are formed anew.  They are to stay in the processor's cache. */
static size_t rows_held(size_t n_topics, size_t stride)
{
    const size_t most_numbers = 1 << 15, fewest = 16,
                 n = most_numbers / stride > fewest ? most_numbers / stride : fewest;
    return n < n_topics + 2 ? n : n_topics + 2; /* a token's two rows must always find room */
}

/* All of a scratch is in one piece of memory that shares no page with anything else.  Processors fetch what lies after an
 * array that is read, up to the end of the page; if another thread writes there all the time, it has to wait each time. */
enum { PAGE = 4096, LINE = 64 };

static size_t rounded_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Give every array its place in the memory; returns the bytes they need.  NULL: only count them. */
static size_t lay_out(gb_scratch *s, unsigned char *memory)
{
    const size_t n_topics = s->n_topics, stride = s->stride, n_outputs = s->n_outputs;
    const size_t stretch = (size_t)GB_STRETCH * 16, n_cumulative = (stride / stretch + 1) * stretch;
    size_t at = rounded_up(sizeof *s, LINE);
#define ROOM(array, n)                                                                                               \
    do {                                                                                                             \
        s->array = memory == NULL ? NULL : (void *)(memory + at);                                                    \
        at += rounded_up((n) * sizeof *s->array, LINE);                                                              \
    } while (0)
    ROOM(total, n_topics);
    ROOM(factor, n_topics);
    ROOM(rate, stride);
    ROOM(count, stride);
    ROOM(before, stride);
    ROOM(base, stride);
    ROOM(product, stride + 16);
    ROOM(cumulative, n_cumulative);
    ROOM(h, stride);
    ROOM(rows, (s->n_rows + 1) * stride);
    ROOM(precise_h, stride);
    ROOM(precise_rows, (s->n_rows + 1) * stride);
    ROOM(precise_eta, n_outputs * stride);
    ROOM(row_topic, s->n_rows + 1);
    ROOM(row_of, n_topics);
    ROOM(row_factor, n_outputs);
    ROOM(slope, n_outputs);
    ROOM(curvature, n_outputs);
    ROOM(probability, n_topics);
    ROOM(exponent, n_topics);
    ROOM(score, n_outputs);
#undef ROOM
    for (size_t i = stride; memory != NULL && i < n_cumulative; i++)
        s->cumulative[i] = INFINITY;
    return rounded_up(at, PAGE);
}

static gb_scratch sizes_of(size_t n_topics, size_t n_outputs)
{
    const size_t stride = (n_topics + 15) / 16 * 16;
    return (gb_scratch){.n_topics = n_topics,
                        .stride = stride,
                        .n_outputs = n_outputs,
                        .n_rows = n_outputs == 0 ? 0 : rows_held(n_topics, stride)};
}

gb_status gb_scratch_create(gb_scratch **out, size_t n_topics, size_t n_outputs, gb_error *err)
{
    gb_scratch sizes = sizes_of(n_topics, n_outputs);
    unsigned char *block;
    const gb_status st = gb_alloc(&block, lay_out(&sizes, NULL) + PAGE, 1, "scratch memory", err);
    if (st != GB_OK)
        return st;
    unsigned char *memory = block + (PAGE - (uintptr_t)block % PAGE) % PAGE;
    sizes.block = block;
    *out = (gb_scratch *)(void *)memory;
    **out = sizes;
    lay_out(*out, memory);
    return GB_OK;
}

uint64_t gb_scratch_bytes(size_t n_topics, size_t n_outputs)
{
    gb_scratch sizes = sizes_of(n_topics, n_outputs);
    return lay_out(&sizes, NULL) + PAGE;
}

void gb_scratch_free(gb_scratch *s)
{
    if (s != NULL)
        gb_free(s->block);
}

/* (1) without the response factor; the token at hand is counted out by subtracting `own`, 1 at its topic, 0 elsewhere. */
static double word_and_prior(const gb_token_lane *f, uint32_t word, size_t k, double own)
{
    const gb_word_block *block = &f->block;
    const gb_scratch *s = f->scratch;
    const double prior = f->document.base[k] + f->document.unit * (s->count[k] - own);
    if (block->phi != NULL)
        return prior * block->phi[word * block->stride + k];
    const double n_kw = gb_row_get(gb_handle_row(block->rows, word), gb_handle_width(word), k);
    const double counted = block->is_frozen ? 0 : own;
    return prior * block->mass[k] * (n_kw - counted + block->beta) / (s->total[k] - counted);
}

/* (2) for one topic; score[] is without the token at hand. */
static double response_factor(const gb_document *document, const gb_coefficients *eta, const double *score, size_t k)
{
    double g = 0, length = (double)document->length;
    for (size_t l = 0; l < document->n_outputs; l++) {
        const gb_score_term *term = &document->term[l];
        double e = eta->by_topic[k * document->n_outputs + l] / length;
        g += e * (term->slope + term->omega * (term->centre - score[l] - e / 2));
    }
    return g;
}

/* Weights (1) of all topics for token n, divided by a common factor; returns their sum.  `counted`: the token is in the
 * counts (in the scores it always is).  Exponentials are taken after subtracting the largest exponent among topics that
 * are possible at all. */
static double weigh_exactly(const gb_token_lane *f, size_t n, bool counted, const gb_coefficients *eta)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    double *weight = s->probability, *g = s->exponent;
    const uint16_t current = f->tokens.topic[n];
    double g_max = -INFINITY, sum = 0;
    for (size_t l = 0; l < document->n_outputs; l++) {
        const double own = current == GB_NO_TOPIC ? 0 : eta->by_topic[current * document->n_outputs + l];
        s->score[l] = document->score[l] - own / (double)document->length;
    }
    for (size_t k = 0; k < s->n_topics; k++) {
        weight[k] = word_and_prior(f, f->tokens.word[n], k, counted && k == current);
        g[k] = response_factor(document, eta, s->score, k);
        if (weight[k] > 0)
            g_max = fmax(g_max, g[k]);
    }
    for (size_t k = 0; k < s->n_topics; k++)
        sum += weight[k] = weight[k] > 0 ? weight[k] * exp(g[k] - g_max) : 0;
    return sum;
}

gb_status gb_token_probabilities(const gb_token_lane *lane, size_t n, const gb_coefficients *eta, double *probability,
                                 gb_error *err)
{
    gb_token_lane f = *lane;
    gb_status st = gb_scratch_create(&f.scratch, f.block.n_topics, f.document.n_outputs, err);
    if (st != GB_OK)
        return st;
    gb_open_block(&f);
    if (f.document.count == NULL)
        gb_count_topics(&f);
    else
        gb_copy_counts(&f);
    const double sum = weigh_exactly(&f, n, true, eta);
    for (size_t k = 0; k < f.block.n_topics; k++)
        probability[k] = f.scratch->probability[k] / sum;
    gb_scratch_free(f.scratch);
    return GB_OK;
}

gb_status gb_draw_token_exactly(gb_token_lane *f, size_t n, const gb_coefficients *eta, uint16_t *drawn,
                                gb_error *err)
{
    const gb_document *document = &f->document;
    gb_scratch *s = f->scratch;
    const double sum = weigh_exactly(f, n, false, eta);
    if (!(sum > 0) || !isfinite(sum))
        return gb_fail(err, GB_ENUMERIC, "sweep %u, document %llu: the weights of all topics are zero or not finite",
                       document->sweep, (unsigned long long)document->doc + 1);
    const uint64_t position = f->tokens.first + n;
    uint32_t number[4];
    gb_random_block(document->key, document->sweep, document->purpose, document->doc, (uint32_t)(position / 4),
                    number);
    double target = (number[position % 4] + 0.5) * 0x1p-32 * sum, cumulative = 0;
    bool found = false;
    for (size_t lane = 0; lane < 16 && !found; lane++) { /* the order of the vector kernel: one token, one answer */
        for (size_t k = lane; k < s->n_topics && !found; k += 16) {
            if (s->probability[k] > 0)
                *drawn = (uint16_t)k;
            cumulative += s->probability[k];
            found = cumulative > target;
        }
    }
    for (size_t l = 0; l < document->n_outputs; l++)
        document->score[l] = s->score[l] + eta->by_topic[*drawn * document->n_outputs + l] / (double)document->length;
    return GB_OK;
}
