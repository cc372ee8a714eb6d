/* bench/speed/simulate.c - documents of a topic model whose words follow Zipf's law.
 *
 *   phi_kw proportional to (rank of w + 8)^-1.07 exp(2.2 e_kw),  e_kw ~ N(0, 1)        frequent words differ by topic too
 *   N_d = 1 + a log-normal number with the mean wanted, its logarithm having standard deviation 0.8
 *   l_d uniform on the classes; theta_d ~ Dirichlet(6.4 / K + [k is one of five topics of l_d] 6.4 / 5)
 *   z ~ theta_d, w ~ phi_z
 *
 * Ranks are given to words at random, so that neighbours in memory are not neighbours in frequency.
 *
 * A word is drawn in constant time from its topic's alias table: every cell is one word up to a share of it, and
 * another one above (Walker 1977; the order of filling is that of Vose 1991). */
#include "simulate.h"

#include "base/memory.h"
#include "random/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STREAM_RANKS, STREAM_TOPIC, STREAM_DOCUMENT }; /* the word "sweep" of a stream's address */

typedef struct cell {
    float share; /* of the cell's own word */
    uint32_t other;
} cell;

typedef struct world {
    gb_key key;
    size_t n_topics;
    uint64_t n_words, n_docs, n_classes;
    double mean_length;
    cell *alias;    /* n_topics x n_words */
    uint32_t *rank; /* n_words */
    double *weight; /* n_words: scratch */
    uint32_t *list; /* n_words: scratch */
    double *alpha;  /* n_topics: of a document */
    double *theta;  /* n_topics: of a document */
} world;

static void draw_ranks(world *w)
{
    gb_random r = gb_random_open(w->key, STREAM_RANKS, GB_DRAW_SIMULATE, 0);
    for (uint64_t i = 0; i < w->n_words; i++)
        w->rank[i] = (uint32_t)i;
    for (uint64_t i = w->n_words; i > 1; i--) {
        const uint64_t j = gb_random_below(&r, i);
        const uint32_t swapped = w->rank[i - 1];
        w->rank[i - 1] = w->rank[j];
        w->rank[j] = swapped;
    }
}

/* Cells below their fair share take what they lack from cells above it; `list` has the former at its beginning and the
 * latter at its end. */
static void fill_alias(world *w, cell *table)
{
    uint64_t n_small = 0, first_large = w->n_words;
    double sum = 0;
    for (uint64_t i = 0; i < w->n_words; i++)
        sum += w->weight[i];
    for (uint64_t i = 0; i < w->n_words; i++) {
        w->weight[i] *= (double)w->n_words / sum;
        w->list[w->weight[i] < 1 ? n_small++ : --first_large] = (uint32_t)i;
        table[i] = (cell){.share = 1, .other = (uint32_t)i};
    }
    while (n_small > 0 && first_large < w->n_words) {
        const uint32_t small = w->list[--n_small], large = w->list[first_large];
        table[small] = (cell){.share = (float)w->weight[small], .other = large};
        w->weight[large] -= 1 - w->weight[small];
        if (w->weight[large] < 1) {
            first_large++;
            w->list[n_small++] = large;
        }
    }
}

static void draw_topics(world *w)
{
    for (size_t k = 0; k < w->n_topics; k++) {
        gb_random r = gb_random_open(w->key, STREAM_TOPIC, GB_DRAW_SIMULATE, k);
        for (uint64_t i = 0; i < w->n_words; i++)
            w->weight[i] = exp(2.2 * gb_random_normal(&r) - 1.07 * log(8.0 + w->rank[i]));
        fill_alias(w, w->alias + k * w->n_words);
    }
}

static uint32_t draw_word(const world *w, size_t topic, gb_random *r)
{
    const uint64_t i = gb_random_below(r, w->n_words);
    const cell *c = w->alias + topic * w->n_words + i;
    return gb_random_uniform(r) < c->share ? (uint32_t)i : c->other;
}

/* theta becomes its cumulative sums. */
static void draw_shares(world *w, uint64_t class, gb_random *r)
{
    for (size_t k = 0; k < w->n_topics; k++)
        w->alpha[k] = 6.4 / (double)w->n_topics;
    for (uint64_t j = 0; j < 5; j++)
        w->alpha[(5 * class + j) % w->n_topics] += 6.4 / 5;
    gb_random_dirichlet(r, w->n_topics, w->alpha, w->theta);
    for (size_t k = 1; k < w->n_topics; k++)
        w->theta[k] += w->theta[k - 1];
}

static size_t draw_topic(const world *w, gb_random *r)
{
    const double u = gb_random_uniform(r) * w->theta[w->n_topics - 1];
    size_t low = 0, high = w->n_topics - 1; /* the first topic whose sum is above u */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (w->theta[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static gb_status draw_document(world *w, uint64_t d, gb_corpus_builder *b, size_t field, gb_error *err)
{
    gb_status st;
    char class_name[24];
    gb_random r = gb_random_open(w->key, STREAM_DOCUMENT, GB_DRAW_SIMULATE, d);
    const uint64_t class = gb_random_below(&r, w->n_classes);
    const double length = exp(log(w->mean_length) - 0.32 + 0.8 * gb_random_normal(&r));
    const int n = snprintf(class_name, sizeof class_name, "c%06u", (unsigned)class);
    GB_TRY(gb_corpus_builder_document(b, NULL, 0, err));
    GB_TRY(gb_corpus_builder_class(b, field, class_name, (size_t)n, err));
    draw_shares(w, class, &r);
    for (uint64_t i = 0; (double)i < length; i++) {
        const size_t k = draw_topic(w, &r);
        GB_TRY(gb_corpus_builder_token(b, draw_word(w, k, &r), err));
    }
done:
    return st;
}

static gb_status allocate(world *w, gb_error *err)
{
    gb_status st;
    if (w->n_words > SIZE_MAX / w->n_topics)
        return gb_fail_memory(err, SIZE_MAX, "topics");
    GB_TRY(gb_alloc(&w->alias, w->n_topics * w->n_words, sizeof *w->alias, "topics", err));
    GB_TRY(gb_alloc(&w->rank, w->n_words, sizeof *w->rank, "topics", err));
    GB_TRY(gb_alloc(&w->weight, w->n_words, sizeof *w->weight, "topics", err));
    GB_TRY(gb_alloc(&w->list, w->n_words, sizeof *w->list, "topics", err));
    GB_TRY(gb_alloc(&w->alpha, w->n_topics, sizeof *w->alpha, "topics", err));
    GB_TRY(gb_alloc(&w->theta, w->n_topics, sizeof *w->theta, "topics", err));
done:
    return st;
}

static void clear(world *w)
{
    gb_free(w->alias);
    gb_free(w->rank);
    gb_free(w->weight);
    gb_free(w->list);
    gb_free(w->alpha);
    gb_free(w->theta);
}

static gb_status build(world *w, gb_corpus_builder *b, gb_error *err)
{
    gb_status st;
    size_t field;
    char word[24];
    GB_TRY(gb_corpus_builder_labels(b, "class", false, &field, err));
    for (uint64_t d = 0; d < w->n_docs; d++)
        GB_TRY(draw_document(w, d, b, field, err));
    for (uint64_t i = 0; i < w->n_words; i++) {
        const int n = snprintf(word, sizeof word, "w%09u", (unsigned)i);
        GB_TRY(gb_corpus_builder_word(b, word, (size_t)n, err));
    }
done:
    return st;
}

gb_status bench_simulate(const gb_settings *s, size_t n_topics, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_corpus_builder *b = NULL;
    world w = {.key = gb_key_make((uint64_t)gb_settings_int_or(s, "seed", -1), 0),
               .n_topics = n_topics,
               .n_words = (uint64_t)gb_settings_int(s, "vocabulary-size"),
               .n_docs = (uint64_t)gb_settings_int(s, "documents"),
               .n_classes = (uint64_t)gb_settings_int(s, "classes"),
               .mean_length = gb_settings_real(s, "length")};
    GB_TRY(allocate(&w, err));
    draw_ranks(&w);
    draw_topics(&w);
    GB_TRY(gb_corpus_builder_create(&b, err));
    GB_TRY(build(&w, b, err));
    GB_TRY(gb_corpus_builder_finish(b, NULL, NULL, out, err));
done:
    gb_corpus_builder_free(b);
    clear(&w);
    return st;
}
