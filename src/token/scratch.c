/* token/scratch.c - a worker's memory, and the plain double-precision draw of one token.
 *
 * This is (1) and (2) of token/token.h read aloud: O(K L) per token.  It is the reference
 * of the tests and the path for documents whose response factor is too steep for float: omega has no bound (a
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

gb_status gb_scratch_create(gb_scratch **out, size_t n_topics, size_t n_outputs, gb_error *err)
{
    gb_status st;
    const char *what = "scratch memory";
    gb_scratch *s = NULL;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, what, err));
    s->n_topics = n_topics;
    s->stride = (n_topics + 15) / 16 * 16;
    s->n_outputs = n_outputs;
    s->n_rows = n_outputs == 0 ? 0 : rows_held(n_topics, s->stride);
    GB_TRY(gb_alloc(&s->total, n_topics, sizeof *s->total, what, err));
    GB_TRY(gb_alloc(&s->factor, n_topics, sizeof *s->factor, what, err));
    GB_TRY(gb_alloc(&s->rate, s->stride, sizeof *s->rate, what, err));
    GB_TRY(gb_alloc(&s->count, s->stride, sizeof *s->count, what, err));
    GB_TRY(gb_alloc(&s->before, s->stride, sizeof *s->count, what, err));
    GB_TRY(gb_alloc(&s->base, s->stride, sizeof *s->base, what, err));
    GB_TRY(gb_alloc(&s->product, s->stride + 16, sizeof *s->product, what, err));
    const size_t stretch = (size_t)GB_STRETCH * 16, n_cumulative = (s->stride / stretch + 1) * stretch;
    GB_TRY(gb_alloc(&s->cumulative, n_cumulative, sizeof *s->cumulative, what, err));
    for (size_t i = s->stride; i < n_cumulative; i++)
        s->cumulative[i] = INFINITY;
    GB_TRY(gb_alloc(&s->h, s->stride, sizeof *s->h, what, err));
    GB_TRY(gb_alloc(&s->rows, (s->n_rows + 1) * s->stride, sizeof *s->rows, what, err));
    GB_TRY(gb_alloc(&s->precise_h, s->stride, sizeof *s->precise_h, what, err));
    GB_TRY(gb_alloc(&s->precise_rows, (s->n_rows + 1) * s->stride, sizeof *s->precise_rows, what, err));
    GB_TRY(gb_alloc(&s->precise_eta, n_outputs * s->stride, sizeof *s->precise_eta, what, err));
    GB_TRY(gb_alloc(&s->row_topic, s->n_rows + 1, sizeof *s->row_topic, what, err));
    GB_TRY(gb_alloc(&s->row_of, n_topics, sizeof *s->row_of, what, err));
    GB_TRY(gb_alloc(&s->row_factor, n_outputs, sizeof *s->row_factor, what, err));
    GB_TRY(gb_alloc(&s->slope, n_outputs, sizeof *s->slope, what, err));
    GB_TRY(gb_alloc(&s->curvature, n_outputs, sizeof *s->curvature, what, err));
    GB_TRY(gb_alloc(&s->probability, n_topics, sizeof *s->probability, what, err));
    GB_TRY(gb_alloc(&s->exponent, n_topics, sizeof *s->exponent, what, err));
    GB_TRY(gb_alloc(&s->score, n_outputs, sizeof *s->score, what, err));
    *out = s;
    return GB_OK;
done:
    gb_scratch_free(s);
    return st;
}

uint64_t gb_scratch_bytes(size_t n_topics, size_t n_outputs)
{
    gb_scratch s; /* for its sizes */
    const uint64_t stride = (n_topics + 15) / 16 * 16, n_rows = n_outputs == 0 ? 0 : rows_held(n_topics, stride);
    return sizeof s +
           stride * (sizeof *s.rate + 2 * sizeof *s.count + sizeof *s.base + sizeof *s.product +
                     sizeof *s.cumulative + sizeof *s.h + sizeof *s.precise_h + n_outputs * sizeof *s.precise_eta) +
           (n_rows + 1) * (stride * (sizeof *s.rows + sizeof *s.precise_rows) + sizeof *s.row_topic) +
           n_topics *
               (sizeof *s.total + sizeof *s.factor + sizeof *s.row_of + sizeof *s.probability + sizeof *s.exponent) +
           n_outputs * (sizeof *s.row_factor + sizeof *s.slope + sizeof *s.curvature + sizeof *s.score);
}

void gb_scratch_free(gb_scratch *s)
{
    if (s == NULL)
        return;
    gb_free(s->total);
    gb_free(s->factor);
    gb_free(s->rate);
    gb_free(s->count);
    gb_free(s->before);
    gb_free(s->base);
    gb_free(s->product);
    gb_free(s->cumulative);
    gb_free(s->h);
    gb_free(s->rows);
    gb_free(s->precise_h);
    gb_free(s->precise_rows);
    gb_free(s->precise_eta);
    gb_free(s->row_topic);
    gb_free(s->row_of);
    gb_free(s->row_factor);
    gb_free(s->slope);
    gb_free(s->curvature);
    gb_free(s->probability);
    gb_free(s->exponent);
    gb_free(s->score);
    gb_free(s);
}

/* (1) without the response factor; the token at hand is counted out by subtracting `own`, 1 at its topic, 0 elsewhere. */
static double word_and_prior(const gb_flight *f, uint32_t word, size_t k, double own)
{
    const gb_word_block *block = &f->block;
    const gb_scratch *s = f->scratch;
    const double prior = f->document.base[k] + f->document.unit * (s->count[k] - own);
    if (block->phi != NULL)
        return prior * block->phi[word * block->stride + k];
    const double n_kw = gb_row_get(gb_handle_row(block->rows, word), gb_handle_width(word), k);
    return prior * block->mass[k] * (n_kw - own + block->beta) / (s->total[k] - own);
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
static double weigh_exactly(const gb_flight *f, size_t n, bool counted, const gb_coefficients *eta)
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

gb_status gb_token_probabilities(const gb_flight *flight, size_t n, const gb_coefficients *eta, double *probability,
                                 gb_error *err)
{
    gb_flight f = *flight;
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

gb_status gb_draw_token_exactly(gb_flight *f, size_t n, const gb_coefficients *eta, uint16_t *drawn, gb_error *err)
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
