/* model/word_order.c - which words stand for a topic.
 *
 * The most probable words of a topic are often those of every topic.  With phi_kw the probability of word w in topic k, p_w the share of
 * the training tokens that are word w, and a weight x between 0 and 1:
 *
 *   lift        phi_kw / p_w                                          (Taddy 2012, AISTATS)
 *   relevance   x log phi_kw + (1 - x) log (phi_kw / p_w)             (Sievert & Shirley 2014, ILLVI)
 *   frex        1 / (x / F_k(phi_kw / sum_j phi_jw) + (1 - x) / F_k(phi_kw))   (Bischof & Airoldi 2012, ICML)
 *
 * F_k(y) is the share of words whose value in topic k is at most y.  Words without a training token come last: nothing is known of
 * them. */
#include "base/memory.h"
#include "gibbous/model.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ranked_word {
    double value;
    uint64_t word;
} ranked_word;

/* The topic at hand. */
typedef struct topic_words {
    size_t n_words;
    double weight;
    const double *phi;      /* n_words */
    const double *share;    /* n_words: p_w */
    double *frequency_rank; /* n_words: F_k of phi; where the order takes ranks */
    double *exclusive_rank; /* n_words: F_k of phi_kw / sum_j phi_jw */
} topic_words;

typedef struct word_order {
    const char *name;
    double (*value)(const topic_words *t, size_t word);
    double weight; /* x, if the caller gives none */
    bool takes_ranks;
} word_order;

static double probability(const topic_words *t, size_t w)
{
    return t->phi[w];
}

static double lift(const topic_words *t, size_t w)
{
    return t->phi[w] / t->share[w];
}

static double relevance(const topic_words *t, size_t w)
{
    return t->weight * log(t->phi[w]) + (1 - t->weight) * log(lift(t, w));
}

static double frex(const topic_words *t, size_t w)
{
    return 1 / (t->weight / t->exclusive_rank[w] + (1 - t->weight) / t->frequency_rank[w]);
}

static const word_order orders[] = {{"probability", probability, 1, false},
                                    {"lift", lift, 0, false},
                                    {"relevance", relevance, 0.6, false},
                                    {"frex", frex, 0.5, true}};

static const word_order *find_order(const char *name)
{
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (strcmp(orders[i].name, name) == 0)
            return &orders[i];
    return NULL;
}

/* Largest first; of equals the lower word number. */
static int by_value(const void *a, const void *b)
{
    const ranked_word *x = a, *y = b;
    const int order = (x->value < y->value) - (x->value > y->value);
    return order != 0 ? order : (x->word > y->word) - (x->word < y->word);
}

/* F_k of phi, or of phi / sum: words in falling order, equal ones with the rank of the first. */
static void find_ranks(const topic_words *t, const double *sum, ranked_word *room, double *rank)
{
    const size_t n = t->n_words;
    for (size_t w = 0; w < n; w++)
        room[w] = (ranked_word){sum == NULL ? t->phi[w] : t->phi[w] / sum[w], w};
    qsort(room, n, sizeof *room, by_value);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (room[i].value < room[first].value)
            first = i;
        rank[room[i].word] = (double)(n - first) / (double)n;
    }
}

/* p_w: any draw has all tokens. */
static void find_shares(const gb_model *m, double *share)
{
    const gb_draw *d = &m->draw[0];
    for (size_t w = 0; w < m->n_words; w++) {
        double n = 0;
        for (uint64_t i = d->word_start[w]; i < d->word_start[w + 1]; i++)
            n += d->count[i];
        share[w] = n / (double)m->n_training_tokens;
    }
}

/* The first n words in an order, with their probabilities. */
static void rank_topic(const topic_words *t, const word_order *order, ranked_word *room, size_t n, uint64_t *word,
                       double *out)
{
    for (size_t w = 0; w < t->n_words; w++)
        room[w] = (ranked_word){t->share[w] > 0 ? order->value(t, w) : -INFINITY, w};
    qsort(room, t->n_words, sizeof *room, by_value);
    for (size_t i = 0; i < n; i++) {
        word[i] = room[i].word;
        out[i] = t->phi[room[i].word];
    }
}

gb_status gb_model_rank_words(const gb_model *m, uint64_t output, const char *by, double weight, uint64_t n,
                              uint64_t *word, double *out, uint64_t *n_found, gb_error *err)
{
    gb_status st;
    const size_t n_words = m->n_words;
    const word_order *order = find_order(by);
    double *phi = NULL, *by_word = NULL;
    ranked_word *room = NULL;
    if (order == NULL)
        return gb_fail(err, GB_EARGUMENT, "no order of words \"%s\"; there are probability, lift, relevance and frex",
                       by);
    if (!isnan(weight) && !(weight >= 0 && weight <= 1))
        return gb_fail(err, GB_EARGUMENT, "the weight of an order of words is %g; it is from 0 to 1", weight);
    n = n < n_words ? n : n_words;
    GB_TRY(gb_alloc(&phi, m->n_topics * n_words, sizeof *phi, "the words of topics", err));
    GB_TRY(gb_alloc(&by_word, 4 * n_words, sizeof *by_word, "the words of topics", err));
    GB_TRY(gb_alloc(&room, n_words, sizeof *room, "the words of topics", err));
    GB_TRY(gb_model_topic_distributions(m, output, phi, err));
    double *share = by_word, *sum = by_word + n_words;
    topic_words t = {.n_words = n_words,
                     .weight = isnan(weight) ? order->weight : weight,
                     .share = share,
                     .frequency_rank = by_word + 2 * n_words,
                     .exclusive_rank = by_word + 3 * n_words};
    find_shares(m, share);
    for (size_t k = 0; k < m->n_topics; k++)
        for (size_t w = 0; w < n_words; w++)
            sum[w] += phi[k * n_words + w];
    for (size_t k = 0; k < m->n_topics; k++) {
        t.phi = phi + k * n_words;
        if (order->takes_ranks) {
            find_ranks(&t, NULL, room, t.frequency_rank);
            find_ranks(&t, sum, room, t.exclusive_rank);
        }
        rank_topic(&t, order, room, n, word + k * n, out + k * n);
    }
    *n_found = n;
done:
    gb_free(phi);
    gb_free(by_word);
    gb_free(room);
    return st;
}
