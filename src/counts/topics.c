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

/* Blocks of nearly equal token mass, from the most frequent words to the rarest: any cut is as good for the chain, and
 * with this one the rows of a block have the same width and the rows of frequent words stay in the cache. */
static gb_status cut_vocabulary(gb_topics *t, const uint64_t *total, gb_error *err)
{
    gb_status st;
    struct word_load *words = NULL;
    GB_TRY(gb_alloc(&words, t->n_words, sizeof *words, "word blocks", err));
    double left = 0; /* mass of the words that are not in a block yet; a word weighs one more than its tokens */
    for (uint64_t w = 0; w < t->n_words; w++) {
        words[w] = (struct word_load){.tokens = total[w], .word = w};
        left += (double)total[w] + 1;
    }
    qsort(words, t->n_words, sizeof *words, heavier_first);
    size_t b = 0;
    double load = 0;
    for (uint64_t i = 0; i < t->n_words; i++) {
        const double mass = (double)words[i].tokens + 1, wanted = (load + left) / (double)(t->n_blocks - b);
        const bool must_leave = t->n_words - i < t->n_blocks - b; /* every block gets a word */
        if (load > 0 && b + 1 < t->n_blocks && (must_leave || load + mass / 2 > wanted)) {
            b++;
            load = 0;
        }
        t->block_of[words[i].word] = (uint16_t)b;
        t->beta_block[b] += t->beta;
        load += mass;
        left -= mass;
    }
done:
    gb_free(words);
    return st;
}

gb_topics gb_topics_size(uint64_t n_words, const uint64_t *total, const gb_topics_shape *shape)
{
    const size_t stride = stride_of(shape->n_topics);
    const gb_rows all = gb_rows_size(n_words, total, shape->n_topics, stride, shape->lists);
    return (gb_topics){.treatment = shape->treatment,
                       .n_words = n_words,
                       .n_topics = shape->n_topics,
                       .beta = shape->beta,
                       .n_blocks = shape->n_blocks,
                       .n_bundles = shape->n_bundles,
                       .bundle_blocks = shape->n_blocks / shape->n_bundles,
                       .seed = shape->seed,
                       .n_seeds = shape->n_seeds,
                       .n_threads = shape->n_threads,
                       .team = shape->team,
                       .stride = stride,
                       .n_row_bytes = all.n_bytes};
}

/* phi is drawn anew at the beginning of each sweep. */
static void list_own(void *topics, const gb_array_visitor *v)
{
    gb_topics *t = topics;
    const bool sampled = t->treatment == GB_TREAT_SAMPLED;
    GB_ARRAY(v, "word_blocks", t->block_of, GB_DERIVED, GB_REPLICATED, t->n_words);
    GB_ARRAY(v, "block_betas", t->beta_block, GB_DERIVED, GB_REPLICATED, t->n_blocks);
    GB_ARRAY(v, "block_counts", t->n_kb, GB_DERIVED, GB_REPLICATED, t->n_blocks, t->n_topics);
    GB_STATE_ARRAY(v, "block_masses", t->mass, GB_REPLICATED, GB_NOT_NEGATIVE, t->n_blocks, t->n_topics);
    GB_ARRAY(v, "phi", t->phi, GB_DERIVED, GB_REPLICATED, sampled ? t->n_words : 0, t->stride);
    GB_ARRAY(v, "block_scratch", t->block_scratch, GB_SCRATCH, GB_BY_WORKER, t->n_threads, 2, t->n_blocks);
    GB_ARRAY(v, "phi_scratch", t->phi_scratch, GB_SCRATCH, GB_REPLICATED, sampled ? n_chunks(t) : 0, 2, t->n_topics);
    GB_ARRAY(v, "word_row_handles", t->handle, GB_DERIVED, GB_REPLICATED, t->n_words);
    GB_ARRAY_WITH(v, .name = "word_bundles", GB_AT(t->rows), .life = GB_DERIVED, .axis = GB_REPLICATED,
                  .has_pointers = true, GB_SHAPE(t->n_bundles));
}

void gb_topics_list(void *topics, const gb_array_visitor *v)
{
    gb_topics *t = topics;
    gb_rows all = {.n_bytes = t->n_row_bytes};
    const bool is_estimate = t->rows == NULL;
    list_own(t, v);
    for (size_t i = 0; i < (is_estimate ? 1 : t->n_bundles) && (is_estimate || t->rows != NULL); i++) {
        gb_rows *rows = is_estimate ? &all : &t->rows[i];
        GB_ARRAY(v, "word_rows", rows->data, GB_DERIVED, GB_BY_WORD_BLOCK,
                 is_estimate || rows->data != NULL ? rows->n_bytes : 0);
    }
}

/* Totals of blocks are known everywhere, rows where they are. */
static void count_seeds(gb_topics *t)
{
    for (size_t i = 0; i < t->n_seeds; i++) {
        const gb_seed *seed = &t->seed[i];
        t->n_kb[t->block_of[seed->word] * t->n_topics + seed->topic] += seed->count;
        if (gb_topics_has_word(t, seed->word))
            gb_rows_add(gb_topics_rows(t, seed->word), seed->word, seed->topic, (int)seed->count);
    }
}

gb_status gb_topics_create(gb_topics *out, uint64_t n_words, const uint64_t *total, const gb_topics_shape *shape,
                           size_t first, size_t last, gb_error *err)
{
    gb_status st;
    gb_topics t = gb_topics_size(n_words, total, shape);
    GB_TRY(gb_arrays_allocate(list_own, &t, "topic counts", err));
    GB_TRY(cut_vocabulary(&t, total, err));
    GB_TRY(gb_rows_lay_out(t.rows, t.n_bundles, t.handle, t.block_of, t.bundle_blocks, n_words, total, t.n_topics,
                           t.stride, shape->lists, err));
    for (size_t i = first; i < last; i++)
        GB_TRY(gb_alloc(&t.rows[i].data, t.rows[i].n_bytes, 1, "topic counts", err));
    count_seeds(&t);
    *out = t;
    t = (gb_topics){0};
done:
    gb_topics_clear(&t);
    return st;
}

void gb_topics_clear(gb_topics *t)
{
    gb_arrays_free(gb_topics_list, t);
    *t = (gb_topics){0};
}

void gb_topics_zero(gb_topics *t)
{
    for (size_t i = 0; i < t->n_bundles; i++)
        if (gb_topics_is_here(t, i))
            gb_rows_zero(&t->rows[i]);
    memset(t->n_kb, 0, t->n_blocks * t->n_topics * sizeof *t->n_kb);
    count_seeds(t);
}

void gb_topics_count(gb_topics *t, uint64_t n_tokens, const uint32_t *word, const uint16_t *assignment)
{
    for (uint64_t i = 0; i < n_tokens; i++)
        gb_topics_add(t, word[i], assignment[i]);
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

gb_status gb_topics_draw_masses(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err)
{
    struct draw_context context = {t, key, sweep};
    return gb_parallel_for(t->n_topics, t->n_threads, draw_masses_of_topic, &context, err);
}

void gb_topics_begin(gb_topics *t)
{
    const double beta_sum = t->beta * (double)t->n_words;
    for (size_t k = 0; k < t->n_topics; k++) {
        const double sum = (double)gb_topics_total(t, k) + beta_sum;
        for (size_t b = 0; b < t->n_blocks; b++)
            t->mass[b * t->n_topics + k] = ((double)t->n_kb[b * t->n_topics + k] + t->beta_block[b]) / sum;
    }
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
            double x = gb_random_log_gamma(&random, gb_rows_get(gb_topics_rows(t, w), w, k) + t->beta);
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
        return gb_topics_draw_masses(t, key, sweep, err);
    gb_status st = gb_parallel_for(n_chunks(t), t->n_threads, draw_log_gammas, &context, err);
    if (st != GB_OK)
        return st;
    add_chunks(t);
    return gb_parallel_for(n_chunks(t), t->n_threads, normalise_rows, &context, err);
}

/* ---- log p(W | Z) ----
 * prod_k [ Gamma(bbar) / Gamma(n_k + bbar) ] prod_kw Gamma(n_kw + beta) / Gamma(beta), with seeds divided by the same of the seeds
 * alone, which are given. */

enum { TABLE_SIZE = 4096 };

static double log_rise(double n, double beta)
{
    return gb_log_gamma(n + beta) - gb_log_gamma(beta);
}

struct log_context {
    const gb_topics *t;
    const double *table; /* log Gamma(n + beta) - log Gamma(beta) for n < TABLE_SIZE */
    double *partial;     /* n_chunks x n_bundles: of a bundle's words in a chunk */
    uint16_t *topic;     /* n_threads x stride: a sparse row */
    uint32_t *count;
};

static gb_status log_of_chunk(void *context, size_t chunk, size_t worker, gb_error *err)
{
    (void)err;
    struct log_context *c = context;
    const gb_topics *t = c->t;
    uint64_t first = chunk * WORDS_PER_CHUNK, last = first + WORDS_PER_CHUNK;
    uint16_t *topic = c->topic + worker * t->stride;
    uint32_t *count = c->count + worker * t->stride;
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        if (!gb_topics_has_word(t, w))
            continue;
        double *sum = &c->partial[chunk * t->n_bundles + gb_topics_bundle(t, w)];
        const size_t n = gb_rows_nonzero(gb_topics_rows(t, w), w, topic, count);
        for (size_t i = 0; i < n; i++)
            *sum += count[i] < TABLE_SIZE ? c->table[count[i]] : log_rise(count[i], t->beta);
    }
    return GB_OK;
}

/* The same of the seeds alone. */
static double log_of_seeds(const gb_topics *t)
{
    const double beta_sum = t->beta * (double)t->n_words;
    double sum = 0;
    for (size_t i = 0; i < t->n_seeds; i++)
        sum += log_rise(t->seed[i].count, t->beta);
    for (size_t k = 0; k < t->n_topics && t->n_seeds > 0; k++) {
        double n = 0;
        for (size_t i = 0; i < t->n_seeds; i++)
            n += t->seed[i].topic == k ? t->seed[i].count : 0;
        sum -= log_rise(n, beta_sum);
    }
    return sum;
}

gb_status gb_topics_log_probability(const gb_topics *t, double *out, gb_error *err)
{
    gb_status st;
    double *table = NULL, *partial = NULL, *all = NULL;
    const size_t n_partial = n_chunks(t) * t->n_bundles;
    gb_team *team = t->treatment == GB_TREAT_BLOCKS ? t->team : NULL; /* else all bundles are here */
    uint16_t *topic = NULL;
    uint32_t *count = NULL;
    GB_TRY(gb_alloc(&table, TABLE_SIZE, sizeof *table, "the log joint", err));
    GB_TRY(gb_alloc(&partial, n_partial, sizeof *partial, "the log joint", err));
    GB_TRY(gb_alloc(&all, n_partial, sizeof *all, "the log joint", err));
    GB_TRY(gb_alloc(&topic, t->n_threads * t->stride, sizeof *topic, "the log joint", err));
    GB_TRY(gb_alloc(&count, t->n_threads * t->stride, sizeof *count, "the log joint", err));
    for (size_t n = 1; n < TABLE_SIZE; n++)
        table[n] = table[n - 1] + log((double)(n - 1) + t->beta);
    struct log_context context = {t, table, partial, topic, count};
    GB_TRY(gb_parallel_for(n_chunks(t), t->n_threads, log_of_chunk, &context, err));
    GB_TRY(gb_team_add_rows(team, 1, n_partial, partial, all, err)); /* one rank has each, the others 0 */
    double sum = 0, beta_sum = t->beta * (double)t->n_words;
    for (size_t i = 0; i < n_partial; i++)
        sum += all[i];
    for (size_t k = 0; k < t->n_topics; k++)
        sum += gb_log_gamma(beta_sum) - gb_log_gamma((double)gb_topics_total(t, k) + beta_sum);
    *out = sum - log_of_seeds(t);
done:
    gb_free(table);
    gb_free(partial);
    gb_free(all);
    gb_free(topic);
    gb_free(count);
    return st;
}
