/* counts/topics.c - topic-word counts, the cut of the vocabulary, and draws of block masses and of phi. */
#include "counts/topics.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words per task of a phi draw.  Partial sums are per chunk and added in chunk order, so this number is part
 * of the sampler: another value gives other bits. */
enum { WORDS_PER_CHUNK = 1024 };

static size_t n_chunks(const gb_topics *t)
{
    return (size_t)((t->n_words + WORDS_PER_CHUNK - 1) / WORDS_PER_CHUNK);
}

static size_t stride_of(size_t n_topics)
{
    return (n_topics + GB_LANES - 1) / GB_LANES * GB_LANES;
}

/* ---- cutting the vocabulary ---- */

struct word_load {
    uint64_t tokens;
    uint64_t word;
};

static int heavier_first(const void *a, const void *b)
{
    const struct word_load *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens < y->tokens ? 1 : -1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Restore the heap of blocks, lightest (then lowest number) on top, after the top grew. */
static void sift_down(size_t *heap, const uint64_t *load, size_t n)
{
    size_t i = 0;
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++) {
            uint64_t a = load[heap[child]], b = load[heap[least]];
            if (a < b || (a == b && heap[child] < heap[least]))
                least = child;
        }
        if (least == i)
            return;
        size_t swap = heap[i];
        heap[i] = heap[least];
        heap[least] = swap;
        i = least;
    }
}

/* Heaviest word first into the lightest block: blocks of nearly equal token mass. */
static gb_status cut_vocabulary(gb_topics *t, const gb_corpus *corpus, gb_error *err)
{
    gb_status st;
    struct word_load *words = NULL;
    uint64_t *load = NULL;
    size_t *heap = NULL;
    GB_TRY(gb_alloc(&words, t->n_words, sizeof *words, "word blocks", err));
    GB_TRY(gb_alloc(&load, t->n_blocks, sizeof *load, "word blocks", err));
    GB_TRY(gb_alloc(&heap, t->n_blocks, sizeof *heap, "word blocks", err));
    for (uint64_t w = 0; w < t->n_words; w++)
        words[w].word = w;
    for (uint64_t i = 0; i < corpus->n_tokens; i++)
        words[corpus->word[i]].tokens++;
    qsort(words, t->n_words, sizeof *words, heavier_first);
    for (size_t b = 0; b < t->n_blocks; b++)
        heap[b] = b;
    for (uint64_t i = 0; i < t->n_words; i++) {
        size_t b = heap[0];
        t->block_of[words[i].word] = (uint16_t)b;
        t->beta_block[b] += t->beta;
        load[b] += words[i].tokens + 1;
        sift_down(heap, load, t->n_blocks);
    }
done:
    gb_free(words);
    gb_free(load);
    gb_free(heap);
    return st;
}

gb_status gb_topics_create(gb_topics *out, const gb_corpus *corpus, size_t n_topics, double beta,
                           gb_treatment treatment, size_t n_blocks, size_t n_threads, gb_error *err)
{
    gb_status st;
    gb_topics t = {.treatment = treatment,
                   .n_words = corpus->n_words,
                   .n_topics = n_topics,
                   .beta = beta,
                   .n_blocks = n_blocks,
                   .n_threads = n_threads,
                   .stride = stride_of(n_topics)};
    GB_TRY(gb_alloc(&t.block_of, t.n_words, sizeof *t.block_of, "word blocks", err));
    GB_TRY(gb_alloc(&t.beta_block, n_blocks, sizeof *t.beta_block, "word blocks", err));
    GB_TRY(gb_alloc(&t.n_kw, t.n_words * t.stride, sizeof *t.n_kw, "topic-word counts", err));
    GB_TRY(gb_alloc(&t.n_kb, n_blocks * n_topics, sizeof *t.n_kb, "topic counts", err));
    GB_TRY(gb_alloc(&t.mass, n_blocks * n_topics, sizeof *t.mass, "block masses", err));
    GB_TRY(gb_alloc(&t.block_scratch, n_threads * 2 * n_blocks, sizeof *t.block_scratch, "block masses", err));
    if (treatment == GB_TREAT_SAMPLED) {
        GB_TRY(gb_alloc(&t.phi, t.n_words * t.stride, sizeof *t.phi, "topic-word distributions", err));
        GB_TRY(gb_alloc(&t.phi_scratch, n_chunks(&t) * 2 * n_topics, sizeof *t.phi_scratch,
                        "topic-word distributions", err));
    }
    GB_TRY(cut_vocabulary(&t, corpus, err));
    *out = t;
    return GB_OK;
done:
    gb_topics_clear(&t);
    return st;
}

uint64_t gb_topics_bytes(const gb_corpus *corpus, size_t n_topics, gb_treatment treatment, size_t n_blocks,
                         size_t n_threads)
{
    const gb_topics t = {.n_words = corpus->n_words};
    const uint64_t cells = t.n_words * stride_of(n_topics);
    uint64_t n = t.n_words * sizeof *t.block_of + cells * sizeof *t.n_kw + n_blocks * sizeof *t.beta_block +
                 n_blocks * n_topics * (sizeof *t.n_kb + sizeof *t.mass) +
                 n_threads * 2 * n_blocks * sizeof *t.block_scratch;
    if (treatment == GB_TREAT_SAMPLED)
        n += cells * sizeof *t.phi + n_chunks(&t) * 2 * n_topics * sizeof *t.phi_scratch;
    return n;
}

void gb_topics_clear(gb_topics *t)
{
    gb_free(t->block_of);
    gb_free(t->beta_block);
    gb_free(t->n_kw);
    gb_free(t->n_kb);
    gb_free(t->mass);
    gb_free(t->phi);
    gb_free(t->block_scratch);
    gb_free(t->phi_scratch);
    *t = (gb_topics){0};
}

void gb_topics_count(gb_topics *t, uint64_t n_tokens, const uint32_t *word, const uint16_t *assignment)
{
    memset(t->n_kw, 0, t->n_words * t->stride * sizeof *t->n_kw);
    memset(t->n_kb, 0, t->n_blocks * t->n_topics * sizeof *t->n_kb);
    for (uint64_t i = 0; i < n_tokens; i++) {
        t->n_kw[word[i] * t->stride + assignment[i]]++;
        t->n_kb[t->block_of[word[i]] * t->n_topics + assignment[i]]++;
    }
}

int64_t gb_topics_total(const gb_topics *t, size_t topic)
{
    int64_t total = 0;
    for (size_t b = 0; b < t->n_blocks; b++)
        total += t->n_kb[b * t->n_topics + topic];
    return total;
}

/* ---- block masses, (2) ---- */

struct draw_context {
    gb_topics *t;
    gb_key key;
    uint32_t sweep;
};

static gb_status draw_masses_of_topic(void *context, size_t k, size_t worker, gb_error *err)
{
    (void)err;
    struct draw_context *c = context;
    gb_topics *t = c->t;
    double *shape = t->block_scratch + worker * 2 * t->n_blocks, *r = shape + t->n_blocks;
    gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_BLOCK_MASS, k);
    for (size_t b = 0; b < t->n_blocks; b++)
        shape[b] = (double)t->n_kb[b * t->n_topics + k] + t->beta_block[b];
    gb_random_dirichlet(&random, t->n_blocks, shape, r);
    for (size_t b = 0; b < t->n_blocks; b++)
        t->mass[b * t->n_topics + k] = r[b];
    return GB_OK;
}

void gb_topics_begin(gb_topics *t)
{
    double beta_sum = t->beta * (double)t->n_words;
    for (size_t b = 0; b < t->n_blocks; b++)
        for (size_t k = 0; k < t->n_topics; k++)
            t->mass[b * t->n_topics + k] = t->beta_block[b] / beta_sum;
}

/* ---- phi, (3) ----
 * Gamma(n_kw + beta) on the log scale, because beta is small and the draws underflow; then the sums over
 * words.  A row is divided by its largest entry: the factor cancels in the draw of a topic and keeps the row
 * inside float. */

static gb_status draw_log_gammas(void *context, size_t chunk, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct draw_context *c = context;
    gb_topics *t = c->t;
    double *largest = t->phi_scratch + chunk * 2 * t->n_topics, *sum = largest + t->n_topics;
    uint64_t first = chunk * WORDS_PER_CHUNK, last = first + WORDS_PER_CHUNK;
    for (size_t k = 0; k < t->n_topics; k++) {
        largest[k] = -INFINITY;
        sum[k] = 0;
    }
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_PHI, w);
        for (size_t k = 0; k < t->n_topics; k++) {
            double x = gb_random_log_gamma(&random, t->n_kw[w * t->stride + k] + t->beta);
            t->phi[w * t->stride + k] = (float)x;
            if (x > largest[k]) {
                sum[k] = sum[k] * exp(largest[k] - x) + 1;
                largest[k] = x;
            } else {
                sum[k] += exp(x - largest[k]);
            }
        }
    }
    return GB_OK;
}

/* log of the sum over words per topic, chunks in order; left in the first chunk's place. */
static void add_chunks(gb_topics *t)
{
    double *log_sum = t->phi_scratch;
    for (size_t k = 0; k < t->n_topics; k++) {
        double largest = -INFINITY, sum = 0;
        for (size_t chunk = 0; chunk < n_chunks(t); chunk++)
            largest = fmax(largest, t->phi_scratch[chunk * 2 * t->n_topics + k]);
        for (size_t chunk = 0; chunk < n_chunks(t); chunk++) {
            const double *part = t->phi_scratch + chunk * 2 * t->n_topics;
            sum += part[t->n_topics + k] * exp(part[k] - largest);
        }
        log_sum[k] = largest + log(sum);
    }
}

static gb_status normalise_rows(void *context, size_t chunk, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct draw_context *c = context;
    gb_topics *t = c->t;
    const double *log_sum = t->phi_scratch;
    uint64_t first = chunk * WORDS_PER_CHUNK, last = first + WORDS_PER_CHUNK;
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        float *row = t->phi + w * t->stride;
        double largest = -INFINITY;
        for (size_t k = 0; k < t->n_topics; k++)
            largest = fmax(largest, row[k] - log_sum[k]);
        for (size_t k = 0; k < t->n_topics; k++)
            row[k] = (float)exp(row[k] - log_sum[k] - largest);
    }
    return GB_OK;
}

gb_status gb_topics_draw(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err)
{
    struct draw_context context = {t, key, sweep};
    if (t->treatment == GB_TREAT_BLOCKS)
        return gb_parallel_for(t->n_topics, t->n_threads, draw_masses_of_topic, &context, err);
    gb_status st = gb_parallel_for(n_chunks(t), t->n_threads, draw_log_gammas, &context, err);
    if (st != GB_OK)
        return st;
    add_chunks(t);
    return gb_parallel_for(n_chunks(t), t->n_threads, normalise_rows, &context, err);
}

/* ---- log p(W | Z) ----
 * prod_k [ Gamma(bbar) / Gamma(n_k + bbar) ] prod_kw Gamma(n_kw + beta) / Gamma(beta) */

enum { TABLE_SIZE = 4096 };

struct log_context {
    const gb_topics *t;
    const double *table; /* log Gamma(n + beta) - log Gamma(beta) for n < TABLE_SIZE */
    double *partial;     /* one per chunk */
};

static gb_status log_of_chunk(void *context, size_t chunk, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct log_context *c = context;
    const gb_topics *t = c->t;
    uint64_t first = chunk * WORDS_PER_CHUNK, last = first + WORDS_PER_CHUNK;
    double sum = 0;
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        const int32_t *row = t->n_kw + w * t->stride;
        for (size_t k = 0; k < t->n_topics; k++) {
            if (row[k] < TABLE_SIZE)
                sum += row[k] == 0 ? 0 : c->table[row[k]];
            else
                sum += gb_log_gamma(row[k] + t->beta) - gb_log_gamma(t->beta);
        }
    }
    c->partial[chunk] = sum;
    return GB_OK;
}

gb_status gb_topics_log_probability(const gb_topics *t, double *out, gb_error *err)
{
    gb_status st;
    double *table = NULL, *partial = NULL;
    GB_TRY(gb_alloc(&table, TABLE_SIZE, sizeof *table, "the log joint", err));
    GB_TRY(gb_alloc(&partial, n_chunks(t), sizeof *partial, "the log joint", err));
    for (size_t n = 1; n < TABLE_SIZE; n++)
        table[n] = table[n - 1] + log((double)(n - 1) + t->beta);
    struct log_context context = {t, table, partial};
    GB_TRY(gb_parallel_for(n_chunks(t), t->n_threads, log_of_chunk, &context, err));
    double sum = 0, beta_sum = t->beta * (double)t->n_words;
    for (size_t chunk = 0; chunk < n_chunks(t); chunk++)
        sum += partial[chunk];
    for (size_t k = 0; k < t->n_topics; k++)
        sum += gb_log_gamma(beta_sum) - gb_log_gamma((double)gb_topics_total(t, k) + beta_sum);
    *out = sum;
done:
    gb_free(table);
    gb_free(partial);
    return st;
}
