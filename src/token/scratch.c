/* token/scratch.c - a worker's memory, and the plain double-precision draw of one token.
 *
 * This is (1) and (2) of token/token.h read aloud: O(K L) per token.  It is the reference
 * of the tests and the path for documents whose response factor is too steep for float: omega has no bound (a
 * margin met almost exactly makes it huge), and then float loses the differences between topics. */
#include "token/scratch.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static size_t stride_of(size_t n_topics)
{
    return (n_topics + 15) / 16 * 16;
}

static size_t n_rows_of(size_t n_topics, size_t n_outputs)
{
    return n_outputs == 0 ? 0 : n_topics < GB_MAX_ROWS ? n_topics : GB_MAX_ROWS;
}

uint64_t gb_scratch_bytes(size_t n_topics, size_t n_outputs)
{
    const gb_scratch s = {0};
    const uint64_t stride = stride_of(n_topics), n_rows = n_rows_of(n_topics, n_outputs);
    return sizeof s + stride * (sizeof *s.cumulative + sizeof *s.h) +
           n_rows * (stride * sizeof *s.rows + sizeof *s.row) +
           n_topics * (sizeof *s.slot_of + sizeof *s.weight + sizeof *s.exponent) +
           n_outputs * (sizeof *s.factor + sizeof *s.slope + sizeof *s.curvature + sizeof *s.score);
}

gb_status gb_scratch_create(gb_scratch **out, size_t n_topics, size_t n_outputs, gb_error *err)
{
    gb_status st;
    gb_scratch *s = NULL;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "scratch memory", err));
    s->n_topics = n_topics;
    s->stride = stride_of(n_topics);
    s->n_outputs = n_outputs;
    s->n_rows = n_rows_of(n_topics, n_outputs);
    GB_TRY(gb_alloc(&s->cumulative, s->stride, sizeof *s->cumulative, "scratch memory", err));
    GB_TRY(gb_alloc(&s->h, s->stride, sizeof *s->h, "scratch memory", err));
    GB_TRY(gb_alloc(&s->rows, s->n_rows * s->stride, sizeof *s->rows, "scratch memory", err));
    GB_TRY(gb_alloc(&s->row, s->n_rows, sizeof *s->row, "scratch memory", err));
    GB_TRY(gb_alloc(&s->slot_of, n_topics, sizeof *s->slot_of, "scratch memory", err));
    GB_TRY(gb_alloc(&s->factor, n_outputs, sizeof *s->factor, "scratch memory", err));
    GB_TRY(gb_alloc(&s->slope, n_outputs, sizeof *s->slope, "scratch memory", err));
    GB_TRY(gb_alloc(&s->curvature, n_outputs, sizeof *s->curvature, "scratch memory", err));
    GB_TRY(gb_alloc(&s->weight, n_topics, sizeof *s->weight, "scratch memory", err));
    GB_TRY(gb_alloc(&s->exponent, n_topics, sizeof *s->exponent, "scratch memory", err));
    GB_TRY(gb_alloc(&s->score, n_outputs, sizeof *s->score, "scratch memory", err));
    for (size_t k = 0; k < n_topics; k++)
        s->slot_of[k] = -1;
    *out = s;
    return GB_OK;
done:
    gb_scratch_free(s);
    return st;
}

void gb_scratch_free(gb_scratch *s)
{
    if (s == NULL)
        return;
    gb_free(s->cumulative);
    gb_free(s->h);
    gb_free(s->row);
    gb_free(s->rows);
    gb_free(s->slot_of);
    gb_free(s->factor);
    gb_free(s->slope);
    gb_free(s->curvature);
    gb_free(s->weight);
    gb_free(s->exponent);
    gb_free(s->score);
    gb_free(s);
}

/* (1) without the response factor; the token at hand is counted out by subtracting `own`, 1 at its topic, 0 elsewhere. */
static double word_and_prior(const gb_word_block *block, const gb_document *document, uint32_t word, size_t k,
                             double own)
{
    const double prior = document->base[k] + document->unit * (document->count[k] - own);
    const size_t at = word * block->stride + k;
    if (block->phi != NULL)
        return prior * block->phi[at];
    return prior * block->mass[k] * (block->n_kw[at] - own + block->beta) /
           ((double)block->n_kb[k] - own + block->beta_block);
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

/* Weights (1) of all topics for token n, divided by a common factor; returns their sum.  Exponentials are taken after
 * subtracting the largest exponent among topics that are possible at all. */
static double weigh_exactly(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                            size_t n, const gb_coefficients *eta, double *score, double *g, double *weight)
{
    const uint16_t current = tokens->topic[n];
    double g_max = -INFINITY, sum = 0;
    for (size_t l = 0; l < document->n_outputs; l++) {
        const double own = current == GB_NO_TOPIC ? 0 : eta->by_topic[current * document->n_outputs + l];
        score[l] = document->score[l] - own / (double)document->length;
    }
    for (size_t k = 0; k < block->n_topics; k++) {
        weight[k] = word_and_prior(block, document, tokens->word[n], k, k == current);
        g[k] = response_factor(document, eta, score, k);
        if (weight[k] > 0)
            g_max = fmax(g_max, g[k]);
    }
    for (size_t k = 0; k < block->n_topics; k++)
        sum += weight[k] = weight[k] > 0 ? weight[k] * exp(g[k] - g_max) : 0;
    return sum;
}

gb_status gb_token_probabilities(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                                 size_t n, const gb_coefficients *eta, double *probability, gb_error *err)
{
    gb_scratch *scratch = NULL;
    gb_status st = gb_scratch_create(&scratch, block->n_topics, document->n_outputs, err);
    if (st != GB_OK)
        return st;
    const double sum = weigh_exactly(block, document, tokens, n, eta, scratch->score, scratch->exponent, probability);
    for (size_t k = 0; k < block->n_topics; k++)
        probability[k] /= sum;
    gb_scratch_free(scratch);
    return GB_OK;
}

gb_status gb_draw_token_exactly(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                                size_t n, const gb_coefficients *eta, gb_scratch *scratch, gb_error *err)
{
    double *weight = scratch->weight;
    const double sum = weigh_exactly(block, document, tokens, n, eta, scratch->score, scratch->exponent, weight);
    if (!(sum > 0) || !isfinite(sum))
        return gb_fail(err, GB_ENUMERIC, "sweep %u, document %llu: the weights of all topics are zero or not finite",
                       document->sweep, (unsigned long long)document->doc + 1);
    uint32_t numbers[4];
    uint64_t at = UINT64_MAX;
    double target = gb_token_uniform(document, tokens->first + n, numbers, &at) * sum, cumulative = 0;
    size_t drawn = 0;
    bool found = false;
    for (size_t lane = 0; lane < 16 && !found; lane++) { /* the order of the vector kernel: one token, one answer */
        for (size_t k = lane; k < block->n_topics && !found; k += 16) {
            if (weight[k] > 0)
                drawn = k;
            cumulative += weight[k];
            found = cumulative > target;
        }
    }
    uint16_t current = tokens->topic[n];
    if (drawn == current)
        return GB_OK;
    if (current != GB_NO_TOPIC)
        gb_token_move(block, document, tokens->word[n], current, -1);
    gb_token_move(block, document, tokens->word[n], (uint16_t)drawn, 1);
    tokens->topic[n] = (uint16_t)drawn;
    for (size_t l = 0; l < document->n_outputs; l++)
        document->score[l] =
            scratch->score[l] + eta->by_topic[drawn * document->n_outputs + l] / (double)document->length;
    return GB_OK;
}

gb_status gb_draw_tokens_exactly(const gb_word_block *block, const gb_document *document, const gb_tokens *tokens,
                                 const gb_coefficients *eta, gb_scratch *scratch, gb_error *err)
{
    for (size_t n = 0; n < tokens->count; n++) {
        gb_status st = gb_draw_token_exactly(block, document, tokens, n, eta, scratch, err);
        if (st != GB_OK)
            return st;
    }
    return GB_OK;
}
