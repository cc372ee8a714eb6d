/* counts/topics.c - topic-word counts, the cut of the vocabulary, and draws of block masses and of phi. */
#include "counts/topics.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"
#include "options/beta.h"

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
static void cut_words(gb_topics *t, struct word_load *words, uint64_t n, size_t first_block, size_t n_blocks)
{
    double left = 0; /* mass of the words that are not in a block yet; a word weighs one more than its tokens */
    for (uint64_t i = 0; i < n; i++)
        left += (double)words[i].tokens + 1;
    if (n > 0)
        qsort(words, n, sizeof *words, heavier_first);
    size_t b = 0;
    double load = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double mass = (double)words[i].tokens + 1, wanted = (load + left) / (double)(n_blocks - b);
        const bool must_leave = n - i < n_blocks - b; /* every block gets a word */
        if (load > 0 && b + 1 < n_blocks && (must_leave || load + mass / 2 > wanted)) {
            b++;
            load = 0;
        }
        t->block_of[words[i].word] = (uint16_t)(first_block + b);
        t->beta_block[first_block + b] += t->beta;
        load += mass;
        left -= mass;
    }
}

/* Each bag has a block, and the one with the heaviest blocks that can be cut gets the next. */
static void share_out_blocks(gb_topics *t, const uint64_t *total, size_t n_blocks)
{
    const gb_bags *bags = t->bags;
    double mass[GB_MOST_BAGS] = {0};
    uint64_t n_words[GB_MOST_BAGS]; /* without keywords */
    size_t n[GB_MOST_BAGS], all = 0;
    memcpy(n_words, bags->n_words, sizeof n_words);
    for (size_t i = 0; i < t->keywords.n_words; i++)
        n_words[gb_bag_of(bags, t->keywords.word[i])]--;
    for (uint64_t w = 0; w < t->n_words; w++)
        mass[gb_bag_of(bags, w)] += (double)total[w] + 1;
    for (size_t bag = 0; bag < bags->n; bag++)
        all += n[bag] = n_words[bag] > 0;
    for (size_t best; bags->n > 1 && all < n_blocks; all++) {
        best = bags->n;
        for (size_t bag = 0; bag < bags->n; bag++)
            if (n[bag] < n_words[bag] &&
                (best == bags->n || mass[bag] / (double)n[bag] > mass[best] / (double)n[best]))
                best = bag;
        if (best == bags->n)
            break;
        n[best]++;
    }
    if (bags->n == 1)
        n[0] = n_blocks;
    for (size_t bag = 0; bag < bags->n; bag++)
        t->bag_block[bag + 1] = t->bag_block[bag] + n[bag];
}

/* Keywords have the last block to themselves. */
static gb_status cut_vocabulary(gb_topics *t, const uint64_t *total, gb_error *err)
{
    gb_status st;
    struct word_load *words = NULL;
    GB_TRY(gb_alloc(&words, t->n_words, sizeof *words, "word blocks", err));
    const size_t n_blocks = gb_topics_keyword_block(t); /* the others */
    share_out_blocks(t, total, n_blocks);
    for (size_t bag = 0; bag < t->bags->n; bag++) {
        uint64_t n = 0;
        for (uint64_t w = 0; w < t->n_words; w++) {
            if (gb_bag_of(t->bags, w) != bag)
                continue;
            if (gb_keywords_find(&t->keywords, (uint32_t)w) < t->keywords.n_words) {
                t->block_of[w] = (uint16_t)n_blocks;
                t->beta_block[n_blocks] += t->beta;
                continue;
            }
            words[n++] = (struct word_load){.tokens = total[w], .word = w};
        }
        cut_words(t, words, n, t->bag_block[bag], t->bag_block[bag + 1] - t->bag_block[bag]);
    }
done:
    gb_free(words);
    return st;
}

gb_topics gb_topics_size(uint64_t n_words, const uint64_t *total, const gb_topics_shape *shape)
{
    const size_t stride = stride_of(shape->n_topics);
    const gb_rows all = gb_rows_size(n_words, total, shape->n_topics, stride, shape->lists);
    return (gb_topics){
        .bags = shape->bags,
        .treatment = shape->treatment,
        .n_words = n_words,
        .n_topics = shape->n_topics,
        .beta = shape->beta,
        .beta_law = shape->beta_law,
        .n_blocks = shape->n_blocks,
        .n_bundles = shape->n_bundles,
        .bundle_blocks = shape->n_blocks / shape->n_bundles,
        .seed = shape->seed,
        .n_seeds = shape->n_seeds,
        .keywords = {.n_words = shape->n_keywords, .n_pairs = shape->n_keyword_pairs, .law = shape->keyword_law},
        .n_threads = shape->n_threads,
        .team = shape->team,
        .stride = stride,
        .n_row_bytes = all.n_bytes};
}

/* Topics in bags: number `bag` n_topics + `topic`. */
static size_t n_units(const gb_topics *t)
{
    return t->bags->n * t->n_topics;
}

static void list_keywords(gb_topics *t, const gb_array_visitor *v)
{
    gb_keywords *k = &t->keywords;
    if (k->n_words == 0)
        return;
    GB_ARRAY(v, "keywords", k->word, GB_DERIVED, GB_REPLICATED, k->n_words);
    GB_ARRAY(v, "keyword_places", k->at, GB_DERIVED, GB_REPLICATED, k->n_pairs);
    GB_ARRAY(v, "keyword_topics", k->topic, GB_DERIVED, GB_REPLICATED, k->n_pairs);
    GB_ARRAY(v, "keyword_starts", k->first, GB_DERIVED, GB_REPLICATED, n_units(t) + 1);
    GB_ARRAY(v, "keyword_counts", k->count, GB_DERIVED, GB_REPLICATED, k->n_words, t->n_topics);
    GB_STATE_ARRAY(v, "keyword_tokens", k->switched, GB_REPLICATED, GB_NOT_NEGATIVE, k->n_pairs);
    GB_ARRAY(v, "keyword_shares", k->said, GB_DERIVED, GB_REPLICATED, k->n_pairs);
    GB_ARRAY(v, "keyword_chances", k->chance, GB_DERIVED, GB_REPLICATED, k->n_pairs);
    GB_ARRAY(v, "keyword_rests", k->rest, GB_DERIVED, GB_REPLICATED, n_units(t));
    GB_ARRAY(v, "keyword_factors", k->factor, GB_DERIVED, GB_REPLICATED, k->n_words, t->n_topics);
    GB_ARRAY(v, "keyword_phi", k->phi, GB_DERIVED, GB_REPLICATED, k->n_words, t->stride);
}

/* phi is drawn anew at the beginning of each sweep. */
static void list_own(void *topics, const gb_array_visitor *v)
{
    gb_topics *t = topics;
    const bool sampled = t->treatment == GB_TREAT_SAMPLED;
    GB_STATE_ARRAY(v, "beta", t->sampled_beta, GB_REPLICATED, GB_POSITIVE, t->beta_law.rate > 0 ? 1 : 0);
    GB_ARRAY(v, "word_blocks", t->block_of, GB_DERIVED, GB_REPLICATED, t->n_words);
    GB_ARRAY(v, "block_betas", t->beta_block, GB_DERIVED, GB_REPLICATED, t->n_blocks);
    GB_ARRAY(v, "block_counts", t->n_kb, GB_DERIVED, GB_REPLICATED, t->n_blocks, t->n_topics);
    GB_STATE_ARRAY(v, "block_masses", t->mass, GB_REPLICATED, GB_NOT_NEGATIVE, t->n_blocks, t->n_topics);
    GB_ARRAY(v, "phi", t->phi, GB_SCRATCH, GB_REPLICATED, sampled ? t->n_words : 0, t->stride);
    GB_ARRAY(v, "block_scratch", t->block_scratch, GB_SCRATCH, GB_BY_WORKER, t->n_threads, 2,
             t->n_blocks + t->keywords.n_words);
    GB_ARRAY(v, "phi_scratch", t->phi_scratch, GB_SCRATCH, GB_REPLICATED, sampled ? n_chunks(t) : 0,
             sampled ? 2 * t->bags->n : 0, t->n_topics);
    GB_ARRAY(v, "word_row_handles", t->handle, GB_DERIVED, GB_REPLICATED, t->n_words);
    GB_ARRAY_WITH(v, .name = "word_bundles", GB_AT(t->rows), .life = GB_DERIVED, .axis = GB_REPLICATED,
                  .has_pointers = true, GB_SHAPE(t->n_bundles));
    list_keywords(t, v);
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

/* ---- seeds ---- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The lists that do not change. */
static gb_status list_pairs(gb_topics *t, gb_error *err)
{
    gb_keywords *k = &t->keywords;
    uint32_t *word = NULL;
    size_t n = 0;
    if (k->n_words == 0)
        return GB_OK;
    const gb_status st = gb_alloc(&word, k->n_pairs, sizeof *word, "keywords", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < t->n_seeds; i++)
        if (t->seed[i].count == 0)
            word[n++] = t->seed[i].word;
    qsort(word, n, sizeof *word, ascending);
    for (size_t i = 0, j = 0; i < n; i++)
        if (i == 0 || word[i] != word[i - 1])
            k->word[j++] = word[i];
    n = 0;
    for (size_t bag = 0; bag < t->bags->n; bag++)
        for (size_t i = 0; i < t->n_seeds; i++) {
            if (t->seed[i].count > 0 || gb_bag_of(t->bags, t->seed[i].word) != bag)
                continue;
            k->at[n] = (uint32_t)gb_keywords_find(k, t->seed[i].word);
            k->topic[n++] = t->seed[i].topic;
            k->first[bag * t->n_topics + t->seed[i].topic + 1]++;
        }
    for (size_t j = 0; j < n_units(t); j++)
        k->first[j + 1] += k->first[j];
    gb_free(word);
    return GB_OK;
}

/* Totals of blocks are known everywhere, rows where they are. */
static void count_seeds(gb_topics *t)
{
    for (size_t i = 0; i < t->n_seeds; i++) {
        const gb_seed *seed = &t->seed[i];
        if (seed->count == 0)
            continue;
        const size_t at = gb_keywords_find(&t->keywords, seed->word); /* a keyword of another topic */
        if (at < t->keywords.n_words)
            t->keywords.count[at * t->n_topics + seed->topic] += seed->count;
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
    if (t.sampled_beta != NULL)
        *t.sampled_beta = t.beta;
    GB_TRY(list_pairs(&t, err));
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
    if (t->keywords.n_words > 0)
        memset(t->keywords.count, 0, t->keywords.n_words * t->n_topics * sizeof *t->keywords.count);
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

int64_t gb_topics_bag_total(const gb_topics *t, size_t bag, size_t topic)
{
    int64_t total = 0;
    const gb_keywords *k = &t->keywords;
    for (size_t b = t->bag_block[bag]; b < t->bag_block[bag + 1]; b++)
        total += t->n_kb[b * t->n_topics + topic];
    for (size_t i = 0; i < k->n_words; i++)
        total += gb_bag_of(t->bags, k->word[i]) == bag ? k->count[i * t->n_topics + topic] : 0;
    return total;
}

/* ---- beta ---- */

void gb_topics_set_beta(gb_topics *t, double beta)
{
    t->beta = *t->sampled_beta = beta;
    memset(t->beta_block, 0, t->n_blocks * sizeof *t->beta_block);
    for (uint64_t w = 0; w < t->n_words; w++)
        t->beta_block[t->block_of[w]] += beta;
}

gb_status gb_topics_restore(gb_topics *t, gb_error *err)
{
    if (t->sampled_beta == NULL)
        return GB_OK;
    if (!gb_beta_is_possible(*t->sampled_beta))
        return gb_fail(err, GB_EFORMAT, "beta is out of range");
    gb_topics_set_beta(t, *t->sampled_beta);
    return GB_OK;
}

/* ---- keywords ---- */

size_t gb_keywords_find(const gb_keywords *k, uint32_t word)
{
    size_t first = 0, last = k->n_words;
    while (first < last) {
        const size_t middle = (first + last) / 2;
        if (k->word[middle] < word)
            first = middle + 1;
        else
            last = middle;
    }
    return first < k->n_words && k->word[first] == word ? first : k->n_words;
}

/* n_kw of a pair; no seed with a number is among these tokens. */
static double tokens_of_pair(const gb_topics *t, size_t pair)
{
    const gb_keywords *k = &t->keywords;
    return (double)k->count[k->at[pair] * t->n_topics + k->topic[pair]];
}

/* m_kw, of which a file may say more than there are. */
static double switched_of_pair(const gb_topics *t, size_t pair)
{
    return fmin(t->keywords.switched[pair], tokens_of_pair(t, pair));
}

static double switched_of_unit(const gb_topics *t, size_t unit)
{
    double n = 0;
    for (size_t i = t->keywords.first[unit]; i < t->keywords.first[unit + 1]; i++)
        n += switched_of_pair(t, i);
    return n;
}

double gb_topics_seed_tokens(const gb_topics *t, size_t bag, size_t topic)
{
    double n = 0;
    for (size_t i = 0; i < t->n_seeds; i++)
        n += t->seed[i].topic == topic && gb_bag_of(t->bags, t->seed[i].word) == bag ? t->seed[i].count : 0;
    return n;
}

/* n_k without seeds. */
static double own_tokens(const gb_topics *t, size_t bag, size_t topic)
{
    return (double)gb_topics_bag_total(t, bag, topic) - gb_topics_seed_tokens(t, bag, topic);
}

double gb_topics_plain_tokens(const gb_topics *t, size_t bag, size_t topic)
{
    const double own = own_tokens(t, bag, topic);
    return own - (t->keywords.n_words == 0 ? 0 : switched_of_unit(t, bag * t->n_topics + topic));
}

/* n_kw - m_kw of keywords, in the place of their factors. */
void gb_topics_leave_keywords_out(gb_topics *t)
{
    gb_keywords *k = &t->keywords;
    for (size_t i = 0; i < k->n_words * t->n_topics; i++)
        k->factor[i] = (double)k->count[i];
    for (size_t i = 0; i < k->n_pairs; i++)
        k->factor[k->at[i] * t->n_topics + k->topic[i]] -= switched_of_pair(t, i);
}

/* pi_k and phi~_k of (4) of counts/keywords.h. */
static void draw_switch(gb_topics *t, size_t bag, size_t topic, gb_key key, uint32_t sweep)
{
    gb_keywords *k = &t->keywords;
    const size_t unit = bag * t->n_topics + topic, first = k->first[unit], n = k->first[unit + 1] - first;
    gb_random random = gb_random_open(key, sweep, GB_DRAW_KEYWORDS, unit);
    k->rest[unit] = 1;
    if (n == 0)
        return;
    const double switched = switched_of_unit(t, unit);
    const double shape[2] = {k->law.from_keywords + switched, k->law.from_all + own_tokens(t, bag, topic) - switched};
    double share[2];
    gb_random_dirichlet(&random, 2, shape, share);
    for (size_t i = first; i < first + n; i++)
        k->chance[i] = k->law.beta + switched_of_pair(t, i);
    gb_random_dirichlet(&random, n, k->chance + first, k->said + first);
    for (size_t i = first; i < first + n; i++)
        k->said[i] *= share[0];
    k->rest[unit] = share[1];
}

/* Factors (2) and chances (3) of keywords of a topic whose factors are r_kw so far. */
static void finish_factors_of_topic(gb_topics *t, size_t topic)
{
    gb_keywords *k = &t->keywords;
    for (size_t i = 0; i < k->n_words; i++)
        k->factor[i * t->n_topics + topic] *= k->rest[gb_bag_of(t->bags, k->word[i]) * t->n_topics + topic];
    for (size_t unit = topic; unit < n_units(t); unit += t->n_topics)
        for (size_t i = k->first[unit]; i < k->first[unit + 1]; i++) {
            double *factor = &k->factor[k->at[i] * t->n_topics + topic];
            *factor += k->said[i];
            k->chance[i] = *factor > 0 ? k->said[i] / *factor : 0;
        }
}

static void make_rows_of_keywords(gb_topics *t)
{
    gb_keywords *k = &t->keywords;
    for (size_t i = 0; i < k->n_words; i++) {
        const double *factor = k->factor + i * t->n_topics;
        double largest = 0;
        for (size_t j = 0; j < t->n_topics; j++)
            largest = fmax(largest, factor[j]);
        for (size_t j = 0; j < t->n_topics; j++)
            k->phi[i * t->stride + j] = largest > 0 ? (float)(factor[j] / largest) : 1;
    }
}

struct draw_context {
    gb_topics *t;
    gb_key key;
    uint32_t sweep;
};

static gb_status draw_switches_of_pair(void *context, size_t pair, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const struct draw_context *c = context;
    gb_keywords *k = &c->t->keywords;
    gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_SWITCHES, pair);
    const double n = tokens_of_pair(c->t, pair), chance = k->chance[pair];
    double m = 0;
    for (double i = 0; i < n; i++)
        m += gb_random_uniform(&random) < chance;
    k->switched[pair] = m;
    return GB_OK;
}

gb_status gb_topics_draw_switches(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err)
{
    struct draw_context context = {t, key, sweep};
    return gb_parallel_for(t->keywords.n_pairs, t->n_threads, draw_switches_of_pair, &context, err);
}

/* ---- block masses, (2) ---- */

/* Masses of a bag's blocks, and its keywords' probabilities, in place of their counts. */
static void draw_masses_of_bag(gb_topics *t, size_t bag, size_t topic, double *room, gb_random *random)
{
    gb_keywords *k = &t->keywords;
    const size_t first = t->bag_block[bag], end = t->bag_block[bag + 1];
    double *shape = room, *r = room + t->n_blocks + k->n_words;
    size_t n = 0;
    for (size_t b = first; b < end; b++)
        shape[n++] = (double)t->n_kb[b * t->n_topics + topic] + t->beta_block[b];
    for (size_t i = 0; i < k->n_words; i++)
        if (gb_bag_of(t->bags, k->word[i]) == bag)
            shape[n++] = k->factor[i * t->n_topics + topic] + t->beta;
    gb_random_dirichlet(random, n, shape, r);
    n = 0;
    for (size_t b = first; b < end; b++)
        t->mass[b * t->n_topics + topic] = r[n++];
    for (size_t i = 0; i < k->n_words; i++)
        if (gb_bag_of(t->bags, k->word[i]) == bag)
            k->factor[i * t->n_topics + topic] = r[n++];
}

static gb_status draw_masses_of_topic(void *context, size_t k, size_t worker, gb_error *err)
{
    (void)err;
    struct draw_context *c = context;
    gb_topics *t = c->t;
    gb_keywords *keywords = &t->keywords;
    double *room = t->block_scratch + worker * 2 * (t->n_blocks + keywords->n_words);
    gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_BLOCK_MASS, k);
    for (size_t bag = 0; bag < t->bags->n; bag++)
        draw_masses_of_bag(t, bag, k, room, &random);
    if (keywords->n_words == 0)
        return GB_OK;
    for (size_t bag = 0; bag < t->bags->n; bag++) {
        draw_switch(t, bag, k, c->key, c->sweep);
        for (size_t b = t->bag_block[bag]; b < t->bag_block[bag + 1]; b++)
            t->mass[b * t->n_topics + k] *= keywords->rest[bag * t->n_topics + k];
    }
    finish_factors_of_topic(t, k);
    return GB_OK;
}

gb_status gb_topics_draw_masses(gb_topics *t, gb_key key, uint32_t sweep, gb_error *err)
{
    struct draw_context context = {t, key, sweep};
    gb_topics_leave_keywords_out(t);
    const gb_status st = gb_parallel_for(t->n_topics, t->n_threads, draw_masses_of_topic, &context, err);
    make_rows_of_keywords(t);
    return st;
}

/* The switch and the keywords of a bag as the prior expects them. */
static void begin_keywords(gb_topics *t, size_t bag, size_t topic, double sum)
{
    gb_keywords *k = &t->keywords;
    const size_t unit = bag * t->n_topics + topic, first = k->first[unit], n = k->first[unit + 1] - first;
    k->rest[unit] = n == 0 ? 1 : k->law.from_all / (k->law.from_keywords + k->law.from_all);
    for (size_t i = first; i < first + n; i++)
        k->said[i] = (1 - k->rest[unit]) / (double)n;
    for (size_t i = 0; i < k->n_words; i++)
        if (gb_bag_of(t->bags, k->word[i]) == bag)
            k->factor[i * t->n_topics + topic] = ((double)k->count[i * t->n_topics + topic] + t->beta) / sum;
    for (size_t b = t->bag_block[bag]; b < t->bag_block[bag + 1]; b++)
        t->mass[b * t->n_topics + topic] *= k->rest[unit];
}

void gb_topics_begin(gb_topics *t)
{
    for (size_t k = 0; k < t->n_topics; k++) {
        for (size_t bag = 0; bag < t->bags->n; bag++) {
            const double sum = (double)gb_topics_bag_total(t, bag, k) + gb_topics_beta_sum(t, bag);
            for (size_t b = t->bag_block[bag]; b < t->bag_block[bag + 1]; b++)
                t->mass[b * t->n_topics + k] = ((double)t->n_kb[b * t->n_topics + k] + t->beta_block[b]) / sum;
            if (t->keywords.n_words > 0)
                begin_keywords(t, bag, k, sum);
        }
        if (t->keywords.n_words > 0)
            finish_factors_of_topic(t, k);
    }
    make_rows_of_keywords(t);
}

/* ---- phi, (3) ----
 * Gamma(n_kw + beta) on the log scale, because beta is small and the draws underflow; then the sums over
 * words.  A row is divided by its largest entry: the factor cancels in the draw of a topic and keeps the row
 * inside float. */

/* Of a chunk's words in a bag: the largest log gamma of each topic, then sums. */
static double *phi_part(const gb_topics *t, size_t chunk, size_t bag)
{
    return t->phi_scratch + (chunk * t->bags->n + bag) * 2 * t->n_topics;
}

static gb_status draw_log_gammas(void *context, size_t chunk, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct draw_context *c = context;
    gb_topics *t = c->t;
    uint64_t first = chunk * WORDS_PER_CHUNK, last = first + WORDS_PER_CHUNK;
    for (size_t bag = 0; bag < t->bags->n; bag++)
        for (size_t k = 0; k < t->n_topics; k++) {
            phi_part(t, chunk, bag)[k] = -INFINITY;
            phi_part(t, chunk, bag)[t->n_topics + k] = 0;
        }
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        double *largest = phi_part(t, chunk, gb_bag_of(t->bags, w)), *sum = largest + t->n_topics;
        gb_random random = gb_random_open(c->key, c->sweep, GB_DRAW_PHI, w);
        const size_t at = gb_keywords_find(&t->keywords, (uint32_t)w);
        const double *plain = at < t->keywords.n_words ? t->keywords.factor + at * t->n_topics : NULL;
        for (size_t k = 0; k < t->n_topics; k++) {
            const double n = plain != NULL ? plain[k] : gb_rows_get(gb_topics_rows(t, w), w, k);
            double x = gb_random_log_gamma(&random, n + t->beta);
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

/* log of the sum over words per topic and bag, chunks in order; left in the first chunk's place. */
static void add_chunks(gb_topics *t, size_t bag)
{
    double *log_sum = phi_part(t, 0, bag);
    for (size_t k = 0; k < t->n_topics; k++) {
        double largest = -INFINITY, sum = 0;
        for (size_t chunk = 0; chunk < n_chunks(t); chunk++)
            largest = fmax(largest, phi_part(t, chunk, bag)[k]);
        for (size_t chunk = 0; chunk < n_chunks(t); chunk++) {
            const double *part = phi_part(t, chunk, bag);
            sum += part[t->n_topics + k] * exp(part[k] - largest);
        }
        log_sum[k] = largest + log(sum);
    }
}

/* Rows of keywords become those of phi*, and sums those that make all others of phi those of phi*. */
static void mix_keywords(gb_topics *t, gb_key key, uint32_t sweep)
{
    gb_keywords *k = &t->keywords;
    for (size_t unit = 0; unit < n_units(t) && k->n_words > 0; unit++) {
        const size_t bag = unit / t->n_topics, topic = unit % t->n_topics;
        double *log_sum = phi_part(t, 0, bag);
        draw_switch(t, bag, topic, key, sweep);
        for (size_t i = k->first[unit]; i < k->first[unit + 1]; i++) {
            float *log_phi = &t->phi[k->word[k->at[i]] * t->stride + topic];
            const double plain = k->rest[unit] * exp((double)*log_phi - log_sum[topic]), all = plain + k->said[i];
            k->chance[i] = k->said[i] / all;
            *log_phi = (float)(log(all) + log_sum[topic] - log(k->rest[unit]));
        }
        log_sum[topic] -= log(k->rest[unit]);
    }
}

static gb_status normalise_rows(void *context, size_t chunk, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct draw_context *c = context;
    gb_topics *t = c->t;
    uint64_t first = chunk * WORDS_PER_CHUNK, last = first + WORDS_PER_CHUNK;
    for (uint64_t w = first; w < last && w < t->n_words; w++) {
        const double *log_sum = phi_part(t, 0, gb_bag_of(t->bags, w));
        float *row = t->phi + w * t->stride;
        double largest = -INFINITY;
        for (size_t k = 0; k < t->n_topics; k++) { /* gcc 12 for Arm fails at fmax() here */
            const double x = row[k] - log_sum[k];
            largest = x > largest ? x : largest;
        }
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
    gb_topics_leave_keywords_out(t);
    gb_status st = gb_parallel_for(n_chunks(t), t->n_threads, draw_log_gammas, &context, err);
    if (st != GB_OK)
        return st;
    for (size_t bag = 0; bag < t->bags->n; bag++)
        add_chunks(t, bag);
    mix_keywords(t, key, sweep);
    return gb_parallel_for(n_chunks(t), t->n_threads, normalise_rows, &context, err);
}

/* ---- log p(W | Z) ----
 * prod_k [ Gamma(bbar) / Gamma(n_k + bbar) ] prod_kw Gamma(n_kw + beta) / Gamma(beta), in each bag, with seeds divided by the same of the seeds
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
    double sum = 0;
    for (size_t i = 0; i < t->n_seeds; i++)
        sum += log_rise(t->seed[i].count, t->beta);
    for (size_t bag = 0; bag < t->bags->n; bag++)
        for (size_t k = 0; k < t->n_topics && t->n_seeds > 0; k++)
            sum -= log_rise(gb_topics_seed_tokens(t, bag, k), gb_topics_beta_sum(t, bag));
    return sum;
}

/* What (1) of counts/keywords.h makes of the same: tokens that come from keywords are out of the counts of their topic, and have a law
 * of their own. */
static double log_of_keywords(const gb_topics *t)
{
    const gb_keywords *k = &t->keywords;
    const double g1 = k->law.from_keywords, g2 = k->law.from_all;
    double sum = 0;
    for (size_t i = 0; i < k->n_pairs; i++) {
        const double n = tokens_of_pair(t, i), m = switched_of_pair(t, i);
        sum += log_rise(n - m, t->beta) - log_rise(n, t->beta) + log_rise(m, k->law.beta);
    }
    for (size_t unit = 0; unit < n_units(t) && k->n_words > 0; unit++) {
        const size_t bag = unit / t->n_topics, topic = unit % t->n_topics;
        const double n_words = k->first[unit + 1] - k->first[unit], beta_sum = gb_topics_beta_sum(t, bag);
        if (n_words == 0)
            continue;
        const double total = (double)gb_topics_bag_total(t, bag, topic), own = own_tokens(t, bag, topic),
                     m = switched_of_unit(t, unit);
        sum += log_rise(total, beta_sum) - log_rise(total - m, beta_sum) - log_rise(m, n_words * k->law.beta) +
               log_rise(m, g1) + log_rise(own - m, g2) - log_rise(own, g1 + g2);
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
    double sum = 0;
    for (size_t i = 0; i < n_partial; i++)
        sum += all[i];
    for (size_t bag = 0; bag < t->bags->n; bag++) {
        const double beta_sum = gb_topics_beta_sum(t, bag);
        for (size_t k = 0; k < t->n_topics; k++)
            sum += gb_log_gamma(beta_sum) - gb_log_gamma((double)gb_topics_bag_total(t, bag, k) + beta_sum);
    }
    *out = sum - log_of_seeds(t) + log_of_keywords(t);
    if (t->sampled_beta != NULL)
        *out += gb_gamma_law_log_density(&t->beta_law, t->beta);
done:
    gb_free(table);
    gb_free(partial);
    gb_free(all);
    gb_free(topic);
    gb_free(count);
    return st;
}
